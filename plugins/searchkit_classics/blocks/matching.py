"""Lower bounds for Sokoban: the pushes that boxes need to goals, if no other box is in the way."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from math import inf

from searchkit_classics.blocks.level import DIRECTIONS, Cell

FAR = 1_000_000
"""More pushes than any box needs: the distance of a goal that a box can't reach."""


class PushDistances:
    """The fewest pushes of a single box from each cell to each goal, found by pulling a box backwards from the goals.

    Dead squares are the cells from which no goal can be reached.
    """

    def __init__(self, floor: frozenset[Cell], goals: Iterable[Cell]):
        self.to_goals = [_pulled(floor, goal) for goal in goals]
        """For each goal, the pushes from each cell; cells from which it can't be reached are missing."""
        self.dead = floor.difference(*self.to_goals)
        self._matched: dict[tuple[Cell, ...], float] = {}

    def nearest(self, boxes: tuple[Cell, ...]) -> float:
        """Return the sum over the boxes of the pushes to the nearest goal."""
        return sum([min([pushes.get(box, inf) for pushes in self.to_goals]) for box in boxes])

    def matched(self, boxes: tuple[Cell, ...]) -> float:
        """Return the pushes of a cheapest assignment of boxes to goals; infinity if there is none."""
        if boxes not in self._matched:
            costs = [[pushes.get(box, FAR) for pushes in self.to_goals] for box in boxes]
            cost = assignment(costs)
            self._matched[boxes] = inf if cost >= FAR else cost
        return self._matched[boxes]


HEURISTICS: dict[str, Callable[[PushDistances, tuple[Cell, ...]], float]] = {
    "matching": PushDistances.matched,
    "goals": PushDistances.nearest,
    "zero": lambda distances, boxes: 0,
}


def _pulled(floor: frozenset[Cell], goal: Cell) -> dict[Cell, int]:
    """Return the fewest pulls of a box from a goal to each cell, with the player anywhere."""
    pulls, frontier = {goal: 0}, deque([goal])
    while frontier:
        x, y = cell = frontier.popleft()
        for dx, dy in DIRECTIONS.values():
            back, player = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if back in floor and player in floor and back not in pulls:
                pulls[back] = pulls[cell] + 1
                frontier.append(back)
    return pulls


def assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the least cost of assigning each row another column (Kuhn 1955, Munkres 1957).

    Rows are assigned one after the other, each along a cheapest alternating path; `row` and `column` are the
    potentials that keep reduced costs at 0 or more. Takes time cubic in the number of rows.
    """
    size = len(costs)
    row, column, owner = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for new in range(1, size + 1):
        owner[0], at = new, 0
        slack, came, seen = [FAR * (size + 1)] * (size + 1), [0] * (size + 1), [False] * (size + 1)
        while owner[at]:
            seen[at], here = True, owner[at]
            for to in range(1, size + 1):
                reduced = costs[here - 1][to - 1] - row[here] - column[to]
                if not seen[to] and reduced < slack[to]:
                    slack[to], came[to] = reduced, at
            at = min((to for to in range(1, size + 1) if not seen[to]), key=slack.__getitem__)
            least = slack[at]
            for to in range(size + 1):
                if seen[to]:
                    row[owner[to]] += least
                    column[to] -= least
                else:
                    slack[to] -= least
        while at:
            owner[at], at = owner[came[at]], came[at]
    return sum(costs[owner[to] - 1][to - 1] for to in range(1, size + 1))
