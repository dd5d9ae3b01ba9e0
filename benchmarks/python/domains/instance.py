"""One problem in each of the forms that contenders need.

Every contender gets functions written for its own form, so none pays for a translation. They are plain functions
(closures), the fastest kind: the cheaper they are, the more visible is the work of the search itself.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import evolve, frozen

State: TypeAlias = Any
Action: TypeAlias = Any


@frozen
class Instance:
    """A start, a goal and what can be done in between. Costs are integers."""

    start: State
    goal: State | None
    """None: no state is a goal, and every state that can be reached is to be seen."""
    successors: Callable[[State], list[tuple[Action, State]]]
    neighbours: Callable[[State], list[State]]
    edges: Callable[[State], list[tuple[State, int, Action]]]
    """state → (successor, cost, action)."""
    actions: Callable[[State], list[Action]]
    result: Callable[[State, Action], State]
    cost: Callable[[State, Action, State], int] | None
    """None: every action costs 1."""
    distance: Callable[[State, State], int]
    """The cost of the action between two adjacent states."""
    heuristic: Callable[..., int]
    """Called with a state; an optional second argument (other libraries pass the goal) is not looked at."""
    rows: tuple[str, ...] = ()
    """Grids only: the map, `.` for floor and `#` for walls."""

    def is_goal(self, state: State) -> bool:
        """Whether `state` is the goal."""
        return bool(state == self.goal)

    def goal_test(self) -> Callable[[State], bool]:
        """Return the goal test as a plain function."""
        goal = self.goal
        if goal is None:
            return lambda state: False
        return lambda state: bool(state == goal)

    def counted(self, counter: "Counter") -> "Instance":
        """Return the same instance, with every question for a state's successors counted."""
        return evolve(
            self,
            successors=counter.wrap(self.successors),
            neighbours=counter.wrap(self.neighbours),
            edges=counter.wrap(self.edges),
            actions=counter.wrap(self.actions),
        )


class Counter:
    """Counts expansions: how often the successors of a state were asked for."""

    def __init__(self) -> None:
        self.calls = 0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, counted."""

        def counted(*arguments: object, **options: object) -> Any:
            self.calls += 1
            return function(*arguments, **options)

        return counted
