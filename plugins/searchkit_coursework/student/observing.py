"""Running a student's function, and its answer as data: a path, heuristic values, or the graph of a problem.

This runs in the student's process, so the grader can't trust it. The grader counts the expansions itself.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Rational, Real
from typing import Any

from searchkit_coursework.student.problem import RemoteProblem, Told, name_of, number_in, take

LONGEST = 100_000
"""The largest number of states of a path that are reported."""
LARGEST = 14_000
"""The largest number of bits of an integer that is reported: Python converts integers of up to 4,300 digits to text."""
METHODS = ("initial_states", "successors", "is_goal")


class RaisedAtError(Exception):
    """A heuristic raised an exception for the state of this number."""

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


class OddError(Exception):
    """A method of the student's problem returned something of another form; the message is for the student."""


def observe_search(function: Callable[..., Any], problem: RemoteProblem) -> dict[str, Any]:
    """Run a student's search; return its path, with the numbers of states and the texts of other objects.

    If it did not return a path, return a text about the result.
    """
    found = function(problem)
    if found is None:
        return {"path": None}
    if isinstance(found, list | tuple):
        return {"path": [_named(problem, state) for state in found[:LONGEST]]}
    return {"odd": f"{type(found).__name__} {shorten(found)}"}


def observe_estimates(
    function: Callable[..., Any], problem: RemoteProblem, states: Sequence[Told]
) -> dict[str, Any]:
    """Call a student's heuristic for these states; return the values in this order, or the first that is invalid."""
    values: list[Any] = []
    for told in states:
        try:
            value = function(take(problem, told), problem)
        except Exception as error:
            raise RaisedAtError(told[0]) from error
        number = as_data(value)
        if number is None:
            return {"odd": shorten(value), "state": told[0]}
        values.append(number)
    return {"values": values}


def observe_problem(make: Callable[..., Any], text: str, most: int) -> dict[str, Any]:
    """Make a student's problem of the text of a map, and expand its states, at most `most` of them.

    Return the numbers of the start states and of the goals, and the actions of each expanded state. If a method returns
    something of another form, return a text about that. Raises whatever the problem raises.
    """
    try:
        return _explored(make(text), most)
    except OddError as error:
        return {"odd": str(error)}


def _explored(problem: Any, most: int) -> dict[str, Any]:
    missing = [name for name in METHODS if not callable(getattr(problem, name, None))]
    if missing:
        raise OddError(f"it made {shorten(problem)}, which has no {missing[0]}; expected a problem")
    numbers: dict[Any, int] = {}
    waiting: deque[Any] = deque()

    def number(state: Any) -> int:
        try:
            if state not in numbers:
                numbers[state] = len(numbers)
                waiting.append(state)
        except TypeError as error:
            raise OddError(f"the state {shorten(state)} can't be hashed; use tuples of tuples") from error
        return numbers[state]

    starts = [number(state) for state in _listed(problem.initial_states(), "initial_states")]
    cost = getattr(problem, "cost", lambda state, action, successor: 1)
    edges: list[list[Any]] = []
    goals = []
    while waiting and len(edges) < most:
        state = waiting.popleft()
        if problem.is_goal(state):
            goals.append(len(edges))
        edges.append([])
        for pair in _listed(problem.successors(state), "successors"):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise OddError(f"successors gave {shorten(pair)}; expected (action, state) pairs")
            action, successor = pair
            value = as_data(cost(state, action, successor))
            if value is None:
                raise OddError(f"the cost of {shorten(action)} at {shorten(state)} is not a number")
            edges[-1].append((name_of(action)[:200], value, number(successor)))
    return {"starts": starts, "goals": goals, "edges": edges, "states": len(numbers)}


def _listed(value: Any, method: str) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise OddError(f"{method} returned {shorten(value)}; expected a list")
    return value


def as_data(value: Any) -> Any:
    """Return a number for JSON, a fraction as its two parts.

    Return None if it is not a number, or if it is an integer of more than `LARGEST` bits.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Integral):
        whole = int(value)
        return whole if whole.bit_length() <= LARGEST else None
    if isinstance(value, Rational):
        parts = [as_data(value.numerator), as_data(value.denominator)]
        return None if None in parts else parts
    return float(value)


def _named(problem: RemoteProblem, state: Any) -> Any:
    try:
        return number_in(problem, state)
    except (TypeError, ValueError):  # not a state, or one that can't be hashed
        return shorten(state, name_of, 200)


def shorten(value: Any, text_of: Callable[[Any], str] = repr, most: int = 100) -> str:
    """Return the beginning of the repr of a value, or a placeholder."""
    try:
        text = text_of(value)
    except Exception:  # also for an integer of more than 4,300 digits
        return f"({type(value).__name__} that can't be shown)"
    return text if len(text) <= most else f"{text[:most]}…"
