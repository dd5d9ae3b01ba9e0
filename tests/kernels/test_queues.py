"""The priority queue of the best-first kernels: entries come out in order, for any distribution of f."""

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import available_engines
from searchkit.testing.spaces.digraphs import Edge, digraph
from tests.kernels.interpreted import SMALL, interpreted
from tests.kernels.together import hold_together, options_of
from tests.kernels.views import FORMS, compilable


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["dijkstra", "astar", "wastar"])
@given(data=st.data(), seed=st.integers(0, 10_000))
@settings(max_examples=100)
def test_graphs_whose_costs_differ_much(name: str, form: str, data: st.DataObject, seed: int) -> None:
    """As in Python, tie for tie, if few entries are close to each other and the oldest are far away."""
    random, spec = Random(seed), available_engines()[name]
    nodes, largest = data.draw(
        st.sampled_from([(60, 50), (60, 3_000), (150, 1_000), (150, 10**6), (60, 10**10)])
    )
    edges = [
        Edge(tail, random.randrange(nodes), random.randint(0, largest))
        for tail in range(nodes)
        for _ in range(3)
    ]
    estimates: Any = {node: random.randint(0, largest) for node in range(nodes)}
    graph = digraph(edges, [0], [], None if spec.heuristic == "unused" else estimates)
    hold_together(
        compilable(graph, form), spec, options_of(data.draw, spec), data.draw(st.sampled_from([3, 1000]))
    )


SPREADS: dict[str, Callable[[Random], int]] = {
    "equal": lambda random: 7,
    "near": lambda random: random.randrange(4),
    "wide": lambda random: random.randrange(300),
    "at both ends": lambda random: random.choice([0, 1, 110, 111]),
    "far": lambda random: random.choice([1, 2**12]) * random.randrange(1000),
}
"""How f is distributed: what is added to the last f that came out."""
RANKS: dict[str, Callable[[Random], int]] = {
    "few": lambda random: random.randrange(3),
    "many": lambda random: random.randrange(400),
    "in a lump": lambda random: random.choice([0, 150, 151, 152, 153, 399]),
}
CASES = [
    *(("equal", "many", 45), ("near", "few", 12), ("equal", "in a lump", 45), ("equal", "few", 12)),
    *(("wide", "few", 30), ("at both ends", "many", 20), ("near", "in a lump", 12), ("wide", "many", 45)),
    *(("far", "few", 30), ("near", "few", 12)),
]
"""How entries are distributed, and how many are pushed before the first comes out."""


class Checked:
    """A ladder queue, and a heap of its entries as they have to come out.

    Args:
        rank, fifo: as of `Frontier`.

    """

    def __init__(self, rank: int, fifo: bool):
        self.module = SMALL.module("searchkit.kernels.queue")
        self.rank, self.fifo = rank, fifo
        self.frontier = self.module.Frontier(rank, fifo)
        self.expected: list[tuple[Any, ...]] = []
        self.nodes, self.f = 0, 0.0

    def push(self, f: float, value: float) -> None:
        """Add an entry, and make room for it first."""
        frontier, module = self.frontier, self.module
        self.nodes += 1
        place = {module.UNRANKED: 0, module.HIGH_G: -value, module.LOW_H: value}[self.rank]
        heappush(self.expected, (f, place, self.nodes if self.fifo else -self.nodes, self.nodes, value))
        if len(frontier) == frontier.capacity:
            frontier.grow(2 * frontier.capacity)
        order = np.uint64(module.TURNS + (self.nodes if self.fifo else -self.nodes))
        entry = module.entry_of(frontier.arrays, f, value, order, np.uint64(self.nodes))
        module.push(frontier.arrays, entry)

    def pop(self) -> None:
        """Remove the first entry, which is the right one."""
        module, arrays = self.module, self.frontier.arrays
        if not module.is_near(arrays):
            assert module.open_bucket(arrays) > 0
        entry, stacked = module.first(arrays)
        self.f, _, _, node, value = heappop(self.expected)
        found = module.f_of(arrays, entry), module.node_of(arrays, entry), module.value_of(arrays, entry)
        assert found == (self.f, node, value)
        module.drop(arrays, stacked)
        assert module.waiting(arrays) == len(self.expected)

    def refill(self) -> None:
        """List the entries, and go on with another queue of the same ones."""
        f, values, last = self.frontier.entries(0, len(self.frontier))
        assert sorted((last & np.uint64(0xFFFFFFFF)).tolist()) == sorted(each[3] for each in self.expected)
        self.frontier = self.module.Frontier(self.rank, self.fifo)
        self.frontier.add(f, values, last)


@interpreted
@pytest.mark.parametrize("fifo", [True, False])
@pytest.mark.parametrize("rank", range(3))
@pytest.mark.parametrize("unit", [1.0, 1 / 7])
def test_entries_come_out_in_order(unit: float, rank: int, fifo: bool) -> None:
    """Whatever is pushed when: the least f first, then the rank, then the order in which they were pushed."""
    random, queue = Random(3), Checked(rank, fifo)

    def push(spread: str, ranks: str, back: int = 0) -> Any:
        queue.push(max(0.0, queue.f + unit * (SPREADS[spread](random) - back)), float(RANKS[ranks](random)))

    with np.errstate(over="ignore"):
        for number, (spread, ranks, count) in enumerate(CASES):
            for _ in range(count):
                push(spread, ranks)
            for step in range(30):
                if queue.expected:
                    queue.pop()
                for _ in range(random.choice([0, 1, 1, 2]) * (step < 20)):
                    push(spread, ranks, back=random.choice([0, 2]))
            if number % 2:
                queue.refill()
            while number % 3 and queue.expected:
                queue.pop()
        while queue.expected:
            queue.pop()


@interpreted
def test_the_next_bucket_is_most_of_the_ring_away() -> None:
    """All words of marks between it and the open one are empty, and it is before that in the ring."""
    queue = Checked(rank=0, fifo=True)
    with np.errstate(over="ignore"):
        for f in (70.0, 195.0):
            queue.push(f, 0.0)
            queue.pop()
