"""Small boards for searches on disk, and searches whose small layers go to disk too."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from attrs import evolve

from searchkit import Limits, Result, solve
from searchkit.compiled.view import CompiledProblem
from searchkit.scale.external import bfs
from searchkit_tiles import SlidingTiles

COUNTERS = ("expanded", "generated", "reached", "peak_frontier")
TILES = (5, 1, 2, 3, 4, 0)
"""A board of 3×2 whose solution takes 15 slides; 360 boards can be reached."""


class Directed(SlidingTiles):
    """Boards that are not declared undirected."""

    def compiled(self) -> CompiledProblem:
        """Return the view of the board without the declaration."""
        return evolve(super().compiled(), undirected=False)


def board(tiles: tuple[int, ...] = TILES, kind: type[SlidingTiles] = SlidingTiles) -> SlidingTiles:
    """Return a board of 3 columns."""
    return kind(3, len(tiles) // 3, tiles, "blank-first", "zero")


@contextmanager
def small_layers(most: int) -> Iterator[None]:
    """Expand layers of more than `most` states by tasks, in few parts and chunks."""
    with (
        patch.object(bfs, "SMALL", most),
        patch.object(bfs, "LEAST_BITS", 2),
        patch.object(bfs, "LEAST_CHUNK", 8),
        patch.object(bfs, "LARGEST_CHUNK", 8),
        patch.object(bfs, "SAVE_SECONDS", 0.0),
    ):
        yield


def on_disk(problem: Any, folder: Path | str = "", limits: Limits | None = None, **options: Any) -> Result:
    """Solve a problem as machine code."""
    return solve(problem, "external_bfs", backend="compiled", directory=str(folder), limits=limits, **options)


def facts(result: Result[Any, Any]) -> tuple[Any, ...]:
    """Return what has to be the same for all ways to search."""
    counters = [getattr(result.statistics, name) for name in COUNTERS]
    return result.status, result.cost, result.lower_bound, *counters
