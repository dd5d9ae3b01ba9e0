"""The overhead of a first answer, of a warm `solve` on a small map, an observer, a certificate, and an order of ties.

Times are CPU time, that of processes that are started included, medians of runs in turn; ratios refer to the first row
of each group.
"""

import argparse
import gc
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit import data
from benchmarks.kit.documents import RESULTS, document, keep
from benchmarks.kit.spread import Spread
from searchkit import available_engines, load, solve
from searchkit_dungeon import Terrain, make_grid
from searchkit_tiles import SlidingTiles

SMALL, EXAMPLE = 10, "maze"
TARGET = 0.06e-3
"""Seconds that a warm `solve` on a map of 10×10 cells may take."""
SAMPLE = 0.02
"""A short search is repeated until it has taken this many seconds."""
WARM = 3
"""Runs before the first one that is timed: machine code is loaded in the first two."""
Case = tuple[str, Callable[[], Any]]


@frozen
class Row:
    """One way to run a search."""

    group: str
    name: str
    seconds: float
    ratio: Spread
    """To the first of the group, round by round."""
    expanded: int
    target: float | None = None
    """Seconds to reach."""


def small() -> list[Case]:
    """Return warm searches from corner to corner of an open map."""
    terrain = Terrain([bytes([1] * SMALL)] * SMALL)
    cases: list[Case] = []
    for engine in ("astar", "bfs", "dijkstra"):
        for backend in ("auto", "compiled"):
            problem = make_grid(terrain, [(0, 0)], [(SMALL - 1, SMALL - 1)])
            cases.append((f"{engine}, {backend}", partial(solve, problem, engine, backend=backend)))
    return cases


def first() -> list[Case]:
    """Return new processes: Python alone, one that imports searchkit, and the first answer for an example map.

    `auto` has nothing compiled: each process gets an empty folder for machine code.
    """
    command = [sys.executable, "-m", "searchkit", "solve", EXAMPLE, "--no-draw", "--json"]
    return [
        ("python -c pass", partial(in_process, [sys.executable, "-c", "pass"])),
        ("import searchkit", partial(in_process, [sys.executable, "-c", "import searchkit"])),
        (f"searchkit solve {EXAMPLE}, Python", partial(in_process, [*command, "--backend", "python"])),
        (f"searchkit solve {EXAMPLE}, auto", partial(in_process, command)),
    ]


def in_process(command: list[str]) -> None:
    """Run a command in a new process, with an empty folder for machine code."""
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        environment.pop(
            "PYTHONDONTWRITEBYTECODE", None
        )  # otherwise Python compiles all modules in each process
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def cpu_seconds() -> float:
    """Return the CPU time of this process, and of those that it started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)  # to the microsecond, which os.times is not
    return process_time() + children.ru_utime + children.ru_stime


def observed(backend: str) -> list[Case]:
    """Return A* on a map with nobody looking on, with an observer that does nothing, and with a certificate."""
    run = partial(solve, load("rooms512", moves=8), "astar", backend=backend)
    return [
        ("alone", run),
        ("an observer", partial(run, observers=[lambda search, state: None])),
        ("certificate=True", partial(run, certificate=True)),
    ]


def ties(problem: Any) -> list[Case]:
    """Return compiled A* with every order of ties, the default first."""
    option = next(option for option in available_engines()["astar"].options if option.name == "ties")
    orders = sorted(option.choices, key=lambda order: order != option.default)
    return [(order, partial(solve, problem, "astar", backend="compiled", ties=order)) for order in orders]


def groups() -> dict[str, Callable[[], list[Case]]]:
    """Return what is compared: group → its cases, the one that others are compared with first."""
    board = data.boards(data.MEDIUM)[0]
    return {
        "a new process": first,
        f"warm solve, {SMALL}×{SMALL} cells": small,
        "A*, 512² rooms, Python": partial(observed, "python"),
        "A*, 512² rooms, compiled": partial(observed, "compiled"),
        "ties, A*, 512² rooms, compiled": lambda: ties(load("rooms512", moves=8)),
        "ties, A*, 15-puzzle, compiled": lambda: ties(SlidingTiles(4, 4, board, heuristic="manhattan")),
    }


def measure(group: str, cases: Sequence[Case], rounds: int) -> list[Row]:
    """Run the cases in turn, after some runs of each that warm up."""
    expanded, repeats, times = list[int](), list[int](), list[list[float]]([] for _ in cases)
    for _, run in cases:
        for _ in range(WARM):
            run()
        begin = cpu_seconds()
        expanded.append(getattr(getattr(run(), "statistics", None), "expanded", 0))
        repeats.append(max(1, round(SAMPLE / max(cpu_seconds() - begin, 1e-6))))
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for (_, run), count, taken in zip(cases, repeats, times, strict=True):
            gc.collect()
            begin = cpu_seconds()
            for _ in range(count):
                run()
            taken.append((cpu_seconds() - begin) / count)
    gc.unfreeze()
    return [
        Row(
            group,
            name,
            Spread.of(taken).median,
            Spread.of([own / first for own, first in zip(taken, times[0], strict=True)]),
            states,
            TARGET if group.startswith("warm") else None,
        )
        for (name, _), taken, states in zip(cases, times, expanded, strict=True)
    ]


def table(rows: Sequence[Row]) -> Table:
    """Return the rows for the terminal."""
    drawn = Table()
    for heading in ("search", "with", "ms", "ratio", "range", "expanded"):
        drawn.add_column(heading, justify="left" if heading in ("search", "with") else "right")
    for row, after in zip(rows, (*rows[1:], None), strict=True):
        last = after is None or after.group != row.group
        drawn.add_row(
            row.group,
            row.name,
            f"{row.seconds * 1e3:.3f}",
            f"{row.ratio.median:.2f}",
            f"{row.ratio.low:.2f}–{row.ratio.high:.2f}",
            f"{row.expanded:,}" if row.expanded else "",
            style="yellow" if row.target is not None and row.seconds > row.target else "",
            end_section=last,
        )
    return drawn


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed (default 3)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write overhead.json to")
    chosen = parser.parse_args(arguments)
    rows = list[Row]()
    with Console(stderr=True).status("") as status:
        for group, cases in groups().items():
            status.update(group)
            rows += measure(group, cases(), chosen.rounds)
    Console(width=120).print(table(rows))
    keep("overhead", document(rows, rounds=chosen.rounds), chosen.results)
    return 0
