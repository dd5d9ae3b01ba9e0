"""`check_problem`: the promises of a problem, in every reachable state.

A `Survey` walks over the problem, which may be faulty: what its members return, and the first fault of each kind.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from io import StringIO
from itertools import combinations
from numbers import Real
from typing import Any, cast
from warnings import catch_warnings

from attrs import Factory, define, evolve, field, frozen
from hypothesis.strategies import SearchStrategy

from searchkit.basics.checks import checked_cost, checked_heuristic
from searchkit.basics.lookalikes import content, lookalikes, remedy
from searchkit.basics.text import kind_of, state_text
from searchkit.errors import InvalidProblemError, PluginWarning, SearchkitError, quoted, shortened
from searchkit.plugin.loading import load, write
from searchkit.plugin.places import places_of
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import Example, ProblemSpec
from searchkit.problem import (
    Aimable,
    Reversible,
    SearchProblem,
    SupportsSearch,
    check_members,
    has_cost,
    has_heuristic,
    misspelt,
)
from searchkit.render.drawings import still
from searchkit.render.terminal import to_text
from searchkit.search.driver import solve
from searchkit.search.limits import Limits
from searchkit.testing.heuristics import PER_EXAMPLE, Audit
from searchkit.testing.reports import EXAMPLES, HOLDS, WIDTH, Finding, Report, Trials, last_line, short

EXAMPLES_LOAD, PROCESS = "examples", "every process"
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
    PROCESS: "successors gives the same order in every process",
}
"""Name → what is promised."""


AGAIN = 200
"""The number of states that are copied, to detect whether they change, and checked a third time, after a search."""
PAIRS = 100
"""The number of states that are compared with one another."""
AIMED = 12
"""The number of states that a problem is aimed from, and at."""
DRAWN = 40
"""The number of states that are drawn, spread over all expanded states."""
HASH_SEEDS, ASKED = ("1", "2", "3"), "SEARCHKIT_CHECKS_PROBLEM"
STATES, PROBLEMS = 100, 40
"""The largest numbers of states of a problem, and of problems."""
SCRIPT = """
import os, pickle, sys
from itertools import islice

answers, sys.stdout = os.fdopen(os.dup(1), "wb"), sys.stderr
os.dup2(2, 1)  # what a problem prints is not an answer
sys.path[:], tried = pickle.load(sys.stdin.buffer)
told = []
for problem, states in map(pickle.loads, tried):
    successors = (list(islice(problem.successors(state), 200)) for state in states)
    told.append([list(problem.initial_states()), *successors])
