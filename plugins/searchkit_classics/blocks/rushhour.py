"""Rush Hour: drive the red car out of the traffic jam."""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import (
    Example,
    InputFormatError,
    InvalidOptionError,
    Parameter,
    Places,
    ProblemSpec,
    Source,
    option,
    parameters_of,
    with_options,
)
from searchkit_classics.blocks.level import Cell
from searchkit_classics.blocks.pieces import (
    EXPECTED,
    MAX_SIDE,
    METRIC,
    METRICS,
    WALL,
    lines_of,
    one_board,
    places_of_pieces,
    read_pieces,
    rows_of,
)

Positions: TypeAlias = tuple[int, ...]
"""The column of each car that drives along a row, the row of each other one, in the order of their letters."""


@with_options
class RushHour(SearchProblem[Positions, str]):
    r"""Drive the car A to the right end of its row, in the fewest moves. Cars drive along their own row or column.

    A state is the position of each car. An action such as `B-2` drives car B two cells to the left or upwards, `B+2` to
    the right or downwards; each costs 1, however far, with the metric `moves`. With `steps`, cars drive one cell at a
    time. The puzzle is by Nob Yoshigahara; on boards of any size it is PSPACE-complete (Flake and Baum 2002).

    The board is the rows, a text or a list; or the 36 letters of a board of 6x6 cells in one line, as in Fogleman's
    database: `A` to `Z` for cars, `o` or `.` for empty cells, `x` for walls. Raises `InputFormatError` if it is faulty.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.blocks import RushHour
        >>> solve(RushHour("oooo\nAABo\nooBo\noooo")).actions
        ('B+1', 'A+2')

    """

    board: str = field(converter=rows_of)
    metric: str = option(METRIC, default="moves", choices=METRICS)
    heuristic_name: str = option(
        "the cars between the red one and the exit, and the way of the red one; or zero",
        default="blocking",
        choices=("blocking", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        cars_of(self.board)

    @cached_property
    def walls(self) -> frozenset[Cell]:
        """The cells of the walls."""
        return frozenset(read_pieces(self.board).get(WALL, ()))

    @cached_property
    def cars(self) -> dict[str, list[Cell]]:
        """Letter → the cells that the car covers on the board; in the order of the letters."""
        return cars_of(self.board)

    @cached_property
    def cells(self) -> list[list[list[Cell]]]:
        """For each car, the cells that it covers at each position."""
        rows, found = self.board.split("\n"), []
        for cells in self.cars.values():
            (x, y), length = cells[0], len(cells)
            if cells[1][1] == y:
                found.append(
                    [[(at + n, y) for n in range(length)] for at in range(len(rows[0]) - length + 1)]
                )
            else:
                found.append([[(x, at + n) for n in range(length)] for at in range(len(rows) - length + 1)])
        return found

    def initial_states(self) -> list[Positions]:
        """Return the positions on the board."""
        return [tuple([cells.index(at) for cells, at in zip(self.cells, self.cars.values(), strict=True)])]

    def successors(self, state: Positions) -> Iterator[tuple[str, Positions]]:
        """Yield each move, of the first car first, shortest first."""
        taken = self.walls.union(*[cells[at] for cells, at in zip(self.cells, state, strict=True)])
        for number, (name, at) in enumerate(zip(self.cars, state, strict=True)):
            for sign, most in (("-", at), ("+", len(self.cells[number]) - 1 - at)):
                for far in range(1, most + 1):
                    after = at - far if sign == "-" else at + far
                    if self.cells[number][after][0 if sign == "-" else -1] in taken:
                        break
                    yield f"{name}{sign}{far}", (*state[:number], after, *state[number + 1 :])
                    if self.metric == "steps":
                        break

    def is_goal(self, state: Positions) -> bool:
        """Whether A is at the right end of its row."""
        return state[0] == len(self.cells[0]) - 1

    def heuristic(self, state: Positions) -> int:
        """Return the cars between A and the end of its row, each of which moves, and the moves (or steps) of A."""
        if self.heuristic_name == "zero" or self.is_goal(state):
            return 0
        front, row = self.cells[0][state[0]][-1]
        blocking = sum(
            any(x > front and y == row for x, y in cells[at])
            for cells, at in zip(self.cells[1:], state[1:], strict=True)
        )
        return blocking + (1 if self.metric == "moves" else len(self.cells[0]) - 1 - state[0])

    def rows(self, state: Positions) -> list[str]:
        """Return the board in a state, row by row, with `.` for empty cells."""
        marks = dict.fromkeys(self.walls, WALL)
        for letter, cells, at in zip(self.cars, self.cells, state, strict=True):
            marks |= dict.fromkeys(cells[at], letter)
        rows = enumerate(self.board.split("\n"))
        return ["".join(marks.get((x, y), ".") for x in range(len(row))) for y, row in rows]


def cars_of(board: str, name: str = "", first: int = 1) -> dict[str, list[Cell]]:
    """Return the cells of the cars of a board in the order of their letters.

    Raises `InputFormatError`, as `read_pieces`; and if a car is bent, has a single cell, or is the A and vertical.
    """
    cars = dict(sorted(read_pieces(board, name, first).items()))
    cars.pop(WALL, None)
    for letter, cells in cars.items():
        (x, y), columns, lines = cells[0], {x for x, _ in cells}, {y for _, y in cells}
        if len(cells) < 2 or min(len(columns), len(lines)) > 1 or (letter == "A" and len(lines) > 1):
            fault = (
                "has a single cell" if len(cells) < 2 else "is bent" if len(columns) > 1 else "is vertical"
            )
            raise InputFormatError(
                f"car {letter} {fault}; expected two cells or more in a line, a row for A",
                source=name,
                line=first + y,
                column=x + 1,
            )
    return cars


def places(problem: RushHour) -> Places[Positions]:
    """Return the board; the cells that A has to reach are marked."""
    [start] = problem.initial_states()
    return places_of_pieces(problem.rows, start, "the car that has to get out", problem.cells[0][-1])


LINE = re.compile(r"(\d+\s+)?([A-Zox.]{36})(\s+\d+)?")
"""A line of a database of Rush Hour: the fewest moves, the board, the states; or the board alone."""


def is_boards(text: str) -> bool:
    """Whether a text looks like boards of Rush Hour in one line each, valid or not: the first has two As in a row."""
    lines = lines_of(text)
    found = LINE.fullmatch(lines[0][1]) if lines else None
    return found is not None and "AA" in found[2]


def read(source: Source, board: int, **options: Any) -> RushHour:
    """Return a board of a file. Raises `InputFormatError` if it is faulty."""
    lines = lines_of(source.text)
    boards = [(line, LINE.fullmatch(text)) for line, text in lines]
    found = [(line, match[2]) for line, match in boards if match]
    if not found and (not lines or len(lines[0][1]) <= MAX_SIDE):
        found = [one_board(source)]
    elif len(found) < len(boards):
        raise InputFormatError(
            f"this line is not a board; expected its 36 cells, {EXPECTED}",
            source=source.name,
            line=next(line for line, match in boards if not match),
        )
    if not 1 <= board <= len(found):
        few = "only one board" if len(found) == 1 else f"{len(found)} boards, from 1 on"
        raise InvalidOptionError(f"board={board}: {source.name} holds {few}")
    first, rows = found[board - 1]
    cars_of(rows_of(rows), source.name, first)
    return RushHour(rows, **options)


BOARDS = Path(__file__).parent / "boards" / "rushhour.txt"
SPEC = ProblemSpec(
    "rushhour",
    "Rush Hour: drive the red car out of the traffic jam",
    RushHour,
    parameters=(
        Parameter("board", "which board of a file of many, counted from 1", default=1, least=1),
        *parameters_of(RushHour),
    ),
    examples=(
        Example("rushhour", BOARDS, "the hardest board with a wall: 60 moves"),
        Example("rushhour-51", BOARDS, "the hardest board without walls: 51 moves", {"board": 2}),
    ),
    group="Blocks",
    strategies={"rushhour_jams": "searchkit_classics.blocks.strategies:jams"},
    read=read,
    formats=(lambda source, options: is_boards(source.text),),
    places=places,
    write=lambda problem: f"{problem.board}\n",
)
