"""How the time of a compiled search grows with size: distance maps of grids and graphs, and hashed states.

If the time for each state is constant, the points lie on a straight line of slope 1 on logarithmic axes. The slope is
fitted by least squares to the sizes of at least 9,000 states, for which the fixed time of a call does not matter.
Times are CPU time, for small sizes the least of several runs.
"""

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.cpp.graphs import graph_of
from benchmarks.kit import data
from benchmarks.kit.documents import RESULTS, document, keep
from searchkit import Limits, Search, distance_map
from searchkit_dungeon import Terrain, make_grid
from searchkit_tiles import SlidingTiles

SIDES = (64, 128, 256, 512, 1024, 2048, 4096)
STATES = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
NODES = (1_000, 10_000, 100_000, 1_000_000)
LARGE = 9_000
"""States; smaller sizes say more of a call than of a search."""
SHORT, TIMES = 0.5, 5
"""A search that takes fewer seconds than this is run five times."""


@frozen
class Row:
    """One size of one series."""

    series: str
    size: str
    states: int
    """States reached."""
    seconds: float


def grids(sides: Sequence[int] = SIDES) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield sizes and searches: breadth-first over maps with a quarter of walls."""
    for side in sides:
        field = data.field("25 % random", side)
        grid = make_grid(Terrain([bytes(line) for line in field.ground]), [field.source])
        yield f"{side}²", lambda grid=grid: len(distance_map(grid, backend="compiled"))  # type: ignore[misc]


def hashed(states: Sequence[int] = STATES) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield sizes and searches: breadth-first over 15-puzzles, until about that many states are reached."""
    problem = SlidingTiles(4, 4, data.boards(data.HARD)[0])

    def search(most: int) -> int:
        found: Search[Any, Any] = Search(problem, "bfs", backend="compiled")
        return found.run(Limits(expansions=most // 2)).statistics.reached  # about two are reached for each

    for most in states:
        yield f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[round(np.log10(most))]}", lambda most=most: search(most)  # type: ignore[misc]


def graphs(nodes: Sequence[int] = NODES) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield sizes and searches: Dijkstra's algorithm over digraphs with five edges from each node."""
    for count in nodes:
        graph = graph_of(data.sparse(count))
        yield f"{count:,}", lambda graph=graph: len(distance_map(graph, backend="compiled"))  # type: ignore[misc]


SERIES: dict[str, Callable[[], Iterator[tuple[str, Callable[[], int]]]]] = {
    "grid, breadth-first": grids,
    "15-puzzle, breadth-first": hashed,
    "sparse digraph, Dijkstra": graphs,
}


def measure(series: str, sizes: Iterator[tuple[str, Callable[[], int]]]) -> Iterator[Row]:
    """Yield a row for each size, in order; the first is searched once more, to warm up."""
    warm = False
    for size, search in sizes:
        if not warm:
            search()
            warm = True
        times = list[float]()
        while not times or (times[0] < SHORT and len(times) < TIMES):
            gc.collect()
            begin = process_time()
            states = search()
            times.append(process_time() - begin)
        yield Row(series, size, states, min(times))
        del search


def exponent(rows: Sequence[Row]) -> float:
    """Return the slope of the line through the logarithms of states and seconds of all but small sizes."""
    large = [row for row in rows if row.states >= LARGE]
    states, seconds = (np.log([getattr(row, name) for row in large]) for name in ("states", "seconds"))
    return float(np.polyfit(states, seconds, 1)[0])


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in ("search", "size", "states", "ms", "ns a state", "slope"):
        drawn.add_column(heading, justify="left" if heading == "search" else "right")
    for name in dict.fromkeys(row.series for row in rows):
        series = [row for row in rows if row.series == name]
        for row in series:
            drawn.add_row(
                name if row is series[0] else "",
                row.size,
                f"{row.states:,}",
                f"{row.seconds * 1e3:.2f}",
                f"{row.seconds / row.states * 1e9:.0f}",
                f"{exponent(series):.2f}" if row is series[-1] else "",
                end_section=row is series[-1],
            )
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write growth.json to")
    chosen = parser.parse_args(arguments)
    rows = list[Row]()
    with Console(stderr=True).status("") as status:
        for name, sizes in SERIES.items():
            status.update(name)
            rows += measure(name, sizes())
    Console(width=110).print(table(rows))
    slopes = {name: exponent([row for row in rows if row.series == name]) for name in SERIES}
    keep("growth", document(rows, slopes=slopes), chosen.results)
    return 0
