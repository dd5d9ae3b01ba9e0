"""The heuristic of a graph whose nodes lie in the plane: the straight line to the nearest goal, as cost."""

from array import array
from collections.abc import Sequence
from math import inf, sqrt

from attrs import frozen

from searchkit import Cost
from searchkit_graph.rows import Rows

LARGEST, SMALLEST = 1e150, 1e-150
"""Between these, the squares of distances are exact enough."""
SAFE = 1 - 2**-30
"""What the cost of a unit of distance is multiplied by, so that no rounding makes an estimate too large."""


@frozen(eq=False)
class Plane:
    """Where the nodes lie."""

    xs: "array[float]"
    ys: "array[float]"

    def distance(self, one: int, other: int) -> float:
        """Return the distance of two nodes."""
        across, up = self.xs[one] - self.xs[other], self.ys[one] - self.ys[other]
        return sqrt(across * across + up * up)


@frozen(eq=False)
class Rate:
    """The least cost of a unit of distance, over all edges; and the edge that has it."""

    least: float
    """0 where there is no edge between different places, too."""
    edge: tuple[int, int] | None = None
    """Tail and head."""


def least_rate(rows: Rows, plane: Plane) -> Rate:
    """Return the least that an edge costs for each unit of distance between its ends. O(edges)."""
    least, edge = inf, None
    for number, (tail, head) in enumerate(zip(rows.tails(), rows.heads, strict=True)):
        distance = plane.distance(tail, head)
        if distance < SMALLEST and (plane.xs[tail], plane.ys[tail]) == (plane.xs[head], plane.ys[head]):
            continue  # both ends in one place: the edge brings nobody nearer to anything
        cost = 1 if rows.costs is None else rows.costs[number]
        rate = cost / distance if distance >= SMALLEST else 0.0
        if rate < least:
            least, edge = rate, (tail, head)
    return Rate(0.0 if least == inf else least, edge)


@frozen(eq=False)
class StraightLine:
    """Node → an estimate of the cost to the nearest goal. O(goals).

    No edge costs less than `rate` times the distance between its ends, and the distance to the goal is at most the sum
    of the distances on the way (the triangle inequality). So it is admissible and consistent; rounded down to a whole
    number where costs are whole, it still is.
    """

    plane: Plane
    goals: Sequence[int]
    rate: float
    """A little less than the least cost of a unit of distance."""
    whole: bool

    @classmethod
    def of(cls, rows: Rows, plane: Plane, goals: Sequence[int], rate: Rate) -> "StraightLine":
        """Return the heuristic of a graph."""
        whole = rows.costs is None or rows.costs.typecode == "q"
        return cls(plane, goals, rate.least * SAFE, whole)

    def __call__(self, node: int) -> Cost:
        """Return the estimate of a node."""
        if not self.goals:
            return 0
        xs, ys = self.plane.xs, self.plane.ys
        x, y = xs[node], ys[node]
        squares = [(x - xs[goal]) * (x - xs[goal]) + (y - ys[goal]) * (y - ys[goal]) for goal in self.goals]
        estimate = self.rate * sqrt(min(squares))
        return int(estimate) if self.whole and estimate < inf else estimate
