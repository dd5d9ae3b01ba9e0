"""The engines in Python compared with a hand-written loop and other Python libraries, on the same functions.

Takes about ten minutes. The libraries are those of the extra `bench`, in this environment. All contenders have to find
the same costs, each path is checked step by step, and the ratios are to the CPU time of the hand-written loop.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.contenders import OURS, Row, Task, compare, table
from benchmarks.kit import RESULTS, document, keep
from benchmarks.python.problems import WORKLOADS, workload

BASELINE = "hand-written"
CONTENDERS = {
    BASELINE: "benchmarks.python.handwritten",
    OURS: "benchmarks.python.ours",
    "nographs": "benchmarks.python.nographs",
    "networkx, with building": "benchmarks.python.networkx",
    "simpleai": "benchmarks.python.simpleai",
}
"""name → module, as `benchmarks.contenders` describes them."""
GROUPS = ("grid", "puzzle8", "puzzle15")


def task(name: str, tiny: bool = False) -> Task:
    """Return a search in `WORKLOADS` as a task."""
    arrays = {"workload": np.array(name), "tiny": np.array(tiny)}
    return Task(name, workload(name, tiny)[0], WORKLOADS[name], arrays)


def python_of(contender: str) -> Path | None:
    """Return this Python if the library of a contender is installed."""
    library = contender.partition(",")[0]
    return Path(sys.executable) if contender == BASELINE or find_spec(library) else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and keep the results of a run of all parts; return 1 if an answer of ours is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=GROUPS, help="measure this part only; writes no file")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is timed (default 5)")
    parser.add_argument(
        "--budget", type=float, default=15, help="CPU seconds that a search may take (default 15)"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write python.json to")
    chosen = parser.parse_args(arguments)
    console, measured, titles = Console(width=130), list[Row](), dict[str, str]()
    with Console(stderr=True).status("") as status:
        for name in WORKLOADS:
            if not name.startswith(f"{chosen.only or ''}"):
                continue
            given = task(name)
            rows = compare(
                given, CONTENDERS, BASELINE, chosen.rounds, chosen.budget, chosen.budget / chosen.rounds,
                python_of, status.update,
            )  # fmt: skip
            console.print(table(given.title, rows))
            measured += rows
            titles[name] = given.title
    if chosen.only is None:
        keep("python", document(measured, titles=titles, rounds=chosen.rounds), chosen.results)
    return int(any(row.contender == OURS and row.ratio is None for row in measured))
