"""Problems that change, for the tests of replanning."""

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

from searchkit import SearchProblem, solve


def cost_of(problem: Any) -> Any:
    """Return the cost that a new search by Dijkstra's algorithm finds."""
    cost = solve(problem, "dijkstra", backend="python").cost
    return inf if cost is None else cost


NODES = range(7)


class Roads(SearchProblem[int, str]):
    """Roads between nodes, each known by its name, so that a change of one leaves the others as they are."""

    def __init__(
        self,
        roads: dict[tuple[int, int], int],
        start: int,
        goals: list[int],
        guided: Callable[[int], Fraction],
    ):
        self.roads, self.start, self.goals = roads, start, goals
        ends = {node: self.distances(node, 0) for node in NODES}
        self.h = {n: min(ends[n].get(goal, inf) for goal in goals) for n in NODES}
        self.back = {n: ends[start].get(n, inf) for n in NODES}
        self.best = self.h[start]
        for table in (self.h, self.back):
            table.update({n: h * guided(n) for n, h in table.items() if h < inf})

    def distances(self, node: int, cost: int) -> dict[int, float]:
        """Return the least cost to each node that can be reached (Bellman and Ford)."""
        found: dict[int, float] = {node: cost}
        for _ in NODES:
            for (a, b), step in self.roads.items():
                if a in found:
                    found[b] = min(found.get(b, inf), found[a] + step)
        return found

    def initial_states(self) -> list[int]:
        return [self.start]

    def goal_states(self) -> list[int]:
        return self.goals

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [(f"{a} to {b}", b) for a, b in self.roads if a == state]

    def predecessors(self, state: int) -> list[tuple[str, int]]:
        return [(f"{a} to {b}", a) for a, b in self.roads if b == state]

    def cost(self, state: int, action: str, successor: int) -> int:
        return self.roads[state, successor]

    def heuristic(self, state: int) -> Any:
        return self.h[state]

    def backward_heuristic(self, state: int) -> Any:
        return self.back[state]

    def __repr__(self) -> str:
        return f"{self.start} to {self.goals} by {self.roads}"


GUIDES: dict[str, Callable[[int], Fraction]] = {
    "blind": lambda node: Fraction(0),
    "half": lambda node: Fraction(1, 2),
    "exact": lambda node: Fraction(1),
    "inconsistent": lambda node: Fraction(node * 5 % 4, 4),
}
