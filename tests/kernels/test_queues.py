"""The priority queue of the best-first kernels: entries come out in order, for any distribution of f."""

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random
from types import SimpleNamespace
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


QUEUE = "searchkit.kernels.queue"
LAST_TURN = 0xFFFFFFFF
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
ALL_REACHED: Any = SimpleNamespace(hashed=True, count=1 << 20, flags_of=np.ones_like)
"""Records of which all nodes were reached."""


class Checked:
    """A ladder queue, and its entries in the order in which they have to come out.

    Args:
        whole, ranked, high_g, fifo: as of `Frontier`.

    """

    def __init__(self, whole: bool, ranked: bool, high_g: bool, fifo: bool):
        self.policy = whole, ranked, high_g, fifo
        self.frontier = SMALL.module(f"{QUEUE}.frontier").Frontier(*self.policy)
        self.expected: list[tuple[Any, ...]] = []
        """A heap of (f, what follows from the rank, what follows from the turn, node, cost so far)."""
        self.nodes = 0
        self.f = 0.0
        self.phases = set[int]()
        self.was_wide = False

    def entry(self, f: float, rank: float) -> tuple[float, float, int]:
        """Return f, the rank or the cost so far, and the node of an entry, which is expected from now on."""
        _, ranked, high_g, fifo = self.policy
        self.nodes += 1
        place = (-rank if high_g else rank) if ranked else 0
        heappush(self.expected, (f, place, self.nodes if fifo else -self.nodes, self.nodes, rank))
        return f, rank, self.nodes

    def fill(self, entries: list[tuple[float, float]]) -> None:
        """Begin with some entries."""
        made = [self.entry(*each) for each in entries]
        for _ in self.frontier.fill(*zip(*made, strict=True)):
            pass

    def push(self, f: float, rank: float) -> None:
        """Add an entry, and make room for it first."""
        _, ranked, high_g, fifo = self.policy
        frontier, entries = self.frontier, SMALL.module(f"{QUEUE}.entries")
        if len(self.expected) == frontier.capacity:
            for _ in frontier.grow():
                pass
        frontier.turn += 1
        turn = np.uint64(frontier.turn if fifo else LAST_TURN - frontier.turn)
        f, rank, node = self.entry(f, rank)
        g, h = (0.0, rank) if ranked and not high_g else (rank, 0.0)
        made = entries.entry_of(frontier.arrays, f, g, h, turn, np.uint64(node), ranked, high_g)
        SMALL.module(f"{QUEUE}.ladder").push(frontier.arrays, made)

    def pop(self) -> None:
        """Remove the first entry, which is the right one."""
        entries, ladder, opening = (
            SMALL.module(f"{QUEUE}.{name}") for name in ("entries", "ladder", "opening")
        )
        arrays, (_, ranked, high_g, _) = self.frontier.arrays, self.policy
        for step in range(200):
            if arrays.sizes[entries.TOP] + arrays.sizes[entries.HEAPED] > 0:
                break
            if not opening.open_few(arrays):
                assert 0 < opening.open_next_bucket(arrays) <= 8 * 16
                self.phases.add(int(arrays.sizes[entries.PHASE]))
                if step == 1:
                    self.check_saved()
        entry, stacked = ladder.first(arrays)
        f, _, _, node, rank = heappop(self.expected)
        assert (entries.f_of(arrays, entry), entries.node_of(arrays, entry, ranked)) == (f, node)
        if not ranked or high_g:
            assert entries.g_of(arrays, entry, ranked) == rank
        ladder.drop(arrays, stacked)
        assert ladder.waiting(arrays) == len(self.expected)
        self.f = f
        self.was_wide |= arrays.sizes[entries.WIDE] != 0

    def check_saved(self) -> Any:
        """Return what is saved: all entries, whose words are in the order in which they come out."""
        saved = self.frontier.saved()
        rows = saved["entries"]
        nodes = rows[np.lexsort(rows.T[::-1])][:, 2 if saved["real"] and self.policy[1] else 1] & LAST_TURN
        assert nodes.tolist() == [node for _, _, _, node, _ in sorted(self.expected)]
        return saved

    def restore(self) -> None:
        """Go on with another queue, which is restored."""
        saved, turn = {**self.check_saved(), "found": False}, self.frontier.turn
        self.frontier = SMALL.module(f"{QUEUE}.frontier").Frontier(not saved["real"], *self.policy[1:])
        fields = SMALL.module("searchkit.compiled.kit.fields").Fields(saved)
        self.frontier.restore(fields, ALL_REACHED, turn)

    def check_chunks(self) -> None:
        """Find all chunks that were ever used free, as the queue is empty."""
        entries, ladder = (SMALL.module(f"{QUEUE}.{name}") for name in ("entries", "ladder"))
        arrays, free = self.frontier.arrays, set[int]()
        chunk = int(arrays.sizes[entries.FREE])
        while chunk != ladder.END:
            assert chunk not in free
            free.add(chunk)
            chunk = int(arrays.links[chunk])
        assert free == set(range(arrays.sizes[entries.USED]))


