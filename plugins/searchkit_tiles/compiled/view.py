"""The choice of the compiled view of a board: 4 bits for each cell, or 5."""

from collections.abc import Sequence

from attrs import evolve

from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import MissingCapabilityError
from searchkit_tiles.board import Board
from searchkit_tiles.compiled.table import MOST_CELLS, NARROW_CELLS, table_of, with_patterns


def compile_tiles(
    width: int, goal: Board, slides: Sequence[Sequence[tuple[str, int]]], heuristic: str
) -> CompiledProblem:
    """Return the compiled view of a board. Raises `MissingCapabilityError` for more than 32 cells.

    Args:
        width: cells in a row.
        goal: the tile in each cell, in order.
        slides: for each cell of the blank, the possible slides.
        heuristic: its name; `unsolvable` for a board that can't be solved.

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
    made = view(cells, goal, table_of(width, goal, slides), heuristic)
    if heuristic == "pattern-database":
        made = evolve(made, table=with_patterns(made.table, width, goal))
    return made
