"""Which A* is optimal with heuristics that are admissible but not consistent: `python -m benchmarks inconsistent`.

The A* of each library solves the same random digraphs of up to nine nodes with integer costs. The heuristic never
overestimates, but drops by more than the cost along some edge. The report has the number of answers that are not
optimal, the number of times that the library crashes the process or takes longer than five seconds, and the smallest
graph on which it fails.
"""

import argparse
import faulthandler
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from math import inf
from multiprocessing import active_children
from random import Random
from typing import Any, Literal

from attrs import frozen
from rich.console import Console
from rich.table import Table

from benchmarks.python.astars import PEERS, installed, load
from searchkit import __version__, solve
from searchkit.testing import explore
from searchkit.testing.reports import smallest
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.spaces.space import is_consistent
from searchkit.testing.strategies import weighted_digraphs

Judgement = Literal["right", "wrong", "crashed", "endless"]
SECONDS = 5.0
"""How long a library may take for one graph of nine nodes."""
OURS = "searchkit"
NODES = 9
EXAMPLES = 1_000
"""Graphs that are tried for the smallest one."""


@frozen
class Verdict:
    """What became of one library."""

    name: str
    version: str
    wrong: int
    crashed: int
    endless: int
    of: int
    smallest: str


def ours(problem: Any) -> list[Any] | None:
    """Return the states of the path that searchkit's A* finds; None where it finds none."""
    solution = solve(problem, "astar", backend="python").solution
    return None if solution is None else list(solution.states)


def least_cost_of_states(problem: WeightedDigraph, states: Sequence[int]) -> float:
    """Return the cost of a path given by its states, each step by the cheapest edge; infinite if it is not a path."""
    total: float = 0
    for tail, head in pairwise(states):
        costs = [edge.cost for edge in problem.edges if (edge.tail, edge.head) == (tail, head)]
        total += min((float(cost) for cost in costs if cost is not None), default=inf)
    ends = states[0] in problem.starts and problem.is_goal(states[-1])
    return total if ends else inf


def is_wrong(name: str, problem: WeightedDigraph) -> bool:
    """Whether an engine misses the least cost, or reports that no path exists although one does."""
    states = (ours if name == OURS else load(name).astar)(problem)
    found = inf if states is None else least_cost_of_states(problem, states)
    return bool(found != explore(problem).least_cost())


class Apart:
    """A process in which a library may crash."""

    def __init__(self, name: str):
        self.name = name
        self._workers: ProcessPoolExecutor | None = None

    def _worker(self) -> ProcessPoolExecutor:
        if self._workers is None:
            self._workers = ProcessPoolExecutor(1, initializer=faulthandler.disable)  # a crash is expected
        return self._workers

    def judge(self, problem: WeightedDigraph) -> Judgement:
        """Return what the library makes of a graph."""
        try:
            wrong = self._worker().submit(is_wrong, self.name, problem).result(SECONDS)
        except BrokenProcessPool:
            self._workers = None
            return "crashed"
        except TimeoutError:
            for process in active_children():
                process.kill()
            self._workers = None
            return "endless"
        return "wrong" if wrong else "right"


def inconsistent_graphs(count: int, seed: int) -> Iterator[WeightedDigraph]:
    """Yield random solvable digraphs, each with a heuristic that is admissible and not consistent."""
    rng = Random(seed)
    while count:
        edges = [
            Edge(tail, head, rng.randint(1, 10))
            for tail in range(NODES)
            for head in range(NODES)
            if tail != head and rng.random() < 0.3
        ]
        space = explore(digraph(edges, [0], [NODES - 1]))
        exact = space.to_goals()
        table = {state: rng.randint(0, int(cost)) for state, cost in exact.items()}
        if 0 in exact and not is_consistent(table, space):
            count -= 1
            yield digraph(edges, [0], [NODES - 1], table)


def verdict_on(name: str, version: str, count: int, seed: int) -> Verdict:
    """Run one library on all graphs, and look for the smallest one that it fails on."""
    apart = Apart(name)
    tally = Counter(apart.judge(graph) for graph in inconsistent_graphs(count, seed))
    graphs = weighted_digraphs("int", heuristic="inconsistent").filter(
        lambda graph: len(set(graph.starts)) == 1 and len(graph.goals) == 1
    )
    case = None
    if tally["right"] < count:
        case = smallest(graphs, lambda graph: apart.judge(graph) != "right", examples=EXAMPLES, seed=seed)
    return Verdict(
        name,
        version,
        tally["wrong"],
        tally["crashed"],
        tally["endless"],
        count,
        "" if case is None else repr(case),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if searchkit's own A* is wrong anywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=1_000, help="graphs to solve (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    verdicts = [verdict_on(OURS, __version__, chosen.graphs, chosen.seed)]
    missing = []
    for name in PEERS:
        version = installed(name)
        if version is None:
            missing.append(name)
        else:
            verdicts.append(verdict_on(name, version, chosen.graphs, chosen.seed))
    table = Table(title="A* with admissible, inconsistent heuristics")
    for heading in ("library", "version", "wrong", "crashed", "endless", "smallest graph that it fails on"):
        table.add_column(heading, overflow="fold")
    for verdict in verdicts:
        wrong = f"{verdict.wrong} of {verdict.of}"
        counts = (wrong, str(verdict.crashed), str(verdict.endless))
        table.add_row(verdict.name, verdict.version, *counts, verdict.smallest or "–")
    for name in missing:
        table.add_row(name, "not installed", "", "", "", "")
    Console(width=160).print(table)
    return int(bool(verdicts[0].smallest))


if __name__ == "__main__":
    sys.exit(main())
