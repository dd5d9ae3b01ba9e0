"""The options of a grid problem, and how they are read."""

import re
from collections.abc import Iterable
from operator import index
from typing import Any

from attrs import evolve

from searchkit.plugin import Parameter, parameters_of
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell

CELL = re.compile(r"\s*\(?\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\)?\s*")


def cells(value: object) -> tuple[Cell, ...]:
    """Read cells: "3,4", "3,4;5,6", (3, 4), a list or tuple of these, or () for none.

    Raises `ValueError` for anything else.
    """
    if isinstance(value, str):
        return tuple(_cell_from_text(text) for text in value.split(";"))
    if not isinstance(value, Iterable):
        raise ValueError('expected a cell such as (3, 4) or "3,4", or several')
    parts = list(value)
    if len(parts) == 2 and not any(isinstance(part, Iterable) for part in parts):
        return (_cell_from_numbers(*parts),)
    return tuple(cell for part in parts for cell in cells(part))


def _cell_from_text(text: str) -> Cell:
    match = CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a cell; expected X,Y such as 3,4 (several: 3,4;5,6)")
    return int(match[1]), int(match[2])


def _cell_from_numbers(x: Any, y: Any) -> Cell:
    try:
        return index(x), index(y)
    except TypeError as error:
        raise ValueError(f"({x!r}, {y!r}) is not a cell; expected two whole numbers, (x, y)") from error


ENDS = (
    Parameter("start", "the start cell, X,Y (several: X,Y;X,Y), instead of the map's own", convert=cells),
    Parameter("goal", "the goal cell, X,Y (several: X,Y;X,Y), instead of the map's own", convert=cells),
)
"""The options of every problem on a map that say where a path begins and ends."""
PARAMETERS = (
    *(
        evolve(each, default=None, convert=int) if each.name == "moves" else each
        for each in parameters_of(Grid)
    ),
    *ENDS,
)
