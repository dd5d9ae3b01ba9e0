"""`check_problem`: the promises of a problem, in every reachable state."""

import ast
import builtins
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from attrs import Factory, define
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from searchkit.basics.lookalikes import content, lookalikes, remedy, shown
from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem, SupportsSearch, check_members, has_cost, has_heuristic
from searchkit.search.driver import solve
from searchkit.search.limits import Limits
from searchkit.testing.problem_forms import check_examples, check_parameters, drawn, round_trip
from searchkit.testing.process_order import PROBLEMS, PROCESS, SAME_ORDER, in_every_process
from searchkit.testing.reports import (
    EXAMPLES,
    Check,
    Counterexample,
    Outcome,
    Report,
    path_in_words,
    picture,
    reproduce,
    smallest,
)
from searchkit.testing.survey import (
    MISSING,
    Breach,
    Survey,
    aimable,
    arrayable,
    last_line,
    only_itself,
    pairs_of,
    plain,
    regions,
    reversible,
    same,
    short,
    starts_of,
    survey,
)

PROMISES: Mapping[str, str] = {
    "members": "it has the methods of a search problem",
    "no errors": "no method raises an error for any state",
    "start states": "initial_states returns a collection of states, the same each time",
    "successor pairs": "successors returns a collection of (action, state) pairs",
    "states hashable": "every state is hashable, and none is None",
    "equal states": "equal states have equal hashes",
    "states told apart": "states of equal content are equal",
    "states unchanged": "no state changes after it was returned",
    "successors repeatable": "successors returns the same pairs in the same order, whatever was called before",
    "costs": "every cost is a finite number ≥ 0",
    "costs repeatable": "a cost is the same each time, whatever was called before",
    "goal test": "is_goal returns the same answer each time, whatever was called before",
    "heuristic": "every heuristic value is a number ≥ 0, the same each time",
    "heuristic at goals": "the heuristic value of a goal is 0",
    "predecessors": "predecessors is the inverse of successors",
    "goal states": "goal_states lists the goals and nothing else",
    "regions": "every action stays in its region or leads to one that neighbours() lists",
    "aimed": "with other starts and goals, the problem is otherwise the same",
    "array layout": "each state has an index of its own in the array, and costs are integers if it says so",
    "searchable": "an engine can search it",
    "drawing": "every state can be drawn",
    "round trip": "written as text and loaded again, it is the same problem",
}
"""Name → what is promised."""

ASKED_AGAIN = ("successors repeatable", "costs repeatable", "goal test", "searchable")
AGAIN = 200
"""The number of states that are checked a third time, after a search."""
PAIRS = 100
"""The number of states that are compared with one another."""

Finding = Breach | str | None
"""A breach; the reason why the promise does not apply; None if it holds."""


def examine(problem: SearchProblem[Any, Any], max_states: int) -> tuple[dict[str, Finding], int]:
    """Return the finding on each promise, over at most `max_states` states, and the number of expanded states."""
    try:
        check_members(problem)
    except InvalidProblemError as error:
        found: dict[str, Finding] = dict.fromkeys(
            PROMISES, "it does not have the methods of a search problem"
        )
        return found | {"members": Breach("members", str(error))}, 0
    seen = survey(problem, max_states)
    _equal_states(seen)
    _lookalikes(seen)
    reasons = {
        "costs": "" if has_cost(problem) else "it has no cost method: every action costs 1",
        "heuristic": "" if has_heuristic(problem) else "it has no heuristic",
        "predecessors": reversible(seen),
        "regions": regions(seen),
        "aimed": aimable(seen),
        "array layout": arrayable(seen),
        "searchable": "a state has too many successors" if seen.cut else "",
        "drawing": drawn(seen),
        "round trip": round_trip(seen, min(max_states, AGAIN)),
    }
    reasons["costs repeatable"] = reasons["costs"]
    reasons["heuristic at goals"] = reasons["heuristic"]
    reasons["goal states"] = reasons["predecessors"]
    if not any(goal is not MISSING and goal for goal in seen.goals):
        reasons["heuristic at goals"] = reasons["heuristic at goals"] or "no goal was reached"
    _unchanged(seen)
    if "states unchanged" in seen.breaches:
        reasons |= dict.fromkeys(ASKED_AGAIN, "states change, so no call can be repeated")
    else:
        _ask_again(seen, reversed(range(len(seen.edges))), "in another order")
        _search(seen, max_states)
        _ask_again(seen, range(min(len(seen.edges), AGAIN)), "after a search")
        _unchanged(seen)
    findings = {name: seen.breaches.get(name) or reasons.get(name) or None for name in PROMISES}
    return findings, len(seen.edges)


