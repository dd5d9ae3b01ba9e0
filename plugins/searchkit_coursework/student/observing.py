"""The problem in a student's process, and running a student's function on it.

The map, its exact distances and the number of expansions are in the grader's process. This one has only the answers so
far, and the grader answers only for states that it has told. The result of a function is sent as data: a path,
heuristic values, or the graph of a problem; the grader does not trust it.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple

Ask = Callable[..., Any]
"""`ask("expand", 3)`: one question to the grader, and its answer."""
OVER = "over"
"""The answer if a search has expanded too many states."""
MEMBERS = "initial_states, successors, is_goal, cost and heuristic"


class KnownState(NamedTuple):
    """What the grader says about a state."""

    number: int
    is_goal: bool
    heuristic: Any
    state: Any


class Overexpanded(BaseException):
    """More expansions than allowed. Not an `Exception`, so that the student's `except Exception` does not catch it."""


class UnusableError(Exception):
    """The file, or what its code returned, can't be used; the message is for the student."""


class RemoteProblem:
    """A search problem. `successors` asks the grader one question; the answer contains what the other methods return.

    Args:
        ask: asks the grader.
        opening: the first message of the grader about the map.

    """

    def __init__(self, ask: Ask, opening: Mapping[str, Any]):
        self._ask, self._most, self._withheld = ask, opening["most"], opening["withheld"]
        self._known: dict[Any, KnownState] = {}
        self._edges: dict[int, list[tuple[Any, Any, KnownState]]] = {}
        self._starts = [self._remember(known) for known in opening["starts"]]
        self._states = [self._remember(known) for known in opening["states"]]

    def initial_states(self) -> list[Any]:
        """Return the states to start from."""
        return list(self._starts)

    def successors(self, state: Any) -> list[tuple[Any, Any]]:
        """Return the (action, successor) pairs of a state. This counts as expanding it."""
        number = self._find(state).number
        answer = self._ask("expand", number)
        if answer == OVER:
            raise Overexpanded(self._most)
        self._edges[number] = answer
        return [(action, self._remember(successor)) for action, _, successor in answer]

    def is_goal(self, state: Any) -> bool:
        """Whether the state is a goal."""
        return self._find(state).is_goal

    def cost(self, state: Any, action: Any, successor: Any) -> Any:
        """Return the cost of an action, a number ≥ 0."""
        number, to = self._find(state).number, self._find(successor).number
        if number not in self._edges:
            self.successors(state)
        costs = [(known, cost) for known, cost, after in self._edges[number] if after.number == to]
        if not costs:
            raise ValueError(f"no action leads from {state!r} to {successor!r}")
        return min((cost for known, cost in costs if known == action), default=min(each for _, each in costs))

    def heuristic(self, state: Any) -> Any:
        """Return a heuristic value: an estimate of the cost of a path to a goal."""
        if self._withheld:
            raise AttributeError("problem.heuristic is not given here: a heuristic is what is asked for")
        return self._find(state).heuristic

    def _remember(self, known: KnownState) -> Any:
        """Store what the grader says about a state, and return the state, always as the same object."""
        return self._known.setdefault(known.state, known).state

    def _find(self, state: Any) -> KnownState:
        try:
            known = self._known.get(state)
        except TypeError:  # a list: it can't be hashed
            known = None
        if known is None:
            raise ValueError(
                f"{state!r:.200} is not a state that the problem has returned so far; states come from "
                "initial_states and successors"
            )
        return known

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        answer = self._ask("get", name)
        if answer is None:
            raise AttributeError(f"the problem has no data {name!r} here; it has the methods {MEMBERS}")
        setattr(self, name, answer[0])
        return answer[0]

    def __repr__(self) -> str:
        return f"<a problem with {MEMBERS}>"


