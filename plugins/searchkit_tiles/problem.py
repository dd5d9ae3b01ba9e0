"""The problem of sliding tiles."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

from searchkit import SearchProblem
from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import InvalidOptionError
from searchkit_tiles.board import GOALS, Board, goal_board, is_solvable, slides
from searchkit_tiles.heuristics import DEFAULT, HEURISTICS, Heuristic
from searchkit_tiles.heuristics.linear_conflict import manhattan


class SlidingTiles(SearchProblem[Board, str]):
    """Slide the tiles of a board into order, in the fewest slides: the 8-puzzle, the 15-puzzle, any rectangle.

    A state is the tile in each cell, row by row, 0 for the blank. An action is the direction in which a tile slides
    into the blank: `down`, `right`, `left` or `up`, in this order (that of the cells of the tiles). Each costs 1.

    Parity shows whether a board is solvable. An unsolvable board has no successors, and its heuristic is infinite.

    Args:
        width: cells in a row.
        height: cells in a column.
        tiles: the tile in each cell, row by row; 0 is the blank.
        goal: `blank-first` (0 1 2 …) or `blank-last` (1 2 … 0).
        heuristic: one of `searchkit_tiles.heuristics.HEURISTICS`.

    Raises:
        InvalidOptionError: `tiles` are not the numbers from 0 on, each exactly once; the goal or the heuristic is
        unknown;
            or the board is too large for the heuristic.

    """

    def __init__(
        self,
        width: int,
        height: int,
        tiles: Sequence[int],
        goal: str = GOALS[0],
        heuristic: str = DEFAULT,
    ):
        cells = width * height
        if width < 1 or height < 1 or sorted(tiles) != list(range(cells)):
            raise InvalidOptionError(
                f"width={width}, height={height}, tiles={tiles!r}: expected a board of at least one cell, and for each "
                "cell another of the numbers from 0, the blank, on"
            )
        for name, value, known in (("goal", goal, GOALS), ("heuristic", heuristic, HEURISTICS)):
            if value not in known:
                raise InvalidOptionError(f"{name}={value}: expected one of {', '.join(known)}")
        self.width, self.height, self.tiles, self.goal_name = width, height, tuple(tiles), goal
        self.heuristic_spec = HEURISTICS[heuristic]
        self.goal: Board = goal_board(cells, goal)
        self.solvable = is_solvable(width, height, self.tiles, self.goal)
        if self.solvable:
            self.slides, self._before = slides(width, height), slides(width, height, backwards=True)
            self._heuristic: Heuristic = self.heuristic_spec.make(width, self.goal)
        else:
            self.slides = self._before = [[] for _ in self.tiles]
            self._heuristic = lambda board: inf

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments; everything else is computed again."""
        return type(self), (self.width, self.height, self.tiles, self.goal_name, self.heuristic_spec.name)

    def initial_states(self) -> Iterable[Board]:
        """Return the initial board."""
        return [self.tiles]

    def successors(self, state: Board) -> Iterable[tuple[str, Board]]:
        """Return the boards after one slide."""
        return _swapped(state, self.slides)

    def is_goal(self, state: Board) -> bool:
        """Whether the tiles are in order."""
        return state == self.goal

    def heuristic(self, state: Board) -> float:
        """Return the value of the chosen heuristic; infinity if the board can't be solved."""
        return self._heuristic(state)

    def goal_states(self) -> Iterable[Board]:
        """Return the goal."""
        return [self.goal]

    def predecessors(self, state: Board) -> Iterable[tuple[str, Board]]:
        """Return the boards that become this one by one slide."""
        return _swapped(state, self._before)

    def backward_heuristic(self, state: Board) -> float:
        """Return the sum of the distances of the tiles from their initial cells."""
        return self._from_start(state)

    @cached_property
    def _from_start(self) -> Heuristic:
        return manhattan(self.width, self.tiles)

    def path_details(self, states: Sequence[Board]) -> Mapping[str, object]:
        """Return the tiles that slide on a path, in order."""
        slid = [after[before.index(0)] for before, after in pairwise(states)]
        return {"tiles in order": ", ".join(map(str, slid))} if slid else {}

    def compiled(self) -> CompiledProblem:
        """Return the compiled view. Raises `MissingCapabilityError` if the board has more than 32 cells."""
        from searchkit_tiles.compiled.view import compile_tiles

        return compile_tiles(
            self.width, self.goal, self.heuristic_spec.name if self.solvable else "unsolvable"
        )

    def __repr__(self) -> str:
        head = f"<SlidingTiles {self.width}x{self.height}, goal {self.goal_name}, heuristic {self.heuristic_spec.name}>"
        return "\n".join([head, *rows_of(self.width, self.tiles)])


def _swapped(board: Board, slides: list[list[tuple[str, int]]]) -> list[tuple[str, Board]]:
    blank = board.index(0)
    found = []
    for action, cell in slides[blank]:
        moved = list(board)
        moved[blank], moved[cell] = moved[cell], 0
        found.append((action, tuple(moved)))
    return found


def rows_of(width: int, board: Board) -> list[str]:
    """Return the rows of a board as text in aligned columns."""
    digits = len(str(len(board) - 1))
    words = [str(tile).rjust(digits) for tile in board]
    return [" ".join(words[begin : begin + width]) for begin in range(0, len(board), width)]