answers.write(pickle.dumps(told))
"""
"""Reads a pickle of (import path, pickles of problems with states); writes the starts and successors of each."""


EDGES_PER_STATE = 20
"""The largest average number of successors; the walk ends after that: some states have 10¹⁰ successors."""
MISSING: Any = object()
"""The answer of a member that raised."""
UNORDERED = "whose order changes from process to process; return a list, sorted where it is made from a set"
LISTS = ("initial_states", "successors", "predecessors", "goal_states")
"""The members that return a collection."""


@frozen
class Call:
    """A call of a member of a problem."""

    member: str
    arguments: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.member}({', '.join(map(quoted, self.arguments))})"


@define
class Survey:
    """The answers of a problem. States are identified by their place in `states`, because hashes may be faulty."""

    problem: SearchProblem[Any, Any]
    max_states: int
    states: list[Any] = Factory(list)
    parents: list[int | None] = Factory(list)
    copies: list[Any] = Factory(list)
    """A copy made when the state was reached; MISSING if it can't change or has no equal copy."""
    starts: list[Any] = Factory(list)
    edges: list[tuple[tuple[Any, Any], ...]] = Factory(list)
    """The (action, successor) pairs of each expanded state."""
    goals: list[Any] = Factory(list)
    asked: list[list[tuple[str, Call, Any]]] = Factory(list)
    """For each expanded state (the promise that the answer is repeatable, a call, the answer)."""
    findings: dict[str, Finding] = Factory(dict)
    """Promise → its first failure, which is the nearest to the start, or why it is skipped."""
    cut: bool = False
    """Whether a state has more pairs than are read: then its known successors do not prove that one is missing."""
    _places: dict[Any, int] = field(factory=dict, init=False)

    @property
    def faults(self) -> list[str]:
        """The promises that fail."""
        return [name for name, found in self.findings.items() if found.outcome == "fails"]

    def skip(self, reason: str, *promises: str) -> None:
        """Say why promises are skipped, unless one of them fails."""
        for name in promises:
            self.findings.setdefault(name, Finding("skipped", reason))

    def note(self, promise: str, detail: str, call: Call | None = None, *at: int, drawn: bool = True) -> None:
        """Record a fault if it is the first of its promise, with the paths to its places, or to that of the call.

        If it is not `drawn`, no problem is needed to see what is wrong.
        """
        if promise in self.faults:
            return
        step: tuple[Any, ...] = ()
        if call and call.arguments and not at:
            place = self.place(call.arguments[0])
            at = () if place is None else (place,)
            step = call.arguments[2:] if call.member == "cost" else ()
        names = ("the path, this action last" if step else "the path to this state", "the other path")
        paths = tuple((name, (*self.path_to(place), *step)) for name, place in zip(names, at, strict=False))
        problem = self.problem if drawn else None
        self.findings[promise] = Finding("fails", detail, paths, problem=problem)

    def path_to(self, place: int) -> tuple[Any, ...]:
        """Return the states of the path on which a state was first reached."""
        path, step = [], place
        while step is not None:
            path.append(self.states[step])
            step = self.parents[step]  # type: ignore[assignment]  # None ends the loop
        return tuple(reversed(path))

    def place(self, state: Any) -> int | None:
        """Return the place of a known state."""
        try:
            return self._places.get(state)
        except Exception:  # its hash or == raises, which was recorded when it was reached
            return None

    def ask(self, call: Call, function: Callable[..., Any] | None = None) -> Any:
        """Return the answer of a member; if it raises, record a fault and return MISSING."""
        try:
            return (function or getattr(self.problem, call.member))(*call.arguments)
        except Exception as error:
            self.note("no errors", f"{call} raised {last_line(error)}", call)
            return MISSING

    def ask_list(self, call: Call) -> Any:
        """Return the answer of a member; a collection as a list, of successors the valid pairs."""
        if call.member == "successors":
            return list(self.pairs(call))
        member = getattr(self.problem, call.member)
        return self.ask(call, lambda *given: list(member(*given)) if call.member in LISTS else member(*given))

    def visit(self, state: Any, call: Call) -> bool:
        """Add a state that a call gave; return whether it is a valid state."""
        if state is None:
            said = f"{call} gave None as a state; None means that there is no state: use ()"
            self.note("states hashable", said, call)
            return False
        try:
            known = self._places.get(state)
        except Exception as error:
            said = (
                f"{call} gave the state {short(state)}, {kind_of(state)}, which is not hashable "
                f"({last_line(error)}); use a tuple, a frozenset, a string or a frozen dataclass"
            )
            self.note("states hashable", said, call)
            return False
        if known is None:
            # First: if the state that was given has become this one, it must not be its own parent.
            self.parents.append(self.place(call.arguments[0]) if call.arguments else None)
            self._places[state] = len(self.states)
            self.copies.append(_copy(state) if len(self.states) < AGAIN else MISSING)
            self.states.append(state)
        return True

    def items(self, call: Call, promise: str) -> Iterator[Any]:
        """Yield what a member lists, one by one, because a generator may change a state that it has yielded."""
        answer = self.ask(call)
        if answer is MISSING:
            return
        if not isinstance(answer, Iterable) or isinstance(answer, str | bytes | Mapping):
            what = "states" if promise == "start states" else "(action, state) pairs, empty if there is none"
            said = f"{call} returned {short(answer)}, {kind_of(answer)}; expected a collection of {what}"
            self.note(promise, said, call)
            return
        if isinstance(answer, set | frozenset) and call.member != "predecessors":
            ordered = "start states" if promise == "start states" else "successors repeatable"
            self.note(ordered, f"{call} returned {kind_of(answer)}, {UNORDERED}", call)
        items = iter(answer)
        for _ in range(max(1, EDGES_PER_STATE * self.max_states)):
            item = self.ask(call, lambda *_: next(items, MISSING))
            if item is MISSING:
                return
            yield item
        self.cut = True

    def pairs(self, call: Call, promise: str = "successor pairs") -> Iterator[tuple[Any, Any]]:
        """Yield the valid (action, state) pairs that a member lists."""
        for pair in self.items(call, promise):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                expected = "expected an (action, state) pair; is it a state without its action?"
                self.note(promise, f"{call} gave {short(pair)}; {expected}", call)
            elif call.member != "successors" or self.visit(pair[1], call):
                yield pair[0], pair[1]

    def value(self, promise: str, call: Call, check: Callable[..., Any]) -> Any:
        """Return the number that a member returns; if `check` refuses it, record a fault and return MISSING."""
        value = self.ask(call)
        try:
            if value is not MISSING:
                check(*call.arguments, value)
        except InvalidProblemError as error:
            self.note(promise, str(error), call, drawn=isinstance(value, Real))
            return MISSING
        return value

    def answers(self, places: Iterable[int] | None = None) -> Iterator[tuple[str, Call, Any]]:
        """Yield each answer about the starts and some states, or all, as `asked` has it."""
        yield "start states", Call("initial_states"), self.starts
        for place in range(len(self.asked)) if places is None else places:
            yield from self.asked[place]


