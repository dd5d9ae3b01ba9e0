"""Machine code for two bits a state, run by Python: layers of graphs, whenever a call ends, and invalid ranks."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.kernels.interpreted import Interpreted, interpreted

pytestmark = interpreted
KERNELS = Interpreted().module("searchkit.scale.ranked.kernels")
FACTOR = np.uint64(7)
"""The state of a node is seven times the node."""
MOST = 3
"""The most successors of a node."""


def expand(ahead: Any, table: Any, state: Any, out_states: Any, out_costs: Any) -> int:
    """Write the successors of a state."""
    found = ahead[int(state // FACTOR)]
    out_states[: len(found)] = np.array(found, np.uint64) * FACTOR
    return len(found)


def rank(table: Any, state: Any) -> Any:
    """Return the node of a state."""
    return np.uint64(state) // FACTOR


def unrank(table: Any, index: Any) -> Any:
    """Return the state of a node."""
    return np.uint64(index) * FACTOR


def graph(rng: Random) -> list[list[int]]:
    """Return the successors of each node."""
    size = rng.choice((1, 31, 32, 33, 200))
    return [[rng.randrange(size) for _ in range(rng.randint(0, MOST))] for _ in range(size)]


class Layers:
    """A search of a graph, from node 0."""

    def __init__(self, ahead: list[list[int]], room: int, rank_of: Callable[[Any, Any], Any] = rank):
        self.ahead, self.rank, self.size = ahead, rank_of, len(ahead)
        self.cells = np.zeros(-(-self.size // KERNELS.PER_WORD), np.uint64)
        self.cells[0] = KERNELS.EVEN
        self.mark, self.counters = KERNELS.EVEN, np.zeros(KERNELS.COUNTERS, np.int64)
        self.out = np.zeros(MOST, np.uint64), np.zeros(MOST)
        self.waiting = np.zeros(MOST + room, np.uint64)

    def call(self, steps: int) -> Any:
        """Expand some states of the present layer."""
        return KERNELS.expand_marked(
            self.ahead, self.rank, unrank, None, self.cells, self.size, self.mark, len(self.cells), steps,
            self.counters, *self.out, self.waiting,
        )  # fmt: skip

    def count(self) -> int:
        """Begin the next layer, and return how many states it has."""
        self.counters[KERNELS.NEXT], self.mark = 0, KERNELS.EVEN + KERNELS.ODD - self.mark
        return int(KERNELS.count_marked(self.cells, 0, len(self.cells), self.mark))


@pytest.fixture(autouse=True)
def _expanding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KERNELS, "expand", expand)


def test_layers() -> None:
    """They are those of a search with sets; a call ends at the word at which the steps are used up."""
    words = KERNELS.PER_WORD
    for seed in range(40):
        rng = Random(seed)
        ahead = graph(rng)
        search = Layers(ahead, rng.randint(0, 9))
        layer, reached = {0}, {0}
        while layer:
            done = False
            while not done:
                first, steps = int(search.counters[KERNELS.NEXT]), rng.choice((1, 2, 40, 200, 1000))
                expanded = search.counters[KERNELS.EXPANDED]
                done = search.call(steps)
                end = int(search.counters[KERNELS.NEXT])
                here = [[node for node in layer if node // words == word] for word in range(first, end)]
                work = [
                    1 + KERNELS.STEPS_PER_SUCCESSOR * sum(len(ahead[node]) for node in nodes)
                    for nodes in here
                ]
                assert sum(work[:-1]) < steps
                assert done == (end == len(search.cells))
                assert done or sum(work) >= steps
                assert search.counters[KERNELS.EXPANDED] - expanded == sum(map(len, here))
            layer = {each for node in layer for each in ahead[node]} - reached
            reached |= layer
            assert search.count() == len(layer)
        assert search.counters[KERNELS.EXPANDED] == len(reached)
        assert search.counters[KERNELS.GENERATED] == sum(len(ahead[node]) for node in reached)


def test_invalid_ranks() -> None:
    """A rank that is just too large ends the call, whoever the parent is; no state is marked for it."""
    for parent in (0, 1, 40):
        ahead: list[list[int]] = [[parent, 2], *([] for _ in range(49))]
        ahead[parent] = [3, 50, 4]
        search = Layers(ahead, 9)
        assert (search.call(1000), parent) == (parent != 0, parent)
        if parent:
            search.count()
            assert not search.call(1000)
        found = search.counters[[KERNELS.WRONG, KERNELS.WRONG_RANK]].tolist()
        assert found == [parent + 1, 50]


def test_a_sample_of_the_states_is_compared_with_those_of_their_ranks() -> None:
    """One of each word: the first successor of its last state."""

    def wrong(table: Any, state: Any) -> Any:
        return np.uint64(5)

    search = Layers([[5], [], [], [], [], [], []], 9, wrong)
    assert search.call(1000)
    search = Layers([[6], [], [], [], [], [], []], 9, wrong)
    assert not search.call(1000)
    assert search.counters[[KERNELS.WRONG, KERNELS.WRONG_RANK]].tolist() == [1, 5]
