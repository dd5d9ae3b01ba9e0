"""The options of a board, and the problem that they make of it."""

from collections.abc import Mapping, Sequence
from textwrap import dedent

from searchkit.plugin import Parameter, parse_options
from searchkit_tiles.board import GOALS
from searchkit_tiles.bounds import BOUNDS, DEFAULT
from searchkit_tiles.problem import SlidingTiles
from searchkit_tiles.text import read_instance

PARAMETERS = (
    Parameter(
        "heuristic",
        "; ".join(bound.label for bound in BOUNDS.values()),
        default=DEFAULT,
        choices=tuple(BOUNDS),
    ),
    Parameter(
        "goal",
        "the order to slide the tiles into: blank-first (0 1 2 …) or blank-last (1 2 … 0)",
        default=GOALS[0],
        choices=GOALS,
    ),
    Parameter("instance", "which board of a file of many, counted from 1", default=1, convert=int),
)


def tiles(board: str | Sequence[Sequence[int]], **options: object) -> SlidingTiles:
    """Return the problem of a board: slide the tiles into order, in the fewest slides.

    Args:
        board: the rows of numbers, as one text or as lists; 0 is the blank.
        options: `heuristic`, `goal` and `instance`, as for a file.

    Raises:
        InputFormatError: the board is faulty; the message says where.
        UnknownNameError, InvalidOptionError: no such option, or a value that it can't have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_tiles import tiles
        >>> solve(tiles([[1, 2, 0], [3, 4, 5], [6, 7, 8]])).solution.actions
        ('right', 'right')

    """
    text = dedent(board) if isinstance(board, str) else "\n".join(" ".join(map(str, row)) for row in board)
    return make_problem("", "\n".join(text.splitlines()), options)


def make_problem(name: str, text: str, options: Mapping[str, object]) -> SlidingTiles:
    """Return the problem that the options make of a text.

    Raises `InputFormatError`, `UnknownNameError`, `InvalidOptionError`.
    """
    chosen = {parameter.name: parameter.default for parameter in PARAMETERS}
    chosen |= parse_options("problem 'tiles'", PARAMETERS, options)
    found = read_instance(name, text, chosen["instance"])
    return SlidingTiles(found.width, found.height, found.tiles, chosen["goal"], chosen["heuristic"])
