"""Romania, the tram and word ladders: published figures."""

import pytest

from searchkit import solve
from searchkit.errors import InvalidOptionError
from searchkit_classics.romania import LENGTHS, STRAIGHT, TOWNS, Romania
from searchkit_classics.tram import Tram
from searchkit_classics.wordladder import WordLadder

SHORTEST = ("Arad", "Sibiu", "Rimnicu", "Pitesti", "Bucharest")
FEWEST = ("Arad", "Sibiu", "Fagaras", "Bucharest")


@pytest.mark.parametrize(
    ("engine", "cost", "path", "expanded"),
    [("astar", 418, SHORTEST, 5), ("dijkstra", 418, SHORTEST, 12), ("greedy", 450, FEWEST, 3)],
)
def test_arad_to_bucharest(engine: str, cost: int, path: tuple[str, ...], expanded: int) -> None:
    """As in the book: A* expands Arad, Sibiu, Rimnicu, Fagaras and Pitesti; greedy search pays 32 km more."""
    result = solve(Romania(), engine)
    assert result.solution is not None
    assert (result.cost, result.solution.states, result.statistics.expanded) == (cost, path, expanded)


def test_breadth_first_search_counts_roads() -> None:
    """Three roads, by Fagaras; the result warns that this is not the shortest way."""
    result = solve(Romania(), "bfs")
    assert result.solution is not None
    assert (result.cost, result.solution.states) == (450, FEWEST)
    assert result.warnings


def test_no_road_is_shorter_than_a_straight_line() -> None:
    """So both heuristics are consistent: neither changes along a road by more than its length."""
    assert len(TOWNS) == len(STRAIGHT) == 20
    assert len(LENGTHS) == 2 * 23
    for (one, other), length in LENGTHS.items():
        assert abs(STRAIGHT[one] - STRAIGHT[other]) <= length
        for goal in TOWNS:
            problem = Romania(one, goal, "map")
            assert problem.heuristic(one) <= length + problem.heuristic(other)


@pytest.mark.parametrize(("n", "minutes"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (10, 6)])
def test_the_tram(n: int, minutes: int) -> None:
    """To block 10 in 6 minutes, as in the lecture: walk to 5, then ride."""
    assert solve(Tram(n)).cost == minutes


@pytest.mark.parametrize(
    ("start", "goal", "steps"), [("words", "graph", 7), ("chaos", "order", 12), ("nodes", "graph", 9)]
)
def test_ladders(start: str, goal: str, steps: int) -> None:
    """The first is Knuth's, the others are those of networkx' documentation."""
    assert solve(WordLadder(start, goal)).cost == steps


def test_ladders_that_do_not_exist() -> None:
    """`pound` and `marks` are in different components, and `aloof` is aloof."""
    assert solve(WordLadder("pound", "marks")).status.name == "UNSOLVABLE"
    assert list(WordLadder("aloof", "words").successors("aloof")) == []
    with pytest.raises(InvalidOptionError, match="expected words of one length"):
        WordLadder("cat", "dog", words=[1])  # type: ignore[arg-type]  # it raised an AttributeError