def _equal_states(seen: Survey) -> None:
    """Compare states with one another and with their copies: equal states have equal hashes."""
    first = [place for place, state in enumerate(seen.states[:PAIRS]) if not plain(state)]
    for one, other in combinations(first, 2):
        if _differ(seen, seen.states[one], seen.states[other]):
            _note_unlike(seen, seen.states[one], seen.states[other], one, other)
            return
    for place in first:
        copy = seen.copies[place]
        if copy is not MISSING and _differ(seen, seen.states[place], copy):
            _note_unlike(seen, seen.states[place], copy, place)
            return


def _differ(seen: Survey, one: Any, other: Any) -> bool:
    try:
        return bool(one == other) and hash(one) != hash(other)
    except Exception as error:
        seen.note("equal states", f"comparing {short(one)} with {short(other)} raised {last_line(error)}")
        return False


def _note_unlike(seen: Survey, one: Any, other: Any, *at: int) -> None:
    what = "another state" if len(at) > 1 else "a copy of it"
    seen.note(
        "equal states",
        f"{short(one)} is equal to {what}, but has another hash: a search would treat them as two states. The "
        "hash must depend only on what == compares",
        *at,
        numbers=(("hash of the one", str(hash(one))), ("hash of the other", str(hash(other)))),
    )


def _lookalikes(seen: Survey) -> None:
    """Find two states that differ although their contents are equal."""
    found = lookalikes(seen.states, len(seen.states))
    at = [] if found is None else [place for place in map(seen.place, found) if place is not None]
    if found is None or len(at) < len(found):
        return
    different = len({state if key is None else key for state in seen.states for key in [content(state)]})
    _note_lookalikes(
        seen,
        f"{shown(found[0])} was reached twice, as two states that are not equal: the {len(seen.states):,} states that "
        f"were reached have only {different:,} different contents, and a search treats each as a new state",
        found,
        *at,
    )


def _note_lookalikes(seen: Survey, what: str, pair: Sequence[Any], *at: int) -> None:
    seen.note(
        "states told apart",
        f"{what}. {remedy(pair[0])}",
        *at,
        numbers=(("one == other", str(pair[0] == pair[1])),),
    )


def _asked_alike(seen: Survey, place: int | None, call: str, before: Any, after: Any) -> None:
    """Record a state that is a new object, equal only to itself, at each call."""
    for one, other in zip(before, after, strict=False):
        if one is not other and only_itself(one) and not callable(one):
            what = (
                f"{call} returned {shown(one)}, and at the next call {shown(other)}, which is not equal to it"
            )
            _note_lookalikes(seen, what, (one, other), *(() if place is None else (place,)))
            return


