"""What a problem can do: looked up once, before a search begins, never inside one."""

from collections.abc import Iterator
from math import inf
from os import PathLike
from sys import float_info
from typing import cast

from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch

NO_STATE = "None can't be a state: use another value, such as () or a text"
WIDEST = 120
"""Characters of a value that a message shows."""
REQUIRED = ("initial_states", "successors", "is_goal")


def has_cost(problem: SearchProblem[State, Action]) -> bool:
    """Whether the problem defines costs of its own; otherwise every action costs 1."""
    return _defines(problem, "cost")


def has_heuristic(problem: SearchProblem[State, Action]) -> bool:
    """Whether the problem defines a heuristic of its own."""
    return _defines(problem, "heuristic")


def check_members(problem: SupportsSearch[State, Action]) -> SearchProblem[State, Action]:
    """Return the problem, as one that may have `cost` and `heuristic`: `has_cost` and `has_heuristic` tell.

    Raises `InvalidProblemError` if a member that every problem needs is missing or can't be called.
    """
    missing = [name for name in REQUIRED if not callable(getattr(problem, name, None))]
    if missing:
        hint = (
            f"this is the class itself: make an instance, {problem.__name__}(…)"
            if isinstance(problem, type)
            else f"to read one from a file, write searchkit.load({problem!r})"
            if isinstance(problem, str | PathLike)
            else "see searchkit.SearchProblem"
        )
        raise InvalidProblemError(
            f"{_shortened(problem)} is not a search problem: it has no method {' and no method '.join(missing)}; {hint}"
        )
    if isinstance(problem, type):
        raise InvalidProblemError(
            f"{problem!r} is a class, and a problem is an instance of one: write {problem.__name__}(…)"
        )
    return cast(SearchProblem[State, Action], problem)


def start_states(problem: SearchProblem[State, Action]) -> list[State]:
    """Return the start states. Raises `InvalidProblemError` where there are none, or they can't be states."""
    given = problem.initial_states()
    call = f"{type(problem).__name__}.initial_states()"
    if isinstance(given, str | bytes):
        raise InvalidProblemError(
            f"{call} returned the text {given!r}, whose letters would be the states; for one start, return [{given!r}]"
        )
    if isinstance(given, Iterator) and problem.initial_states() is given:
        raise InvalidProblemError(
            f"{call} returned the same iterator twice: it can be read only once; return a list, or a new iterator"
        )
    starts = list(given)
    if not starts:
        raise InvalidProblemError(f"{call} is empty; a search needs a start")
    if any(start is None for start in starts):
        raise InvalidProblemError(f"{call} gave None as a state; {NO_STATE}")
    return starts


def invalid_cost(state: object, action: object, successor: object, cost: object) -> InvalidProblemError:
    """Return the error for a cost that is not a finite number ≥ 0."""
    return InvalidProblemError(
        f"cost({state!r}, {action!r}, {successor!r}) is {cost!r}; expected a finite number ≥ 0. "
        "Make every cost non-negative (adding the same amount to each changes which path is cheapest)"
    )


def too_dear(state: object, place: str = "") -> InvalidProblemError:
    """Return the error for a path through a state, or some place, whose cost or f is too large for a float."""
    return InvalidProblemError(
        f"a path through {place or repr(state)} costs more than the largest float, {float_info.max:.1e} (what the "
        "heuristic estimates included): paths can no longer be told apart; scale the costs down, or make them whole "
        "numbers (int), which may be of any size"
    )


def step_costs(
    problem: SearchProblem[State, Action], states: tuple[State, ...], actions: tuple[Action, ...]
) -> list[Cost]:
    """Return the cost of each action of a path, checked. Raises `InvalidProblemError`."""
    if not has_cost(problem):
        return [1] * len(actions)
    costs = [problem.cost(*edge) for edge in zip(states, actions, states[1:], strict=False)]
    for edge, cost in zip(zip(states, actions, states[1:], strict=False), costs, strict=False):
        if not 0 <= cost < inf:
            raise invalid_cost(*edge, cost)
    return costs


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}…"


def _defines(problem: SearchProblem[State, Action], name: str) -> bool:
    member = getattr(problem, name, None)
    return member is not None and getattr(member, "__func__", None) is not getattr(SearchProblem, name)
