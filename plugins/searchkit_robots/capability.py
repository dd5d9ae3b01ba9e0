"""What the engines of this plugin need to know of a problem: the robots one by one, and the way back to states."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

Location: TypeAlias = Hashable
"""A place where one robot can be; for grids, a cell (x, y)."""
Objective: TypeAlias = Literal["sum-of-costs", "makespan"]


@runtime_checkable
class MultiAgent(Protocol):
    """A problem in which several robots move at once, one step per unit of time, or wait.

    Two robots may not be in one location at one time (a vertex conflict), nor change places in one step
    (an edge conflict); a robot may enter a location that another one leaves in the same step (Stern et al. 2019).
    """

    @property
    def objective(self) -> Objective:
        """What is minimised.

        `sum-of-costs`: the sum over the robots of the time at which each reaches its goal for the last time;
        `makespan`: the largest of these times.
        """
        ...

    def endpoints(self) -> Sequence[tuple[Location, Location]]:
        """Return the start and the goal of each robot. No two starts are equal, and no two goals."""
        ...

    def neighbours(self, location: Location) -> Sequence[Location]:
        """Return the locations one step away, for every robot; each step can be taken back. Waiting is left out."""
        ...

    def distances_to(self, location: Location) -> Mapping[Location, int]:
        """Return the steps that one robot alone needs to `location` from everywhere; unreachable ones are absent."""
        ...

    def joint_path(self, paths: Sequence[Sequence[Location]]) -> tuple[list[Any], list[Any]]:
        """Return the states and actions in which each robot follows its path and then stays at its end.

        `paths[i][t]` is where robot i is at time t.
        """
        ...
