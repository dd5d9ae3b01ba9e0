"""Small boards for searches on disk, and searches that take tasks and files for small buckets, too."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from attrs import evolve

from searchkit import Limits, Result, solve
from searchkit.compiled.view import CompiledProblem
from searchkit.disk import search
from searchkit_tiles import SlidingTiles

ENGINES = ("external_bfs", "external_dijkstra", "external_astar")
TILES = (5, 1, 2, 3, 4, 0)
"""A board of 3×2 whose solution takes 11 slides; 360 boards can be reached."""
COST = 11


class Directed(SlidingTiles):
    """Boards that are not declared undirected."""

    def compiled(self) -> CompiledProblem:
        """Return the view of the board without the declaration."""
        return evolve(super().compiled(), undirected=False)


def board(kind: type[SlidingTiles] = SlidingTiles, heuristic: str = "manhattan") -> SlidingTiles:
    """Return the board."""
    return kind(3, 2, TILES, "blank-first", heuristic)


@contextmanager
def small_tasks(most: int = 12, chunk: int = 8) -> Iterator[None]:
    """Merge and expand buckets of more than `most` states by tasks, `chunk` at a time; write after each round."""
    with (
        patch.object(search, "SMALL", most),
        patch.object(search, "SMALL_WORDS", most),
        patch.object(search, "CHUNK", chunk),
        patch.object(search, "MAX_HELD", max(most, 50)),
        patch.object(search, "COMMIT_SECONDS", 0.0),
        patch.object(search, "COMMIT_SHARE", 0.0),
    ):
        yield


def on_disk(
    folder: Path | str, engine: str, limits: Limits | None = None, kind: Any = SlidingTiles, **options: Any
) -> Result[Any, Any]:
    """Search the board in a folder."""
    return solve(board(kind), engine, directory=str(folder), limits=limits, **options)


def facts(result: Result[Any, Any]) -> tuple[Any, ...]:
    """Return what has to be the same however a search is cut up."""
    numbers = result.statistics
    counters = numbers.expanded, numbers.generated, numbers.reached, numbers.peak_frontier
    return result.status, result.cost, result.lower_bound, *counters
