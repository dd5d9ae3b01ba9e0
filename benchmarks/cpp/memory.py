"""The memory of a search for each state, compared with C++.

A hard 15-puzzle by A* with the Manhattan distance, each contender in its own process: the growth of resident memory
for each expanded state and, if it is known, each reached state. Also a breadth-first search by searchkit: its
frontier is small, so this is the memory for a hashed state.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.cpp.reference import NoReferenceError, compiled
from benchmarks.cpp.tiles import reference_puzzle
from benchmarks.kit import data
from benchmarks.kit.documents import RESULTS, document, keep
from searchkit import Limits, Search
from searchkit.search.limits import resident_memory
from searchkit_tiles import SlidingTiles
from searchkit_tiles.board import Board

STATUS = Path("/proc/self/status")
MOST = 1_500_000
"""Expansions of ours; A* ends before, breadth-first search does not."""
EASY: Board = (1, 2, 0, 3, *range(4, 16))
"""Solved beforehand, so that libraries are loaded and nothing else is counted."""


@frozen
class Row:
    """The memory of one search."""

    name: str
    expanded: int
    reached: int
    """0 if it is not known."""
    held: int
    """Bytes that the search holds when it has ended: resident, or what it reports itself."""
    peak: int
    """Bytes by which the largest resident memory has grown."""


def peak_memory() -> int:
    """Return the largest resident memory of this process so far, in bytes. Raises `OSError` where no /proc tells it."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024


def ours(engine: str, most: int, board: Board) -> Row:
    """Measure one of our engines, in the process that this is called in."""
    Search(SlidingTiles(4, 4, EASY, heuristic="manhattan"), engine, backend="compiled").run()
    before, lowest = int(resident_memory() * 1e6), peak_memory()
    problem = SlidingTiles(4, 4, board, heuristic="manhattan")
    search = Search(problem, engine, backend="compiled")
    statistics = search.run(Limits(expansions=most)).statistics
    held, peak = int(resident_memory() * 1e6) - before, peak_memory() - lowest
    return Row(f"searchkit, {engine}", statistics.expanded, statistics.reached, held, peak)


def reference(source: Path, board: Board) -> Row:
    """Measure C++, in the process that this is called in. Raises `NoReferenceError`."""
    with tempfile.TemporaryDirectory() as directory:
        library = compiled(source, Path(directory))
        reference_puzzle(library, EASY)
        lowest = peak_memory()
        _, expanded, table = reference_puzzle(library, board)
        return Row("C++, A*", expanded, 0, table, peak_memory() - lowest)


def measure(source: Path, board: Board, most: int = MOST) -> list[Row]:
    """Return all, each from a fresh process. Raises `NoReferenceError`."""
    works: list[Callable[[], Row]] = [
        partial(reference, source, board),
        partial(ours, "astar", most, board),
        partial(ours, "bfs", most, board),
    ]
    rows = []
    for work in works:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            rows.append(process.submit(work).result())
    return rows


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table(title="Memory of a hard 15-puzzle", title_justify="left")
    headings = ("", "expanded", "reached", "bytes held / reached", "held / expanded", "peak / expanded")
    for heading in headings:
        drawn.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        drawn.add_row(
            row.name,
            f"{row.expanded:,}",
            f"{row.reached:,}" if row.reached else "not told",
            f"{row.held / row.reached:.1f}" if row.reached else "",
            f"{row.held / row.expanded:.1f}",
            f"{row.peak / row.expanded:.1f}",
        )
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it; the exit code is 2 where the reference can't be compiled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reference", type=Path, help="the C++ source to measure against")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write memory.json to")
    chosen = parser.parse_args(arguments)
    if not STATUS.exists():
        print(f"error: memory is read from {STATUS}, which this system does not have", file=sys.stderr)
        return 2
    try:
        rows = measure(chosen.reference, data.boards(data.HARD)[0])
    except NoReferenceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    Console(width=110).print(table(rows))
    keep("memory", document(rows), chosen.results)
    return 0
