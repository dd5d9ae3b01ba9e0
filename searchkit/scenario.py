"""Queries with known answers: what a benchmark set states, and what an engine is held against."""

from collections.abc import Callable, Sequence

from attrs import frozen

from searchkit.problem import Cost, SearchProblem


@frozen
class Query:
    """One line of a scenario: a start, a goal and the published least cost between them."""

    line: int
    """The line of the file, counted from 1."""
    start: object
    goal: object
    expected: float
    tolerance: float
    """Half a unit of the last digit that the file gives."""

    def agrees(self, cost: Cost | None, relative: float = 1e-4) -> bool:
        """Whether `cost` is the published one, to `relative` or to the file's own rounding."""
        if cost is None:
            return False
        return abs(float(cost) - self.expected) <= max(relative * self.expected, self.tolerance)


@frozen
class Scenario:
    """Queries over one map, in the file's order."""

    map: str
    queries: Sequence[Query]
    problem: Callable[[Query], SearchProblem]  # type: ignore[type-arg]  # of whatever states the plugin has
    """Makes the problem that a query asks."""
