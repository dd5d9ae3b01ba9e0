"""The problem of sliding tiles, its options, how it looks, and how it is registered."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from math import inf
from operator import getitem
from typing import TYPE_CHECKING

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import Cell, Drawing, InvalidOptionError, Mark, Places, option, with_options
from searchkit_tiles.board import Board, distance, goal_board, goal_name, is_solvable, slides
from searchkit_tiles.patterns import Patterns, patterns_of

if TYPE_CHECKING:
    from searchkit.compiled.view import CompiledProblem

HEURISTICS = ("linear-conflict", "manhattan", "pattern-database", "zero")
INCONSISTENT = {"pattern-database"}
"""All heuristics are admissible; of these, a value may drop by more than 1 at a slide."""
GOAL = (
    "the order to slide the tiles into: blank-first (0 1 2 …), blank-last (1 2 … 0), or all tiles, row by row"
)


@with_options
class SlidingTiles(SearchProblem[Board, str]):
    """Slide the tiles of a board into order, in the fewest slides: the 8-puzzle, the 15-puzzle, any rectangle.

    A state is the tile in each cell, row by row, 0 for the blank. An action is the direction in which a tile slides
    into the blank: `down`, `right`, `left` or `up`, in this order (that of the cells of the tiles). Each costs 1.

    Parity shows whether a board is solvable. An unsolvable board has no successors, and its heuristic is infinite.
    Raises `InvalidOptionError` if `tiles` are not the numbers from 0 on, each exactly once, or those of the goal are
    not, or if the board is too large for the heuristic.
    """

    width: int = field()
    height: int = field()
    tiles: Board = field(converter=tuple)
    goal_name: str = option(GOAL, default="blank-first", convert=goal_name, alias="goal")
    heuristic_name: str = option(
        "linear-conflict (manhattan, and 2 for each tile that has to leave its row or column); manhattan (sum of the "
        "tiles' distances); pattern-database (slides of groups of up to 5 tiles, from tables; not consistent); zero",
        default=HEURISTICS[0],
        choices=HEURISTICS,
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        cells = self.width * self.height
        if self.width < 1 or self.height < 1 or sorted(self.tiles) != list(range(cells)):
            raise InvalidOptionError(
                f"width={self.width}, height={self.height}, tiles={self.tiles!r}: expected a board of at least one "
                "cell, and for each cell another of the numbers from 0, the blank, on"
            )
        self.goal  # noqa: B018  # raises the errors of a goal
        if self.heuristic_name == "pattern-database" and self.solvable:
            self.patterns  # noqa: B018  # and of a board that is too large

    @cached_property
    def goal(self) -> Board:
        """The tiles in order."""
        return goal_board(self.width * self.height, self.goal_name)

    @cached_property
    def solvable(self) -> bool:
        """Whether slides lead to the goal."""
        return is_solvable(self.width, self.height, self.tiles, self.goal)

    @cached_property
    def slides(self) -> list[list[tuple[str, int]]]:
        """For each cell of the blank, the slides, and the cells that the tiles come from."""
        return slides(self.width, self.height) if self.solvable else [[] for _ in self.tiles]

    @cached_property
    def distances(self) -> list[list[int]]:
        """For each cell, the distance of each tile from its goal cell; 0 for the blank."""
        return self._distances_to(self.goal)

    def _distances_to(self, goal: Board) -> list[list[int]]:
        home = {tile: cell for cell, tile in enumerate(goal)}
        return [
            [distance(self.width, cell, home[tile]) if tile else 0 for tile in range(len(goal))]
            for cell in range(len(goal))
        ]

    @cached_property
    def lines(self) -> list[tuple[list[int], list[int]]]:
        """For each row and column, its cells, and for each tile the bit of its goal place there; 0 if it has none."""
        every = list(range(len(self.goal)))
        lines = [every[y * self.width : (y + 1) * self.width] for y in range(self.height)]
        lines += [every[x :: self.width] for x in range(self.width)]
        home = {tile: cell for cell, tile in enumerate(self.goal)}
        return [
            (line, [1 << line.index(home[tile]) if tile and home[tile] in line else 0 for tile in every])
            for line in lines
        ]

    @cached_property
    def patterns(self) -> Patterns:
        """The pattern databases of the goal."""
        return patterns_of(self.width, self.goal)

    @cached_property
    def distances_from_start(self) -> list[list[int]]:
        """For each cell, the distance of each tile from its initial cell."""
        return self._distances_to(self.tiles)

    def initial_states(self) -> Iterable[Board]:
        """Return the initial board."""
        return [self.tiles]

    def successors(self, state: Board) -> Iterable[tuple[str, Board]]:
        """Return the boards after one slide."""
        blank = state.index(0)
        found = []
        for action, cell in self.slides[blank]:
            moved = list(state)
            moved[blank], moved[cell] = moved[cell], 0
            found.append((action, tuple(moved)))
        return found

    def is_goal(self, state: Board) -> bool:
        """Whether the tiles are in order."""
        return state == self.goal

    def heuristic(self, state: Board) -> float:
        """Return the value of the chosen heuristic; infinity if the board can't be solved.

        Of the tiles in their goal row, only tiles in the right order can stay there. Each other one must leave the row
        and come back, two slides that the Manhattan distance does not count (Hansson, Mayer and Yung 1992). The largest
        set that can stay is a longest increasing subsequence of their goal places (Schensted 1961). The same holds for
        columns, whose additional slides are different ones.
        """
        if not self.solvable:
            return inf
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "pattern-database":
            return self.patterns.value(state)
        total = sum([row[tile] for row, tile in zip(self.distances, state, strict=True)])
        if self.heuristic_name == "manhattan":
            return total
        for line, places in self.lines:
            last = 0  # the set of the last places of the increasing subsequences of each length, as bits
            for cell in line:
                place = places[state[cell]]
                above = last & -place
                if above:
                    total += 2
                    last ^= above & -above
                last |= place
        return total

    def goal_states(self) -> Iterable[Board]:
        """Return the goal."""
        return [self.goal]

    def predecessors(self, state: Board) -> Iterable[tuple[str, Board]]:
        """Return the boards that become this one by one slide."""
        opposite = {"down": "up", "up": "down", "left": "right", "right": "left"}
        found = {opposite[action]: before for action, before in self.successors(state)}
        return [(action, found[action]) for action in ("down", "right", "left", "up") if action in found]

    def backward_heuristic(self, state: Board) -> float:
        """Return the sum of the distances of the tiles from their initial cells."""
        return sum([row[tile] for row, tile in zip(self.distances_from_start, state, strict=True)])

    def path_details(self, states: Sequence[Board]) -> Mapping[str, object]:
        """Return the tiles that slide on a path, in order."""
        slid = [after[before.index(0)] for before, after in pairwise(states)]
        return {"tiles in order": ", ".join(map(str, slid))} if slid else {}

    @property
    def compiled(self) -> "Callable[[], CompiledProblem] | None":
        """What returns the compiled view; None if the board has more than 16 cells, and is translated."""
        return self._view if len(self.tiles) <= 16 else None

    def _view(self) -> "CompiledProblem":
        from searchkit_tiles.compiled import compile_tiles

        heuristic = self.heuristic_name if self.solvable else ""
        patterns = self.patterns if heuristic == "pattern-database" else None
        return compile_tiles(self.width, self.goal, heuristic, patterns)


def rows_of(width: int, board: Board) -> list[str]:
    """Return the rows of a board as text in aligned columns."""
    digits = len(str(len(board) - 1))
    words = [str(tile).rjust(digits) for tile in board]
    return [" ".join(words[begin : begin + width]) for begin in range(0, len(board), width)]


DIGITS = "1234567890"
"""The first of them is the one in the legend."""
IN_ORDER = dict(zip(DIGITS, "bcdefghija", strict=True))
"""The keys of the digits of tiles in their goal cells."""
BLANK, GAP = "_", " "
MARKS = {
    BLANK: Mark("·", "#3b414d", "blank", rank=1),
    GAP: Mark(" ", "#14171c"),
    **{digit: Mark(digit, "#ffb000", "tile", rank=2) for digit in DIGITS},
    **{key: Mark(digit, "#3ddc84", "tile in its goal cell", rank=2) for digit, key in IN_ORDER.items()},
}


def places(problem: SlidingTiles) -> Places[Board]:
    """Return the board, with tiles in their goal cells in another colour; every state changes all of it.

    A recording asks for tens of thousands of boards, so that the cells that change are tables.
    """
    size, digits = len(problem.tiles), len(str(len(problem.tiles) - 1))

    def word(place: int, tile: int) -> str:
        keys = str(tile) if tile else BLANK
        if tile == problem.goal[place] and tile:
            keys = "".join(IN_ORDER[digit] for digit in keys)
        return keys.rjust(digits, GAP)

    def differences(place: int, tile: int) -> Iterator[tuple[Cell, str]]:
        row, column = divmod(place, problem.width)
        first = column * (digits + len(GAP))
        for x, (was, key) in enumerate(zip(words[place], word(place, tile), strict=True), first):
            if was != key:
                yield (x, row), key

    words = [word(place, tile) for place, tile in enumerate(problem.tiles)]
    initial = [GAP.join(words[begin : begin + problem.width]) for begin in range(0, size, problem.width)]
    tables = [[tuple(differences(place, tile)) for tile in range(size)] for place in range(size)]
    texts = [MARKS[BLANK].glyph.rjust(digits), *(str(tile).rjust(digits) for tile in range(1, size))]
    ends = ["\n" if (cell + 1) % problem.width == 0 else GAP for cell in range(size - 1)] + [""]
    labels = [[text + end for text in texts] for end in ends]
    return Places(
        Drawing(initial, MARKS),
        cells=lambda board: (),
        label=lambda board: "".join(map(getitem, labels, board)),
        changes=lambda board: dict(chain.from_iterable(map(getitem, tables, board))),
    )
