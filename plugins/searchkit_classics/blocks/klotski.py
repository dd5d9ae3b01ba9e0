"""Klotski: slide the large block to the exit."""

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Any, TypeAlias

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.blocks.level import Cell
from searchkit_classics.blocks.pieces import WALL, read_pieces

HUARONG = "BAAC\nBAAC\nDEEF\nDGHF\nI..J"
"""The usual start, known as *Huarong Dao* and *L'Âne rouge*."""
METRICS, HEURISTICS = ("moves", "steps"), ("distance", "zero")
Shape: TypeAlias = tuple[Cell, ...]
"""The cells of a block, from its first cell, which is (0, 0)."""
Blocks: TypeAlias = tuple[tuple[Cell, ...], ...]
"""For each shape, that of A first, the first cells of its blocks, sorted: blocks of one shape are interchangeable."""


class Klotski(SearchProblem[Blocks, str]):
    """Slide the block A to the exit, in the fewest moves; blocks of the same shape are interchangeable.

    A state is the cells of the blocks of each shape. An action such as `1,3 > 2,4` moves the block whose first cell
    (in the order of rows) is the former to the latter; each costs 1. With the metric `moves` a block slides as far as
    there is room, also around corners; with `steps` one cell at a time. The usual board needs 81 moves or 116 steps
    (Gardner 1964, *Sliding-block puzzles*).

    Args:
        board: the rows, as one text: `A` to `Z` for blocks, `.` or `o` for empty cells, `x` for walls.
        metric: `moves` or `steps`.
        heuristic: `distance`: the steps of A to the exit if no other block were there, or 1 move (consistent);
            `zero`: none.
        exit: the first cell of A there; None for the middle of the lowest rows.

    Raises:
        InputFormatError: the board is faulty: see `read_pieces`.
        InvalidOptionError: the metric or the heuristic is unknown, or A does not fit at the exit.

    """

    def __init__(
        self,
        board: str = HUARONG,
        metric: str = "moves",
        heuristic: str = "distance",
        exit: Cell | None = None,
    ):
        for name, value, known in (("metric", metric, METRICS), ("heuristic", heuristic, HEURISTICS)):
            if value not in known:
                raise InvalidOptionError(f"{name}={value}: expected one of {', '.join(known)}")
        self.board, self.metric, self.heuristic_name = board, metric, heuristic
        lines = [line.strip() for line in board.strip("\n").split("\n")]
        pieces = read_pieces("", 1, lines)
        self.width, self.height, self.walls = len(lines[0]), len(lines), frozenset(pieces.pop(WALL, ()))
        large = shape_of(pieces.pop("A"))
        shapes = [shape_of(cells) for _, cells in sorted(pieces.items())]
        self.shapes = [large[0], *sorted({shape for shape, _ in shapes})]
        self.start: Blocks = (
            (large[1],),
            *(tuple(sorted(at for other, at in shapes if other == shape)) for shape in self.shapes[1:]),
        )
        self.places = [self._places(shape) for shape in self.shapes]
        """For each shape, where a block fits between the walls: its first cell → its cells, as bits."""
        wide, low = max(x for x, _ in large[0]) + min(x for x, _ in large[0]), max(y for _, y in large[0])
        self.exit = ((self.width - 1 - wide) // 2, self.height - 1 - low) if exit is None else exit
        if self.exit not in self.places[0]:
            raise InvalidOptionError(
                f"exit={self.exit}: block A does not fit there; expected its first cell at the exit"
            )

    def _places(self, shape: Shape) -> dict[Cell, int]:
        free = {
            (x, y): 1 << (y * self.width + x)
            for y in range(self.height)
            for x in range(self.width)
            if (x, y) not in self.walls
        }
        found = {(x, y): [free.get((x + dx, y + dy), 0) for dx, dy in shape] for x, y in free}
        return {at: sum(bits) for at, bits in found.items() if all(bits)}

    def initial_states(self) -> list[Blocks]:
        """Return the blocks as the board has them."""
        return [self.start]

    def successors(self, state: Blocks) -> Iterator[tuple[str, Blocks]]:
        """Yield each move of each block."""
        taken = sum([places[at] for places, blocks in zip(self.places, state, strict=True) for at in blocks])
        for shape, (places, blocks) in enumerate(zip(self.places, state, strict=True)):
            for number, at in enumerate(blocks):
                for to in self._reached(places, at, taken - places[at]):
                    moved = tuple(sorted([*blocks[:number], to, *blocks[number + 1 :]]))
                    yield f"{at[0]},{at[1]} > {to[0]},{to[1]}", (*state[:shape], moved, *state[shape + 1 :])

    def _reached(self, places: dict[Cell, int], at: Cell, others: int) -> list[Cell]:
        """Return where a block can slide: to the nearest cells, or as far as there is room."""
        reached, frontier = [at], [at]
        for x, y in frontier:
            for to in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
                if to in places and not places[to] & others and to not in reached:
                    reached.append(to)
                    if self.metric == "moves":
                        frontier.append(to)
        return reached[1:]

    def cells(self, shape: int, at: Cell) -> list[Cell]:
        """Return the cells of a block of a shape."""
        return [(at[0] + x, at[1] + y) for x, y in self.shapes[shape]]

    def is_goal(self, state: Blocks) -> bool:
        """Whether A is at the exit."""
        return state[0][0] == self.exit

    def heuristic(self, state: Blocks) -> int:
        """Return the distance of A from the exit, or 1 with the metric `moves`."""
        (x, y), (to_x, to_y) = state[0][0], self.exit
        far = 0 if self.heuristic_name == "zero" else abs(x - to_x) + abs(y - to_y)
        return far if self.metric == "steps" else min(far, 1)

    def rows(self, state: Blocks) -> list[str]:
        """Return the board in a state, row by row: another letter for each block, `.` for empty cells."""
        marks, letters = dict.fromkeys(self.walls, WALL), iter(ascii_uppercase)
        for shape, blocks in enumerate(state):
            for at in blocks:
                marks |= dict.fromkeys(self.cells(shape, at), next(letters))
        return ["".join(marks.get((x, y), ".") for x in range(self.width)) for y in range(self.height)]

    def __repr__(self) -> str:
        facts = f"metric {self.metric}, heuristic {self.heuristic_name}, exit {self.exit}"
        return f"<Klotski {self.width}x{self.height}, {facts}>\n{self.board}"


def shape_of(cells: list[Cell]) -> tuple[Shape, Any]:
    """Return the shape of a block, and its first cell."""
    first_x, first_y = cells[0]
    return tuple((x - first_x, y - first_y) for x, y in cells), cells[0]