def _ask_again(seen: Survey, order: Iterable[int], when: str) -> None:
    """Repeat earlier calls: the answers have to be the same."""
    problem, changed = seen.problem, []
    starts = starts_of(seen)
    if len(starts) != len(seen.starts) or not same(starts, seen.starts):
        seen.note(
            "start states",
            f"initial_states() returned {short(list(seen.starts))}, and at the next call {short(starts)}; return "
            "a new collection each time",
            numbers=(("at first", short(list(seen.starts))), (when, short(starts))),
            call="print(list(problem.initial_states()), list(problem.initial_states()))",
        )
    _asked_alike(seen, None, "initial_states()", seen.starts, starts)
    members: list[tuple[str, str, Callable[..., Any], list[Any]]] = [
        ("goal test", "is_goal", problem.is_goal, seen.goals)
    ]
    if has_heuristic(problem):
        members.append(("heuristic", "heuristic", problem.heuristic, seen.heuristic_values))
    for place in order:
        state = seen.states[place]
        for promise, name, member, answers in members:
            answer = seen.ask(place, f"{name}({state!r})", member, state)
            if answer is not MISSING and answers[place] is not MISSING and not same(answer, answers[place]):
                changed.append((place, promise, f"{name}({state!r})", answers[place], answer))
        if has_cost(problem):
            for (action, successor), before in zip(seen.edges[place], seen.costs[place], strict=True):
                call = f"cost({state!r}, {action!r}, {successor!r})"
                answer = seen.ask(place, call, problem.cost, state, action, successor)
                if answer is not MISSING and before is not MISSING and not same(answer, before):
                    changed.append((place, "costs repeatable", call, before, answer))
        again = tuple(pairs_of(seen, place, "successors"))
        call = f"successors({state!r})"
        _asked_alike(seen, place, call, [to for _, to in seen.edges[place]], [to for _, to in again])
        if not same(again, seen.edges[place]):
            changed.append((place, "successors repeatable", call, list(seen.edges[place]), list(again)))
    for place, promise, call, before, after in sorted(changed, key=lambda change: change[0]):
        seen.note(
            promise,
            f"{call} was {short(before)}, and {short(after)} when it was called again {when}",
            place,
            numbers=((f"{call} at first", short(before)), (when, short(after))),
        )


def _search(seen: Survey, max_states: int) -> None:
    """Search the problem. An exception is another breach, unless it occurs only in an engine."""
    if seen.cut:
        return
    try:
        solve(seen.problem, limits=Limits(expansions=max_states))
    except Exception as error:
        if not seen.breaches:
            seen.note("searchable", f"solve raised {last_line(error)}", call="solve(problem)")


def _unchanged(seen: Survey) -> None:
    for place, state in enumerate(seen.states):
        try:
            code, copy = hash(state), seen.copies[place]
            changed = code != seen.hashes[place] or (copy is not MISSING and not bool(state == copy))
        except Exception:
            changed = True
        if changed:
            before = "had another hash" if copy is MISSING else f"was {short(copy)}"
            seen.note(
                "states unchanged",
                f"a state that is now {short(state)} {before} when it was returned: a method changes it; make a new "
                "state instead",
                place,
                numbers=(
                    ("then", short(copy) if copy is not MISSING else "not known"),
                    ("now", short(state)),
                ),
            )
            return


PER_EXAMPLE = 10
"""The part of `max_states` that is expanded of each problem of a strategy."""
STRATEGY, DRAWS = "strategy", "its strategy draws problems"


