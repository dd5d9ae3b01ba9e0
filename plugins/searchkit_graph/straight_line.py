"""The heuristic of a graph whose nodes have coordinates: the cost of a straight line to the nearest goal."""

from array import array
from collections.abc import Sequence
from math import inf, sqrt
from sys import float_info

from attrs import frozen

from searchkit import Cost
from searchkit_graph.rows import Rows

LARGEST, SMALLEST = 1e150, 1e-150
"""The range in which the squares of distances are precise enough."""
SAFE = 1 - 2**-30
"""The factor for the cost of a unit of distance that keeps rounding errors from making the heuristic inadmissible."""
MOST = float_info.max
"""The largest heuristic value: infinity would say that no goal can be reached."""


@frozen(eq=False)
class Plane:
    """The coordinates of the nodes."""

    xs: "array[float]"
    ys: "array[float]"

    def distance(self, one: int, other: int) -> float:
        """Return the distance between two nodes."""
        across, up = self.xs[one] - self.xs[other], self.ys[one] - self.ys[other]
        return sqrt(across * across + up * up)


@frozen(eq=False)
class Rate:
    """The least cost of a unit of distance over all edges, and the edge that has it."""

    least: float
    """Also 0 if no edge joins nodes with different coordinates."""
    edge: tuple[int, int] | None = None
    """Tail and head."""


def least_rate(rows: Rows, plane: Plane) -> Rate:
    """Return the least cost of an edge for a unit of distance between its ends. O(edges)."""
    least, edge = inf, None
    for number, (tail, head) in enumerate(zip(rows.tails(), rows.heads, strict=True)):
        distance = plane.distance(tail, head)
        if distance < SMALLEST and (plane.xs[tail], plane.ys[tail]) == (plane.xs[head], plane.ys[head]):
            continue  # both ends have the same coordinates, so the edge covers no distance
        cost = 1 if rows.costs is None else rows.costs[number]
        rate = cost / distance if distance >= SMALLEST else 0.0
        if rate < least:
            least, edge = rate, (tail, head)
    return Rate(0.0 if least == inf else least, edge)


@frozen(eq=False)
class StraightLine:
    """Node and goals → a lower bound on the cost to the nearest goal. O(goals).

    No edge costs less than `rate` times the distance between its ends, and the distance to the goal is at most the sum
    of the distances on a path (triangle inequality). So the heuristic is admissible and consistent. This still holds if
    it is rounded down to an integer for integer costs.
    """

    plane: Plane
    rate: float
    """Slightly less than the least cost of a unit of distance."""
    whole: bool

    @classmethod
    def of(cls, rows: Rows, plane: Plane, rate: Rate) -> "StraightLine":
        """Return the heuristic of a graph."""
        whole = rows.costs is None or rows.costs.typecode == "q"
        return cls(plane, rate.least * SAFE, whole)

    def __call__(self, node: int, goals: Sequence[int]) -> Cost:
        """Return the heuristic value of a node."""
        if not goals:
            return 0
        xs, ys = self.plane.xs, self.plane.ys
        x, y = xs[node], ys[node]
        squares = [(x - xs[goal]) * (x - xs[goal]) + (y - ys[goal]) * (y - ys[goal]) for goal in goals]
        cost = min(self.rate * sqrt(min(squares)), MOST)
        return int(cost) if self.whole else cost
