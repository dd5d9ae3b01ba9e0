"""A map as it was read from a file, whatever its format."""

import re
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from searchkit.plugin import InputFormatError
from searchkit_dungeon.terrain import Cell, Terrain


@frozen(eq=False)
class MapFile:
    """The contents of a map file."""

    source: str
    """The name of the file in messages."""
    terrain: Terrain
    first_line: int
    """The line of the file that contains row 0 of the map, counted from 1."""
    moves: int
    """The default number of directions."""
    starts: tuple[Cell, ...] = ()
    goals: tuple[Cell, ...] = ()
    marks: Mapping[str, str] = field(factory=dict)
    """The characters for a start and a goal in files of this format; empty if there are none."""


def check_rows(
    name: str,
    first_line: int,
    rows: Sequence[str],
    unknown: re.Pattern[str],
    expected: str,
    width: int,
    contrast: str,
) -> None:
    """Raise `InputFormatError` if a row has a character that matches `unknown`, or not `width` cells.

    The error names the place in file `name`, where the rows begin at `first_line`. `expected` lists the valid
    characters; `contrast` says which length is expected and how to correct the row.
    """
    for number, row in enumerate(rows, first_line):
        found = unknown.search(row)
        if found:
            message, column = f"unknown character {found[0]!r}; expected {expected}", found.start() + 1
        elif len(row) != width:
            message, column = f"this row has {len(row)} cells, {contrast}", min(len(row), width) + 1
        else:
            continue
        raise InputFormatError(message, source=name, line=number, column=column)