def check_problem(
    subject: SupportsSearch[Any, Any] | ProblemSpec | SearchStrategy[Any] | str,
    *,
    max_states: int = 2_000,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> Report:
    """Check that a problem keeps every promise that the protocol makes, in every reachable state.

    States are hashable, equal states have equal hashes, and states never change. The same call has the same answer, in
    the same order, after any other calls and in every process. Costs are finite numbers ≥ 0; the heuristic value of a
    goal is 0. `predecessors`, if present, are the inverse of `successors`. Each state can be drawn, and a written
    problem can be read again. Promises that a problem does not make are skipped.

    Args:
        subject: a problem; a Hypothesis strategy of problems; or a kind of problem, by its `ProblemSpec` or its name:
            then its strategy, its examples and its options are checked.
        max_states: the largest number of states of a problem that are expanded; for drawn problems, a tenth of it.
        examples: the number of problems to draw from a strategy.
        seed: the seed of the drawn problems. The same arguments give the same report.

    Raises:
        CheckFailure: a promise does not hold. The report shows the smallest case found.
        UnknownNameError: no kind of problem of that name is installed.
        InvalidOptionError: the subject is none of these.

    Example:
        >>> from searchkit.testing import check_problem
        >>> from searchkit_dungeon import grid
        >>> report = check_problem(grid(["S.#G", "...."]))
        >>> report.holds, report.facts["states"]
        (True, 7)

    """
    if max_states < 1 or examples < 1:
        raise InvalidOptionError(
            f"max_states={max_states}, examples={examples}: expected whole numbers of at least 1"
        )
    if isinstance(subject, str):
        subject = registry().problem(subject)
    if isinstance(subject, ProblemSpec):
        return _check_kind(subject, max_states, examples, seed)
    trials = Trials(max_states)
    if isinstance(subject, SearchStrategy):
        trials.draw(subject, examples, seed)
        return Report(f"problems of {short(subject, 80)}", tuple(trials.checks()), trials.count).or_raise()
    if isinstance(subject, type) and issubclass(subject, ProblemSpec):
        raise InvalidOptionError(
            f"{subject!r} is not a kind of problem; expected a ProblemSpec, a problem, or a name"
        )
    trials.add(subject)
    report = Report(
        f"problem {type(subject).__name__}", tuple(trials.checks()), trials.count, {"states": trials.states}
    )
    return report.or_raise()


def _check_kind(spec: ProblemSpec, max_states: int, examples: int, seed: int) -> Report:
    again = (
        "from searchkit.testing import check_problem",
        f"check_problem({spec.name!r}, examples={examples}, seed={seed})",
    )
    trials = Trials(max_states, again)
    if spec.strategy is not None:
        trials.draw(spec.strategy(), examples, seed)
    shipped = check_examples(spec, trials.add_example)
    checks = (check_parameters(spec, again), shipped, *trials.checks())
    return Report(f"problem {spec.name}", checks, trials.count).or_raise()


@define
class Trials:
    """The problems that were examined, and the finding on each promise."""

    max_states: int
    again: tuple[str, ...] = ()
    """Lines that reproduce a failure if a problem can't be written as Python."""
    count: int = 0
    states: int = 0
    _findings: dict[str, Finding] = Factory(dict)
    _cases: dict[str, Any] = Factory(dict)
    _kept: list[Any] = Factory(list)

    def add(self, problem: Any, max_states: int | None = None) -> None:
        """Examine one problem."""
        for name, finding in self._examine(problem, max_states or self.max_states).items():
            self._enter(name, finding, problem)

    def add_example(self, problem: Any) -> None:
        """Examine an example of a plugin, which may be large."""
        self.add(problem, self._part)

    def draw(self, strategy: SearchStrategy[Any], examples: int, seed: int) -> None:
        """Examine the problems of a strategy; record the smallest that breaks each promise."""
        broken: set[str] = set()

        def look(problem: Any) -> bool:
            for name, finding in self._examine(problem, self._part).items():
                if isinstance(finding, Breach):
                    broken.add(name)
                else:
                    self._enter(name, finding, problem)
            return False

        try:
            smallest(strategy, look, examples=examples, seed=seed)
        except Exception as error:
            self._enter(STRATEGY, Breach(STRATEGY, f"drawing a problem raised {last_line(error)}"), None)
            return
        self._enter(STRATEGY, None, None)
        for name in PROMISES:
            if name in broken:
                self._enter(name, *self._smallest(strategy, name, examples, seed))

    def checks(self) -> Iterator[Check]:
        """Yield the check of each promise."""
        held = not any(isinstance(finding, Breach) for finding in self._findings.values())
        if held and self._kept:
            self._enter(PROCESS, *in_every_process(self._kept))
        else:
            self._findings[PROCESS] = "looked at once everything else holds" if self._kept else None
        for name, promise in {STRATEGY: DRAWS, **PROMISES, PROCESS: SAME_ORDER}.items():
            if name in self._findings:
                yield self._check(name, promise)
            elif name != STRATEGY:
                yield Check(
                    name, promise, "skipped", "there was no problem to try: no strategy, and no example"
                )

    @property
    def _part(self) -> int:
        return max(1, self.max_states // PER_EXAMPLE)

    def _examine(self, problem: Any, max_states: int) -> Mapping[str, Finding]:
        findings, states = examine(problem, max_states)
        self.count += 1
        self.states += states
        if len(self._kept) < PROBLEMS:
            self._kept.append(problem)
        return findings

    def _enter(self, name: str, finding: Finding, problem: Any) -> None:
        """Record a finding: a breach replaces a promise that holds, and that replaces one that does not apply."""
        known = self._findings.get(name, "")
        if isinstance(known, Breach) or (isinstance(finding, str) and known is None):
            return
        self._findings[name] = finding
        self._cases[name] = problem

    def _smallest(
        self, strategy: SearchStrategy[Any], name: str, examples: int, seed: int
    ) -> tuple[Finding, Any]:
        failing: list[tuple[Finding, Any]] = []

        def broken(problem: Any) -> bool:
            finding = examine(problem, self._part)[0][name]
            if isinstance(finding, Breach):
                failing.append((finding, problem))
            return isinstance(finding, Breach)

        with suppress(
            Flaky
        ):  # the problem is not the same each time: the last one that failed is small enough
            smallest(strategy, broken, examples=examples, seed=seed)
        if failing:
            return failing[-1]
        return Breach(name, "it failed once, and not when the same problems were drawn again"), None

    def _check(self, name: str, promise: str) -> Check:
        finding = self._findings[name]
        if not isinstance(finding, Breach):
            outcome: Outcome = "holds" if finding is None else "skipped"
            return Check(name, promise, outcome, finding or "")
        problem = self._cases.get(name)
        case = None if problem is None else counterexample(problem, finding, self.again)
        return Check(name, promise, "fails", finding.detail, case)


CHECK = "check_problem(problem)"
KNOWN = {"Fraction", "inf", "problem", "solve"}
"""Names that `reproduce` can import, or that its second line defines."""


def counterexample(
    problem: SearchProblem[Any, Any], breach: Breach, again: tuple[str, ...] = ()
) -> Counterexample:
    """Return the counterexample. `again` are lines that reproduce it if the problem can't be written as Python."""
    call = breach.call if breach.call and _names(breach.call) <= KNOWN else CHECK
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # another check reports plugins that fail to draw or write
        paths = tuple((name, _path(problem, path)) for name, path in breach.paths if path)
        drawing = "" if any("\n" in shown for _, shown in paths) else _drawn(problem, ())
        lines = _reproduced(problem, call, again)
    return Counterexample(drawing, paths, breach.numbers, lines, problem)


def _drawn(problem: SearchProblem[Any, Any], path: tuple[Any, ...]) -> str:
    try:
        return picture(problem, path)
    except Exception as error:
        return f"{short(problem)} (it can't be drawn: {last_line(error)})"


def _path(problem: SearchProblem[Any, Any], path: tuple[Any, ...]) -> str:
    """Return a drawing of the path, or its states and costs in words."""
    shown = _drawn(problem, path)
    return shown if "\n" in shown else path_in_words(problem, path)


def _reproduced(problem: SearchProblem[Any, Any], call: str, again: tuple[str, ...]) -> tuple[str, ...]:
    try:
        lines = reproduce(problem, call)
    except Exception:  # a repr or a writer may raise
        lines = ()
    return lines or _by_repr(problem, call) or again


def _by_repr(problem: SearchProblem[Any, Any], call: str) -> tuple[str, ...]:
    """Return the lines for a problem whose repr is an expression that makes it, such as that of an attrs class."""
    kind, made = type(problem), short(problem, 2_000)
    if not made.startswith(f"{kind.__qualname__}(") or _names(made) != {kind.__qualname__}:
        return ()
    homes = [f"from {kind.__module__} import {kind.__qualname__}"]
    if call == CHECK:
        homes.append("from searchkit.testing import check_problem")
    elif call.startswith("solve("):
        homes.append("from searchkit import solve")
    elif _names(call) - {"problem"}:
        call = CHECK
        homes.append("from searchkit.testing import check_problem")
    return ("; ".join(sorted(homes)), f"problem = {made}", call)


def _names(code: str) -> set[str]:
    """Return the names in an expression that are not built in; {"?"} if it is not an expression."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return {"?"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - set(dir(builtins))
