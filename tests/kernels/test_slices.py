"""Slices of any size give the same search, and their size adapts to the time that they take."""

from functools import cached_property
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, solve
from searchkit.compiled.functions import heuristic_function
from searchkit.compiled.kit.control import (
    MOST_STEPS,
)
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit_dungeon import Terrain, make_grid
from tests.kernels.together import answer

LEAVES = 40_000


def long(engine: str) -> Any:
    """Leave an engine to `--long`: it takes seconds to compile it for these grids, which no other test needs."""
    return pytest.param(engine, marks=pytest.mark.long)


@heuristic_function
def tabled(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node."""
    return table.view(np.float64)[np.int64(state)]


class Star:
    """Edges from node 0 to all others, and from each of these to the last, at arbitrary costs."""

    def __init__(self, costs: Any, estimates: Any):
        self.costs, self.estimates = costs, np.concatenate([[0.0], estimates, [0.0]])
        self.last = len(costs) + 1

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[int, int]]:
        return [(node, node) for node in (range(1, self.last) if state == 0 else ())]

    def is_goal(self, state: int) -> bool:
        return False

    def cost(self, state: int, action: int, successor: int) -> float:
        return float(self.costs[successor - 1])

    def heuristic(self, state: int) -> float:
        return float(self.estimates[state])

    @cached_property
    def view(self) -> CompiledProblem:
        """The compiled view."""
        leaves = self.last - 1
        graph = CSR(np.array([0] + [leaves] * (leaves + 2)), np.arange(1, leaves + 1), self.costs)
        whole = bool((self.costs % 1 == 0).all())
        return CompiledProblem(
            graph, int, int, heuristic=tabled, table=self.estimates.view(np.int64), whole=whole
        )

    def compiled(self) -> CompiledProblem:
        return self.view


def spread(kind: str) -> tuple[Any, Any]:
    """Return costs and heuristic values of leaves, with f spread in a given way."""
    rng = np.random.default_rng(5)
    zeros = np.zeros(LEAVES)
    if kind == "equal":
        return np.ones(LEAVES), zeros
    if kind == "whole":
        return rng.integers(0, 2**20, LEAVES).astype(np.float64), zeros
    if kind == "geometric":
        return 10.0 ** rng.uniform(-300, 15, LEAVES), zeros
    if kind == "a bit apart":  # f takes two values that are neighbours, and costs so far are arbitrary
        costs = rng.integers(0, 2**20, LEAVES) / 2**20
        return costs, 2.0 - costs + rng.integers(0, 2, LEAVES) * 2.0**-51
    if kind == "rising":
        return np.arange(LEAVES) / 7, zeros
    return np.arange(LEAVES)[::-1] / 7, zeros


@pytest.mark.one_in(24)
@pytest.mark.parametrize("ties", ["high-g", "low-h", "lifo", "fifo"])
@pytest.mark.parametrize("kind", ["equal", "whole", "geometric", "a bit apart", "rising", "falling"])
def test_a_bucket_of_many_entries_comes_out_in_order(kind: str, ties: str) -> None:
    """By f, then by the rank, then by the order in which they were reached."""
    costs, estimates = spread(kind)
    turns = np.arange(LEAVES) if ties == "fifo" else -np.arange(LEAVES)
    ranks = {"high-g": -costs, "low-h": estimates}.get(ties, np.zeros(LEAVES))
    order = np.lexsort((turns, ranks, costs + estimates)) + 1
    search: Search[Any, Any] = Search(Star(costs, estimates), "astar", backend="compiled", ties=ties)
    search.run(Limits(expansions=1))
    for place in range(0, LEAVES, 200):
        assert search.next_state == order[place]
        search.run(Limits(expansions=200))
    assert search.statistics.expanded == LEAVES + 1


def open_floor(engine: str, side: int = 301) -> Any:
    """Return a grid on which the engine has much to do, because its start and its goal are far from each other."""
    ends = [(0, 0)], [(side - 1, side - 1)]
    rows = [bytes(1 + (x * y) % 3 % 2 for x in range(side)) for y in range(side)]
    if engine in ("zero_one", "idastar", "corridor"):
        rows = [bytes(1 for _ in range(side)) for _ in range(side)]
    return make_grid(Terrain(rows), *ends)


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "idastar", *map(long, ("bucket", "zero_one"))])
def test_steps_do_not_show(engine: str) -> None:
    """It is the same search, with any number of steps in a slice."""
    task = open_floor(engine, 7 if engine == "idastar" else 61)
    expected = answer(solve(task, engine, backend="python"))
    for steps in (1, 7, 300, MOST_STEPS):
        search: Search[Any, Any] = Search(task, engine, backend="compiled")
        search.run(Limits(expansions=0))
        search.kernel.steps = steps
        assert answer(search.run()) == expected