def observe(function: Callable[..., Any], opening: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """Run a student's function on the map of the grader's first message; return its answer as data.

    Raises `UnusableError` for an answer of another form, and what the function raises, an error of a heuristic with the
    state in a note.
    """
    if opening["kind"] == "problem":
        return _graph(function(opening["text"]), opening["most"])
    problem = RemoteProblem(ask, opening)
    if opening["kind"] == "heuristic":
        return {"values": [_heuristic_value(function, state, problem) for state in problem._states]}
    return {"path": _path(function(problem), problem)}


def _path(found: Any, problem: RemoteProblem) -> list[int] | None:
    """Return the numbers of the states of a path."""
    if found is None:
        return None
    if not isinstance(found, list | tuple):
        raise UnusableError(
            f"it returned {type(found).__name__} {shorten(found)}; expected a list of states from a start to a goal, "
            f"or None{', collected and returned instead of yielded' * hasattr(found, 'gi_frame')}"
        )

    numbers = []
    for index, state in enumerate(found[:]):
        try:
            numbers.append(problem._find(state).number)
        except (TypeError, ValueError) as error:
            raise UnusableError(
                f"item {index} of the list it returned is {shorten(state, 200)}, which is not a state that the problem "
                "returned; expected states only: [start, state, …]"
            ) from error
    return numbers


def _heuristic_value(function: Callable[..., Any], state: Any, problem: RemoteProblem) -> int | float:
    try:
        value = function(state, problem)
    except Exception as error:
        error.add_note(f" at {shorten(state, 200)}")
        raise
    number = as_number(value)
    if number is None or not number >= 0:  # also NaN
        raise UnusableError(f"it returned {shorten(value)} at {shorten(state)}; expected a number ≥ 0")
    return number


def _graph(problem: Any, most: int) -> dict[str, Any]:
    """Expand the states of a student's problem, at most `most` of them.

    Return the numbers of the goals, and the actions of each expanded state; the start has the number 0.
    """
    for name in ("initial_states", "successors", "is_goal"):
        if not callable(getattr(problem, name, None)):
            raise UnusableError(f"it made {shorten(problem)}, which has no {name}; expected a problem")
    numbers: dict[Any, int] = {}
    pending: deque[Any] = deque()

    def number(state: Any) -> int:
        try:
            if state not in numbers:
                numbers[state] = len(numbers)
                pending.append(state)
        except TypeError as error:
            raise UnusableError(
                f"the state {shorten(state)} can't be hashed; use tuples of tuples"
            ) from error
        return numbers[state]

    for state in _listed(problem.initial_states(), "initial_states"):
        number(state)
    if len(numbers) != 1:
        raise UnusableError(f"it has {len(numbers)} start states; expected one")
    cost = getattr(problem, "cost", lambda state, action, successor: 1)
    edges: list[list[Any]] = []
    goals = []
    while pending and len(edges) < most:
        state = pending.popleft()
        if problem.is_goal(state):
            goals.append(len(edges))
        edges.append([])
        for pair in _listed(problem.successors(state), "successors"):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise UnusableError(f"successors gave {shorten(pair)}; expected (action, state) pairs")
            action, successor = pair
            value = as_number(cost(state, action, successor))
            if value is None:
                raise UnusableError(f"the cost of {shorten(action)} at {shorten(state)} is not a number")
            edges[-1].append((name_of(action)[:200], value, number(successor)))
    return {"goals": goals, "edges": edges, "states": len(numbers)}


def _listed(value: Any, method: str) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise UnusableError(f"{method} returned {shorten(value)}; expected a list")
    return value


def as_number(value: Any) -> int | float | None:
    """Return a number for JSON; None if it is not a number, or too large for a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return int(value) if isinstance(value, Integral) else number


def shorten(value: Any, most: int = 100) -> str:
    """Return the beginning of the text of a value, or a placeholder."""
    return text_of(lambda: name_of(value), most)


def text_of(make: Callable[[], str], most: int) -> str:
    """Return the beginning of a text that the student's code makes, or a placeholder if that fails."""
    try:
        text = "".join(make())
    except BaseException:  # also for an integer of more than 4,300 digits
        return "(it can't be shown)"
    return text if len(text) <= most else f"{text[:most]}…"


def name_of(value: object) -> str:
    """Return a text that is the same for equal states in every process: the `repr`, with sorted sets."""
    if isinstance(value, tuple):
        return f"({', '.join(map(name_of, value))}{',' * (len(value) == 1)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(name_of, value)))}}}"
    return repr(value)
