"""Exploring a student's problem: its states as numbers, with the actions between them.

This runs in the student's process, so the grader can't trust it. It follows the graph itself.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from searchkit_coursework.student.observing import as_data, shorten
from searchkit_coursework.student.remote import name_of

METHODS = ("initial_states", "successors", "is_goal")
LONGEST_NAME = 200


class OddError(Exception):
    """A method of the student's problem returned something of another form; the message is for the student."""


def observe_problem(make: Callable[..., Any], text: str, most: int) -> dict[str, Any]:
    """Make a student's problem of the text of a map, and expand its states, at most `most` of them.

    Return the number of the start states, and of each expanded state its actions and whether it is a goal. If a method
    returns something of another form, return a text about that. Raises whatever the problem raises.
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
            found = numbers.get(state)
        except TypeError as error:
            raise OddError(f"the state {shorten(state)} can't be hashed; use tuples of tuples") from error
        if found is None:
            found = numbers[state] = len(numbers)
            waiting.append(state)
        return found

    starts = [number(state) for state in _listed(problem.initial_states(), "initial_states")]
    cost = getattr(problem, "cost", None)
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
            value = 1 if cost is None else as_data(cost(state, action, successor))
            if value is None:
                raise OddError(f"the cost of {shorten(action)} at {shorten(state)} is not a number")
            edges[-1].append((name_of(action)[:LONGEST_NAME], value, number(successor)))
    return {"starts": starts, "goals": goals, "edges": edges, "states": len(numbers)}


def _listed(value: Any, method: str) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise OddError(f"{method} returned {shorten(value)}; expected a list")
    return value
