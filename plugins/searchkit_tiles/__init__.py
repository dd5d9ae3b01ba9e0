"""Sliding-tile puzzles for searchkit: boards of any size, heuristics up to additive pattern databases, Korf's hundred.

This module defines the hooks of the plugin; the other modules implement them.
"""

from searchkit.plugin import ProblemSpec, hookimpl
from searchkit_tiles.board import generate_board
from searchkit_tiles.problem import SlidingTiles
from searchkit_tiles.spec import SPEC, korf100

__all__ = ["SlidingTiles", "generate_board", "korf100"]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
