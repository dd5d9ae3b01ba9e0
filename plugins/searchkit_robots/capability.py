"""The capability that the engines of this plugin require: robots one by one, and joint paths."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

Location: TypeAlias = Hashable
"""A place where a robot can be; on grids, a cell (x, y)."""
Objective: TypeAlias = Literal["sum-of-costs", "makespan"]


@runtime_checkable
class MultiAgent(Protocol):
    """A problem in which several robots move simultaneously; each takes a step or waits at each unit of time.

    Two robots must not be in one location at the same time (a vertex conflict), nor swap locations in one step (an edge
    conflict). A robot may enter a location that another one leaves in the same step (Stern et al. 2019).
    """

    @property
    def objective(self) -> Objective:
        """The quantity to minimise.

        `sum-of-costs`: the sum over the robots of the times at which they reach their goals for the last time;
        `makespan`: the largest of these times.
        """
        ...

    def endpoints(self) -> Sequence[tuple[Location, Location]]:
        """Return the start and the goal of each robot. No two starts are equal, and no two goals."""
        ...

    def neighbours(self, location: Location) -> Sequence[Location]:
        """Return the locations one step away, which are the same for all robots.

        Steps are reversible; waiting is excluded.
        """
        ...

    def distances_to(self, location: Location) -> Mapping[Location, int]:
        """Return location → steps that a robot alone needs from there to `location`; without unreachable locations."""
        ...

    def joint_steps(self, paths: Sequence[Sequence[Location]]) -> Iterator[tuple[Any, Any]]:
        """Yield the actions and states in which each robot follows its path and then stays at its end.

        `paths[i][t]` is the location of robot i at time t. The first state has any action.
        """
        ...
