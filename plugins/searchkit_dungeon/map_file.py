"""A map as it was read from a file, and the problem that it makes with the user's options."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import field, frozen

from searchkit.plugin import InputFormatError
from searchkit_dungeon.grid import Grid, make_grid
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import Terrain


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

    def problem(self, options: Mapping[str, Any]) -> Grid:
        """Return the problem on this map with options that `ProblemSpec.parse` has read.

        Raises `InputFormatError` where a start or a goal is missing, off the map or inside a wall.
        """
        starts = self._cells("start", options["start"], self.starts)
        goals = self._cells("goal", options["goal"], self.goals)
        if not starts:
            raise self._missing("start")
        if not goals and options["goal"] is None:
            raise self._missing("goal")
        moves = options["moves"] or self.moves
        return make_grid(self.terrain, starts, goals, moves, options["corners"], options["lengths"])

    def _cells(self, what: str, chosen: Iterable[Cell] | None, own: tuple[Cell, ...]) -> tuple[Cell, ...]:
        if chosen is None:
            return own
        for x, y in chosen:
            fault = self.terrain.fault((x, y))
            if fault:
                on_map = (x, y) in self.terrain
                raise InputFormatError(
                    f"the {what} {x},{y} {fault}",
                    source=self.source,
                    line=self.first_line + y if on_map else None,
                    column=x + 1 if on_map else None,
                )
        return tuple(chosen)

    def _missing(self, what: str) -> InputFormatError:
        draw = f"draw one as {self.marks[what]}, or " if what in self.marks else ""
        none = "; goal=() for none, as for a distance map" if what == "goal" else ""
        return InputFormatError(
            f"the map has no {what}: {draw}give one with --{what} X,Y (in Python {what}=(x, y){none})",
            source=self.source,
        )


def check_row(
    name: str, number: int, row: str, unknown: re.Pattern[str], expected: str, width: int, contrast: str
) -> None:
    """Raise `InputFormatError` where a row has a character that matches `unknown`, or not `width` cells.

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
