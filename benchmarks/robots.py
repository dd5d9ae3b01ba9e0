"""Comparison of three engines for robots that move at the same time: `python -m benchmarks robots`.

Random maps of 32×32 cells, a fifth of them walls, with robots at random in the largest connected region, the same on
every machine. Each engine gets each instance for a limited time; one process, one run. The report has the number of
solved instances and, for those that all engines solved, expansions, time and cost in proportion to `cbs`.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from time import perf_counter

from attrs import define, field
from rich.console import Console
from rich.table import Table

from searchkit import Limits, Search
from searchkit_robots import MultiAgentGrid, check_plan
from searchkit_robots.tests.instances import random_instance

ENGINES = ("cbs", "odid", "lacam")
SIZE, WALLS = 32, 0.2
COUNTS, SEEDS, SECONDS = (10, 20, 30, 40), (0, 1, 2), 4.0


@define
class Run:
    """What one engine did with one instance."""

    expanded: int
    seconds: float
    cost: float | None


@define
class Row:
    """The runs of one number of robots: engine → a run per instance."""

    robots: int
    runs: dict[str, list[Run]] = field(factory=lambda: {engine: [] for engine in ENGINES})

    def solved(self, engine: str) -> int:
        """Return how many instances an engine has solved."""
        return sum(run.cost is not None for run in self.runs[engine])

    def ratios(self, engine: str) -> tuple[float | None, float, float] | None:
        """Return expansions, time and cost in proportion to `cbs` over what all have solved; None if that is nothing.

        The first is None where `cbs` expanded nothing.
        """
        common = [
            index
            for index in range(len(self.runs[engine]))
            if all(runs[index].cost is not None for runs in self.runs.values())
        ]
        if not common:
            return None
        mine, base = ([self.runs[name][index] for index in common] for name in (engine, ENGINES[0]))
        expanded = sum(run.expanded for run in base)
        return (
            sum(run.expanded for run in mine) / expanded if expanded else None,
            sum(run.seconds for run in mine) / sum(run.seconds for run in base),
            sum(run.cost or 0 for run in mine) / max(1, sum(run.cost or 0 for run in base)),
        )


def run(problem: MultiAgentGrid, engine: str, seconds: float) -> Run:
    """Let an engine try; its plan is checked by the rules."""
    begin = perf_counter()
    result = Search(problem, engine).run(Limits(seconds=seconds))
    took = perf_counter() - begin
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
    return Run(result.statistics.expanded, took, None if result.cost is None else float(result.cost))


def compare(counts: Iterable[int], seeds: Sequence[int], seconds: float, size: int = SIZE) -> list[Row]:
    """Return a row for each number of robots."""
    rows = []
    for count in counts:
        row = Row(count)
        for seed in seeds:
            for engine in ENGINES:  # an instance each: distances are made at the first use, and kept
                problem = random_instance(size, count, WALLS, seed)
                row.runs[engine].append(run(problem, engine, seconds))
        rows.append(row)
    return rows


def table(rows: Iterable[Row]) -> Table:
    """Return the comparison as a table."""
    shown = Table()
    for heading in ("robots", "engine", "solved", "expanded", "expansions", "time", "cost"):
        shown.add_column(heading, justify="left" if heading == "engine" else "right")
    for row in rows:
        for engine in ENGINES:
            ratios = row.ratios(engine)
            shown.add_row(
                str(row.robots),
                engine,
                f"{row.solved(engine)} of {len(row.runs[engine])}",
                f"{sum(each.expanded for each in row.runs[engine]):,}",
                *("–" if ratio is None else f"{ratio:.3g}" for ratio in ratios or (None, None, None)),
            )
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robots", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the limit for each search")
    parser.add_argument("--size", type=int, default=SIZE)
    chosen = parser.parse_args(arguments)
    rows = compare(chosen.robots, chosen.seeds, chosen.seconds, chosen.size)
    Console(width=110).print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
