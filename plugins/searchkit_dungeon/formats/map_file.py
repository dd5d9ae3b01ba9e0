"""A map as it was read from a file, whatever its format."""

import re
from collections.abc import Mapping

from attrs import field, frozen

from searchkit.plugin import InputFormatError
from searchkit_dungeon.terrain import Cell, Terrain


@frozen(eq=False)
class MapFile:
    """What a file says of a map, and where it says it."""

    source: str
    """The file's name, as messages quote it."""
    terrain: Terrain
    first_line: int
    """The line of the file that holds row 0 of the map, counted from 1."""
    moves: int
    """The number of directions, where the user does not choose it."""
    starts: tuple[Cell, ...] = ()
    goals: tuple[Cell, ...] = ()
    marks: Mapping[str, str] = field(factory=dict)
    """How a start and a goal are drawn in a file of this format; empty where they can't be."""


def check_row(
    name: str, number: int, row: str, unknown: re.Pattern[str], expected: str, width: int, contrast: str
) -> None:
    """Raise `InputFormatError` if a row has a character that matches `unknown`, or not `width` cells.

    The errors give the place in file `name`; `expected` says which characters there are, `contrast` what contradicts
    the row's length and what to do about it.
    """
    found = unknown.search(row)
    if found:
        message, column = f"unknown character {found[0]!r}; expected {expected}", found.start() + 1
    elif len(row) != width:
        message, column = f"this row has {len(row)} cells, {contrast}", min(len(row), width) + 1
    else:
        return
    raise InputFormatError(message, source=name, line=number, column=column)
