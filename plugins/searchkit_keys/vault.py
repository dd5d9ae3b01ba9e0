"""A vault: walls, starts of robots, keys, and doors that the keys open."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from attrs import field, frozen

from searchkit.plugin import InvalidOptionError

Cell: TypeAlias = tuple[int, int]
"""(x, y): x grows to the right and y downwards, both from 0."""
Keys: TypeAlias = int
"""A set of keys as a bit mask: 1 for a, 2 for b, 4 for c, …"""

CellState: TypeAlias = tuple[tuple[Cell, ...], Keys]
"""A state of the expanded problem: the sorted cells of the robots, and the keys that they hold together."""
NodeState: TypeAlias = tuple[tuple[str, ...], Keys]
"""A state of the contracted problem: the sorted nodes of the robots, and the keys that they hold together."""

WALL, FLOOR, START = "#.@"
MAX_COLUMNS, MAX_LINES = 110, 60
"""The width and the height of the largest vault that a `repr` shows."""
DIRECTIONS = (("N", (0, -1)), ("E", (1, 0)), ("S", (0, 1)), ("W", (-1, 0)))


def bit(letter: str) -> Keys:
    """Return the mask of a key, given its letter or the letter of its door."""
    return 1 << ord(letter.lower()) - ord("a")


def letters(keys: Keys) -> str:
    """Return the letters of a set of keys in alphabetical order."""
    return "".join(chr(ord("a") + i) for i in range(keys.bit_length()) if keys >> i & 1)


def collected_in_order(held: Sequence[Keys]) -> dict[str, str]:
    """Return the report entry for the order in which keys are collected, empty if no key is."""
    order = ", ".join(letters(after & ~before) for before, after in pairwise(held) if after != before)
    return {"keys in order": order} if order else {}


@frozen
class Vault:
    """A vault as drawn. A door without a key in the vault is a wall, and so is everything outside the rows."""

    rows: tuple[str, ...]
    """Rows of equal length, of the characters `#`, `.`, `@`, `a`–`z` and `A`–`Z`."""
    starts: tuple[Cell, ...] = field(eq=False)
    """The starts of the robots, row by row."""
    keys: Mapping[str, Cell] = field(eq=False)
    """Letter → cell, in alphabetical order."""

    @classmethod
    def of(cls, rows: tuple[str, ...]) -> "Vault":
        """Return the vault drawn by rows of equal length."""
        marked = [(mark, (x, y)) for y, row in enumerate(rows) for x, mark in enumerate(row)]
        return cls(
            rows,
            tuple(cell for mark, cell in marked if mark == START),
            dict(sorted((mark, cell) for mark, cell in marked if mark.islower())),
        )

    @property
    def all_keys(self) -> Keys:
        """Every key of the vault."""
        return sum(map(bit, self.keys))

    @property
    def start_names(self) -> list[str]:
        """The names of the starts: `@`, or `@1`, `@2`, … if there are several."""
        return [START] if len(self.starts) == 1 else [f"{START}{i}" for i in range(1, len(self.starts) + 1)]

    def cells(self) -> dict[Cell, str]:
        """Return the cells that a robot can ever enter, with their characters."""
        return {
            (x, y): mark
            for y, row in enumerate(self.rows)
            for x, mark in enumerate(row)
            if mark != WALL and not (mark.isupper() and mark.lower() not in self.keys)
        }

    def split(self) -> "Vault":
        """Return the vault with its start replaced by four starts.

        The 3×3 cells around the start become walls with a start in each corner:

            ...      @#@
            .@.  →   ###
            ...      @#@

        Raises `InvalidOptionError` if there is not exactly one start, or the cells around it are not all floor.
        """
        if len(self.starts) != 1:
            raise InvalidOptionError(
                f"split=true: expected a vault with one start @, this one has {len(self.starts)}; leave split out"
            )
        x, y = self.starts[0]
        around = [(nx, ny) for ny in (y - 1, y, y + 1) for nx in (x - 1, x, x + 1) if (nx, ny) != (x, y)]
        cells = self.cells()
        for nx, ny in around:
            if cells.get((nx, ny)) != FLOOR:
                mark = (
                    self.rows[ny][nx]
                    if 0 <= ny < len(self.rows) and 0 <= nx < len(self.rows[0])
                    else "outside the vault"
                )
                raise InvalidOptionError(
                    f"split=true: the 3×3 cells around the start ({x}, {y}) become walls and four starts, so all "
                    f"have to be floor, and ({nx}, {ny}) is {mark}; leave split out, or clear that cell"
                )
        rows = list(self.rows)
        for row, new in ((y - 1, "@#@"), (y, "###"), (y + 1, "@#@")):
            rows[row] = rows[row][: x - 1] + new + rows[row][x + 2 :]
        return Vault.of(tuple(rows))

    def shown(self, name: str, heuristic: str) -> str:
        """Return the `repr` of a problem of this vault: a line with its name and heuristic, and below it the rows.

        The rows of a vault of more than 110 × 60 cells are not shown.
        """
        width, height = len(self.rows[0]), len(self.rows)
        head = f"<{name} {width}x{height}, heuristic {heuristic}>"
        return head if width > MAX_COLUMNS or height > MAX_LINES else "\n".join([head, *self.rows])
