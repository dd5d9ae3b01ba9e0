"""Layouts of Pac-Man: mazes in the text format of the Pac-Man projects of Berkeley's CS188."""

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from textwrap import dedent
from typing import TypeAlias

from attrs import define

from searchkit.plugin import InputFormatError
from searchkit_classics.options import text_of

Cell: TypeAlias = tuple[int, int]
"""(x, y): x grows to the right and y downwards, both from 0. The projects of CS188 count y upwards."""
DIRECTIONS: dict[str, Cell] = {"North": (0, -1), "South": (0, 1), "East": (1, 0), "West": (-1, 0)}
"""Action → the change of x and y, in the order in which successors are returned; that of CS188."""
WALL, FLOOR, DOT, CAPSULE, PACMAN = "% .oP"
GHOSTS = "G1234"
EXPECTED = "% wall, . dot, o capsule, P Pac-Man, G ghost, and a space for floor"
MAX_CELLS = 1_000_000
"""The largest number of cells of a layout."""


@define(slots=False, frozen=True)
class Layout:
    """A maze with Pac-Man and dots. Capsules are drawn, and otherwise floor, as ghosts are."""

    width: int
    height: int
    floor: frozenset[Cell]
    """All cells that are not walls."""
    start: Cell
    dots: frozenset[Cell] = frozenset()
    capsules: frozenset[Cell] = frozenset()

    @classmethod
    def of(cls, text: "str | Iterable[str] | Layout", name: str = "") -> "Layout":
        r"""Read a layout.

        Args:
            text: the rows of the maze, as one text or as a list; a layout is returned as it is.
            name: the name of the file, for messages.

        Raises:
            InputFormatError: rows differ in length, a character is unknown, Pac-Man is missing or there twice, or there
                are more than a million cells; with `name`, line and column.

        Example:
            >>> from searchkit_classics.pacman import Layout
            >>> sorted(Layout.of("%%%%%\n%P .%\n%%%%%").floor)
            [(1, 1), (2, 1), (3, 1)]

        """
        if isinstance(text, Layout):
            return text
        return read_layout(name, text_of(text))

    @cached_property
    def steps(self) -> Mapping[Cell, list[tuple[str, Cell]]]:
        """For each cell, the (direction, neighbour) pairs of the steps from it."""
        return {
            (x, y): [
                (name, (x + dx, y + dy))
                for name, (dx, dy) in DIRECTIONS.items()
                if (x + dx, y + dy) in self.floor
            ]
            for x, y in sorted(self.floor)
        }

    def distances(self, target: Cell) -> dict[Cell, int]:
        """Return the number of steps from each cell to `target`; cells without a path are missing."""
        reached, frontier = {target: 0}, deque([target])
        while frontier:
            cell = frontier.popleft()
            for _, other in self.steps[cell]:
                if other not in reached:
                    reached[other] = reached[cell] + 1
                    frontier.append(other)
        return reached

    def __str__(self) -> str:
        """Return the layout as text."""
        marks = dict.fromkeys(self.floor, FLOOR) | dict.fromkeys(self.capsules, CAPSULE)
        marks |= {**dict.fromkeys(self.dots, DOT), self.start: PACMAN}
        rows = ("".join(marks.get((x, y), WALL) for x in range(self.width)) for y in range(self.height))
        return "".join(f"{row}\n" for row in rows)


def is_layout(text: str) -> bool:
    """Whether a text looks like a layout, valid or not: its first row is a wall, and it has no other kind of wall."""
    first = text.strip().partition("\n")[0].strip()
    return len(first) > 2 and set(first) == {WALL} and "#" not in text


def read_layout(name: str, text: str) -> Layout:
    """Return the layout that a text draws: see `Layout.of`. Raises `InputFormatError`."""
    lines = dedent(text).split("\n") if not name else text.split("\n")
    drawn = [number for number, line in enumerate(lines) if line.strip()]
    if not drawn:
        raise InputFormatError(
            f"the layout is empty; expected a maze: {EXPECTED}", source=name, line=1, column=1
        )
    rows = [line.rstrip() for line in lines[drawn[0] : drawn[-1] + 1]]
    width, first = len(rows[0]), drawn[0] + 1
    if max(map(len, rows)) * len(rows) > MAX_CELLS:
        raise InputFormatError(
            f"the layout is too large; expected at most {MAX_CELLS:,} cells", source=name, line=first
        )
    cells: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark not in WALL + FLOOR + DOT + CAPSULE + PACMAN + GHOSTS:
                raise InputFormatError(
                    f"unknown character {mark!r}; expected {EXPECTED}",
                    source=name,
                    line=first + y,
                    column=x + 1,
                )
            cells.setdefault(mark, []).append((x, y))
        if len(row) != width:
            raise InputFormatError(
                f"this row has {len(row)} cells, and the first has {width}; fill it up with % or cut it",
                source=name,
                line=first + y,
                column=min(len(row), width) + 1,
            )
    found = cells.get(PACMAN, [])
    if len(found) != 1:
        where = " and ".join(f"line {first + y}, column {x + 1}" for x, y in found[:2])
        raise InputFormatError(
            f"Pac-Man is at {where}; expected one P" if found else "there is no Pac-Man; draw one as P",
            source=name,
            line=first + found[1][1] if found else None,
            column=found[1][0] + 1 if found else None,
        )
    floor = frozenset(cell for mark, here in cells.items() if mark != WALL for cell in here)
    return Layout(
        width, len(rows), floor, found[0], frozenset(cells.get(DOT, ())), frozenset(cells.get(CAPSULE, ()))
    )
