"""The options of a grid problem, and how they are read."""

import re
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any

from searchkit.plugin import Parameter, parse_options
from searchkit_dungeon.heuristics import HEURISTICS
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


def whole(value: Any) -> int:
    """Read a whole number. Raises `ValueError` or `TypeError` for anything else."""
    return int(value) if isinstance(value, str) else index(value)


PARAMETERS = (
    Parameter(
        "moves",
        "the number of directions (default: 4 on text maps, 8 on MovingAI maps); 6: hexagons in shifted rows",
        convert=whole,
        choices=(4, 6, 8),
    ),
    Parameter(
        "corners",
        "how many of the two cells beside a diagonal step must be free: no (both), one (at least one), cut (none); "
        "never: no diagonal steps, as with 4 moves",
        default="no",
        choices=("no", "one", "cut", "never"),
    ),
    Parameter(
        "lengths",
        "the lengths of steps with 8 moves: real (1 and √2) or whole (408 and 577: costs are integers)",
        default="real",
        choices=("real", "whole"),
    ),
    Parameter(
        "heuristic",
        "the distance to the nearest goal, were there no walls (default: manhattan with 4 moves, hexagonal with 6, "
        "octile with 8)",
        choices=HEURISTICS,
    ),
    Parameter("start", "the start cell, X,Y (several: X,Y;X,Y), instead of the map's own", convert=cells),
    Parameter("goal", "the goal cell, X,Y (several: X,Y;X,Y), instead of the map's own", convert=cells),
)


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options of a grid problem with defaults for those not given.

    Raises `UnknownNameError`, `InvalidOptionError`.
    """
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'dungeon'", PARAMETERS, options)
