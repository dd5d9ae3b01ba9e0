"""A walk over a problem that may be faulty: what its members return, and the first fault of each kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from numbers import Real
from typing import Any

from attrs import Factory, define, field, frozen

from searchkit.basics.checks import checked_cost, checked_heuristic
from searchkit.basics.text import kind_of, state_text
from searchkit.errors import InvalidProblemError, quoted
from searchkit.problem import SearchProblem, has_cost, has_heuristic
from searchkit.testing.runner import Finding, last_line

EDGES_PER_STATE = 20
"""The largest average number of successors; the walk ends after that: some states have 10¹⁰ successors."""
COPIES = 200
"""The number of states that are copied, to detect whether they change."""
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
            self._places[state] = len(self.states)
            self.copies.append(_copy(state) if len(self.states) < COPIES else MISSING)
            self.states.append(state)
            self.parents.append(self.place(call.arguments[0]) if call.arguments else None)
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
    if type(one) is type(other) and only_itself(one):
        return True
    return _equal(one, other) or (one is not other and repr(one) == repr(other))


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # for example arrays, whose == is not a truth value
        return False


def only_itself(value: Any) -> bool:
    """Whether a value is equal only to itself, because its class defines no `==`."""
    equality: Any = type(value).__eq__
    return equality is object.__eq__


def short(value: Any, most: int = 160) -> str:
    """Return the repr of a value; the middle of a long one is left out."""
    try:
        text = state_text(value)
    except Exception as error:
        return f"<{kind_of(value)} whose repr raised {type(error).__name__}>"
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 3 :]}"
