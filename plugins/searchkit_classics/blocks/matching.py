"""The cheapest assignment of boxes to goals: a lower bound for Sokoban."""

from collections.abc import Sequence

FAR = 1_000_000
"""More pushes than any box needs: the distance of a goal that a box can't reach."""


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
