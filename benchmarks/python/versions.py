"""The engines in Python under several versions of Python: `python -m benchmarks versions PYTHON [PYTHON …]`.

Each Python is a program in whose environment searchkit with numpy is installed, with Numba for the rows of machine
code. They search in turn, each in a process of its own; the least CPU time of all rounds counts. What two threads gain
is by the clock, the most of all rounds: both cores have to be free. Builds without profile-guided optimisation are
slower: compare builds that are made alike.
"""

import argparse
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from attrs import define, field
from rich.console import Console
from rich.table import Table

from benchmarks.kit.documents import RESULTS, document, keep
from benchmarks.peers.process import Process
from benchmarks.python import versions_work

MILLISECONDS, MICROSECONDS, TIMES = "ms", "µs", "×"
WORK = {
    "grid_bfs": ("500×500 grid, `bfs` in Python", MILLISECONDS),
    "grid_dijkstra": ("the same, `dijkstra`", MILLISECONDS),
    "puzzles": ("ten 8-puzzles, `astar` in Python", MILLISECONDS),
    "puzzles_by_hand": ("the same by hand", MILLISECONDS),
    "small": ("warm `solve` of 10×10 cells, `astar`, `auto`", MICROSECONDS),
    "compiled": ("`random512`, `astar`, compiled", MILLISECONDS),
    "many_python": ("`solve_many` in Python: two threads are faster than one", TIMES),
    "many_compiled": ("`solve_many` compiled: two threads are faster than one", TIMES),
}
"""A function of `versions_work` → what it does, and the unit of its figure."""
NAMING = (
    "import sys; print(sys.version.split()[0] + 't' * (not getattr(sys, '_is_gil_enabled', lambda: True)()))"
)
BUDGET = 120.0
"""CPU seconds for a round of one row."""


@define
class Row:
    """One work under one Python."""

    work: str
    python: str
    """The version, with `t` for a free-threaded build."""
    figures: list[float] = field(factory=list)
    """Of each round, in the unit of the work."""
    problem: str = ""
    """Why there is none."""

    @property
    def best(self) -> float:
        """The figure that counts."""
        return max(self.figures) if WORK[self.work][1] == TIMES else min(self.figures)


def name_of(python: str) -> str:
    """Return the version of a Python, with `t` for a free-threaded build. Raises OSError or CalledProcessError."""
    done = subprocess.run([python, "-c", NAMING], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def figure(work: str, reply: dict[str, float]) -> float:
    """Return what a reply of the process says, in the unit of the work."""
    unit = WORK[work][1]
    if unit == TIMES:
        return reply["value"]
    return reply["seconds"] * (1000 if unit == MILLISECONDS else 1e6 / versions_work.SMALL)


def measure(pythons: Sequence[str], works: Sequence[str], rounds: int, *, tiny: bool = False) -> list[Row]:
    """Measure the works under each Python, all in turn; a work that fails says why."""
    names = {python: name_of(python) for python in pythons}
    rows = [(Row(work, names[python]), python) for work in works for python in pythons]
    with TemporaryDirectory() as folder, ExitStack() as stack:
        file = str(Path(folder) / "work.npz")
        np.savez(file, tiny=tiny)
        jobs = [(row, stack.enter_context(Process(python, ours=True))) for row, python in rows]
        for row, process in jobs:
            request = {"module": "benchmarks.python.versions_work", "kind": row.work, "file": file}
            row.problem = process.ask(request, BUDGET).get("problem", "")
        for number in range(rounds + 1):  # the first of them warms up
            for row, process in jobs:
                if not row.problem:
                    reply = process.ask({}, BUDGET)
                    row.problem = reply.get("problem", "")
                    if number and not row.problem:
                        row.figures.append(figure(row.work, reply))
    return [row for row, _ in rows]


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal: a line for each work, and a column for each Python."""
    drawn = Table("work", "")
    names = list(dict.fromkeys(row.python for row in rows))
    for name in names:
        drawn.add_column(name, justify="right")
    for work, (title, unit) in WORK.items():
        best = {row.python: f"{row.best:.3g}" if row.figures else "–" for row in rows if row.work == work}
        cells = [best.get(name, "–") for name in names]
        if best:
            drawn.add_row(title.replace("`", ""), unit, *cells)
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and keep a complete run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", help="the programs, such as python3.14t")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is timed (default 7)")
    parser.add_argument(
        "--only", nargs="+", choices=WORK, default=list(WORK), help="this work; writes no file"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write versions.json to")
    chosen = parser.parse_args(arguments)
    try:
        rows = measure(chosen.pythons, chosen.only, chosen.rounds)
    except (OSError, subprocess.CalledProcessError) as error:
        parser.error(f"a Python can't be started: {error}")
    Console(width=140).print(table(rows))
    for row in rows:
        if row.problem:
            print(f"{row.work}, {row.python}: {row.problem}")
    if set(chosen.only) == set(WORK):
        keep("versions", document(rows, rounds=chosen.rounds, works=WORK), chosen.results)
    return 0
