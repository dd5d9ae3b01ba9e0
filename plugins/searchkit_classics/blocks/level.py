"""Levels of Sokoban: files in the format XSB, with one level or several."""

import re
from collections.abc import Iterable
from textwrap import dedent
from typing import TypeAlias

from attrs import frozen

from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit_classics.options import text_of

Cell: TypeAlias = tuple[int, int]
"""(x, y): x grows to the right and y downwards, both from 0."""
DIRECTIONS: dict[str, Cell] = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
PLAIN = re.compile(r"[ _-]*#.*")
ENCODED = re.compile(r"(?=.*[#W])[ _-]*[#W*\d][#@+$*. _\-pbBPW|\d]*")
"""Rows with letters, with several rows in a line, or with numbers: `3#` is `###`."""
WHOLE_ROW = re.compile(r"[ _-]*[#*][#@+$*. _-]*")
MARKS = str.maketrans("pPbBW_-", "@+$*#  ")
EXPECTED = (
    "# wall, $ box, . goal, * box on a goal, @ player, + player on a goal, and a space, - or _ for floor"
)
MAX_SIDE = 100
"""The largest number of cells in a row and in a column of a level."""


@frozen
class Level:
    """A warehouse with its boxes, its goals and the player."""

    rows: tuple[str, ...]
    """The level as it is drawn, all rows of one length, with spaces for floor."""
    floor: frozenset[Cell]
    """The cells to which the player could walk if there were no boxes."""
    player: Cell
    boxes: tuple[Cell, ...]
    """Sorted, as the goals."""
    goals: tuple[Cell, ...]

    @classmethod
    def of(cls, text: "str | Iterable[str] | Level") -> "Level":
        r"""Return the first level of a text or of rows; a level is returned as it is. Raises `InputFormatError`.

        Example:
            >>> from searchkit_classics.blocks import Level
            >>> Level.of("#####\n#@$.#\n#####").goals
            ((3, 1),)

        """
        if isinstance(text, Level):
            return text
        return read_level("", dedent(text_of(text)).strip("\n"), 1)

    def __str__(self) -> str:
        return "".join(f"{row}\n" for row in self.rows)


def is_levels(text: str) -> bool:
    """Whether a text looks like levels, valid or not: it has three rows of one, and a box."""
    rows = [line for line in text.split("\n") if WHOLE_ROW.fullmatch(line.rstrip())]
    return len(rows) >= 3 and any("$" in row or "*" in row for row in rows)


def read_level(name: str, text: str, number: int) -> Level:
    """Return the level with this number, counted from 1: one of the groups of rows; other lines are ignored.

    A row begins with a wall. Rows may be run-length encoded, and several of them in a line, separated by `|`. Other
    levels may be faulty.

    Raises:
        InputFormatError: there is no level, or this one is faulty: a character is unknown, there is not one player,
            boxes and goals differ in number, the player could walk out, or it is too large; with `name`, line and
            column.
        InvalidOptionError: there is no level of this number.

    """
    levels: list[list[tuple[int, str]]] = [[]]
    for at, line in enumerate(text.split("\n"), 1):
        row = line.rstrip()
        if ENCODED.fullmatch(row):
            levels[-1] += [(at, _decoded(part)) for part in row.strip("|").split("|")]
        elif PLAIN.match(row):
            levels[-1].append((at, row))
        elif levels[-1]:
            levels.append([])
    levels = [rows for rows in levels if rows]
    if not levels:
        raise InputFormatError(
            f"there is no level; expected rows such as #@ $.#: {EXPECTED}", source=name, line=1
        )
    if not 1 <= number <= len(levels):
        few = "only one level" if len(levels) == 1 else f"{len(levels)} levels, from 1 on"
        raise InvalidOptionError(f"level={number}: {name or 'the text'} holds {few}")
    return _level(name, levels[number - 1])


def _decoded(row: str) -> str:
    """Return a row without numbers: each is the count of the character behind it."""
    return re.sub(r"(\d{1,9})(\D?)", lambda run: run[2] * min(int(run[1]), MAX_SIDE + 1), row)


def _level(name: str, lines: list[tuple[int, str]]) -> Level:
    """Return the level of these rows, each with the number of its line."""

    def fault(message: str, cell: Cell = (0, 0)) -> InputFormatError:
        return InputFormatError(message, source=name, line=lines[cell[1]][0], column=cell[0] + 1)

    widths = [len(row) for _, row in lines]
    width = max(widths)
    if max(width, len(lines)) > MAX_SIDE:
        raise fault(f"the level is too large; expected at most {MAX_SIDE}x{MAX_SIDE} cells")
    rows = [row.translate(MARKS).ljust(width) for _, row in lines]
    cells = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    for cell, mark in cells.items():
        if mark not in "#$.*@+ ":
            raise fault(f"unknown character {mark!r}; expected {EXPECTED}", cell)
    players = [cell for cell, mark in cells.items() if mark in "@+"]
    if len(players) != 1:
        raise fault(
            "the level has a second player; expected one @ or +"
            if players
            else "the level has no player; draw one as @",
            *players[1:2],
        )
    floor = reachable(cells, players[0])
    for x, y in sorted(floor):
        if x in (0, widths[y] - 1, width - 1) or y in (0, len(lines) - 1) or x >= widths[y]:
            raise fault("the player could walk out of the level here; close its walls", (x, y))
    boxes, goals = (
        tuple(
            sorted(cell for cell, mark in cells.items() if mark in marks and (mark != "*" or cell in floor))
        )
        for marks in ("$*", ".*+")
    )
    if len(boxes) != len(goals) or not boxes:
        raise fault(
            f"the level has {len(boxes)} boxes and {len(goals)} goals; expected as many of both, and one at least"
        )
    return Level(tuple(rows), floor, players[0], boxes, goals)


def reachable(cells: dict[Cell, str], player: Cell) -> frozenset[Cell]:
    """Return the cells that are not walls and are connected to that of the player."""
    reached, frontier = {player}, [player]
    while frontier:
        x, y = frontier.pop()
        for dx, dy in DIRECTIONS.values():
            beside = x + dx, y + dy
            if cells.get(beside, "#") != "#" and beside not in reached:
                reached.add(beside)
                frontier.append(beside)
    return frozenset(reached)
