"""The promises of each heuristic, state by state."""

from functools import lru_cache
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.plugin import InvalidOptionError
from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import GOALS, Board, distance, goal_board
from searchkit_tiles.heuristics import HEURISTICS
from searchkit_tiles.heuristics.linear_conflict import NOT_HERE, leaving
from searchkit_tiles.heuristics.patterns import FIFTEEN, build, groups_of
from searchkit_tiles.strategies import SIZES
from searchkit_tiles.tests.helpers import distances

SMALL = [(width, height, goal) for width, height in SIZES for goal in GOALS]


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
        if problem.heuristic_spec.consistent:
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
    assert (drop <= 1) is problem.heuristic_spec.consistent


def test_each_bound_is_above_the_one_that_it_refines() -> None:
    """Linear conflicts add to the distance; pattern databases count more slides than single tiles' distances."""
    plain, conflict, patterns = (
        at_goal(3, 3, "blank-last", name).heuristic
        for name in ("manhattan", "linear-conflict", "pattern-database")
    )
    # One board in eleven: those that can't be solved too, since each bound is a sum over the tiles of any board.
    some = islice(permutations(range(9)), 0, None, 11)
    assert all(plain(board) <= min(conflict(board), patterns(board)) for board in some)


@given(st.permutations(range(6)), st.integers(0, 6))
def test_leaving_is_the_least_that_leave_a_line_in_order(places: list[int], absent: int) -> None:
    """Against all choices of those that stay."""
    row = tuple(NOT_HERE if place < absent else place for place in places)
    here = [place for place in row if place != NOT_HERE]
    most = max(
        mask.bit_count()
        for mask in range(1 << len(here))
        if (kept := [place for index, place in enumerate(here) if mask >> index & 1]) == sorted(kept)
    )
    assert leaving(row) == len(here) - most


def table_by_definition(width: int, goal: Board, group: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return the least number of slides of a group's tiles for each placement, by a search of whole boards."""
    cells = len(goal)
    fewest: dict[tuple[tuple[int, ...], int], int] = {}
    start = tuple(goal.index(tile) for tile in group), goal.index(0)
    level, now = 0, [start]
    while now:
        later: list[tuple[tuple[int, ...], int]] = []
        while now:
            places, blank = now.pop()
            if fewest.get((places, blank), level + 1) <= level:
                continue
            fewest[places, blank] = level
            for cell in range(cells):
                if distance(width, blank, cell) == 1:
                    moved = tuple(blank if place == cell else place for place in places)
                    (now if moved == places else later).append((moved, cell))
        now, level = later, level + 1
    least: dict[tuple[int, ...], int] = {}
    for (places, _), slides in fewest.items():
        least[places] = min(slides, least.get(places, slides))
    return least


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("width", "height", "goal"), [(3, 2, "blank-first"), (2, 3, "blank-last"), (4, 1, "blank-last")]
)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_tables_by_definition(width: int, height: int, goal: str, size: int, compiled: bool) -> None:
    """Built in Python and in machine code, a table holds the fewest slides of its tiles."""
    target = goal_board(width * height, goal)
    for group in permutations([tile for tile in target if tile], size):
        table = build(width, target, group, compiled=compiled)
        for places, slides in table_by_definition(width, target, group).items():
            assert table[sum(place * len(target) ** index for index, place in enumerate(places))] == slides


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (2, 2), (3, 3), (4, 4), (3, 4), (5, 5), (7, 2), (1, 6)]
)
def test_groups_split_the_tiles(width: int, height: int, goal: str) -> None:
    """Each tile is in one group; tables have at most 2²⁰ entries, the fields of an index."""
    target = goal_board(width * height, goal)
    groups = groups_of(width, target)
    assert sorted(tile for group in groups for tile in group) == list(range(1, width * height))
    assert all(1 <= len(group) <= 5 and len(target) ** len(group) <= 1 << 20 for group in groups)


def test_the_15_puzzle_is_split_5_5_5() -> None:
    """The goal with the blank last is the other one rotated."""
    assert groups_of(4, goal_board(16, "blank-first")) == FIFTEEN
    assert groups_of(4, goal_board(16, "blank-last"))[0] == (15, 14, 12, 11, 10)


def test_no_databases_for_large_boards() -> None:
    """The error names the largest board and the heuristic to use instead."""
    with pytest.raises(
        InvalidOptionError, match="at most 25 cells, this one has 42; use heuristic=linear-conflict"
    ):
        SlidingTiles(7, 6, range(42), heuristic="pattern-database")
