"""Hypothesis strategies of small boards, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit_tiles.board import GOALS, goal_board, slides
from searchkit_tiles.bounds import BOUNDS
from searchkit_tiles.problem import SlidingTiles

SIZES = ((1, 1), (2, 1), (2, 2), (1, 3), (3, 2), (2, 3), (5, 1))


@st.composite
def boards(
    draw: st.DrawFn, size: tuple[int, int] | None = None, heuristic: str | None = None
) -> SlidingTiles:
    """Draw a board: a few slides from the goal, or the tiles in any order, which half the time can't be solved.

    It is of `size`, width and height, or of one of at most six cells, and has `heuristic`, or any. It shrinks to a
    small board in order.
    """
    width, height = draw(st.sampled_from(SIZES)) if size is None else size
    cells = width * height
    goal = draw(st.sampled_from(GOALS))
    tiles = list(goal_board(cells, goal))
    if draw(st.booleans()):
        tiles = draw(st.permutations(tiles))
    else:
        near, blank = slides(width, height), tiles.index(0)
        for turn in draw(st.lists(st.integers(0, 3), max_size=12)):
            if near[blank]:
                cell = near[blank][turn % len(near[blank])][1]
                tiles[blank], tiles[cell] = tiles[cell], 0
                blank = cell
    chosen = draw(st.sampled_from(list(BOUNDS))) if heuristic is None else heuristic
    return SlidingTiles(width, height, tiles, goal, chosen)
