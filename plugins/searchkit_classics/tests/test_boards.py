"""Queens, knight's tours and Lights Out: published figures."""

from collections import Counter
from typing import Any

import pytest

from searchkit import SearchProblem, Status, distance_map, load, solve
from searchkit_classics.knight import Knight
from searchkit_classics.lightsout import LightsOut
from searchkit_classics.queens import Queens


@pytest.mark.parametrize(
    ("n", "solutions", "states"), [(1, 1, 2), (2, 0, 3), (3, 0, 6), (4, 2, 17), (6, 4, 153), (8, 92, 2057)]
)
def test_queens(n: int, solutions: int, states: int) -> None:
    """92 solutions for 8 queens (Gauss 1850), among 2,057 states, as Russell and Norvig say."""
    problem = Queens(n)
    found = distance_map(problem)
    assert (sum(map(problem.is_goal, found)), len(found)) == (solutions, states)


def counted(problem: SearchProblem[Any, Any]) -> int:
    """Return the number of tours; those through the same squares to the same end are counted together."""
    tours: Counter[Any] = Counter(problem.initial_states())
    goals = 0
    while tours:
        goals = sum(count for tour, count in tours.items() if problem.is_goal(tour))
        longer: Counter[Any] = Counter()
        stand_for: dict[Any, Any] = {}
        for tour, count in tours.items():
            for square, other in problem.successors(tour):
                longer[stand_for.setdefault((square, frozenset(other)), other)] += count
        tours = longer
    return goals


@pytest.mark.parametrize("start", ["a1", "b1", "b2"])
def test_no_tour_of_4x4(start: str) -> None:
    """From no square (Euler)."""
    assert counted(Knight("4x4", start)) == 0


def test_all_tours_of_3x4() -> None:
    """16 open tours, from the smallest board that has one (OEIS A169696)."""
    assert sum(counted(Knight("3x4", start)) for start in Knight("3x4").exits) == 16


@pytest.mark.parametrize("size", ["5x5", "6x6", "8x8"])
def test_warnsdorffs_rule(size: str) -> None:
    """Depth-first search never goes back: it expands every square once."""
    problem = Knight(size)
    result = solve(problem, "dfs")
    assert result.solution is not None
    assert result.statistics.expanded == result.cost == len(problem.exits) - 1


@pytest.mark.parametrize(("size", "worst", "boards"), [("2x2", 4, 16), ("3x3", 9, 512), ("1x5", 3, 16)])
def test_the_worst_lamps(size: str, worst: int, boards: int) -> None:
    """Every board of 3 × 3 lamps can be put out, one of them with all nine buttons; half of those of 1 × 5 can't."""
    width, height = map(int, size.split("x"))
    dark = LightsOut(size, "/".join(["0" * width] * height))
    distances = distance_map(dark)
    assert (max(distances.values()), len(distances)) == (worst, boards)
    assert all(dark.heuristic(state) == distance for state, distance in distances.items())


@pytest.mark.parametrize(("size", "buttons"), [("3x3", 5), ("4x4", 4), ("5x5", 15)])
def test_all_lamps_lit(size: str, buttons: int) -> None:
    """OEIS A075462; 15 is also the most for 5 × 5."""
    assert solve(LightsOut(size)).cost == buttons


def test_lamps_that_can_not_be_put_out() -> None:
    """The heuristic sees it, so nothing is expanded."""
    result = solve(LightsOut("5x5", "10000/00000/00000/00000/00000"))
    assert (result.status, result.statistics.expanded) == (Status.UNSOLVABLE, 0)
    assert solve(load("lights3")).cost == 9
