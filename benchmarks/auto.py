"""The cost of `backend="auto"`, compared with the better of Python and machine code.

Each search runs in its own process. The figure is the CPU time of that process after the imports of searchkit;
importing Numba and loading machine code count. `warm`: the machine code is on disk. `cold`: it is not; Python is the
better backend then, because compiling takes seconds. The process that compiles at low priority while the search
continues in Python does not count; its CPU time has a column of its own.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen
from rich.console import Console

from benchmarks.kit import RESULTS, document, keep
from benchmarks.pages import auto_lines

ALLOWED, BASE = 1.5, 0.3
"""`auto` may take this many times as long as the better backend, plus this many seconds."""
SIZES = (1_000, 30_000, 300_000)
LARGEST = 10_000_000
"""Expansions of the cases that go so far."""
RUN = """
import json, os, sys
from time import process_time
from resource import RUSAGE_CHILDREN, getrusage
from searchkit import Limits, load, solve
name, options, engine, backend, expansions = json.loads(sys.argv[1])
problem = load(name, **options)
begin = process_time()
result = solve(problem, engine, backend=backend, limits=Limits(expansions=expansions))
taken = process_time() - begin
from searchkit.compiled.compiler import processes
for process in processes.values():
    process.kill()
    process.wait()
beside = getrusage(RUSAGE_CHILDREN)
print(json.dumps([taken, result.backend, result.statistics.expanded, beside.ru_utime + beside.ru_stime]))
"""


@frozen
class Case:
    """A search that goes as far as it is let."""

    name: str
    engine: str
    options: dict[str, Any]
    sizes: tuple[int, ...] = SIZES
    """Up to how many expansions."""


@frozen
class Row:
    """What one search cost."""

    name: str
    engine: str
    expanded: int
    python: float
    """Seconds of CPU time, as in the next three."""
    compiled: float
    warm: float
    cold: float
    ended: str
    """The backend that the warm search ended with."""
    beside: float
    """Seconds of CPU time of the process that compiled beside the cold search, until that ended."""
    allowed: float
    """Seconds that the warm search may take."""
    allowed_cold: float

    @property
    def holds(self) -> bool:
        """Whether `auto` cost no more than it may."""
        return self.warm <= self.allowed and self.cold <= self.allowed_cold


CASES = (
    Case("15puzzle", "bfs", {}, (*SIZES, LARGEST)),
    Case("15puzzle", "dijkstra", {}),
    Case("15puzzle", "astar", {}),
    Case("rooms512", "dijkstra", {"moves": 8}),
    Case("rooms512", "bfs", {"moves": 4}),
    Case("maze512", "bucket", {}),
    Case("streets", "dijkstra", {}, SIZES[:1]),
)


@frozen
class Figure:
    """What one process did."""

    seconds: float
    backend: str
    expanded: int
    beside: float


def measured(case: Case, backend: str, expansions: int, cache: str | None = None) -> Figure:
    """Run one search in a process of its own."""
    environment = {**os.environ, **({} if cache is None else {"NUMBA_CACHE_DIR": cache})}
    task = json.dumps([case.name, case.options, case.engine, backend, expansions])
    done = subprocess.run(
        [sys.executable, "-c", RUN, task], env=environment, capture_output=True, text=True, check=True
    )
    return Figure(*json.loads(done.stdout))


def row_of(case: Case, size: int, rounds: int, folder: Path) -> Row:
    """Measure one search by each backend in turn, and take the least of each."""
    best: dict[str, Figure] = {}
    for turn in range(rounds):
        for way in ("python", "compiled", "auto", "cold"):
            backend = "auto" if way == "cold" else way
            cold = str(folder / f"{case.name}-{case.engine}-{size}-{turn}") if way == "cold" else None
            figure = measured(case, backend, size, cold)
            if way not in best or figure.seconds < best[way].seconds:
                best[way] = figure
    python, compiled, warm, cold_one = (best[way] for way in ("python", "compiled", "auto", "cold"))
    return Row(
        case.name,
        case.engine,
        warm.expanded,
        python.seconds,
        compiled.seconds,
        warm.seconds,
        cold_one.seconds,
        warm.backend,
        cold_one.beside,
        ALLOWED * min(python.seconds, compiled.seconds) + BASE,
        ALLOWED * python.seconds + BASE,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table; return 1 if a search cost more than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="expansions of each search; writes no file")
    parser.add_argument("--rounds", type=int, default=1, help="the least of so many is taken (default: 1)")
    parser.add_argument(
        "--problem", action="append", help="only this example (may be repeated); writes no file"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write auto.json to")
    given = parser.parse_args(arguments)
    rows = list[Row]()
    with TemporaryDirectory() as folder, Console(stderr=True).status("") as status:
        for case in CASES:
            if given.problem and case.name not in given.problem:
                continue
            measured(case, "compiled", 100)  # so that it is warm
            for size in given.sizes or case.sizes:
                status.update(f"{case.name}, {case.engine}, {size:,}")
                rows.append(row_of(case, size, given.rounds, Path(folder)))
    data = document(rows, rounds=given.rounds)
    print("\n".join(auto_lines(data)))
    if not (given.sizes or given.problem):
        keep("auto", data, given.results)
    return 0 if all(row.holds for row in rows) else 1
