"""Contraction hierarchies, and the paths that their shortcuts stand for."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from attrs import frozen

from searchkit.compiled.shared import SharedTable
from searchkit.plugin import MissingCapabilityError
from searchkit_graph.precomputed.network import COUNTED, NONE, Network
from searchkit_graph.precomputed.tables import Way, damaged, way_along

WHAT = "contraction hierarchies"
"""What messages say of the table."""
SIMULATED, CONTRACTED = 50, 500
"""How many states the search for a path around a state settles: when shortcuts are counted, and when they are made. A
path that is not found costs a shortcut that is not needed, and nothing else."""
MOST_STEPS = 1 << 15
"""The arcs that such a search follows, about."""
MOST_PAIRS = 1 << 20
"""If a state has more pairs of arcs, its shortcuts are not counted: that there will be one for each is assumed."""
MOST_ARCS = 40_000_000
"""The most arcs of a hierarchy, 12 bytes each."""


class Half(NamedTuple):
    """The arcs that leave states for states of higher ranks, or those that come from there. States are ranks here.

    The arcs of a state are those from `begins[rank]` up to, not including, `begins[rank + 1]`, sorted by the other end.
    """

    begins: Any
    heads: Any
    """The other end of each arc."""
    lengths: Any
    """The length of each arc, as those of the edges of a `Network`."""
    middles: Any
    """For a shortcut, the state of a lower rank that it leads over; `NONE` for an edge."""


@frozen(eq=False, slots=False)
class Hierarchy:
    """A contraction hierarchy of a network (Geisberger, Sanders, Schultes and Delling 2008).

    States are removed one after the other, and their *ranks* say in what order. When a state is removed, each shortest
    path over it, from one neighbour to another, is replaced by a *shortcut* of the same length, unless another path is
    as short. So distances between the states that are left stay the same, and for any two states there is a shortest
    path, of edges and shortcuts, on which ranks first rise and then fall.
    """

    network: Network
    ranks: Sequence[int]
    """State → its rank: the least important state, which was removed first, has rank 0."""
    up: Half
    """The arcs that leave a state for states of higher ranks."""
    down: Half
    """The arcs that lead to a state from states of higher ranks."""
    table: SharedTable | None = None
    """The file that it is read from; None if it was made by this process."""

    @cached_property
    def readers(self) -> list[Any]:
        """What searches the hierarchy as machine code, and is free for the next search."""
        return []

    @cached_property
    def states(self) -> Sequence[int]:
        """Rank → state."""
        states = array("I", bytes(4 * len(self.ranks)))
        for state, rank in enumerate(self.ranks):
            states[rank] = state
        return states

    def check_unchanged(self) -> None:
        """Raise `InputFormatError` if the file was changed after its check."""
        if self.table is not None:
            self.table.check_unchanged()

    def described(self) -> str:
        """Return what the hierarchy has, for messages."""
        shortcuts = sum(middle != NONE for half in (self.up, self.down) for middle in half.middles)
        edges = len(self.up.heads) + len(self.down.heads) - shortcuts
        return f"{shortcuts:,} shortcuts and {edges:,} edges of {self.network.size:,} states"

    def middle(self, tail: int, head: int) -> int:
        """Return the rank of the state that an arc leads over; `NONE` for an edge.

        Raises `InputFormatError` if there is no such arc, or if the state is not lower than both ends.
        """
        half, low, high = (self.up, tail, head) if tail < head else (self.down, head, tail)
        begin, end = half.begins[low], half.begins[low + 1]
        place = bisect_left(half.heads, high, begin, end)
        if place == end or half.heads[place] != high or low <= half.middles[place] != NONE:
            raise damaged(WHAT)
        middle: int = half.middles[place]
        return middle

    def unpacked(self, ranks: Sequence[int]) -> list[int]:
        """Return the states of a path, given the ends of its arcs; shortcuts are replaced by the edges under them."""
        path, left = [ranks[0]], list(ranks[:0:-1])
        while left:
            middle = self.middle(path[-1], left[-1])
            if middle != NONE:
                left.append(middle)
                continue
            path.append(left.pop())
            if len(path) > self.network.size:
                raise damaged(WHAT)
        return [self.states[rank] for rank in path]

    def way(self, ranks: Sequence[int]) -> Way:
        """Return a path with its edges, given the ends of its arcs."""
        return way_along(self.network, self.unpacked(ranks), WHAT)


def arcs(half: Half, rank: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the other end and the length of each arc. Raises `InputFormatError` if an end is not of a higher rank."""
    for place in range(half.begins[rank], half.begins[rank + 1]):
        if not rank < half.heads[place] < size:
            raise damaged(WHAT)
        yield half.heads[place], half.lengths[place]


def is_countable(network: Network) -> bool:
    """Whether the values of all paths tell their costs: the edges that they count are fewer than a cost counts."""
    return network.units != COUNTED or network.size <= COUNTED[0]


def too_many(most: int) -> MissingCapabilityError:
    """Return the error of a network with too many shortcuts."""
    return MissingCapabilityError(
        f"contraction hierarchies of this graph would have more than {most:,} arcs; use engine dijkstra or astar"
    )
