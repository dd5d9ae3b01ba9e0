"""Additive pattern databases: tables of the slides that groups of tiles need.

Korf and Felner, Disjoint pattern database heuristics, Artificial Intelligence 134 (2002). The tiles are split into
groups. The table of a group contains, for all positions of its tiles, the fewest slides *of these tiles* to their goal
cells; slides of other tiles cost nothing. No slide moves tiles of two groups, so the sum over the groups is a lower
bound. An entry is the minimum over all positions of the blank. So the sum is admissible, but not consistent: after a
slide, the blank may be cut off from the position with the minimum.
"""

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any

from attrs import frozen

from searchkit.compiled.cache import read_checked, user_cache, write_checked
from searchkit.plugin import InvalidOptionError, MissingExtraError
from searchkit_tiles.board import Board, slides
from searchkit_tiles.spread import spread

MAX_TILES, MAX_PLACES = 5, 1 << 24
"""The largest number of tiles of a group, and of positions of its tiles and the blank."""
MAX_CELLS = 25
"""The largest board with pattern databases: on larger ones groups are so small that linear conflict is better."""
KEPT_FROM = 1 << 20
"""Tables are cached on disk if building one takes at least this number of bytes."""
VERSION = 5
"""The version of the files, incremented when the tables of a board change."""
UNREACHED = 255
FIFTEEN = ((1, 2, 4, 5, 6), (3, 7, 10, 11, 15), (8, 9, 12, 13, 14))
"""The groups of the 15-puzzle by the goal cells of the tiles if the blank is first. Of seven splits, this one has the
largest values: 41.5 on average over random boards (Manhattan: 36.9)."""


@frozen(slots=False)
class Patterns:
    """The groups of the tiles of a board, with a table for each."""

    groups: tuple[tuple[int, ...], ...]
    entries: bytes
    """The tables: the entries by the cells of the tiles, as digits of a number: that of the first tile is least."""

    @cached_property
    def begins(self) -> list[int]:
        """Where the table of each group begins in `entries`."""
        cells = 1 + sum(map(len, self.groups))
        return list(accumulate([cells ** len(group) for group in self.groups], initial=0))[:-1]

    @cached_property
    def weights(self) -> list[tuple[int, int]]:
        """For each tile, its group and the weight of its cell in the number of an entry; of the blank 0."""
        cells, weights = 1 + sum(map(len, self.groups)), {0: (0, 0)}
        for number, group in enumerate(self.groups):
            weights |= {tile: (number, cells**place) for place, tile in enumerate(group)}
        return [weights[tile] for tile in range(cells)]

    def value(self, board: Board) -> int:
        """Return the sum of the entries."""
        places = list(self.begins)
        for cell, tile in enumerate(board):
            group, weight = self.weights[tile]
            places[group] += weight * cell
        return sum([self.entries[place] for place in places])


def groups_of(width: int, goal: Board) -> tuple[tuple[int, ...], ...]:
    """Return the groups: as large as possible, of similar size, of tiles with adjacent goal cells."""
    cells = len(goal)
    home = goal[::-1] if goal[-1] == 0 else goal  # rotated by 180°, the blank is first
    if (width, cells) == (4, 16) and home[0] == 0:
        groups: Sequence[Sequence[int]] = FIFTEEN
    else:
        most = max(size for size in range(1, MAX_TILES + 1) if cells ** (size + 1) <= MAX_PLACES)
        order = [cell for cell in _banded(width, cells // width) if home[cell]]
        count = -(-len(order) // most) or 1
        ends = [len(order) * number // count for number in range(count + 1)]
        groups = [order[begin:end] for begin, end in pairwise(ends)]
    return tuple(tuple(home[cell] for cell in group) for group in groups)


def _banded(width: int, height: int) -> list[int]:
    """Return the cells in bands of two or three rows, column by column in alternating directions."""
    tops = list(range(0, max(height - 1, 1), 2))
    order: list[int] = []
    for number, (top, end) in enumerate(pairwise([*tops, height])):
        columns = range(width) if number % 2 == 0 else reversed(range(width))
        order += [y * width + x for x in columns for y in range(top, end)]
    return order


@lru_cache(maxsize=8)
def patterns_of(width: int, goal: Board) -> Patterns:
    """Return the pattern databases of a board. Raises `InvalidOptionError` if it has more than 25 cells.

    Large tables are kept in a file, which serves all goals with the blank in this cell.
    """
    cells = len(goal)
    if cells > MAX_CELLS:
        raise InvalidOptionError(
            f"heuristic=pattern-database: expected a board of at most {MAX_CELLS} cells, this one has {cells}; "
            "use heuristic=linear-conflict"
        )
    groups = groups_of(width, goal)
    if cells ** (1 + max(map(len, groups))) <= KEPT_FROM:
        return Patterns(groups, b"".join(build(width, goal, group) for group in groups))
    board = f"{width}x{cells // width}-{goal.index(0)}"
    folder, title = user_cache("patterns"), f"searchkit pattern databases v{VERSION}, {board}"
    content = read_checked(folder / f"tiles-{board}.bin", title) if folder else None
    if content is None:
        content = b"".join(build(width, goal, group) for group in groups)
        if folder:
            write_checked(folder / f"tiles-{board}.bin", title, content)
    return Patterns(groups, content)


def build(width: int, goal: Board, group: Sequence[int]) -> bytes:
    """Return the table of a group: for all positions of its tiles (as in `Patterns.tables`) their fewest slides.

    Large tables are built in machine code if Numba is installed. In Python, the tables of the 15-puzzle take a minute
    and a half.
    """
    cells, size = len(goal), len(group)
    home = {tile: cell for cell, tile in enumerate(goal)}
    start = home[0] + sum(home[tile] * cells ** (place + 1) for place, tile in enumerate(group))
    around = [[cell for _, cell in ways] for ways in slides(width, cells // width)]
    near = [cell for ways in around for cell in (ways + [-1] * 4)[:4]]
    places = 1
    for taken in range(size + 1):
        places *= cells - taken
    costs = bytearray([UNREACHED]) * cells ** (size + 1)
    arguments: tuple[Any, ...] = (
        cells,
        array("q", near),
        start,
        costs,
        array("I", [0]) * places,
        array("I", [0]) * places,
        array("q", [0]) * size,
    )
    run: Callable[..., None] = spread
    if len(costs) > KEPT_FROM:
        with suppress(ImportError, MissingExtraError):
            from searchkit_tiles.compiled import compiled_spread as run
    run(*arguments)
    least = bytes(map(min, zip(*[iter(costs)] * cells, strict=True)))
    # Of two tiles in one cell: small numbers are compiled faster.
    return least.replace(bytes([UNREACHED]), b"\0")
