"""`python -m benchmarks`: measure, print the tables, and keep the results of complete runs."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict
from rich.console import Console

from benchmarks import peers_table, ties
from benchmarks.machine import this_machine
from benchmarks.runner import compare
from benchmarks.workloads import names

RESULTS = Path(__file__).parent / "results"
WIDTH = 130
"""Columns where the output is not a terminal, so that no cell is broken."""


class Part(StrEnum):
    """What can be measured alone."""

    GRID = "grid"
    PUZZLE8 = "puzzle8"
    PUZZLE15 = "puzzle15"
    TIES = "ties"


def main(
    only: Annotated[Part | None, typer.Option(help="Measure this part only.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often each contender is timed.")] = 5,
    budget: Annotated[
        float, typer.Option(min=1, help="CPU seconds after which a contender is given up.")
    ] = 60,
    file: Annotated[
        Path | None, typer.Option("--json", dir_okay=False, help="Write everything measured to this file.")
    ] = None,
    results: Annotated[
        Path, typer.Option(file_okay=False, help="Folder for the tables of complete parts.")
    ] = RESULTS,
) -> None:
    """Compare searchkit with a hand-written loop and other libraries, and the orders of ties with each other.

    A run without --only takes about a quarter of an hour. It writes peers.md, peers.json, ties.md and ties.json
    to benchmarks/results; --only ties writes the latter two; the other parts alone only print (or use --json).

    Example: python -m benchmarks --only grid --rounds 9
    """
    if file is not None and not file.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {file.parent}; make it first", param_hint="--json")
    console, errors = Console(), Console(stderr=True)
    if not console.is_terminal:
        console.width = WIDTH
    machine = this_machine()
    document = {"machine": asdict(machine), "rounds": rounds}
    console.print(f"{machine}\n")
    with errors.status("") as status:
        if only is not Part.TIES:
            comparisons = []
            for name in names(only):
                comparisons.append(compare(name, rounds=rounds, budget=budget, progress=status.update))
                console.print(peers_table.table(comparisons[-1]), "")
            document["peers"] = [peers_table.data(comparison) for comparison in comparisons]
            if only is None:
                keep(results / "peers", peers_table.markdown(comparisons, machine), document)
        if only in (None, Part.TIES):
            cells = ties.measure(rounds, progress=status.update)
            console.print(ties.table(cells))
            document["ties"] = [asdict(cell) for cell in cells]
            tied = {key: value for key, value in document.items() if key != "peers"}
            keep(results / "ties", ties.markdown(cells, machine), tied)
    if file is not None:
        file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def keep(path: Path, markdown: str, document: dict[str, object]) -> None:
    """Write the table and the data to `path` with the endings .md and .json."""
    path.parent.mkdir(exist_ok=True)
    path.with_suffix(".md").write_text(markdown)
    path.with_suffix(".json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    typer.run(main)
