"""Sliding-tile puzzles for searchkit: boards of any size, heuristics up to additive pattern databases, Korf's hundred.

This module defines the hooks of the plugin; the other modules implement them.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Places, ProblemSpec, Source, Written, hookimpl
from searchkit_tiles.files import is_board, make_problem, tiles, write
from searchkit_tiles.generator import generate_board
from searchkit_tiles.problem import SlidingTiles
from searchkit_tiles.render import places
from searchkit_tiles.spec import SPEC, korf100

__all__ = ["SlidingTiles", "generate_board", "korf100", "tiles"]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> SlidingTiles | None:
    """Read a board. Returns None if the file does not look like one and `format` does not name it."""
    if format != SPEC.name and (format is not None or not is_board(source.text)):
        return None
    return make_problem(source.name, source.text, options)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a sliding-tile puzzle; None for any other problem."""
    return places(problem) if isinstance(problem, SlidingTiles) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write a board as text; return None for any other problem."""
    return write(problem)
