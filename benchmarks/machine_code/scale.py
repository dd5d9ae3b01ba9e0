"""Searches beyond memory: states a CPU-second, memory and disk, compared with the engine that is in memory.

All count the same states: breadth-first over the 3×4 sliding puzzle from the board in order, without a goal, so that
the whole space is searched: 239,500,800 states to depth 53 (Korf and Schultze 2005). The engine in memory and DuckDB, a
database for more data than fits into memory, search a part of it. Each runs in a process of its own. CPU seconds count
all processes of a search. The efficiency of several workers is their rate for each CPU-second compared with one worker;
two searches at once that have nothing to do with each other show what the machine itself loses when two cores work.
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
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from attrs import field, frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit.documents import RESULTS, document, keep
from searchkit import Limits, Search
from searchkit.disk.kernels import Expander
from searchkit.search.distances import Goalless
from searchkit_tiles import SlidingTiles

STATUS = Path("/proc/self/status")
WHOLE = 239_500_800
MEMORY_STATES, DUCKDB_STATES = 30_000_000, 20_000_000
"""How much of the space is searched in memory, and by DuckDB."""
AT_ONCE = "two searches at once"
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

    @property
    def rate(self) -> float:
        """Millions of states a CPU-second."""
        return self.states / self.cpu_seconds / 1e6


def space() -> Any:
    """Return the problem."""
    return Goalless(SlidingTiles(4, 3, range(12), "blank-first", "zero"))


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


def by_duckdb(states: int, parent: Path) -> Row:
    """Measure DuckDB, which is given the successors of each layer and removes the duplicates."""
    duckdb: Any = import_module("duckdb")
    expander = Expander(space(), "external_bfs", True, False)
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        database = duckdb.connect(f"{folder}/states.db")
        database.execute("SET enable_progress_bar = false")
        database.execute("CREATE TABLE layer (state UBIGINT, depth INTEGER)")
        layer = np.array([expander.view.pack(next(iter(space().initial_states())))], np.uint64)
        database.execute(
            "INSERT INTO layer SELECT state, 0 FROM (SELECT unnest($1) AS state)", [layer.tolist()]
        )
        begin, wall, total, depth = cpu_seconds(), perf_counter(), 1, 0
        while total < states and len(layer):
            found = [states for _, parts in expander.pieces(layer, (0, 0)) for states in parts[1, 1]]
            successors = {"state": np.concatenate(found)}
            database.register("successors", successors)
            depth += 1
            database.execute(
                f"INSERT INTO layer SELECT DISTINCT state, {depth} FROM successors WHERE state NOT IN "
                f"(SELECT state FROM layer WHERE depth >= {depth - 2})"
            )
            database.unregister("successors")
            layer = database.execute(f"SELECT state FROM layer WHERE depth = {depth}").fetchnumpy()["state"]
            total += len(layer)
        took, wall = cpu_seconds() - begin, perf_counter() - wall
        database.close()
        files = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return Row(f"DuckDB {duckdb.__version__}", total, depth, took, wall, peak_memory(), files / total)


def alone(measure: Callable[[], Row]) -> Row:
    """Return what a measurement returns in a process of its own."""
    return at_once(measure, 1)[0]


def at_once(measure: Callable[[], Row], count: int) -> list[Row]:
    """Return what a measurement returns in each of some processes that begin together."""
    with ProcessPoolExecutor(count, get_context("spawn")) as pool:
        return [run.result() for run in [pool.submit(measure) for _ in range(count)]]


def together(measure: Callable[[], Row]) -> Row:
    """Measure two searches at once, and add them up."""
    rows = at_once(measure, 2)
    return Row(
        f"{rows[0].name}, {AT_ONCE}",
        sum(row.states for row in rows),
        rows[0].depth,
        sum(row.cpu_seconds for row in rows),
        max(row.wall_seconds for row in rows),
        max(row.memory for row in rows),
        rows[0].disk,
    )


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in (
        "search",
        "states",
        "depth",
        "CPU s",
        "seconds",
        "M states/CPU s",
        "MB",
        "disk B a state",
        "load",
    ):
        drawn.add_column(heading, justify="left" if heading == "search" else "right")
    for row in rows:
        drawn.add_row(
            row.name,
            f"{row.states:,}",
            str(row.depth),
            f"{row.cpu_seconds:.1f}",
            f"{row.wall_seconds:.1f}",
            f"{row.rate:.2f}",
            f"{row.memory:.0f}",
            f"{row.disk:.1f}" if row.disk else "–",
            f"{row.load:.1f}",
        )
    return drawn


def ratios(rows: Sequence[Row]) -> dict[str, float]:
    """Return what the rows show: the rate on disk compared with that in memory, and the efficiency of workers."""
    named = {row.name: row.rate for row in rows}
    found = {}
    serial = named.get("external_bfs, serial")
    if serial and "bfs, in memory" in named:
        found["rate on disk ÷ rate in memory"] = serial / named["bfs, in memory"]
    one = named.get("external_bfs, processes:1")
    for name, rate in named.items():
        if one and name.startswith("external_bfs, processes:") and not name.endswith(":1"):
            found[f"CPU efficiency of {name.rpartition(':')[2]} processes"] = rate / one
    if serial and (apart := named.get(f"external_bfs, serial, {AT_ONCE}")):
        found[f"CPU efficiency of {AT_ONCE} that share nothing but the machine"] = apart / serial
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--states", type=int, default=WHOLE, help="how many states are searched on disk at least"
    )
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2], help="numbers of processes")
    parser.add_argument(
        "--directory", type=Path, default=Path(tempfile.gettempdir()), help="where the files go"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write scale.json to")
    chosen = parser.parse_args(arguments)
    disk = partial(on_disk, states=chosen.states, parent=chosen.directory)
    runs: dict[str, Callable[[], Row]] = {
        "bfs in memory": partial(in_memory, min(chosen.states, MEMORY_STATES)),
        "external_bfs": partial(disk, "serial"),
        **{
            f"external_bfs, {count} processes": partial(disk, f"processes:{count}")
            for count in chosen.workers
        },
        f"external_bfs, {AT_ONCE}": partial(disk, "serial"),
    }
    if find_spec("ray") is not None:
        runs["external_bfs, a cluster of Ray on this machine"] = partial(disk, "ray")
    if find_spec("duckdb") is not None:
        most = min(chosen.states, DUCKDB_STATES)
        runs["DuckDB"] = partial(by_duckdb, most, chosen.directory)
    rows = list[Row]()
    with Console(stderr=True).status("") as status:
        for name, run in runs.items():
            status.update(name)
            rows.append((together if name.endswith(AT_ONCE) else alone)(run))
    console = Console(width=140)
    console.print(table(rows))
    for name, ratio in ratios(rows).items():
        console.print(f"{name}: {ratio:.2f}")
    keep("scale", document(rows, ratios=ratios(rows)), chosen.results)
    return 0