def survey(problem: SearchProblem[Any, Any], max_states: int) -> Survey:
    """Call every member for every state, at most `max_states`, in the order of a walk."""
    seen, begin = Survey(problem, max_states), Call("initial_states")
    for start in seen.items(begin, "start states"):
        seen.starts.append(start)
        seen.visit(start, begin)
    costs, guided, edges = has_cost(problem), has_heuristic(problem), 0
    while len(seen.edges) < min(len(seen.states), max_states) and edges < EDGES_PER_STATE * max_states:
        state = seen.states[len(seen.edges)]
        call = Call("is_goal", (state,))
        goal = seen.ask(call, lambda s: (it := problem.is_goal(s), bool(it))[0])
        asked = [("goal test", call, goal)]
        if guided:
            call = Call("heuristic", (state,))
            h = seen.value("heuristic", call, checked_heuristic)
            asked.append(("heuristic", call, h))
            if goal is not MISSING and goal and h is not MISSING and h != 0:
                said = f"{call} is {short(h)}, and the state is a goal: no cost is left from there"
                seen.note("heuristic at goals", said, call)
        call = Call("successors", (state,))
        pairs = tuple(seen.pairs(call))
        for pair in pairs if costs else ():
            cost = Call("cost", (state, *pair))
            asked.append(("costs repeatable", cost, seen.value("costs", cost, checked_cost)))
        asked.append(("successors repeatable", call, pairs))
        seen.goals.append(goal)
        seen.edges.append(pairs)
        seen.asked.append(asked)
        edges += len(pairs)
    return seen


def compare(
    seen: Survey, other: Any, answers: Iterable[tuple[str, Call, Any]]
) -> tuple[Call, str, str] | None:
    """Return the first call that another problem answers otherwise, with the answers of both; None if there is none."""
    told = Survey(other, seen.max_states)
    for _, call, before in answers:
        after = told.ask_list(call)
        if before is not MISSING and not same(before, after):
            raised = told.findings["no errors"].detail if after is MISSING else ""
            return call, short(before), raised or short(after)
    return None


