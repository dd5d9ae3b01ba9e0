"""The heuristics Manhattan distance and linear conflict."""

from bisect import bisect_left
from collections.abc import Callable

from searchkit_tiles.board import Board, distance

NOT_HERE = -1
"""The place of a tile that does not belong in a line."""


def manhattan(width: int, goal: Board) -> Callable[[Board], int]:
    """Return the heuristic: the sum over the tiles of the distance from their goal cells."""
    cells = range(len(goal))
    home = {tile: cell for cell, tile in enumerate(goal)}
    rows = [
        [distance(width, cell, home[tile]) if tile else 0 for tile in range(len(goal))].__getitem__
        for cell in cells
    ]

    def heuristic(board: Board) -> int:
        return sum([row(tile) for row, tile in zip(rows, board, strict=True)])

    return heuristic


def linear_conflict(width: int, goal: Board) -> Callable[[Board], int]:
    """Return the Manhattan distance, plus two for each tile that must leave its line (Hansson, Mayer and Yung 1992).

    Of the tiles in their goal row, only tiles in the right order can stay there. Each other one must leave the row and
    come back, two slides that the Manhattan distance does not count. The largest set that can stay is a longest
    increasing subsequence of their goal places. The same holds for columns, whose additional slides are different ones.
    """
    height = len(goal) // width
    plain = manhattan(width, goal)
    lines = [slice(y * width, (y + 1) * width) for y in range(height)]
    lines += [slice(x, None, width) for x in range(width)]
    places = [
        [goal[line].index(tile) if tile and tile in goal[line] else NOT_HERE for tile in range(len(goal))]
        for line in lines
    ]
    known: dict[tuple[int, ...], int] = {}

    def heuristic(board: Board) -> int:
        total = plain(board)
        for line, place in zip(lines, places, strict=True):
            row = tuple([place[tile] for tile in board[line]])
            extra = known.get(row)
            if extra is None:
                extra = known[row] = 2 * leaving(row)
            total += extra
        return total

    return heuristic


def leaving(places: tuple[int, ...]) -> int:
    """Return the number of tiles that must leave a line: all but a longest increasing subsequence (Schensted 1961)."""
    here = [place for place in places if place != NOT_HERE]
    last: list[int] = []  # the least last place of an increasing subsequence, by its length
    for place in here:
        length = bisect_left(last, place)
        last[length : length + 1] = [place]
    return len(here) - len(last)
