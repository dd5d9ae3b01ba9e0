"""How much of a large map a corridor saves: `python -m benchmarks corridors`.

An archipelago of 2000×1000 cells, about two thirds of it water, and 300 far pairs of cells. Each pair is solved by
full breadth-first search and by the variants of the engine `corridor` (cell=4, radius=2), one after the other in one
process. The time to build the coarse map is shared by all pairs of a variant. Reported are the mean part of
breadth-first search's expansions, fall-backs included, and the ratio of the total times.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any

from attrs import define, field
from rich.console import Console
from rich.table import Table

from benchmarks.corridors_archipelago import archipelago, far_pairs
from searchkit import Result, solve
from searchkit_corridor import CorridorGrid
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.spec import ENGINE
from searchkit_dungeon import Cell, Grid, Terrain

CELL, RADIUS = 4, 2
EXPANSIONS, SPEED = 0.08, 5.0
"""What is to be reached: at most this part of the expansions, at least this many times as fast."""
CONTENDERS: dict[str, dict[str, Any]] = {
    "fast": {"variant": "fast"},
    "optimal": {"variant": "optimal"},
    "plain": {"variant": "optimal", "learn": False, "budget": 8},
}
"""`plain` widens by rings and learns nothing."""


@define
class Tally:
    """What one contender did, over all pairs."""

    name: str
    seconds: float = 0.0
    parts: list[float] = field(factory=list)
    """Expansions, as a part of those of breadth-first search."""
    excesses: list[float] = field(factory=list)
    """Cost above the optimum, as a part of it."""
    fall_backs: int = 0
    failed_first: int = 0
    """Pairs whose first corridor held no path."""

    def add(self, result: Result[Any, Any], full: Result[Any, Any], seconds: float) -> None:
        """Count one pair."""
        assert result.cost is not None
        assert full.cost is not None
        self.seconds += seconds
        self.parts.append(result.statistics.expanded / full.statistics.expanded)
        self.excesses.append(float(result.cost) / float(full.cost) - 1)
        phases = result.details["phases"]
        assert isinstance(phases, tuple)
        self.failed_first += len(phases) > 1
        self.fall_backs += bool(result.details["fall-back"])


def compare(
    terrain: Terrain, pairs: Iterable[tuple[Cell, Cell]], names: Sequence[str]
) -> tuple[float, float, list[Tally]]:
    """Return the seconds of breadth-first search, those of building the coarse map once, and a tally per contender."""
    begin = perf_counter()
    Blocks(terrain, CELL)
    building = perf_counter() - begin
    start = next(cell for cell in terrain.cells if cell in terrain and terrain.weight(cell))
    CorridorGrid(
        terrain, [start], [start], CELL
    )  # the map that is shared; and the terrain's steps, for all contenders
    full_seconds, tallies = 0.0, [Tally(name) for name in names]
    for one, other in pairs:
        begin = perf_counter()
        full: Result[Any, Any] = solve(Grid(terrain, [one], [other]), "bfs")
        full_seconds += perf_counter() - begin
        for tally in tallies:
            begin = perf_counter()
            problem = CorridorGrid(terrain, [one], [other], CELL)
            result: Result[Any, Any] = solve(problem, ENGINE, radius=RADIUS, **CONTENDERS[tally.name])
            tally.add(result, full, perf_counter() - begin)
    return full_seconds, building, tallies


def table(full_seconds: float, building: float, tallies: Sequence[Tally]) -> Table:
    """Return the comparison as a table."""
    count = len(tallies[0].parts)
    shown = Table(title=f"{count} far pairs; breadth-first search {full_seconds:.1f} s, map {building:.2f} s")
    for heading in (
        "variant",
        "expansions",
        "worst",
        "times as fast",
        "cost above optimum",
        "first failed",
        "fell back",
    ):
        shown.add_column(heading, justify="left" if heading == "variant" else "right")
    for tally in tallies:
        shown.add_row(
            tally.name,
            f"{sum(tally.parts) / count:.2%}",
            f"{max(tally.parts):.1%}",
            f"{full_seconds / (tally.seconds + building):.1f}",
            f"{sum(tally.excesses) / count:.2%}",
            f"{tally.failed_first / count:.0%}",
            f"{tally.fall_backs / count:.0%}",
        )
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if a variant other than `plain` misses what is to be reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", nargs="+", choices=list(CONTENDERS), default=["fast", "optimal"])
    chosen = parser.parse_args(arguments)
    terrain = archipelago(2000, 1000, chosen.seed)
    pairs = far_pairs(terrain, chosen.pairs, apart=1000, seed=chosen.seed)
    full_seconds, building, tallies = compare(terrain, pairs, chosen.variants)
    Console(width=110).print(table(full_seconds, building, tallies))
    missed = [
        tally.name
        for tally in tallies
        if tally.name != "plain"
        and (
            sum(tally.parts) / len(tally.parts) >= EXPANSIONS
            or full_seconds / (tally.seconds + building) < SPEED
        )
    ]
    if missed:
        print(
            f"{', '.join(missed)}: below {EXPANSIONS:.0%} of the expansions and {SPEED}x the speed is not reached"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
