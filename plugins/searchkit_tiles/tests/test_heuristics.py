"""The promises of each heuristic, state by state."""

from functools import lru_cache

import pytest

from searchkit.plugin import InvalidOptionError
from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import GOALS, Board, goal_board
from searchkit_tiles.problem import HEURISTICS, INCONSISTENT
from searchkit_tiles.strategies import SIZES
from searchkit_tiles.tests.helpers import distances

SMALL = [(width, height, goal) for width, height in SIZES for goal in GOALS]
SMALL += [(3, 2, "4,0,1,3,2,5"), (2, 3, "5,1,4,0,3,2")]


def at_goal(width: int, height: int, goal: str, heuristic: str) -> SlidingTiles:
    """Return the problem that begins where it ends."""
    return SlidingTiles(width, height, goal_board(width * height, goal), goal, heuristic)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize(("width", "height", "goal"), SMALL)
def test_guarantees_on_all_small_boards(width: int, height: int, goal: str, heuristic: str) -> None:
    """Never more than the fewest slides, 0 at the goal, and if it is consistent, never a drop by more than 1."""
    problem = at_goal(width, height, goal, heuristic)
    exact = distances(problem)
    for board, fewest in exact.items():
        h = problem.heuristic(board)
        assert 0 <= h <= fewest
        if heuristic not in INCONSISTENT:
            assert all(h <= 1 + problem.heuristic(after) for _, after in problem.successors(board))


@lru_cache
def eight_puzzle(goal: str) -> dict[Board, int]:
    """Return the fewest slides of all 8-puzzles."""
    return distances(at_goal(3, 3, goal, "zero"))


@pytest.mark.long  # the test of small boards has the same faults on boards of up to 6 cells
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_guarantees_on_the_8_puzzle(heuristic: str) -> None:
    """On all 181,440 boards: the pattern databases are two of four tiles, and their sum is not consistent."""
    problem = at_goal(3, 3, "blank-first", heuristic)
    exact = eight_puzzle("blank-first")
    assert len(exact) == 181_440
    assert max(exact.values()) == 31
    estimates = {board: problem.heuristic(board) for board in exact}
    assert all(h <= exact[board] for board, h in estimates.items())
    drop = max(
        estimates[board] - estimates[after] for board in exact for _, after in problem.successors(board)
    )
    assert (drop <= 1) is (heuristic not in INCONSISTENT)


def test_no_databases_for_large_boards() -> None:
    """The error names the largest board and the heuristic to use instead."""
    with pytest.raises(
        InvalidOptionError, match="at most 25 cells, this one has 42; use heuristic=linear-conflict"
    ):
        SlidingTiles(7, 6, tuple(range(42)), heuristic="pattern-database")
