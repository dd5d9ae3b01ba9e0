"""How many expansions a corridor saves on a large map: `python -m benchmarks corridors`.

The map is an archipelago of 2000×1000 cells, about two thirds of it water. 300 distant pairs of cells are solved by
breadth-first search and by the variants of the engine `corridor` (cell=4, radius=2), in Python and as machine code,
one after the other in one process. All pairs of a variant share the time of building the coarse map. The report has
the mean share of breadth-first search's expansions, including searches that gave up the corridor, and the CPU time of
a pair as a ratio to breadth-first search by the same backend. With `--jps` it also has the time of jump point search
between the same cells, which uses 8 moves and therefore finds other paths.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from time import process_time
from typing import Any

from attrs import define, field
from rich.console import Console
from rich.table import Table

from benchmarks.problems.archipelago import archipelago, far_pairs
from searchkit import Result, solve
from searchkit_corridor import CorridorGrid
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.spec import ENGINE
from searchkit_dungeon import Cell, Grid, Terrain, make_grid

CELL, RADIUS = 4, 2
EXPANSIONS, SPEED = 0.08, {"python": 5.0, "compiled": 3.0}
"""What is to be reached: at most this part of the expansions, at least this many times as fast."""
CONTENDERS: dict[str, dict[str, Any]] = {
    "fast": {"variant": "fast"},
    "optimal": {"variant": "optimal"},
    "proved": {"variant": "proved"},
    "plain": {"variant": "optimal", "learn": False, "budget": 8},
}
"""`plain` widens by rings and learns nothing."""
GOALS = ("fast", "optimal")
"""The variants that have something to reach."""


@define
class Tally:
    """What one contender did, over all pairs."""

    name: str
    backend: str
    seconds: float = 0.0
    full_seconds: float = 0.0
    """What breadth-first search took, by the same backend."""
    parts: list[float] = field(factory=list)
    """Expansions, as a part of those of breadth-first search."""
    excesses: list[float] = field(factory=list)
    """Cost above the optimum, as a part of it."""
    fall_backs: int = 0
    failed_first: int = 0
    """Pairs whose first corridor held no path."""

    @property
    def missed(self) -> bool:
        """Whether what is to be reached is not."""
        part = sum(self.parts) / len(self.parts)
        return self.name in GOALS and (
            part >= EXPANSIONS or self.full_seconds / self.seconds < SPEED[self.backend]
        )

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
    terrain: Terrain,
    pairs: Iterable[tuple[Cell, Cell]],
    names: Sequence[str],
    backends: Sequence[str],
    jps: bool = False,
) -> tuple[list[Tally], float]:
    """Return a tally for each contender and backend, and the seconds of jump point search (0 without it)."""
    begin = process_time()
    Blocks(terrain, CELL)
    building = process_time() - begin
    tallies = [Tally(name, backend, seconds=building) for name in names for backend in backends]
    start = next(cell for cell in terrain.cells if cell in terrain and terrain.weight(cell))
    for tally in tallies:  # what is shared by all pairs: the map, the terrain's steps, machine code
        for problem in (Grid(terrain, [start], [start]), CorridorGrid(terrain, [start], [start], CELL)):
            _solve(problem, "bfs", tally.backend)
            _solve(problem, ENGINE, tally.backend, **CONTENDERS[tally.name])
    if jps:
        _solve(make_grid(terrain, [start], [start], 8), "jps", "compiled")
    jps_seconds = 0.0
    for one, other in pairs:
        full = {
            backend: _solve(Grid(terrain, [one], [other]), "bfs", backend)
            for backend in dict.fromkeys(backends)
        }
        for tally in tallies:
            begin = process_time()
            problem = CorridorGrid(terrain, [one], [other], CELL)
            making = process_time() - begin
            result, seconds = _solve(problem, ENGINE, tally.backend, radius=RADIUS, **CONTENDERS[tally.name])
            tally.add(result, full[tally.backend][0], seconds + making)
            tally.full_seconds += full[tally.backend][1]
        if jps:
            jps_seconds += _solve(make_grid(terrain, [one], [other], 8), "jps", "compiled")[1]
    return tallies, jps_seconds


def _solve(problem: Grid, engine: Any, backend: str, **options: Any) -> tuple[Result[Any, Any], float]:
    begin = process_time()
    result: Result[Any, Any] = solve(problem, engine, backend=backend, **options)
    return result, process_time() - begin


def table(tallies: Sequence[Tally]) -> Table:
    """Return the comparison as a table."""
    count = len(tallies[0].parts)
    shown = Table(title=f"{count} far pairs")
    headings = ("variant", "backend", "expansions", "worst", "ms a pair", "bfs, ms", "times as fast")
    for heading in (*headings, "cost above optimum", "first failed", "fell back"):
        shown.add_column(heading, justify="left" if heading in ("variant", "backend") else "right")
    for tally in tallies:
        shown.add_row(
            tally.name,
            tally.backend,
            f"{sum(tally.parts) / count:.2%}",
            f"{max(tally.parts):.1%}",
            f"{1000 * tally.seconds / count:.1f}",
            f"{1000 * tally.full_seconds / count:.1f}",
            f"{tally.full_seconds / max(tally.seconds, 1e-9):.1f}",  # a coarse clock may count nothing
            f"{sum(tally.excesses) / count:.2%}",
            f"{tally.failed_first / count:.0%}",
            f"{tally.fall_backs / count:.0%}",
        )
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if `fast` or `optimal` misses what is to be reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", nargs="+", choices=list(CONTENDERS), default=["fast", "optimal"])
    parser.add_argument("--backends", nargs="+", choices=list(SPEED), default=list(SPEED))
    parser.add_argument("--jps", action="store_true", help="measure jump point search, too")
    chosen = parser.parse_args(arguments)
    terrain = archipelago(2000, 1000, chosen.seed)
    pairs = far_pairs(terrain, chosen.pairs, apart=1000, seed=chosen.seed)
    tallies, jps_seconds = compare(terrain, pairs, chosen.variants, chosen.backends, chosen.jps)
    Console(width=130).print(table(tallies))
    if chosen.jps:
        print(f"jps, compiled, 8 moves: {1000 * jps_seconds / chosen.pairs:.1f} ms a pair")
    missed = [f"{tally.name} ({tally.backend})" for tally in tallies if tally.missed]
    if missed:
        print(
            f"{', '.join(missed)}: below {EXPANSIONS:.0%} of the expansions and "
            f"{' or '.join(f'{speed}x the speed ({backend})' for backend, speed in SPEED.items())} is not reached"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
