"""Making contraction hierarchies, in Python; `compiled.contracting` makes the same in machine code."""

from array import array
from heapq import heappop, heappush
from typing import TypeAlias

from searchkit.plugin import MissingCapabilityError
from searchkit_graph.precomputed.contraction.hierarchy import (
    CONTRACTED,
    MOST_ARCS,
    MOST_PAIRS,
    MOST_STEPS,
    SIMULATED,
    WHAT,
    Half,
    Hierarchy,
    is_countable,
    too_many,
)
from searchkit_graph.precomputed.network import COUNTED, FAR, NONE, Network, added
from searchkit_graph.precomputed.tables import is_fast

NAME = "contraction-hierarchies"
"""The name of the engine, and of the method of `searchkit precompute`."""
SUFFIX = ".hierarchy"
"""The end of the names of files of hierarchies."""
Arc: TypeAlias = list[int]
"""The other end, the length, and the middle or `NONE`."""


def make(network: Network) -> Hierarchy:
    """Return a contraction hierarchy of a network, made in Python or in machine code: they are the same.

    Raises `MissingCapabilityError` if there would be too many shortcuts, if some are too long, and if there are too
    many states to do it without Numba.
    """
    if not is_countable(network):
        raise MissingCapabilityError(
            f"some edges cost 0, and contraction hierarchies of such graphs are for up to {COUNTED[0]:,} states; use "
            "engine dijkstra or astar"
        )
    if is_fast(network, WHAT):
        from searchkit_graph.precomputed.contraction.compiled.contracting import make_hierarchy

        return make_hierarchy(network)
    return Contraction(network).hierarchy()


class Contraction:
    """Removes the states of a network one after the other."""

    def __init__(self, network: Network):
        self.network, size = network, network.size
        self.out: list[list[Arc]] = [[] for _ in range(size)]
        """The arcs from each state to states that are left."""
        self.into: list[list[Arc]] = [[] for _ in range(size)]
        """The arcs to each state from states that are left, each with its tail."""
        for tail in range(size):
            shortest: dict[int, int] = {}
            for head, length in network.edges(tail):
                shortest[head] = min(length, shortest.get(head, NONE))
            for head in sorted(shortest.keys() - {tail}):
                self.out[tail].append([head, shortest[head], NONE])
                self.into[head].append([tail, shortest[head], NONE])
        self.arcs = sum(map(len, self.out))
        self.removed, self.level = [0] * size, [0] * size
        """Of each state, how many neighbours were removed, and how many one after the other, each a neighbour of the
        next."""
        self.ranks = array("I", [NONE]) * size

    def hierarchy(self) -> Hierarchy:
        """Remove all states: always that which seems to be least important (a lazy queue)."""
        queue: list[tuple[int, int]] = []
        for state in range(self.network.size):
            heappush(queue, (self.priority(state), state))
        rank = 0
        while queue:
            _, state = heappop(queue)
            priority = self.priority(state)
            if queue and priority > queue[0][0]:  # it has changed since
                heappush(queue, (priority, state))
                continue
            self.contract(state)
            self.ranks[state], rank = rank, rank + 1
            self.remove(state)
        return Hierarchy(self.network, self.ranks, self.half(self.out), self.half(self.into))

    def priority(self, state: int) -> int:
        """Return how important a state seems: more shortcuts than arcs, neighbours removed, levels below it."""
        out, into = len(self.out[state]), len(self.into[state])
        needed = out * into
        if needed <= MOST_PAIRS:
            needed = sum(len(self.shortcuts(state, arc, SIMULATED)) for arc in self.into[state])
        return 2 * (needed - out - into) + self.removed[state] + self.level[state]

    def contract(self, state: int) -> None:
        """Make the shortcuts over a state."""
        for arc in self.into[state]:
            tail, into, _ = arc
            for head, onward, _ in self.shortcuts(state, arc, CONTRACTED):
                length = added(self.network, into, onward)
                there = next((other for other in self.out[tail] if other[0] == head), None)
                if there is not None:
                    back = next(other for other in self.into[head] if other[0] == tail)
                    there[1:] = back[1:] = [length, state]
                    continue
                self.out[tail].append([head, length, state])
                self.into[head].append([tail, length, state])
                self.arcs += 1
                if self.arcs > MOST_ARCS:
                    raise too_many(MOST_ARCS)

    def shortcuts(self, state: int, arc: Arc, most: int) -> list[Arc]:
        """Return the arcs that leave a state and need a shortcut from the tail of an arc that leads to it."""
        value, (source, into, _) = self.network.value, arc
        onward = [other for other in self.out[state] if other[0] != source]
        if not onward:
            return []
        limit = value(into) + max(value(other[1]) for other in onward)
        values = self.witnesses(source, state, limit, {other[0] for other in onward}, most)
        return [other for other in onward if values.get(other[0], FAR) > value(into) + value(other[1])]

    def witnesses(self, source: int, without: int, limit: int, wanted: set[int], most: int) -> dict[int, int]:
        """Return state → the value of a way there that avoids a state (a search with a limit of effort)."""
        values, frontier, settled, steps = {source: 0}, [(0, source)], 0, 0
        while frontier:
            here_value, here = heappop(frontier)
            if here_value > values[here]:
                continue
            wanted.discard(here)
            if not wanted or settled >= most or steps >= MOST_STEPS:
                break
            settled += 1
            steps += len(self.out[here])
            for head, length, _ in self.out[here]:
                beyond = here_value + self.network.value(length)
                if beyond <= limit and head != without and beyond < values.get(head, FAR):
                    values[head] = beyond
                    heappush(frontier, (beyond, head))
        return values

    def remove(self, state: int) -> None:
        """Remove a state from the arcs of its neighbours; its own arcs stay."""
        around = set()
        for mine, theirs in ((self.out, self.into), (self.into, self.out)):
            for other, _, _ in mine[state]:
                around.add(other)
                arcs = theirs[other]
                place = next(place for place, arc in enumerate(arcs) if arc[0] == state)
                arcs[place] = arcs[-1]
                arcs.pop()
        for other in around:
            self.removed[other] += 1
            self.level[other] = max(self.level[other], self.level[state] + 1)

    def half(self, lists: list[list[Arc]]) -> Half:
        """Return the arcs in lists, with ranks instead of states."""
        ranks = self.ranks
        begins, heads, lengths, middles = array("I", [0]), array("I"), array("I"), array("I")
        for state in sorted(range(len(ranks)), key=ranks.__getitem__):
            for other, length, middle in sorted(lists[state], key=lambda arc: ranks[arc[0]]):
                heads.append(ranks[other])
                lengths.append(length)
                middles.append(NONE if middle == NONE else ranks[middle])
            begins.append(len(heads))
        return Half(begins, heads, lengths, middles)
