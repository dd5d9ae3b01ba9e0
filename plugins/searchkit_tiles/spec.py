"""The specification of the problem, with its examples, its reader and writer, and the generator."""

import re
from pathlib import Path
from typing import Any

from searchkit.plugin import (
    Example,
    GeneratorSpec,
    Parameter,
    ProblemSpec,
    Source,
    parameters_of,
)
from searchkit_tiles.board import GOALS, Board, generate_board, goal_name
from searchkit_tiles.files import Instance, is_board, read_instance, read_instances
from searchkit_tiles.problem import GOAL, SlidingTiles, places, rows_of

BOARDS = Path(__file__).parent / "boards"


def read(source: Source, instance: int, **options: Any) -> SlidingTiles:
    """Return the problem of a board in a file."""
    found = read_instance(source.name, source.text, instance)
    return SlidingTiles(found.width, found.height, found.tiles, **options)


def text(width: int, board: Board) -> str:
    """Return a board as the text of a file."""
    return "".join(f"{row}\n" for row in rows_of(width, board))


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
    return text(width, generate_board(width, height, moves, seed, goal))


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
            most=1_000_000,
        ),
        Parameter("seed", "the seed of the random number generator", default=0, convert=int),
        Parameter("goal", GOAL, default=GOALS[0], convert=goal_name),
    ),
    make=_text,
)

SPEC = ProblemSpec(
    name="tiles",
    summary="sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle; fewest slides",
    group="Permutations",
    factory=SlidingTiles,
    parameters=(
        *parameters_of(SlidingTiles),
        Parameter("instance", "which board of a file of many, counted from 1", default=1, least=1),
    ),
    examples=(
        Example("8puzzle", BOARDS / "8puzzle.txt", "3x3, 31 slides: no board of this size takes more"),
        Example("15puzzle", BOARDS / "15puzzle.txt", "4x4, 38 slides"),
        Example("loyd", BOARDS / "loyd.txt", "Sam Loyd's 14-15 puzzle: unsolvable", {"goal": "blank-last"}),
        Example(
            "korf", BOARDS / "korf100.txt", "Korf's hundred 15-puzzles, 41 to 66 slides", {"instance": 79}
        ),
    ),
    strategies={"boards": "searchkit_tiles.strategies:boards"},
    generators=(GENERATOR,),
    read=read,
    formats=(lambda source, options: is_board(source.text),),
    places=places,
    write=lambda problem: text(problem.width, problem.tiles),
)
