"""Comparison of three engines for robots that move at the same time: `python -m benchmarks robots`.

Maps of 32×32 cells: random ones, a fifth of them walls, empty ones, or rooms; with robots at random in the largest
connected region, the same on every machine. `--engines lacam --robots 100 200 400` shows how fast many robots have a
plan, `--engines cbs --seconds 60 --robots 10 20 30 40 50 60 --map random empty room` how many instances are solved
within a minute; with `--keep`, that is written to the results, a map at a time. `--checkout FOLDER --label NAME` runs
the code of another checkout of this repository on the same instances instead. Each engine gets each instance for
limited CPU seconds; one process, one run. After a number of robots for which an engine has solved no instance, it gets
no larger numbers.

The report has the number of solved instances, the seconds of the longest search and, for those that all engines solved,
expansions, time and cost in proportion to the first one.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from attrs import define, field
from rich.console import Console
from rich.table import Table

from benchmarks.kit.documents import RESULTS, document, keep, kept
from benchmarks.problems import robots_turn
from benchmarks.problems.robots_turn import attempt
from searchkit import Search, available_engines
from searchkit_robots import MultiAgentGrid, check_plan, plan_cost
from searchkit_robots.tests.instances import random_instance, room_instance

ENGINES = ("cbs", "odid", "lacam")
SIZE = 32
MAPS: dict[str, Callable[[int, int, int], MultiAgentGrid]] = {
    "random": lambda size, count, seed: random_instance(size, count, 0.2, seed),
    "empty": lambda size, count, seed: random_instance(size, count, 0.0, seed),
    "room": room_instance,
}
"""Kind of map → a function that returns an instance for the size of the map, the number of robots and the seed."""
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
    engines: Sequence[str] = ENGINES
    runs: dict[str, list[Run]] = field(init=False)

    @runs.default
    def _no_runs(self) -> dict[str, list[Run]]:
        return {engine: [] for engine in self.engines}

    def solved(self, engine: str) -> int:
        """Return how many instances an engine has solved."""
        return sum(run.cost is not None for run in self.runs[engine])

    def ratios(self, engine: str) -> tuple[float | None, float, float] | None:
        """Return expansions, time and cost in proportion to the first engine; None if all have solved nothing.

        The first is None where that one expanded nothing.
        """
        common = [
            index
            for index in range(len(self.runs[engine]))
            if all(runs[index].cost is not None for runs in self.runs.values())
        ]
        if not common:
            return None
        mine, base = ([self.runs[name][index] for index in common] for name in (engine, self.engines[0]))
        expanded = sum(run.expanded for run in base)
        return (
            sum(run.expanded for run in mine) / expanded if expanded else None,
            sum(run.seconds for run in mine) / sum(run.seconds for run in base),
            sum(run.cost or 0 for run in mine) / max(1, sum(run.cost or 0 for run in base)),
        )


def run(problem: MultiAgentGrid, engine: str, seconds: float, backend: str = "auto") -> Run:
    """Let an engine try; its plan is checked by the rules. An engine without a compiled form runs in Python."""
    backend = backend if available_engines()[engine].kernel else "auto"
    result, took = attempt(problem, engine, seconds, backend=backend)
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
    return Run(result.statistics.expanded, took, None if result.cost is None else float(result.cost))


def run_elsewhere(problem: MultiAgentGrid, engine: str, seconds: float, checkout: Path) -> Run:
    """Let an engine of another checkout try, in a process of its own; its plan is checked by the rules of this one.

    Raises `RuntimeError` if the process fails or does not take its code from there.
    """
    terrain = problem.terrain
    rows = [
        "".join(".#"[not terrain.weight((x, y))] for x in range(terrain.width)) for y in range(terrain.height)
    ]
    instance = {"rows": rows, "pairs": problem.robots, "engine": engine, "seconds": seconds}
    path = os.pathsep.join(map(str, (checkout.resolve(), checkout.resolve() / "plugins")))
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", robots_turn.__file__],
        input=json.dumps(instance), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the search in {checkout} failed: {done.stderr[-1000:]}")
    found = json.loads(done.stdout)
    if not Path(found["module"]).is_relative_to(checkout.resolve()):
        raise RuntimeError(f"searchkit comes from {found['module']}, not from {checkout}")
    if found["cost"] is not None:
        paths = [[tuple(cells[robot]) for cells in found["plan"]] for robot in range(len(problem.robots))]
        states = problem.joint_path(paths)[0]
        assert check_plan(problem, states) == []
        assert plan_cost(problem, states) == found["cost"]
    return Run(found["expanded"], found["seconds"], found["cost"])


@define
class Solved:
    """How many instances an engine has solved, as it is kept among the results."""

    map: str
    engine: str
    robots: int
    solved: int
    instances: int
    slowest: float
    """The CPU seconds of the longest search that found a solution."""


def keep_solved(rows: Iterable[Row], map: str, seconds: float, folder: Path = RESULTS) -> None:
    """Write how many instances were solved on maps of a kind; results of other maps and engines are kept."""
    new = [
        Solved(
            *(map, engine, row.robots, row.solved(engine), len(row.runs[engine])),
            slowest=round(
                max([run.seconds for run in row.runs[engine] if run.cost is not None], default=0), 2
            ),
        )
        for row in rows
        for engine in row.engines
    ]
    old = [Solved(**row) for row in (kept("robots", folder) or {"rows": []})["rows"]]
    taken = {(row.map, row.engine) for row in new}
    left = [row for row in old if (row.map, row.engine) not in taken]
    keep("robots", document([*left, *new], seconds=seconds), folder)


def compare(
    counts: Iterable[int],
    seeds: Sequence[int],
    seconds: float,
    size: int = SIZE,
    engines: Sequence[str] = ENGINES,
    map: str = "random",
    backend: str = "auto",
    checkout: Path | None = None,
    label: str = "",
) -> list[Row]:
    """Return a row for each number of robots, up to one of which no engine has solved an instance.

    With another checkout, its first engine alone runs, and is called `label`.
    """
    if checkout is not None:
        attempts = {label or str(checkout): partial(run_elsewhere, engine=engines[0], checkout=checkout)}
    else:
        attempts = {engine: partial(run, engine=engine, backend=backend) for engine in engines}
    for engine in engines if checkout is None else ():  # what is not compiled yet is compiled now
        if backend != "python" and available_engines()[engine].kernel and find_spec("numba"):
            Search(random_instance(8, 10, 0.2, 3), engine, backend="compiled").run()
    rows = []
    for count in counts:
        row = Row(count, list(attempts))
        for seed in seeds:
            for (
                name,
                made,
            ) in attempts.items():  # an instance each: distances are made at the first use, and kept
                row.runs[name].append(made(MAPS[map](size, count, seed), seconds=seconds))
        rows.append(row)
        attempts = {name: made for name, made in attempts.items() if row.solved(name)}
        if not attempts:
            break
    return rows


def table(rows: Iterable[Row]) -> Table:
    """Return the comparison as a table."""
    shown = Table()
    for heading in ("robots", "engine", "solved", "expanded", "seconds", "expansions", "time", "cost"):
        shown.add_column(heading, justify="left" if heading == "engine" else "right")
    for row in rows:
        for engine in row.engines:
            ratios = row.ratios(engine)
            shown.add_row(
                str(row.robots),
                engine,
                f"{row.solved(engine)} of {len(row.runs[engine])}",
                f"{sum(each.expanded for each in row.runs[engine]):,}",
                f"{max(each.seconds for each in row.runs[engine]):.2f}",
                *("–" if ratio is None else f"{ratio:.3g}" for ratio in ratios or (None, None, None)),
            )
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robots", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="the limit of CPU seconds for each search"
    )
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--engines", choices=ENGINES, nargs="+", default=list(ENGINES))
    parser.add_argument("--map", choices=list(MAPS), nargs="+", default=["random"])
    parser.add_argument("--backend", choices=("auto", "python", "compiled"), default="auto")
    parser.add_argument("--checkout", type=Path, help="the folder of another checkout, whose engine runs")
    parser.add_argument("--label", default="", help="what the engine of the other checkout is called")
    parser.add_argument("--keep", action="store_true", help="write how many were solved to the results")
    chosen = parser.parse_args(arguments)
    for kind in chosen.map:
        rows = compare(
            chosen.robots, chosen.seeds, chosen.seconds, chosen.size, chosen.engines, kind, chosen.backend,
            chosen.checkout, chosen.label,
        )  # fmt: skip
        if chosen.keep:
            keep_solved(rows, kind, chosen.seconds)
        Console(width=110).print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
