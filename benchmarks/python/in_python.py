"""The engines in Python compared with a hand-written loop and other Python libraries, on the same functions.

Takes about ten minutes. A run of all parts writes python.md and python.json to benchmarks/results; a single part only
prints. The libraries are those of the extra `bench`, in this environment.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from attrs import asdict
from rich.console import Console

from benchmarks.kit.documents import RESULTS, keep
from benchmarks.kit.machine import this_machine
from benchmarks.python import contenders_table
from benchmarks.python.contenders import PACKAGES
from benchmarks.python.runner import compare
from benchmarks.python.workloads import GROUPS, names

WIDTH = 130
"""Columns where the output is not a terminal, so that no cell is broken."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and keep the results of a run of all parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=GROUPS, help="measure this part only")
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender is timed (default 5)")
    parser.add_argument(
        "--budget",
        type=float,
        default=60,
        help="CPU seconds after which a contender is given up (default 60)",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    chosen = parser.parse_args(arguments)
    if chosen.rounds < 1 or chosen.budget <= 0:
        parser.error("--rounds and --budget: expected numbers of at least 1")
    console, errors = Console(), Console(stderr=True)
    if not console.is_terminal:
        console.width = WIDTH
    machine = this_machine(PACKAGES)
    console.print(f"{machine}\n")
    comparisons = []
    with errors.status("") as status:
        for name in names(chosen.only):
            comparisons.append(
                compare(name, rounds=chosen.rounds, budget=chosen.budget, progress=status.update)
            )
            console.print(contenders_table.table(comparisons[-1]), "")
    if chosen.only is None:
        data = {
            "machine": asdict(machine),
            "rounds": chosen.rounds,
            "comparisons": [contenders_table.data(comparison) for comparison in comparisons],
        }
        keep("python", data, chosen.results, contenders_table.markdown(comparisons, machine))
    return 0