def _copy(state: Any) -> Any:
    try:
        copy = deepcopy(state)
        return copy if copy is not state and bool(copy == state) else MISSING
    except Exception:  # only this check needs copies of states
        return MISSING


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal. Objects without `==` count as equal if they have the same type."""
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        # The first comparison is the fast one; if it fails, a part may be NaN, an array or without `==`.
        return len(one) == len(other) and (_equal(one, other) or all(map(same, one, other)))
    alike = type(one) is type(other) and only_itself(one)
    return alike or _equal(one, other) or (one is not other and repr(one) == repr(other))


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # for example arrays, whose == is not a truth value
        return False


def only_itself(value: Any) -> bool:
    """Whether a value is equal only to itself, because its class defines no `==`."""
    equality: Any = type(value).__eq__
    return equality is object.__eq__


def examine(problem: SearchProblem[Any, Any], max_states: int) -> Survey:
    """Return a survey with the findings on the promises that do not hold, over at most `max_states` states."""
    try:
        check_members(problem)
    except InvalidProblemError as error:
        seen = Survey(problem, max_states)
        seen.note("members", str(error))
        seen.skip("it does not have the methods of a search problem", *PROMISES)
        return seen
    seen = survey(problem, max_states)
    round_trip(seen, min(max_states, AGAIN))
    for judge in (_optional, _equal_states, _backwards, _aimed, drawn, _unchanged):
        judge(seen)
    told = list(seen.states)
    if "states unchanged" in seen.faults:
        again = ("start states", "successors repeatable", "costs repeatable", "goal test", "searchable")
        seen.skip("states change, so no call can be repeated", *again)
    else:
        told += _ask_again(seen, reversed(range(len(seen.edges))), "in another order")
        _search(seen, max_states)
        told += _ask_again(seen, range(min(len(seen.edges), AGAIN)), "after a search")
        _unchanged(seen)
    _told_apart(seen, told)
    if seen.cut or seen.faults:
        seen.skip("looked at once everything else holds", "admissible")
    elif has_heuristic(problem):
        found = Audit.of(problem, None, max_states).finding("admissible")
        seen.findings["admissible"] = (
            evolve(found, outcome="skipped") if found.outcome == "undecided" else found
        )
    return seen


def _optional(seen: Survey) -> None:
    """Say which optional members are missing, perhaps because their name is misspelt, or are not used."""
    for name, has, meaning, promises in (
        ("cost", has_cost, "cost method: every action costs 1", ("costs", "costs repeatable")),
        ("heuristic", has_heuristic, "heuristic", ("heuristic", "heuristic at goals", "admissible")),
    ):
        if not has(seen.problem):
            seen.skip(f"it has no {meaning}", *promises)
            if meant := misspelt(type(seen.problem), name):
                seen.note("members", f"it has no {name}; {meant}")
    if not any(goal is not MISSING and goal for goal in seen.goals):
        seen.skip("no goal was reached", "heuristic at goals")
        if seen.goals and seen.goals[0] is None:
            call = Call("is_goal", (seen.states[0],))
            seen.note("goal test", f"{call} returned None, which counts as no: does it lack a return?", call)


def _equal_states(seen: Survey) -> None:
    """Compare states with one another and with their copies: equal states have equal hashes."""
    first = list(enumerate(seen.states[:PAIRS]))
    copies = [(place, seen.copies[place]) for place, _ in first]
    for (one, state), (other, equal) in [*combinations(first, 2), *zip(first, copies, strict=True)]:
        try:
            if equal is not MISSING and bool(state == equal) and hash(state) != hash(equal):
                said = f"{short(state)} is equal to {'another state' if one != other else 'a copy of it'}"
                why = "a search would treat them as two states. The hash must depend only on what == compares"
                seen.note("equal states", f"{said}, but has another hash: {why}", None, one, other)
        except Exception as error:
            said = f"comparing {short(state)} with {short(equal)} raised {last_line(error)}"
            seen.note("equal states", said)


def _told_apart(seen: Survey, told: Sequence[Any]) -> None:
    """Find two states that differ although their contents are equal, among those told at any time."""
    found = lookalikes(told, len(told))
    if found is not None:
        different = len(set(map(content, told)))
        said = (
            f"{shortened(state_text(found[0]), 80)} was given twice, as two states that are not equal: "
            f"{len(set(map(id, told))):,} states have {different:,} different contents, and each counts as a new state"
        )
        places = [place for place in map(seen.place, found) if place is not None]
        seen.note("states told apart", f"{said}. {remedy(found[0])}", None, *places)


def _ask_again(seen: Survey, order: Iterable[int], when: str) -> list[Any]:
    """Repeat earlier calls: the answers have to be the same. Return the states that they gave."""
    states, changed = list[Any](), []
    for promise, call, before in seen.answers(order):
        after = seen.ask_list(call)
        if after is MISSING or before is MISSING:
            continue
        if call.member in LISTS:
            states += [item[1] if call.member == "successors" else item for item in after]
        if not same(after, before):
            place = seen.place(call.arguments[0]) if call.arguments else 0
            changed.append((place or 0, promise, call, before, after))
    for _, promise, call, before, after in sorted(changed, key=lambda change: change[0]):
        remedy = "; return a new collection each time" if call.member in LISTS else ""
        said = f"{call} was {short(before)}, and {short(after)} when it was called again {when}{remedy}"
        seen.note(promise, said, call)
    return states


def _search(seen: Survey, max_states: int) -> None:
    """Search the problem. An exception is another fault, unless it occurs only in an engine."""
    if seen.cut:
        seen.skip("a state has too many successors", "searchable")
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
            said = f"a state that is now {short(state)} was {short(copy)} when it was returned: a method changes it"
            seen.note("states unchanged", f"{said}; make a new state instead", None, place)
            return


def _backwards(seen: Survey) -> None:
    """Compare predecessors with successors in both directions, and goal_states with is_goal."""
    both = "predecessors", "goal states"
    if not isinstance(seen.problem, Reversible):
        seen.skip("it is not Reversible: it has no predecessors and goal_states", *both)
        return
    if seen.cut:
        seen.skip("a state has too many successors to compare them all", *both)
        return
    known: dict[tuple[str, int | None], Any] = {
        ("successors", place): edges for place, edges in enumerate(seen.edges)
    }

    def listed(member: str, state: Any) -> Any:
        key, call = (member, seen.place(state)), Call(member, (state,))
        if key not in known or key[1] is None:
            known[key] = list(seen.pairs(call, member)) if member == "predecessors" else seen.ask_list(call)
        return known[key]

    for has, lacks in (("successors", "predecessors"), ("predecessors", "successors")):
        for state in seen.states[: len(seen.edges)]:
            for action, other in listed(has, state):
                pairs = listed(lacks, other)
                if not any(same((action, state), tuple(pair)) for pair in pairs):
                    call, back = Call(lacks, (other,)), f"({action!r}, {state!r})"
                    said = f"({action!r}, {other!r}) is among {has}({state!r}), but {call} lacks {back}"
                    seen.note("predecessors", f"{said}: it is {short(pairs)}", call)
    call = Call("goal_states")
    goals = seen.ask_list(call)
    if goals is MISSING:
        return
    for goal in goals:
        answer = seen.ask(Call("is_goal", (goal,)))
        if answer is not MISSING and not answer:
            seen.note("goal states", f"{call} lists {goal!r}, and is_goal of it is {answer!r}", call)
    for place, answer in enumerate(seen.goals):
        state = seen.states[place]
        if answer is not MISSING and answer and not any(same(state, goal) for goal in goals):
            said = f"{state!r} is a goal, and {call} does not list it: {short(goals)}"
            seen.note("goal states", said, call, place)


def _aimed(seen: Survey) -> None:
    """Aim the problem from some states at others, and compare."""
    problem: Any = seen.problem
    if not isinstance(problem, Aimable):
        seen.skip("it is not Aimable: it has no aimed", "aimed")
        return
    states = seen.states[: min(AIMED, len(seen.edges))]
    for at, (start, goal) in enumerate(zip(states, reversed(states), strict=True)):
        aim = Call("aimed", ([start], [goal]))
        aimed = seen.ask(aim)
        if aimed is MISSING:
            return
        expected: list[tuple[str, Call, Any]] = [("", Call("initial_states"), [start])]
        expected += [("", Call("is_goal", (state,)), state is goal) for state in states]
        both = seen.answers((at, len(states) - 1 - at))
        expected += [one for one in both if one[1].member in ("successors", "cost")]
        if has_heuristic(aimed):
            expected.append(("", Call("heuristic", (goal,)), 0))
        if (difference := compare(seen, aimed, expected)) is not None:
            call, answer, found = difference
            said = f"{aim}.{call} is {found}; expected {answer}: only starts and goals may differ"
            seen.note("aimed", said, aim, at)


def drawn(seen: Survey) -> None:
    """Draw the problem, and the paths to its states."""
    places = None
    for place in (-1, *range(0, len(seen.edges), max(1, len(seen.edges) // DRAWN))):
        path = seen.path_to(place) if place >= 0 else ()
        try:
            with catch_warnings(action="error", category=PluginWarning):
                places = places or places_of(seen.problem)
                if drawing := still(places, path):
                    to_text(drawing, WIDTH)
        except Exception as error:
            what = f"the path to {short(path[-1])}" if path else "the problem, without a path,"
            why = error if isinstance(error, PluginWarning) else last_line(error)
            seen.note("drawing", f"{what} could not be drawn: {why}", None, *[place][: len(path)])
            return
        if places.ground is None and places.position is None:
            seen.skip("no plugin says where its states are (ProblemSpec.places)", "drawing")
            return


def round_trip(seen: Survey, max_states: int) -> None:
    """Write the problem, load the text, and compare."""
    try:
        with catch_warnings(action="error", category=PluginWarning):
            written = write(seen.problem)
            if written is None:
                seen.skip("no plugin writes it (ProblemSpec.write)", "round trip")
                return
            again = load(StringIO(written.text), written.kind, **written.options)
    except (PluginWarning, SearchkitError) as error:
        said = "" if isinstance(error, PluginWarning) else "what was written can't be loaded: "
        seen.note("round trip", said + (last_line(error) if said else str(error)))
        return
    difference = compare(seen, again, seen.answers(range(min(len(seen.edges), max_states))))
    if difference:
        call, before, after = difference
        said = f"{call} was {before}, and is {after} once the problem was written and loaded"
        seen.note("round trip", f"{said}; written as {short(written.text, 1000)}", call)


def try_examples(spec: ProblemSpec, trials: Trials) -> None:
    """Try each example of a kind of problem that is installed."""
    examples = [*spec.examples, *([Example(spec.name, None)] if spec.instance is not None else [])]
    if registry().problems.get(spec.name) != spec:
        examples = []
    trials.enter(EXAMPLES_LOAD, HOLDS if examples else Finding("skipped", "no example of it is installed"))
    for example in examples:
        try:
            with catch_warnings(action="error", category=PluginWarning):
                if example.path is None:
                    problem = spec.make(**example.options)
                else:  # by its path: no file of the same name takes its place
                    problem = load(str(example.path), spec.name, **example.options)
        except Exception as error:
            said = f"load({example.name!r}, {spec.name!r}) raised {last_line(error)}"
            trials.enter(EXAMPLES_LOAD, Finding("fails", said))
        else:
            trials.add(problem)


def in_every_process(tried: Sequence[tuple[SearchProblem[Any, Any], list[Any]]]) -> Finding:
    """Ask processes with different hash seeds for successors. The first problem whose order differs is shown."""
    if ASKED in os.environ:
        return Finding("skipped", "this process was started by another check")
    try:
        packed = list(map(pickle.dumps, tried))
        for start in (start for problem, _ in tried for start in problem.initial_states()):
            if not same(pickle.loads(pickle.dumps(start)), start) or only_itself(start):
                return Finding("skipped", f"{short(start)} is not equal to itself in another process")
    except Exception as error:
        return Finding(
            "skipped",
            f"the problem can't be sent to another process ({last_line(error)}); one whose class is at the top of a "
            "module can",
        )
    question, told = pickle.dumps(([path for path in sys.path if path], packed)), []
    for seed in HASH_SEEDS:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed, ASKED: seed},
            input=question,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            return Finding("skipped", f"another process could not answer: {''.join(reason)}")
        told.append(pickle.loads(done.stdout))
    for (problem, states), lists in zip(tried, zip(*told, strict=True), strict=True):
        calls = [Call("initial_states"), *(Call("successors", (state,)) for state in states)]
        for call, (first, *others) in zip(calls, zip(*lists, strict=True), strict=True):
            for other in others:
                if not same(other, first):
                    said = f"{call} is {short(first)} in one process, and {short(other)} in another"
                    return Finding("fails", f"{said}; is a set iterated over? Sort it", problem=problem)
    return HOLDS


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

    Example:
        >>> from searchkit.testing import check_problem
        >>> from searchkit_dungeon import grid
        >>> report = check_problem(grid(["S.#G", "...."]))
        >>> report.holds, report.facts["states"]
        (True, 7)

    """
    __tracebackhide__ = True  # pytest shows the report, and not this function
    subject = registry().problem(subject) if isinstance(subject, str) else subject
    tried: list[tuple[Any, list[Any]]] = []
    states = 0

    def try_on(problem: Any, names: Collection[str]) -> Mapping[str, Finding]:
        nonlocal states
        seen = examine(problem, max_states if problem is subject else max(1, max_states // PER_EXAMPLE))
        states += len(seen.edges)
        tried.append((problem, seen.states[: min(STATES, len(seen.edges))]))
        return {one: seen.findings.get(one, HOLDS) for one in names if one in PROMISES and one != PROCESS}

    trials = Trials(PROMISES, try_on, "check_problem(problem)")
    name, cases = f"problem {type(subject).__name__}", cast("Any", subject)
    if isinstance(subject, ProblemSpec):
        name, cases = f"problem {subject.name}", subject.strategy and subject.strategy()
        trials.promises = {EXAMPLES_LOAD: "every example loads", **trials.promises}
        try_examples(subject, trials)
    elif isinstance(subject, SearchStrategy):
        name = "problems of a strategy"
    if cases is not None:
        trials.run(cases, examples, seed)
    if any(map(trials.has_failed, PROMISES)):
        trials.enter(PROCESS, Finding("skipped", "looked at once everything else holds"))
    elif tried:
        trials.enter(PROCESS, in_every_process(sorted(tried[:PROBLEMS], key=lambda case: len(case[1]))))
    return trials.report(name, {"states": states})
