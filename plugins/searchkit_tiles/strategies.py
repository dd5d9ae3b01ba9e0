"""Hypothesis strategies of small boards, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_tiles.board import GOALS, goal_board, slides
from searchkit_tiles.problem import HEURISTICS, SlidingTiles

SIZES = ((1, 1), (2, 1), (2, 2), (1, 3), (3, 2), (2, 3), (5, 1))
MIXED = (*SIZES[:4], *[(3, 2), (2, 3)] * 9, (2, 2), (2, 2), (2, 2), (5, 1))
"""The sizes in the default proportions. Sizes on which tiles can't pass each other are rare."""
SLIDES = 24
"""The largest number of slides from the goal."""
ANY_ORDER, IN_ORDER = 160, 252
"""Thresholds of bytes: from the first on the tiles are in any order, from the second on as in the goal."""


@st.composite
def boards(
    draw: st.DrawFn, size: tuple[int, int] | None = None, heuristic: str | None = None
) -> SlidingTiles:
    """Draw a board: some slides from the goal, or the tiles in any order, which is unsolvable half the time.

    It has the given `size` (width, height), by default of at most six cells, and the given `heuristic`, by default any.
    It shrinks to a small board in order.
    """
    largest = 6 if size is None else size[0] * size[1]
    drawn = draw(blocks(5 + max(SLIDES, largest)))
    chosen_size, chosen_goal, bound, order, most, *turns = drawn
    width, height = pick(chosen_size, MIXED) if size is None else size
    cells = width * height
    goal = pick(chosen_goal, GOALS)
    tiles, in_order = list(goal_board(cells, goal)), goal_board(cells, goal)
    if order < ANY_ORDER:
        _slide(tiles, slides(width, height), turns[: pick(most, range(4, SLIDES + 1))])
    elif order < IN_ORDER:
        for cell in range(cells - 1, 0, -1):  # (Fisher and Yates 1938)
            other = cell - (turns[cell] * (cell + 1) >> 8)
            tiles[cell], tiles[other] = tiles[other], tiles[cell]
    if order < IN_ORDER and tuple(tiles) == in_order:
        _slide(tiles, slides(width, height), turns[:1])
    return SlidingTiles(width, height, tuple(tiles), goal, heuristic or pick(bound, HEURISTICS))


def _slide(tiles: list[int], near: list[list[tuple[str, int]]], turns: list[int]) -> None:
    """Slide tiles; no slide reverses the previous one if another one is possible."""
    blank, before = tiles.index(0), -1
    for turn in turns:
        ways = [cell for _, cell in near[blank] if cell != before] or [cell for _, cell in near[blank]]
        if ways:
            cell = pick(turn, ways)
            tiles[blank], tiles[cell] = tiles[cell], 0
            blank, before = cell, blank
