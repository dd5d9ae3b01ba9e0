"""How much faster `solve_many` is on several cores: `python -m benchmarks many`.

A* between 48 pairs of cells on the three example maps of 512×512 cells: by `solve`, one after the other, and by
`solve_many` with 1, 2, … threads. All run in turn for several rounds. The result is the least wall-clock time,
because CPU times of threads add up. Before that, kernels are compiled and the tables of the maps are made.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.kit.machine import this_machine
from searchkit import Cost, load, solve, solve_many
from searchkit.compiled import cores
from searchkit_dungeon import Cell, Grid, make_grid

MAPS = ("random512", "maze512", "rooms512")
QUERIES = 48

Task = tuple[Grid, list[tuple[Cell, Cell]]]
"""A map, and what is asked of it."""


@frozen
class Row:
    """One way to run the queries."""

    name: str
    run: Callable[[], list[Cost | None]]


def tasks(moves: int, queries: int = QUERIES) -> list[Task]:
    """Return the maps and pairs of cells on them, always the same ones."""
    rng, made = Random(7), []
    for name in MAPS:
        terrain = load(name, "dungeon").terrain  # type: ignore[attr-defined]  # a grid
        free = [cell for cell in terrain.cells if cell in terrain and terrain.weight(cell)]
        pairs = [(rng.choice(free), rng.choice(free)) for _ in range(queries // len(MAPS))]
        made.append((make_grid(terrain, [], [], moves), pairs))
    return made


def rows(work: Sequence[Task], most_threads: int, **how: Any) -> Iterator[Row]:
    """Yield the ways to run the queries; `how` goes to `solve` and `solve_many`."""

    def alone() -> list[Cost | None]:
        return [
            solve(grid.aimed([start], [goal]), **how).cost for grid, pairs in work for start, goal in pairs
        ]

    yield Row("solve", alone)
    for threads in range(1, most_threads + 1):

        def together(threads: int = threads) -> list[Cost | None]:
            return [
                result.cost
                for grid, pairs in work
                for result in solve_many(grid, pairs, workers=f"threads:{threads}", **how)
            ]

        yield Row(f"solve_many, {threads} thread{'s' * (threads > 1)}", together)


def measure(ways: Sequence[Row], rounds: int) -> list[float]:
    """Return the least seconds of each. Raises `AssertionError` where answers differ."""
    expected, *_ = [way.run() for way in ways]
    least = [float("inf")] * len(ways)
    for _ in range(rounds):
        for number, way in enumerate(ways):
            begin = perf_counter()
            found = way.run()
            least[number] = min(least[number], perf_counter() - begin)
            assert found == expected, f"{way.name} differs"
    return least


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument(
        "--threads", type=int, default=cores(), help="the most threads; by default, as many as cores"
    )
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--backend", default="compiled")
    chosen = parser.parse_args(arguments)
    table = Table(title=str(this_machine()))
    for heading in ("work", "by", "seconds", "of solve"):
        table.add_column(heading, justify="left" if heading in ("work", "by") else "right")
    for moves in (8, 4):
        ways = list(
            rows(tasks(moves, chosen.queries), chosen.threads, engine="astar", backend=chosen.backend)
        )
        seconds = measure(ways, chosen.rounds)
        for way, took in zip(ways, seconds, strict=True):
            title = f"A*, {chosen.queries} queries, 512², {moves} moves"
            table.add_row(title, way.name, f"{took:.4f}", f"{took / seconds[0]:.2f}")
    Console(width=120).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
