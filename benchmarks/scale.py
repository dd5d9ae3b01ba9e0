"""Searches beyond memory: states a CPU-second, memory and disk, compared with the engine that is in memory.

All count the same states: breadth-first over the 3×4 sliding puzzle from the board in order, without a goal, so that
the whole space is searched: 239,500,800 states to depth 53 (Korf and Schultze 2005). The engine in memory searches a
part of it. Each runs in a process of its own. CPU seconds count all processes of a search. The efficiency of several
workers is their rate for each CPU-second compared with one process.
"""

import argparse
import gc
import os
import resource
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from attrs import field, frozen

from benchmarks.kit import RESULTS, document, keep
from benchmarks.pages import scale_lines
from searchkit import Limits, Search
from searchkit.search.distances import goalless
from searchkit_tiles import SlidingTiles

STATUS = Path("/proc/self/status")
WHOLE = 239_500_800
MEMORY_STATES = 30_000_000
"""How much of the space is searched in memory."""
WARM = 300_000
"""States of the search before the measured one: it compiles what is not compiled yet."""


@frozen
class Row:
    """One search."""

    name: str
    states: int
    depth: int
    """The depth of the last layer."""
    cpu_seconds: float
    wall_seconds: float
    memory: float
    """The largest resident memory of one of its processes, in MB, with libraries."""
    disk: float = 0.0
    """Bytes a state of the files at the end."""
    load: float = field(factory=lambda: os.getloadavg()[0])
    """How much the machine had to do."""


def space() -> Any:
    """Return the problem."""
    return goalless(SlidingTiles(4, 3, tuple(range(12)), "blank-first", "zero"))


def cpu_seconds() -> float:
    """Return what this process and its children that have ended have taken."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def running_seconds() -> float:
    """Return what this process and all that descend from it have taken, those that they have waited for included."""
    ticks, parents = dict[int, int](), dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            words = path.read_text().rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(words[1])
            ticks[int(path.parent.name)] = sum(map(int, words[11:15]))
    found = new = {os.getpid()}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found = found | new
    return sum(ticks[one] for one in found) / os.sysconf("SC_CLK_TCK")


def peak_memory() -> float:
    """Return the largest resident memory of this process and of each child that has ended, in MB."""
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return max(int(lines["VmHWM"].split()[0]) * 1024, child) / 1e6


def in_memory(states: int) -> Row:
    """Measure the engine that holds all states in memory."""
    Search(space(), "bfs", backend="compiled").run(Limits(expansions=WARM))
    begin, wall = cpu_seconds(), perf_counter()
    found: Search[Any, Any] = Search(space(), "bfs", backend="compiled")
    most = states // 2
    while found.statistics.reached < states and not found.ended:
        found.run(Limits(expansions=most))
        most = max(10_000, (states - found.statistics.reached) // 2)
    took = cpu_seconds() - begin
    depth = int(found.tree.lower_bound)
    return Row("bfs, in memory", found.statistics.reached, depth, took, perf_counter() - wall, peak_memory())


def on_disk(workers: str, states: int, parent: Path) -> Row:
    """Measure `external_bfs` until it has found that many states."""
    Search(space(), "external_bfs", backend="compiled").run(Limits(expansions=WARM))
    os.environ["RAY_ADDRESS"] = "local"  # what other clusters take can't be seen
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        found: Search[Any, Any] = Search(
            space(), "external_bfs", backend="compiled", directory=f"{folder}/search", workers=workers
        )
        wall, begin = perf_counter(), running_seconds()  # Ray has started
        while len(found.tree.reached) < states and not found.ended:
            found.run(Limits(expansions=max(1, (states - len(found.tree.reached)) // 2)))
        reached, depth = len(found.tree.reached), int(found.tree.lower_bound) - 1  # no goal up to there
        took, wall = running_seconds() - begin, perf_counter() - wall
        del found
        gc.collect()  # the search ends its processes
        files = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return Row(f"external_bfs, {workers}", reached, depth, took, wall, peak_memory(), files / reached)


def alone(measure: Callable[[], Row]) -> Row:
    """Return what a measurement returns in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measure).result()


def ratios(rows: Sequence[Row]) -> dict[str, float]:
    """Return the rate on disk compared with that in memory, and the efficiency of workers."""
    rates = {row.name: row.states / row.cpu_seconds for row in rows}
    memory, serial = rates["bfs, in memory"], rates["external_bfs, serial"]
    return {"rate on disk ÷ rate in memory": serial / memory} | {
        f"CPU efficiency of {name.removeprefix('external_bfs, ')}": rate / serial
        for name, rate in rates.items()
        if rate not in (memory, serial)
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--states", type=int, default=WHOLE, help="how many states are searched on disk at least"
    )
    parser.add_argument(
        "--workers", nargs="*", default=["processes:2"], help="also with these, such as processes:4 or ray"
    )
    parser.add_argument(
        "--directory", type=Path, default=Path(tempfile.gettempdir()), help="where the files go"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write scale.json to")
    chosen = parser.parse_args(arguments)
    rows = [alone(partial(in_memory, min(chosen.states, MEMORY_STATES)))]
    for workers in ("serial", *chosen.workers):
        rows.append(alone(partial(on_disk, workers, chosen.states, chosen.directory)))
    data = document(rows, ratios=ratios(rows))
    print("\n".join(scale_lines(data)))
    keep("scale", data, chosen.results)
    return 0
