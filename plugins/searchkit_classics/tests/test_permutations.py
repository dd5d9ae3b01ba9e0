"""Pancakes, TopSpin and the Tower of Hanoi: published figures."""

from collections import Counter
from math import factorial
from typing import Any

import pytest

from searchkit import Limits, SearchProblem, distance_map, solve
from searchkit.testing import check_heuristic
from searchkit_classics.hanoi import Hanoi
from searchkit_classics.pancakes import IGNORED, Pancakes
from searchkit_classics.topspin import TopSpin


def worst(problem: SearchProblem[Any, Any]) -> tuple[int, int, int]:
    """Return the largest distance from the start, how many states are that far, and how many there are.

    Every action can be undone by as many, so these are the distances to the goal as well if the start is the goal.
    """
    counts = Counter(distance_map(problem).values())
    return int(max(counts)), counts[max(counts)], sum(counts.values())


@pytest.mark.parametrize(
    ("n", "flips", "stacks"),
    [(5, 5, 20), (6, 7, 2), (7, 8, 35), pytest.param(8, 9, 455, marks=pytest.mark.long)],
)
def test_the_worst_pancakes(n: int, flips: int, stacks: int) -> None:
    """OEIS A058986 and A067607."""
    assert worst(Pancakes(tuple(range(1, n + 1)))) == (flips, stacks, factorial(n))


@pytest.mark.parametrize(
    ("n", "flips", "states"),
    [(3, 6, 48), (4, 8, 384), (5, 10, 3840), pytest.param(6, 12, 46080, marks=pytest.mark.long)],
)
def test_the_worst_burnt_pancakes(n: int, flips: int, states: int) -> None:
    """OEIS A078941. A sorted stack with all burnt sides up is among the worst (Cohen and Blum 1995)."""
    distances = distance_map(Pancakes(tuple(range(1, n + 1)), burnt=True))
    assert (max(distances.values()), len(distances)) == (flips, states)
    assert distances[tuple(range(-1, -n - 1, -1))] == flips


@pytest.mark.parametrize("heuristic", IGNORED)
def test_gaps_never_overestimate(heuristic: str) -> None:
    """On all stacks of six, and of four with a burnt side; and no flip changes a value by more than 1."""
    assert check_heuristic(Pancakes(tuple(range(6, 0, -1)), heuristic=heuristic)).holds
    assert check_heuristic(Pancakes(tuple(range(-1, -5, -1)), burnt=True, heuristic=heuristic)).holds


@pytest.mark.long
@pytest.mark.parametrize(("n", "flips", "stacks"), [(9, 10, 5804), (10, 11, 73232)])
def test_the_worst_of_many_pancakes(n: int, flips: int, stacks: int) -> None:
    """In machine code: OEIS A058986 and A067607."""
    assert worst(Pancakes(tuple(range(1, n + 1)))) == (flips, stacks, factorial(n))


@pytest.mark.parametrize(
    ("n", "turning", "actions", "states"),
    [
        (6, "free", 5, 120),
        (7, "free", 6, 360),
        (8, "free", 9, 5040),
        (6, "counted", 12, 720),
        (7, "counted", 17, 2520),
        pytest.param(8, "counted", 22, 40320, marks=pytest.mark.long),
    ],
)
def test_the_worst_rings(n: int, turning: str, actions: int, states: int) -> None:
    """Half of the rings of seven can't be reached: a flip of four and a turn of seven are even permutations."""
    most, _, reached = worst(TopSpin(tuple(range(1, n + 1)), turning=turning))
    assert (most, reached) == (actions, states)


@pytest.mark.parametrize("turning", ["free", "counted"])
def test_gaps_in_a_ring_never_overestimate(turning: str) -> None:
    """On all rings of six."""
    assert check_heuristic(TopSpin(tuple(range(1, 7)), turning=turning)).holds


@pytest.mark.parametrize("discs", range(1, 8))
def test_hanoi_with_three_pegs(discs: int) -> None:
    """2ⁿ − 1 moves (Lucas 1883)."""
    assert solve(Hanoi(discs), "astar").cost == 2**discs - 1


@pytest.mark.parametrize(
    ("discs", "moves"),
    [
        (4, 9),
        (5, 13),
        (6, 17),
        (7, 25),
        pytest.param(8, 33, marks=pytest.mark.long),
        pytest.param(10, 49, marks=pytest.mark.long),
    ],
)
def test_hanoi_with_four_pegs(discs: int, moves: int) -> None:
    """The Reve's puzzle (OEIS A007664; Dudeney 1907 has 33 moves for 8 discs)."""
    assert solve(Hanoi(discs, pegs=4), "bidirectional", limits=Limits(expansions=2_000_000)).cost == moves