@interpreted
@pytest.mark.parametrize(
    ("whole", "rank", "fifo"),
    [
        *((True, "none", True), (True, "none", False), (True, "high-g", False)),
        *((False, "none", True), (False, "none", False), (False, "high-g", False)),
    ],
)
def test_entries_come_out_in_order(whole: bool, rank: str, fifo: bool) -> None:
    """Whatever is pushed when: the least f first, then the rank, then the turn. No step handles many entries."""
    random = Random(3)
    unit = 1.0 if whole else 1 / 7
    queue = Checked(whole, rank != "none", rank == "high-g", fifo)

    def drawn(spread: str, ranks: str, back: int = 0) -> Any:
        return max(0.0, queue.f + unit * (SPREADS[spread](random) - back)), float(RANKS[ranks](random))

    with np.errstate(over="ignore"):
        for number, (spread, ranks, count) in enumerate(CASES):
            if not queue.expected:
                queue.fill([drawn(spread, ranks) for _ in range([21, 3, 8][number % 3])])
            for _ in range(count):
                queue.push(*drawn(spread, ranks))
            for step in range(30):
                queue.pop()
                for _ in range(random.choice([0, 1, 1, 2]) * (step < 20)):
                    queue.push(*drawn(spread, ranks, back=random.choice([0, 2])))
            if number % 2:
                queue.restore()
                last = drawn(spread, ranks)
                queue.push(*last)
                for _ in queue.frontier.renumber():
                    pass
                queue.push(*last)
            while number % 3 and queue.expected:
                queue.pop()
        while queue.expected:
            queue.pop()
        queue.check_chunks()
    phases = SMALL.module(f"{QUEUE}.sorting")
    seen = {"SPREAD"} if whole and rank == "none" else {"COUNT", "INSERT", "HEAP"}
    seen |= {"COPY"} if fifo and not whole else set()
    assert {getattr(phases, name) for name in seen} <= queue.phases
    assert queue.was_wide == whole


@interpreted
def test_the_next_bucket_is_most_of_the_ring_away() -> None:
    """All words of marks between it and the open one are empty, and it is before that in the ring."""
    queue = Checked(whole=True, ranked=False, high_g=False, fifo=True)
    with np.errstate(over="ignore"):
        queue.fill([(70.0, 0.0)])
        queue.pop()
        queue.push(195.0, 0.0)
        queue.pop()


@interpreted
def test_one_entry_in_the_heap_is_as_good_as_one_on_the_stack() -> None:
    """An entry as good as it, but newer, comes out before it, although there is room on the stack by now."""
    queue = Checked(whole=True, ranked=True, high_g=True, fifo=False)
    with np.errstate(over="ignore"):
        queue.fill([(10.0, float(g)) for g in range(5, 11)])
        queue.pop()
        queue.push(10.0, 2.0)  # too deep for the stack
        for _ in range(3):
            queue.pop()
        queue.push(10.0, 2.0)
        while queue.expected:
            queue.pop()
