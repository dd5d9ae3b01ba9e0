"""The geometry of a board: which tiles can slide where, which boards are solvable, and random boards."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeAlias

from searchkit.plugin import InvalidOptionError

Board: TypeAlias = tuple[int, ...]
"""The tile in each cell, row by row; 0 is the blank."""
SLIDES = (("down", 0, -1), ("right", -1, 0), ("left", 1, 0), ("up", 0, 1))
"""The direction in which a tile slides, and its position relative to the blank (above, left, right, below), in the
order of actions."""
GOALS = ("blank-first", "blank-last")
MAX_CELLS = 10_000


def goal_name(value: Any) -> str:
    """Return one of `GOALS`, or the tiles of another goal such as `1,2,3,8,0,4,7,6,5`. Raises ValueError."""
    if value in GOALS:
        return str(value)
    words = value.replace(",", " ").split() if isinstance(value, str) else [str(tile) for tile in value]
    if not words or not all(word.isdecimal() and len(word) <= 5 for word in words):
        raise ValueError(f"expected one of {', '.join(GOALS)}, or all tiles such as 1,2,3,8,0,4,7,6,5")
    return ",".join(words)


def goal_board(cells: int, goal: str) -> Board:
    """Return the tiles of a goal. Raises `InvalidOptionError` if they are not those of a board of so many cells."""
    if goal in GOALS:
        return tuple(range(cells)) if goal == "blank-first" else (*range(1, cells), 0)
    tiles = tuple(map(int, goal.split(",")))
    if sorted(tiles) != list(range(cells)):
        raise InvalidOptionError(f"goal={goal}: expected each of the numbers from 0 to {cells - 1} once")
    return tiles


def slides(width: int, height: int) -> list[list[tuple[str, int]]]:
    """Return (slide, cell of the tile) for each possible slide, for each cell of the blank."""
    found: list[list[tuple[str, int]]] = []
    for blank in range(width * height):
        y, x = divmod(blank, width)
        around = [(name, x + dx, y + dy) for name, dx, dy in SLIDES]
        found.append([(name, v * width + u) for name, u, v in around if 0 <= u < width and 0 <= v < height])
    return found


def distance(width: int, cell: int, other: int) -> int:
    """Return the Manhattan distance between two cells."""
    return abs(cell % width - other % width) + abs(cell // width - other // width)


def is_solvable(width: int, height: int, tiles: Sequence[int], goal: Board) -> bool:
    """Whether slides lead from one board to the other, by parity (Johnson and Story 1879).

    Each slide swaps a tile with the blank, which moves to a cell of the other colour of a chessboard. So the parity of
    the permutation must be that of the distance of the blank, and with at least two rows and two columns, this is
    sufficient. In a single row or column, tiles never pass each other.
    """
    if min(width, height) == 1:
        return [tile for tile in tiles if tile] == [tile for tile in goal if tile]
    return is_odd([goal.index(tile) for tile in tiles]) == bool(
        distance(width, tiles.index(0), goal.index(0)) % 2
    )


def is_odd(permutation: Sequence[int]) -> bool:
    """Whether a permutation is odd, that is, has an odd number of cycles of even length."""
    seen: set[int] = set()
    odd = False
    for first in permutation:
        length, place = 0, first
        while place not in seen:
            seen.add(place)
            place = permutation[place]
            length += 1
        odd ^= length > 0 and length % 2 == 0
    return odd


def generate_board(
    width: int = 4, height: int = 4, moves: int | None = None, seed: int = 0, goal: str = GOALS[0]
) -> Board:
    """Return a random solvable board.

    Args:
        width: cells in a row.
        height: cells in a column.
        moves: the number of random slides from the goal, none of which reverses the previous one: an upper bound on the
            length of a shortest solution. None for a board drawn uniformly from all solvable ones.
        seed: the same seed gives the same board on every machine.
        goal: `blank-first`, `blank-last` or the tiles.

    Raises:
        InvalidOptionError: there are no cells or too many, `moves` is below 0, or the goal is not a board of this size.

    """
    if width < 1 or height < 1 or width * height > MAX_CELLS:
        raise InvalidOptionError(f"size={width}x{height}: expected 1 to {MAX_CELLS:,} cells")
    if moves is not None and moves < 0:
        raise InvalidOptionError(f"moves={moves}: expected a number ≥ 0")
    rng, target = Random(seed), goal_board(width * height, goal)
    return _any(width, height, target, rng) if moves is None else _walk(width, height, target, moves, rng)


def _any(width: int, height: int, goal: Board, rng: Random) -> Board:
    if min(width, height) == 1:  # the blank may be anywhere, but tiles never pass each other
        tiles = [tile for tile in goal if tile]
        blank = int(rng.random() * len(goal))
        return (*tiles[:blank], 0, *tiles[blank:])
    board = sorted(goal, key=lambda _: rng.random())  # the same for a seed in every version of Python
    if not is_solvable(width, height, board, goal):
        first, second = [cell for cell in range(3) if board[cell] != 0][:2]
        board[first], board[second] = board[second], board[first]
    return tuple(board)


def _walk(width: int, height: int, goal: Board, moves: int, rng: Random) -> Board:
    board, near = list(goal), slides(width, height)
    blank, before = board.index(0), -1
    for _ in range(moves):
        ways = [cell for _, cell in near[blank] if cell != before] or [cell for _, cell in near[blank]]
        if not ways:
            break
        cell = ways[int(rng.random() * len(ways))]
        board[blank], board[cell] = board[cell], 0
        before, blank = blank, cell
    return tuple(board)
