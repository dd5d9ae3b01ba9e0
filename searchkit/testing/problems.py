"""`check_problem`: the promises of a problem, in every reachable state."""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Any

from hypothesis.strategies import SearchStrategy

from searchkit.basics.lookalikes import content, lookalikes, remedy, shown
from searchkit.errors import InvalidOptionError, InvalidProblemError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ProblemSpec
from searchkit.problem import SearchProblem, SupportsSearch, check_members, has_cost, has_heuristic, misspelt
from searchkit.search.driver import solve
from searchkit.search.limits import Limits
from searchkit.testing.heuristics import Audit
from searchkit.testing.problem_forms import check_examples, drawn, round_trip
from searchkit.testing.process_order import PROBLEMS, PROCESS, SAME_ORDER, in_every_process
from searchkit.testing.reports import EXAMPLES, Check, Report
from searchkit.testing.runner import HOLDS, Finding, Trials, last_line
from searchkit.testing.survey import (
    LISTS,
    MISSING,
    Call,
    Survey,
    aimable,
    only_itself,
    reversible,
    same,
    short,
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
    "admissible": "the heuristic never overestimates the least cost to a goal",
    "predecessors": "predecessors is the inverse of successors",
    "goal states": "goal_states lists the goals and nothing else",
    "aimed": "with other starts and goals, the problem is otherwise the same",
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
PER_EXAMPLE = 10
"""The part of `max_states` that is expanded of each problem of a strategy."""


def examine(problem: SearchProblem[Any, Any], max_states: int) -> tuple[dict[str, Finding], int]:
    """Return the finding on each promise, over at most `max_states` states, and the number of expanded states."""
    try:
        check_members(problem)
    except InvalidProblemError as error:
        skipped = Finding("skipped", "it does not have the methods of a search problem")
        return {
            **dict.fromkeys(PROMISES, skipped),
            "members": Finding("fails", str(error), problem=problem),
        }, 0
    seen = survey(problem, max_states)
    _equal_states(seen)
    _lookalikes(seen)
    reasons = {
        "costs": "" if has_cost(problem) else "it has no cost method: every action costs 1",
        "heuristic": "" if has_heuristic(problem) else "it has no heuristic",
        "predecessors": reversible(seen),
        "aimed": aimable(seen),
        "searchable": "a state has too many successors" if seen.cut else "",
        "drawing": drawn(seen),
        "round trip": round_trip(seen, min(max_states, AGAIN)),
    }
    reasons["costs repeatable"] = reasons["costs"]
    reasons["goal states"] = reasons["predecessors"]
    no_goal = "" if any(goal is not MISSING and goal for goal in seen.goals) else "no goal was reached"
    reasons["heuristic at goals"] = reasons["heuristic"] or no_goal
    if no_goal and seen.goals and seen.goals[0] is None:
        call = Call("is_goal", (seen.states[0],))
        seen.note("goal test", f"{call} returned None, which counts as no: does it lack a return?", call)
    for name, has in (("cost", has_cost), ("heuristic", has_heuristic)):
        if not has(problem) and (meant := misspelt(problem, [name])):
            seen.note("members", f"it has no {name}; {meant}")
    _unchanged(seen)
    if "states unchanged" in seen.faults:
        reasons |= dict.fromkeys(ASKED_AGAIN, "states change, so no call can be repeated")
    else:
        _ask_again(seen, reversed(range(len(seen.edges))), "in another order")
        _search(seen, max_states)
        _ask_again(seen, range(min(len(seen.edges), AGAIN)), "after a search")
        _unchanged(seen)
    reasons["admissible"] = reasons["heuristic"] or "looked at once everything else holds"
    if not (seen.cut or seen.faults or reasons["heuristic"]):
        found = Audit.of(problem, lambda at, problem: problem.heuristic(at), max_states).finding("admissible")
        reasons["admissible"] = found.detail
        if found.outcome == "fails":
            seen.faults["admissible"] = found
    held = {name: Finding("skipped", reasons[name]) if reasons.get(name) else HOLDS for name in PROMISES}
    return held | seen.faults, len(seen.edges)


def _equal_states(seen: Survey) -> None:
    """Compare states with one another and with their copies: equal states have equal hashes."""
    first = list(enumerate(seen.states[:PAIRS]))
    copies = [(place, seen.copies[place]) for place, _ in first if seen.copies[place] is not MISSING]
    for (one, state), (other, equal) in [*combinations(first, 2), *zip(first, copies, strict=False)]:
        try:
            unlike = bool(state == equal) and hash(state) != hash(equal)
        except Exception as error:
            said = f"comparing {short(state)} with {short(equal)} raised {last_line(error)}"
            seen.note("equal states", said)
            continue
        if unlike:
            seen.note(
                "equal states",
                f"{short(state)} is equal to {'another state' if one != other else 'a copy of it'}, but has another "
                "hash: a search would treat them as two states. The hash must depend only on what == compares",
                None,
                one,
                other,
                numbers=(("hash of the one", str(hash(state))), ("hash of the other", str(hash(equal)))),
            )
            return


def _lookalikes(seen: Survey) -> None:
    """Find two states that differ although their contents are equal."""
    found = lookalikes(seen.states, len(seen.states))
    at = [] if found is None else [place for place in map(seen.place, found) if place is not None]
    if found is None or len(at) < len(found):
        return
    different = len(set(map(content, seen.states)))
    said = (
        f"{shown(found[0])} was reached twice, as two states that are not equal: the {len(seen.states):,} states that "
        f"were reached have only {different:,} different contents, and a search treats each as a new state"
    )
    seen.note("states told apart", f"{said}. {remedy(found[0])}", None, *at)


def _ask_again(seen: Survey, order: Iterable[int], when: str) -> None:
    """Repeat earlier calls: the answers have to be the same."""
    changed = []
    for promise, call, before in seen.answers(order):
        after = seen.ask_list(call)
        if after is MISSING or before is MISSING:
            continue
        if call.member in LISTS:
            _same_objects(seen, call, before, after)
        if not same(after, before):
            place = seen.place(call.arguments[0]) if call.arguments else 0
            changed.append((place or 0, promise, call, before, after))
    for _, promise, call, before, after in sorted(changed, key=lambda change: change[0]):
        remedy = "; return a new collection each time" if call.member in LISTS else ""
        said = f"{call} was {short(before)}, and {short(after)} when it was called again {when}{remedy}"
        seen.note(promise, said, call)


def _same_objects(seen: Survey, call: Call, before: Iterable[Any], after: Iterable[Any]) -> None:
    """Record a state that is a new object, equal only to itself, at each call."""
    for one, other in zip(before, after, strict=False):
        if call.member == "successors":
            one, other = one[1], other[1]
        if one is not other and only_itself(one) and not callable(one):
            said = (
                f"{call} returned {shown(one)}, and at the next call {shown(other)}, which is not equal to it"
            )
            seen.note("states told apart", f"{said}. {remedy(one)}", call)
            return


def _search(seen: Survey, max_states: int) -> None:
    """Search the problem. An exception is another fault, unless it occurs only in an engine."""
    if seen.cut:
        return
    try:
        solve(seen.problem, limits=Limits(expansions=max_states))
    except Exception as error:
        if not seen.faults:
            seen.note("searchable", f"solve raised {last_line(error)}")


def _unchanged(seen: Survey) -> None:
    for place, (state, copy) in enumerate(zip(seen.states, seen.copies, strict=True)):
        try:
            changed = copy is not MISSING and not bool(state == copy)
        except Exception:
            changed = True
        if changed:
            seen.note(
                "states unchanged",
                f"a state that is now {short(state)} was {short(copy)} when it was returned: a method changes it; make "
                "a new state instead",
                None,
                place,
            )
            return


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
    goal is 0, and none overestimates. `predecessors`, if present, are the inverse of `successors`. Each state can be
    drawn, and a written problem can be read again. Promises that a problem does not make are skipped.

    Args:
        subject: a problem; a Hypothesis strategy of problems; or a kind of problem, by its `ProblemSpec` or its name:
            then its strategy and its examples are checked.
        max_states: the largest number of states of a problem that are expanded; for drawn problems, a tenth of it.
        examples: the number of problems to draw from a strategy.
        seed: the seed of the drawn problems. The same arguments give the same report.

    Raises:
        CheckFailure: a promise does not hold. The report shows the smallest case found.
        UnknownNameError: no kind of problem of that name is installed.
        InvalidOptionError: `max_states` or `examples` is less than 1.

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
    subject = registry().problem(subject) if isinstance(subject, str) else subject
    tried: list[Any] = []
    states = 0

    def try_on(problem: Any, names: Collection[str]) -> Mapping[str, Finding]:
        nonlocal states
        most = max_states if problem is subject else max(1, max_states // PER_EXAMPLE)
        found, expanded = examine(problem, most)
        states += expanded
        tried.append(problem)
        return {name: found[name] for name in names if name in found}

    trials = Trials({**PROMISES, PROCESS: SAME_ORDER}, try_on, "check_problem(problem)")
    first: list[Check] = []
    if isinstance(subject, ProblemSpec):
        name, strategy = f"problem {subject.name}", subject.strategy and subject.strategy()
        first.append(check_examples(subject, trials.add))
    elif isinstance(subject, SearchStrategy):
        name, strategy = "problems of a strategy", subject
    else:
        name, strategy = f"problem {type(subject).__name__}", None
        trials.add(subject)
    if strategy is not None:
        trials.draw(strategy, examples, seed)
    if any(map(trials.has_failed, PROMISES)):
        trials.enter(PROCESS, Finding("skipped", "looked at once everything else holds"))
    elif tried:
        trials.enter(PROCESS, in_every_process(tried[:PROBLEMS]))
    facts = {} if first else {"states": states}
    return Report(name, [*first, *trials.checks()], trials.examples, facts).or_raise()
