"""Which order of ties is best: expansions and time of every policy of every engine, in Python.

Writes ties.md and ties.json to benchmarks/results; the documentation shows the table.
"""

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import thread_time

from attrs import asdict, field, frozen, mutable
from rich.console import Console
from rich.table import Table

from benchmarks.kit.documents import RESULTS, keep
from benchmarks.kit.machine import Machine, this_machine
from benchmarks.python.domains.grid import random_grid
from benchmarks.python.domains.instance import Instance
from benchmarks.python.domains.puzzle import puzzle, scrambled
from benchmarks.python.workloads import puzzle15
from searchkit import available_engines, problem_from, solve

Progress = Callable[[str], object]


@frozen
class ProblemSet:
    """Problems that are solved one after the other."""

    title: str
    instances: tuple[Instance, ...]
    informed: bool
    """Whether they are large enough to tell engines with a heuristic apart."""
    uninformed: bool
    """Whether they are small enough for engines without a heuristic."""


@mutable
class Cell:
    """What one policy of one engine did on one problem set."""

    engine: str
    ties: str
    problems: str
    default: bool
    """Whether the policy is the engine's default."""
    cost: int
    expanded: int
    seconds: list[float] = field(factory=list)
    """CPU time of each round."""


def problem_sets(tiny: bool) -> list[ProblemSet]:
    """Return the sets: a grid, unit-cost 15-puzzles, weighted 15-puzzles."""
    size, steps, count = (12, 6, 2) if tiny else (500, 60, 5)
    puzzles = tuple(puzzle(4, scrambled(4, steps, seed)) for seed in range(count))
    easy, hard = puzzle15("dijkstra", tiny), puzzle15("astar", tiny)
    return [
        ProblemSet(f"{size}×{size} grid, 25 % walls", (random_grid(size, seed=0),), True, True),
        ProblemSet(f"{count} 15-puzzles, walks of {steps}", puzzles, True, False),
        ProblemSet(easy.title.removesuffix(", dijkstra"), easy.instances, False, True),
        ProblemSet(hard.title.removesuffix(", astar"), hard.instances, True, False),
    ]


def measure(rounds: int = 3, tiny: bool = False, progress: Progress = lambda message: None) -> list[Cell]:
    """Run every policy of every engine that has an option `ties` on the problem sets, in turn.

    Engines that promise optimal answers have to agree on the cost: `AssertionError` if they don't.
    """
    cells = []
    gc.collect()
    gc.freeze()  # nothing but the search itself for the garbage collector to look through
    for problems in problem_sets(tiny):
        costs = set()
        for engine, spec in available_engines().items():
            ties = next((option for option in spec.options if option.name == "ties"), None)
            informed = spec.heuristic != "unused"
            if ties is None or not (problems.informed if informed else problems.uninformed):
                continue
            policies = [
                Cell(engine, policy, problems.title, policy == ties.default, 0, 0) for policy in ties.choices
            ]
            for number in range(1, rounds + 1):
                for cell in policies:
                    progress(f"{problems.title}: {engine}, {cell.ties}, round {number} of {rounds}")
                    run(cell, problems, informed)
            if spec.optimal:
                costs |= {cell.cost for cell in policies}
            cells += policies
        assert len(costs) == 1, f"{problems.title}: engines that promise the least cost found {sorted(costs)}"
    gc.unfreeze()
    return cells


def run(cell: Cell, problems: ProblemSet, informed: bool) -> None:
    """Solve the problems once with the cell's engine and policy."""
    made = [
        problem_from(
            [instance.start],
            instance.successors,
            instance.goal_test(),
            cost=instance.cost,
            heuristic=instance.heuristic if informed else None,
        )
        for instance in problems.instances
    ]
    gc.collect()
    begin = thread_time()
    costs, expanded = 0, 0
    for problem in made:
        result = solve(problem, cell.engine, ties=cell.ties)
        assert isinstance(result.cost, int)
        costs += result.cost
        expanded += result.statistics.expanded
    cell.seconds.append(thread_time() - begin)
    cell.cost, cell.expanded = costs, expanded


def grouped(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Yield the cells of each engine on each problem set."""
    for problems in dict.fromkeys(cell.problems for cell in cells):
        for engine in dict.fromkeys(cell.engine for cell in cells):
            group = [cell for cell in cells if cell.problems == problems and cell.engine == engine]
            if group:
                yield group


def entry(cell: Cell) -> str:
    """Return what a table says of one cell: expansions and seconds."""
    return f"{cell.expanded:,} in {median(cell.seconds):.2f} s"


def costs_of(group: list[Cell]) -> str:
    """Return the cost that all policies found, or their range."""
    costs = sorted({cell.cost for cell in group})
    return f"{costs[0]:,}" if len(costs) == 1 else f"{costs[0]:,}–{costs[-1]:,}"


def table(cells: list[Cell]) -> Table:
    """Return the table for the terminal: fewest expansions in green, the default underlined."""
    drawn = Table(title="Ties: expansions and CPU seconds (default underlined)", title_justify="left")
    drawn.add_column("problems")
    drawn.add_column("engine")
    drawn.add_column("cost", justify="right")
    for policy in dict.fromkeys(cell.ties for cell in cells):
        drawn.add_column(policy, justify="right")
    for group in grouped(cells):
        least = min(cell.expanded for cell in group)
        styled = [
            f"[{'green ' * (cell.expanded == least)}{'underline' if cell.default else 'default'}]{entry(cell)}[/]"
            for cell in group
        ]
        drawn.add_row(group[0].problems, group[0].engine, costs_of(group), *styled)
    return drawn


def markdown(cells: list[Cell], machine: Machine) -> str:
    """Return the table for the documentation: the default in bold."""
    policies = list(dict.fromkeys(cell.ties for cell in cells))
    lines = [
        f"Measured {machine}.",
        "",
        "Expansions and CPU time by order of ties; the engine's default in bold.",
        "",
        f"| problems | engine | cost | {' | '.join(policies)} |",
        f"| --- | --- | --: | {' | '.join('--:' for _ in policies)} |",
    ]
    for group in grouped(cells):
        entries = [f"**{entry(cell)}**" if cell.default else entry(cell) for cell in group]
        lines.append(f"| {' | '.join([group[0].problems, group[0].engine, costs_of(group), *entries])} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each policy is timed (default 5)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder to write to")
    chosen = parser.parse_args(arguments)
    machine = this_machine()
    with Console(stderr=True).status("") as status:
        cells = measure(chosen.rounds, progress=status.update)
    Console(width=130).print(f"{machine}\n", table(cells))
    data = {"machine": asdict(machine), "rounds": chosen.rounds, "rows": [asdict(cell) for cell in cells]}
    keep("ties", data, chosen.results, markdown(cells, machine))
    return 0
