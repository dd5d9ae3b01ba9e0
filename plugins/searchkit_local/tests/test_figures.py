"""The published figures of hill climbing on eight queens (Russell and Norvig, section 4.1.1)."""

from statistics import mean
from typing import Any

import pytest

from searchkit import solve
from searchkit.testing import check_heuristic
from searchkit_local import CompleteQueens, local_search


def share(runs: int, **options: Any) -> tuple[float, float, float]:
    """Return the share of runs that find a goal, and the mean number of steps of these and of the others."""
    found = [local_search(CompleteQueens(), seed=seed, **options) for seed in range(runs)]
    good = [result.steps for result in found if result.goal]
    bad = [result.steps for result in found if not result.goal]
    return len(good) / runs, mean(good), mean(bad)


@pytest.mark.long
def test_with_sideways_moves_it_solves_nearly_all() -> None:
    """94 % with 21 steps; the rest needs 64 steps until it is stuck."""
    solved, steps, stuck = share(400, sideways=100)
    assert 0.91 < solved < 0.97
    assert 18 < steps < 24
    assert 40 < stuck < 90


def test_some_sideways_moves_help() -> None:
    """A cheap form of the figure above."""
    assert share(25, sideways=100)[0] > 0.8


def test_path_search_solves_the_same_problem() -> None:
    """A* finds the least number of moves; its heuristic is consistent."""
    board = CompleteQueens(rows=(0, 0, 0, 0))
    assert solve(board, "astar").cost == solve(board, "bfs").cost == 3
    assert check_heuristic(board).holds
