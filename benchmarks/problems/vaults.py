"""Vaults of keys and doors: the contraction compared with breadth-first search on the grid, and A* with Dijkstra.

    python -m benchmarks vaults [--seeds N] [--no-grid] [--output FILE]

With four robots, the search on the grid stops at a limit of expansions, so the ratio is a lower bound.

Each ratio compares two figures of one run. Times include making the problem and its contraction, but not the vault.
"""

import argparse
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

from attrs import frozen

from benchmarks.kit.machine import Machine, this_machine
from searchkit import Limits, SearchProblem, solve
from searchkit_keys import ContractedVault, ExpandedVault, generate_vault
from searchkit_keys.vault import Vault

SIZE, KEYS, SEEDS = 81, 26, 5
MOST = 300_000
"""Expansions on the grid with four robots: all of it does not fit into memory, and a part is enough to compare."""
FASTER, FEWER = 50, 1 / 3
"""To reach: times as fast as breadth-first search, and the part of Dijkstra's expansions, on average."""


@frozen
class Run:
    """One search."""

    cost: Any
    """None where the search was cut off."""
    expanded: int
    seconds: float


@frozen
class Row:
    """One vault, with one robot or with four."""

    seed: int
    robots: int
    grid: Run | None
    """Breadth-first search over cells and keys; with four robots, its first `MOST` expansions."""
    dijkstra: Run
    astar: Run

    @property
    def speedup(self) -> float | None:
        """How many times as fast as on the grid A* is on the contraction; more than that where the grid was cut off."""
        return self.grid.seconds / self.astar.seconds if self.grid else None

    @property
    def part(self) -> float:
        """The part of Dijkstra's expansions that A* needs."""
        return self.astar.expanded / self.dijkstra.expanded


def measure(vault: Vault, heuristic: str | None, engine: str, most: int | None = None) -> Run:
    """Solve a vault: contracted with a heuristic, or on the grid without; with `most` expansions."""
    gc.collect()
    begin = perf_counter()
    problem: SearchProblem[Any, Any] = (
        ExpandedVault(vault, "zero") if heuristic is None else ContractedVault(vault, heuristic)
    )
    result = solve(problem, engine, limits=Limits(expansions=most))
    seconds = perf_counter() - begin
    return Run(result.cost, result.statistics.expanded, seconds)


def rows(seeds: int, grid: bool) -> Iterator[Row]:
    """Measure vault by vault."""
    for seed in range(seeds):
        vault = generate_vault(SIZE, KEYS, seed)
        for robots, each in ((1, vault), (4, vault.split())):
            yield Row(
                seed,
                robots,
                measure(each, None, "bfs", None if robots == 1 else MOST) if grid else None,
                measure(each, "zero", "dijkstra"),
                measure(each, "combined", "astar"),
            )


def table(measured: list[Row], machine: Machine) -> Iterator[str]:
    """Return the lines of a Markdown page."""
    yield f"Measured {machine}."
    yield ""
    yield f"{SIZE}x{SIZE} cells, {KEYS} keys. Seconds include the contraction."
    yield ""
    yield (
        "| seed | robots | cost | grid, bfs: expanded | s | contracted, dijkstra: expanded | s "
        "| A*: expanded | s | × grid | A*/Dijkstra |"
    )
    yield "|--:" * 11 + "|"
    for row in measured:
        grid = f"{row.grid.expanded:,} | {row.grid.seconds:.2f}" if row.grid else " | "
        cut = ">" if row.grid and row.grid.cost is None else ""
        grid = cut + grid
        faster = f"{cut}{row.speedup:.0f}" if row.speedup else ""
        yield (
            f"| {row.seed} | {row.robots} | {row.astar.cost} | {grid} "
            f"| {row.dijkstra.expanded:,} | {row.dijkstra.seconds:.3f} "
            f"| {row.astar.expanded:,} | {row.astar.seconds:.3f} | {faster} | {row.part:.4f} |"
        )
    yield ""
    speedups = [row.speedup for row in measured if row.speedup and row.grid and row.grid.cost is not None]
    if speedups:
        least = min(speedups)
        kept = _verdict(least >= FASTER)
        yield f"At least {FASTER}x as fast as breadth-first over cells × keys: {kept} (least {least:.0f}x)."
        if any(row.grid and row.grid.cost is None for row in measured):
            yield f"On the grid with four robots, the search was cut off at {MOST:,} expansions: more than (>) that."
    part = mean(row.part for row in measured)
    yield f"A* expands at most a third of Dijkstra's, on average: {_verdict(part <= FEWER)} ({part:.3f})."
    costs = all(
        row.astar.cost == row.dijkstra.cost and (row.grid is None or row.grid.cost in (None, row.astar.cost))
        for row in measured
    )
    yield f"Equal costs everywhere: {_verdict(costs)}."


def _verdict(kept: bool) -> str:
    return "yes" if kept else "NO"


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; the exit code is 1 where a figure is not reached."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"vaults to make (default {SEEDS})")
    parser.add_argument("--no-grid", action="store_true", help="leave the search on the grid out")
    parser.add_argument("--output", type=Path, help="write the page to this file too")
    options = parser.parse_args(arguments)
    measured = list(rows(options.seeds, not options.no_grid))
    page = "\n".join(table(measured, this_machine())) + "\n"
    sys.stdout.write(page)
    if options.output:
        options.output.write_text(page, encoding="utf-8")
    return int("NO" in page)


if __name__ == "__main__":
    sys.exit(main())
