"""The specifications that the plugin registers: the problem with its examples, and the generator."""

import re
from pathlib import Path
from typing import Any

from searchkit.plugin import Example, GeneratorSpec, InvalidOptionError, Parameter, ProblemSpec, imported_late
from searchkit_tiles.board import GOALS
from searchkit_tiles.files import Instance, is_board, read, read_instances, tiles, write
from searchkit_tiles.generator import generate_board
from searchkit_tiles.options import PARAMETERS
from searchkit_tiles.problem import SlidingTiles, rows_of
from searchkit_tiles.render import places

BOARDS = Path(__file__).parent / "boards"
STRATEGY = imported_late("searchkit_tiles.strategies", "boards")


def korf100() -> list[Instance]:
    """Return the hundred boards of Korf (1985), with the published lengths of their shortest solutions."""
    path = BOARDS / "korf100.txt"
    return read_instances(str(path), path.read_text(encoding="utf-8"))


def _size(value: Any) -> str:
    if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", str(value)):
        raise ValueError("expected a size such as 4x4")
    return str(value)


def _moves(value: Any) -> int | None:
    return None if value is None or value == "any" else int(value)


def _text(size: str, moves: int | None, seed: int, goal: str) -> str:
    width, height = map(int, size.split("x"))
    try:
        board = generate_board(width, height, moves, seed, goal)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"generator 'tiles': {error}") from error
    return "".join(f"{row}\n" for row in rows_of(width, board))


GENERATOR = GeneratorSpec(
    name="tiles",
    summary="a solvable board of sliding tiles",
    parameters=(
        Parameter("size", "cells in a row and in a column, such as 4x4", default="4x4", convert=_size),
        Parameter(
            "moves",
            "the number of random slides from the goal; any: drawn uniformly from all solvable boards",
            default=None,
            convert=_moves,
        ),
        Parameter("seed", "the seed of the random number generator", default=0, convert=int),
        Parameter(
            "goal", "the order to solve it into, blank-first or blank-last", default=GOALS[0], choices=GOALS
        ),
    ),
    make=_text,
)

SPEC = ProblemSpec(
    name="tiles",
    summary="sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle; fewest slides",
    group="Permutations",
    factory=tiles,
    parameters=PARAMETERS,
    examples=(
        Example("8puzzle", BOARDS / "8puzzle.txt", "3x3, 31 slides: no board of this size takes more"),
        Example("15puzzle", BOARDS / "15puzzle.txt", "4x4, 38 slides"),
        Example("loyd", BOARDS / "loyd.txt", "Sam Loyd's 14-15 puzzle: unsolvable", {"goal": "blank-last"}),
        Example(
            "korf", BOARDS / "korf100.txt", "Korf's hundred 15-puzzles, 41 to 66 slides", {"instance": 79}
        ),
    ),
    strategy=STRATEGY,
    strategies={"boards": STRATEGY},
    generators=(GENERATOR,),
    read=read,
    recognise=lambda source, options: is_board(source.text),
    classes=(SlidingTiles,),
    places=places,
    write=write,
)
