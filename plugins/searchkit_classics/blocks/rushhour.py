"""Rush Hour: drive the red car out of the traffic jam."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import frozen

from searchkit import SearchProblem
from searchkit.plugin import InputFormatError, InvalidOptionError
from searchkit_classics.blocks.level import Cell
from searchkit_classics.blocks.pieces import WALL, read_pieces

METRICS, HEURISTICS = ("moves", "steps"), ("blocking", "zero")
Positions: TypeAlias = tuple[int, ...]
"""The column of each car that drives along a row, the row of each other one, in the order of their letters."""


@frozen
class Car:
    """A car: its letter, whether it drives along a row, in which row or column, and its length."""

    name: str
    across: bool
    line: int
    length: int

    def cells(self, position: int) -> list[Cell]:
        """Return the cells that it covers."""
        places = range(position, position + self.length)
        return [(place, self.line) if self.across else (self.line, place) for place in places]


class RushHour(SearchProblem[Positions, str]):
    r"""Drive the car A to the right end of its row, in the fewest moves. Cars drive along their own row or column.

    A state is the position of each car. An action such as `B-2` drives car B two cells to the left or upwards, `B+2` to
    the right or downwards; each costs 1, however far, with the metric `moves`. With `steps`, cars drive one cell at a
    time. The puzzle is by Nob Yoshigahara; on boards of any size it is PSPACE-complete (Flake and Baum 2002).

    Args:
        board: the rows, as one text; or the 36 letters of a board of 6x6 cells in one line, as in Fogleman's database:
            `A` to `Z` for cars, `o` or `.` for empty cells, `x` for walls.
        metric: `moves` or `steps`.
        heuristic: `blocking`: the cars between A and the end, each of which moves, and the moves of A (consistent);
            `zero`: none.

    Raises:
        InputFormatError: the board is faulty: see `read_board`.
        InvalidOptionError: the metric or the heuristic is unknown.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.blocks import RushHour
        >>> solve(RushHour("oooo\nAABo\nooBo\noooo")).actions
        ('B+1', 'A+2')

    """

    def __init__(self, board: str, metric: str = "moves", heuristic: str = "blocking"):
        for name, value, known in (("metric", metric, METRICS), ("heuristic", heuristic, HEURISTICS)):
            if value not in known:
                raise InvalidOptionError(f"{name}={value}: expected one of {', '.join(known)}")
        self.board, self.metric, self.heuristic_name = board, metric, heuristic
        self.width, self.height, self.walls, placed = read_board("", board)
        self.cars = [car for car, _ in placed]
        self.start = tuple(position for _, position in placed)
        self._cells = [[car.cells(at) for at in range(self._end(car) - car.length + 1)] for car in self.cars]

    def _end(self, car: Car) -> int:
        return self.width if car.across else self.height

    def initial_states(self) -> list[Positions]:
        """Return the positions on the board."""
        return [self.start]

    def successors(self, state: Positions) -> Iterator[tuple[str, Positions]]:
        """Yield each move, of the first car first, shortest first."""
        taken = self.walls.union(*[cells[at] for cells, at in zip(self._cells, state, strict=True)])
        for number, (car, at) in enumerate(zip(self.cars, state, strict=True)):
            for sign, most in (("-", at), ("+", self._end(car) - car.length - at)):
                for far in range(1, most + 1):
                    after = at - far if sign == "-" else at + far
                    if self._cells[number][after][0 if sign == "-" else -1] in taken:
                        break
                    yield f"{car.name}{sign}{far}", (*state[:number], after, *state[number + 1 :])
                    if self.metric == "steps":
                        break

    def is_goal(self, state: Positions) -> bool:
        """Whether A is at the right end of its row."""
        return state[0] + self.cars[0].length == self.width

    def heuristic(self, state: Positions) -> int:
        """Return the cars between A and the end of its row, and the moves (or steps) that A needs."""
        if self.heuristic_name == "zero" or self.is_goal(state):
            return 0
        row, front = self.cars[0].line, state[0] + self.cars[0].length
        blocking = sum(
            any(x >= front and y == row for x, y in cells[at])
            for cells, at in zip(self._cells[1:], state[1:], strict=True)
        )
        return blocking + (1 if self.metric == "moves" else self.width - front)

    def rows(self, state: Positions) -> list[str]:
        """Return the board in a state, row by row, with `.` for empty cells."""
        marks = dict.fromkeys(self.walls, WALL)
        for car, at in zip(self.cars, state, strict=True):
            marks |= dict.fromkeys(car.cells(at), car.name)
        return ["".join(marks.get((x, y), ".") for x in range(self.width)) for y in range(self.height)]

    def __repr__(self) -> str:
        head = f"<RushHour {self.width}x{self.height}, metric {self.metric}, heuristic {self.heuristic_name}>"
        return "\n".join([head, *self.rows(self.start)])


def read_board(
    name: str, text: str, first: int = 1
) -> tuple[int, int, frozenset[Cell], list[tuple[Car, int]]]:
    """Return the width and height of a board, its walls, and its cars in the order of their letters with positions.

    Raises:
        InputFormatError: the board is faulty as `read_pieces` says, or a car is bent, has a single cell, or is the A
            and stands upright; with `name`, and line and column, counted from line `first`.

    """
    rows = [line.strip() for line in text.strip("\n").split("\n")]
    if len(rows) == 1 and len(rows[0]) == 36:
        rows = [rows[0][begin : begin + 6] for begin in range(0, 36, 6)]
    pieces = read_pieces(name, first, rows)
    cars: list[tuple[Car, int]] = []
    walls = frozenset[Any](pieces.pop(WALL, ()))
    for letter, cells in sorted(pieces.items()):
        (x, y), columns, lines = cells[0], {x for x, _ in cells}, {y for _, y in cells}
        if len(cells) < 2 or (len(columns) > 1 and len(lines) > 1) or (letter == "A" and len(lines) > 1):
            fault = (
                "has a single cell" if len(cells) < 2 else "is bent" if len(columns) > 1 else "stands upright"
            )
            raise InputFormatError(
                f"car {letter} {fault}; expected two cells or more in a line, a row for A",
                source=name,
                line=first + y,
                column=x + 1,
            )
        across = len(lines) == 1
        cars.append((Car(letter, across, y if across else x, len(cells)), x if across else y))
    return len(rows[0]), len(rows), walls, cars
