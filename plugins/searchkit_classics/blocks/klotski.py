"""Klotski: slide the large block to the exit."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase
from typing import Any, TypeAlias

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import (
    Example,
    InvalidOptionError,
    Places,
    ProblemSpec,
    Source,
    option,
    with_options,
)
from searchkit_classics.blocks.level import Cell
from searchkit_classics.blocks.pieces import (
    METRIC,
    METRICS,
    WALL,
    one_board,
    places_of_pieces,
    read_pieces,
    rows_of,
)

HUARONG = "BAAC\nBAAC\nDEEF\nDGHF\nI..J"
"""The usual start, known as *Huarong Dao* and *L'Âne rouge*."""
Shape: TypeAlias = tuple[Cell, ...]
"""The cells of a block, from its first cell, which is (0, 0)."""
Blocks: TypeAlias = tuple[tuple[Cell, ...], ...]
"""For each shape, that of A first, the first cells of its blocks, sorted: blocks of one shape are interchangeable."""


@with_options
class Klotski(SearchProblem[Blocks, str]):
    """Slide the block A to the exit, in the fewest moves; blocks of the same shape are interchangeable.

    A state is the cells of the blocks of each shape. An action such as `1,3 > 2,4` moves the block whose first cell
    (in the order of rows) is the former to the latter; each costs 1. With the metric `moves` a block slides as far as
    there is room, also around corners; with `steps` one cell at a time. The usual board needs 81 moves or 116 steps
    (Gardner 1964, *Sliding-block puzzles*).

    The board is the rows, a text or a list: `A` to `Z` for blocks, `.` or `o` for empty cells, `x` for walls. Raises
    `InputFormatError` if it is faulty, and `InvalidOptionError` if A does not fit at the exit.
    """

    board: str = field(default=HUARONG, converter=rows_of)
    metric: str = option(METRIC, default="moves", choices=METRICS)
    heuristic_name: str = option(
        "the distance of block A from the exit, or zero",
        default="distance",
        choices=("distance", "zero"),
        alias="heuristic",
    )
    exit: Cell | None = option(
        "the first cell of block A at the exit, X,Y (default: the middle of the lowest rows)",
        default=None,
        convert=tuple[int, ...],
    )

    def __attrs_post_init__(self) -> None:
        if self.out not in self.places[0]:
            given = ",".join(map(str, self.out))
            raise InvalidOptionError(
                f"exit={given}: block A does not fit there; expected its first cell, X,Y"
            )

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the board."""
        rows = self.board.split("\n")
        return len(rows[0]), len(rows)

    @cached_property
    def walls(self) -> frozenset[Cell]:
        """The cells of the walls."""
        return frozenset(read_pieces(self.board).get(WALL, ()))

    @cached_property
    def blocks(self) -> list[tuple[Shape, Cell]]:
        """The shape and the first cell of each block, that of A first."""
        pieces = sorted(read_pieces(self.board).items())
        return [
            (tuple((x - cells[0][0], y - cells[0][1]) for x, y in cells), cells[0])
            for letter, cells in pieces
            if letter != WALL
        ]

    @cached_property
    def shapes(self) -> list[Shape]:
        """The shape of A, and those of the others, sorted."""
        return [self.blocks[0][0], *sorted({shape for shape, _ in self.blocks[1:]})]

    @cached_property
    def places(self) -> list[dict[Cell, int]]:
        """For each shape, where a block fits between the walls: its first cell → its cells, as bits."""
        width, height = self.size
        free = {
            (x, y): 1 << (y * width + x)
            for y in range(height)
            for x in range(width)
            if (x, y) not in self.walls
        }
        found = [
            {(x, y): [free.get((x + dx, y + dy), 0) for dx, dy in shape] for x, y in free}
            for shape in self.shapes
        ]
        return [{at: sum(bits) for at, bits in of_shape.items() if all(bits)} for of_shape in found]

    @cached_property
    def out(self) -> Cell:
        """The first cell of A at the exit."""
        (width, height), large = self.size, self.shapes[0]
        wide, low = max(x for x, _ in large) + min(x for x, _ in large), max(y for _, y in large)
        return self.exit or ((width - 1 - wide) // 2, height - 1 - low)

    def initial_states(self) -> list[Blocks]:
        """Return the blocks as the board has them."""
        others = [
            tuple(sorted(at for other, at in self.blocks[1:] if other == shape)) for shape in self.shapes[1:]
        ]
        return [((self.blocks[0][1],), *others)]

    def successors(self, state: Blocks) -> Iterator[tuple[str, Blocks]]:
        """Yield each move of each block."""
        taken = sum([places[at] for places, blocks in zip(self.places, state, strict=True) for at in blocks])
        for shape, (places, blocks) in enumerate(zip(self.places, state, strict=True)):
            for number, at in enumerate(blocks):
                for to in self.reached(places, at, taken - places[at]):
                    moved = tuple(sorted([*blocks[:number], to, *blocks[number + 1 :]]))
                    yield f"{at[0]},{at[1]} > {to[0]},{to[1]}", (*state[:shape], moved, *state[shape + 1 :])

    def reached(self, places: dict[Cell, int], at: Cell, others: int) -> list[Cell]:
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
        return state[0][0] == self.out

    def heuristic(self, state: Blocks) -> int:
        """Return the distance of A from the exit if no other block were there, or 1 with the metric `moves`."""
        (x, y), (to_x, to_y) = state[0][0], self.out
        far = 0 if self.heuristic_name == "zero" else abs(x - to_x) + abs(y - to_y)
        return far if self.metric == "steps" else min(far, 1)

    def rows(self, state: Blocks) -> list[str]:
        """Return the board in a state, row by row: another letter for each block, `.` for empty cells."""
        marks, letters = dict.fromkeys(self.walls, WALL), iter(ascii_uppercase)
        for shape, blocks in enumerate(state):
            for at in blocks:
                marks |= dict.fromkeys(self.cells(shape, at), next(letters))
        width, height = self.size
        return ["".join(marks.get((x, y), ".") for x in range(width)) for y in range(height)]


def places(problem: Klotski) -> Places[Blocks]:
    """Return the board; the exit is marked."""
    [start], out = problem.initial_states(), problem.cells(0, problem.out)
    return places_of_pieces(problem.rows, start, "the block that has to get to the exit", out)


def read(source: Source, **options: Any) -> Klotski:
    """Return the board in a file. Raises `InputFormatError` if it is faulty."""
    first, rows = one_board(source)
    read_pieces(rows, source.name, first)
    return Klotski(rows, **options)


SPEC = ProblemSpec(
    "klotski",
    "Klotski: slide the large block to the exit",
    Klotski,
    examples=(
        Example(
            "klotski",
            Path(__file__).parent / "boards" / "klotski.txt",
            "Huarong Dao, L'Âne rouge: 81 moves, 116 steps",
        ),
    ),
    group="Blocks",
    strategies={"klotski_blocks": "searchkit_classics.blocks.strategies:blocks"},
    read=read,
    places=places,
    write=lambda problem: f"{problem.board}\n",
)
