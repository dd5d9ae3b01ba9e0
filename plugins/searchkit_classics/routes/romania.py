"""The roads of Romania."""

from collections.abc import Iterable
from math import dist

from searchkit import SearchProblem
from searchkit_classics.options import one_of

ROADS = """\
Arad Zerind 75, Arad Timisoara 118, Arad Sibiu 140, Zerind Oradea 71, Oradea Sibiu 151, Timisoara Lugoj 111,
Lugoj Mehadia 70, Mehadia Drobeta 75, Drobeta Craiova 120, Craiova Rimnicu 146, Craiova Pitesti 138, Rimnicu Sibiu 80,
Rimnicu Pitesti 97, Sibiu Fagaras 99, Fagaras Bucharest 211, Pitesti Bucharest 101, Bucharest Giurgiu 90,
Bucharest Urziceni 85, Urziceni Hirsova 98, Hirsova Eforie 86, Urziceni Vaslui 142, Vaslui Iasi 92, Iasi Neamt 87"""
PLACES = """\
Arad 91 492, Bucharest 400 327, Craiova 253 288, Drobeta 165 299, Eforie 562 293, Fagaras 305 449, Giurgiu 375 270,
Hirsova 534 350, Iasi 473 506, Lugoj 165 379, Mehadia 168 339, Neamt 406 537, Oradea 131 571, Pitesti 320 368,
Rimnicu 233 410, Sibiu 207 457, Timisoara 94 410, Urziceni 456 350, Vaslui 509 444, Zerind 108 531"""
TO_BUCHAREST = """\
Arad 366, Bucharest 0, Craiova 160, Drobeta 242, Eforie 161, Fagaras 176, Giurgiu 77, Hirsova 151, Iasi 226, Lugoj 244,
Mehadia 241, Neamt 234, Oradea 380, Pitesti 100, Rimnicu 193, Sibiu 253, Timisoara 329, Urziceni 80, Vaslui 199,
Zerind 374"""


def rows(text: str) -> list[list[str]]:
    """Return the words of each entry of a list that is separated by commas."""
    return [entry.split() for entry in text.split(",")]


LENGTHS = {(one, other): int(length) for one, other, length in rows(ROADS)}
LENGTHS |= {(other, one): length for (one, other), length in LENGTHS.items()}
NEXT: dict[str, list[str]] = {}
for town, other in LENGTHS:
    NEXT.setdefault(town, []).append(other)
TOWNS = {town: (int(x), int(y)) for town, x, y in rows(PLACES)}
"""Town → where it is on the map: x to the right, y up."""
STRAIGHT = {town: int(length) for town, length in rows(TO_BUCHAREST)}
HEURISTICS = ("straight-line", "map", "zero")


class Romania(SearchProblem[str, str]):
    """Drive from one town of Romania to another on the shortest way (Russell and Norvig, "Artificial Intelligence").

    A state is a town. An action is the name of the next town, and costs the kilometres of the road. The heuristic
    `straight-line` is the table of the book for Bucharest; for other goals, and as `map`, the distance is measured on
    the map, which is a smaller scale: `map` is weaker.

    Args:
        start: the town to start from.
        goal: the town to drive to.
        heuristic: one of `HEURISTICS`.

    """

    def __init__(self, start: str = "Arad", goal: str = "Bucharest", heuristic: str = HEURISTICS[0]):
        self.start, self.goal = one_of("start", start, tuple(TOWNS)), one_of("goal", goal, tuple(TOWNS))
        self.heuristic_name = one_of("heuristic", heuristic, HEURISTICS)

    def initial_states(self) -> Iterable[str]:
        """Return the start."""
        return [self.start]

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        """Return the next towns."""
        return [(other, other) for other in NEXT[state]]

    def is_goal(self, state: str) -> bool:
        """Whether this is the goal."""
        return state == self.goal

    def cost(self, state: str, action: str, successor: str) -> int:
        """Return the length of the road."""
        return LENGTHS[state, successor]

    def heuristic(self, state: str) -> int:
        """Return the length of the straight line to the goal, in whole kilometres."""
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "straight-line" and self.goal == "Bucharest":
            return STRAIGHT[state]
        return int(dist(TOWNS[state], TOWNS[self.goal]))

    def __repr__(self) -> str:
        return f"<Romania start={self.start} goal={self.goal} heuristic={self.heuristic_name}>"
