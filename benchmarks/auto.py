"""What `backend="auto"` costs, next to the better of Python and machine code: on every bundled problem, of all sizes.

Each search is run in a process of its own; its figure is the CPU time of that process behind the imports of searchkit,
importing Numba and loading machine code included. `warm`: the machine code is on disk. `cold`: it is not, and the
process that compiles beside it is not in the figure; there Python is the better backend, as compiling takes seconds.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen
from rich.console import Console

ALLOWED, BASE = 1.5, 0.3
"""`auto` may cost so many times what the better backend does, and so many seconds more."""
SIZES = (1_000, 30_000, 300_000)
WIDTHS = (22, 11, 10, 10, 12, 10, 12, 12)
"""Columns of the table."""
RUN = """
import json, sys
from time import process_time
from searchkit import Limits, load, solve
name, options, engine, backend, expansions = json.loads(sys.argv[1])
problem = load(name, **options)
begin = process_time()
result = solve(problem, engine, backend=backend, limits=Limits(expansions=expansions))
print(json.dumps([process_time() - begin, result.backend, result.statistics.expanded]))
"""


@frozen
class Case:
    """A search that goes as far as it is let."""

    name: str
    engine: str
    options: dict[str, object]


CASES = (
    Case("15puzzle", "bfs", {}),
    Case("15puzzle", "dijkstra", {}),
    Case("15puzzle", "astar", {}),
    Case("rooms512", "dijkstra", {"moves": 8}),
    Case("rooms512", "bfs", {"moves": 4}),
    Case("vault81", "bfs", {"contracted": False}),
    Case("vault2", "dijkstra", {}),
    Case("maze512", "bucket", {}),
)


def seconds(case: Case, backend: str, expansions: int, cache: str | None = None) -> tuple[float, str, int]:
    """Return the CPU time of one search, the backend that it ended with, and how many states it expanded."""
    environment = {**os.environ, **({} if cache is None else {"NUMBA_CACHE_DIR": cache})}
    task = json.dumps([case.name, case.options, case.engine, backend, expansions])
    done = subprocess.run(
        [sys.executable, "-c", RUN, task], env=environment, capture_output=True, text=True, check=True
    )
    taken, ended, expanded = json.loads(done.stdout)
    return taken, ended, expanded


def line(console: Console, *cells: str) -> None:
    """Print a row as soon as it is measured: the whole table takes minutes."""
    console.print(
        "".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)), soft_wrap=True
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table, row by row; return 1 if a search cost more than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="expansions of each search")
    parser.add_argument("--rounds", type=int, default=1, help="the least of so many is taken (default: 1)")
    parser.add_argument("--problem", action="append", help="only this example (may be repeated)")
    given = parser.parse_args(arguments)
    console = Console()
    line(
        console, "search", "expanded", "python", "compiled", "auto, warm", "ended as", "auto, cold", "within"
    )
    worst = True
    with TemporaryDirectory() as folder:
        for number, case in enumerate(CASES):
            if given.problem and case.name not in given.problem:
                continue
            seconds(case, "compiled", 100)  # so that it is warm
            for size in given.sizes:
                figures: dict[str, float] = {}
                ended, expanded = "", 0
                for turn in range(given.rounds):
                    for way in ("python", "compiled", "auto", "cold"):
                        backend = "auto" if way == "cold" else way
                        cold = str(Path(folder, f"{number}-{size}-{turn}")) if way == "cold" else None
                        taken, last, expanded = seconds(case, backend, size, cold)
                        figures[way] = min(taken, figures.get(way, taken))
                        ended = last if way == "auto" else ended
                allowed = ALLOWED * min(figures["python"], figures["compiled"]) + BASE
                holds = figures["auto"] <= allowed and figures["cold"] <= ALLOWED * figures["python"] + BASE
                worst &= holds
                times = [f"{figures[way]:.2f} s" for way in ("python", "compiled", "auto")]
                line(
                    console,
                    f"{case.name}, {case.engine}",
                    f"{expanded:,}",
                    *times,
                    ended,
                    f"{figures['cold']:.2f} s",
                    "yes" if holds else f"no: {allowed:.2f} s",
                )
    return 0 if worst else 1
