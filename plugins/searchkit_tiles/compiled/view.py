"""The choice of the compiled view of a board: 4 bits for each cell, or 5."""

from functools import lru_cache

from attrs import evolve

from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import MissingCapabilityError
from searchkit_tiles.board import Board, slides
from searchkit_tiles.compiled.table import MOST_CELLS, NARROW_CELLS, table_of, with_patterns


@lru_cache(maxsize=32)
def compile_tiles(width: int, goal: Board, heuristic: str) -> CompiledProblem:
    """Return the compiled view of a board. Raises `MissingCapabilityError` for more than 32 cells.

    Args:
        width: cells in a row.
        goal: the tile in each cell, in order.
        heuristic: its name; `unsolvable` for a board that can't be solved, on which nothing moves.

    """
    cells = len(goal)
    if cells > MOST_CELLS:
        raise MissingCapabilityError(
            f"a board of {width}x{cells // width} has no compiled form, as it has more than {MOST_CELLS} "
            "cells; use backend='python'"
        )
    if cells <= NARROW_CELLS:
        from searchkit_tiles.compiled.narrow import view
    else:
        from searchkit_tiles.compiled.wide import view
    around = [[] for _ in goal] if heuristic == "unsolvable" else slides(width, cells // width)
    made = view(cells, goal, table_of(width, goal, around), heuristic)
    if heuristic == "pattern-database":
        made = evolve(made, table=with_patterns(made.table, width, goal))
    return made
