"""The steps of a problem in both directions, obtained from the problem alone."""

from collections.abc import Callable, Iterator
from math import inf
from typing import Any, Protocol, TypeAlias

from searchkit.problem import Cost, SearchProblem

Step: TypeAlias = tuple[int, Any, Any, Cost]
"""Its number among the steps out of a state, its action (None for a start), the state it leads to, and its cost."""
Heuristic: TypeAlias = Callable[[Any], Cost]
"""A heuristic, or `no_heuristic`."""


class ObjectionError(Exception):
    """A statement of a certificate or of a result that is false."""


class Steps(Protocol):
    """One direction: from the starts along `successors`, or from the goals along `predecessors`."""

    problem: Any

    def first(self) -> Iterator[Step]:
        """Yield a step at cost 0 into each state that this direction begins with."""
        ...

    def out_of(self, state: Any) -> Iterator[Step]:
        """Yield the steps out of a state. Raises `ObjectionError` for a cost that is not a finite number ≥ 0."""
        ...


class Forward:
    """From the starts along `successors`."""

    def __init__(self, problem: SearchProblem[Any, Any]):
        self.problem = problem

    def first(self) -> Iterator[Step]:
        """Yield the starts."""
        for ordinal, state in enumerate(self.problem.initial_states()):
            yield ordinal, None, state, 0

    def out_of(self, state: Any) -> Iterator[Step]:
        """Yield the successors of a state."""
        for ordinal, (action, successor) in enumerate(self.problem.successors(state)):
            yield ordinal, action, successor, step_cost(self.problem, state, action, successor)


class Backward:
    """From the goals along `predecessors`."""

    def __init__(self, problem: Any):
        self.problem = problem

    def first(self) -> Iterator[Step]:
        """Yield the goals."""
        for ordinal, state in enumerate(self.problem.goal_states()):
            yield ordinal, None, state, 0

    def out_of(self, state: Any) -> Iterator[Step]:
        """Yield the predecessors of a state."""
        for ordinal, (action, predecessor) in enumerate(self.problem.predecessors(state)):
            yield ordinal, action, predecessor, step_cost(self.problem, predecessor, action, state)


def step_cost(problem: SearchProblem[Any, Any], before: object, action: object, after: object) -> Cost:
    """Return the cost of a step, 1 by default. Raises `ObjectionError` unless it is a finite number ≥ 0."""
    cost: Cost = problem.cost(before, action, after) if hasattr(problem, "cost") else 1  # an optional member
    if not 0 <= cost < inf:
        raise ObjectionError(f"cost({before!r}, {action!r}, {after!r}) is {cost!r}, not a finite number ≥ 0")
    return cost


def no_heuristic(state: object) -> Cost:
    """Return 0: the placeholder in a proof without a heuristic."""
    return 0


def heuristic_of(problem: Any) -> Heuristic:
    """Return the heuristic of the problem, which raises `ObjectionError` for a value that is not a number ≥ 0.

    Raises `ObjectionError` if the problem has no heuristic.
    """
    if not hasattr(problem, "heuristic"):  # an optional member
        raise ObjectionError("it counts a heuristic in, and the problem has none")

    def heuristic(state: Any) -> Cost:
        h: Cost = problem.heuristic(state)
        if not h >= 0:
            raise ObjectionError(f"heuristic({state!r}) is {h!r}, not a number ≥ 0")
        return h

    return heuristic
