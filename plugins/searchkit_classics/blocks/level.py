"""Levels of Sokoban: files in the format XSB, with one level or several."""

import re
from textwrap import dedent
from typing import TypeAlias

from attrs import frozen

from searchkit.plugin import InputFormatError, InvalidOptionError

Cell: TypeAlias = tuple[int, int]
"""(x, y): x grows to the right and y downwards, both from 0."""
DIRECTIONS: dict[str, Cell] = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
ROW = re.compile(r"[ _-]*#.*")
WHOLE_ROW = re.compile(r"[ _-]*#[#@+$*. _-]*")
EXPECTED = (
    "# wall, $ box, . goal, * box on a goal, @ player, + player on a goal, and a space, - or _ for floor"
)
WIDEST = 100
"""The largest number of cells in a row and in a column of a level."""


@frozen(eq=False)
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
    def of(cls, text: "str | Level") -> "Level":
        r"""Return the first level of a text; a level is returned as it is. Raises `InputFormatError`.

        Example:
            >>> from searchkit_classics.blocks import Level
            >>> Level.of("#####\n#@$.#\n#####").goals
            ((3, 1),)

        """
        return text if isinstance(text, Level) else read_levels("", dedent(text).strip("\n"))[0]

    def __str__(self) -> str:
        return "".join(f"{row}\n" for row in self.rows)


def is_levels(text: str) -> bool:
    """Whether a text looks like levels, valid or not: it has three rows of one, and a box."""
    rows = [line for line in text.split("\n") if WHOLE_ROW.fullmatch(line.rstrip())]
    return len(rows) >= 3 and any("$" in row or "*" in row for row in rows)


def read_level(name: str, text: str, number: int) -> Level:
    """Return the level with this number, counted from 1. Raises `InputFormatError` and `InvalidOptionError`."""
    levels = read_levels(name, text)
    if not 1 <= number <= len(levels):
        few = "only one level" if len(levels) == 1 else f"{len(levels)} levels, from 1 on"
        raise InvalidOptionError(f"level={number}: {name or 'the text'} holds {few}")
    return levels[number - 1]


def read_levels(name: str, text: str) -> list[Level]:
    """Return all levels of a text: groups of rows whose first visible character is #; other lines are ignored.

    Raises:
        InputFormatError: there is no level, or one is faulty: a character is unknown, there is not one player, boxes
            and goals differ in number, the player could walk out, or it is too large; with `name`, line and column.

    """
    levels: list[Level] = []
    rows: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if ROW.match(line):
            rows.append(line.rstrip())
        elif rows:
            levels.append(_level(name, number - len(rows), rows))
            rows = []
    if not levels:
        raise InputFormatError(
            f"there is no level; expected rows such as #@ $.#: {EXPECTED}", source=name, line=1
        )
    return levels


def _level(name: str, first: int, lines: list[str]) -> Level:
    """Return the level in these rows, which begin in line `first`."""

    def fault(message: str, cell: Cell = (0, 0)) -> InputFormatError:
        return InputFormatError(message, source=name, line=first + cell[1], column=cell[0] + 1)

    width = max(map(len, lines))
    if max(width, len(lines)) > WIDEST:
        raise fault(f"the level is too large; expected at most {WIDEST}x{WIDEST} cells")
    rows = [line.replace("-", " ").replace("_", " ").ljust(width) for line in lines]
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
    floor = _reachable(cells, players[0])
    for x, y in sorted(floor):
        if x in (0, len(lines[y]) - 1, width - 1) or y in (0, len(lines) - 1) or x >= len(lines[y]):
            raise fault("the player could walk out of the level here; close its walls", (x, y))
    decoration = {cell for cell, mark in cells.items() if mark == "*" and cell not in floor}
    boxes, goals = (
        tuple(sorted(cell for cell, mark in cells.items() if mark in marks and cell not in decoration))
        for marks in ("$*", ".*+")
    )
    if len(boxes) != len(goals) or not boxes:
        raise fault(
            f"the level has {len(boxes)} boxes and {len(goals)} goals; expected as many of both, and one at least"
        )
    return Level(tuple(rows), floor, players[0], boxes, goals)


def _reachable(cells: dict[Cell, str], player: Cell) -> frozenset[Cell]:
    reached, frontier = {player}, [player]
    while frontier:
        x, y = frontier.pop()
        for dx, dy in DIRECTIONS.values():
            beside = x + dx, y + dy
            if cells.get(beside, "#") != "#" and beside not in reached:
                reached.add(beside)
                frontier.append(beside)
    return frozenset(reached)
