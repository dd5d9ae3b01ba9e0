"""The edges of a graph as arrays: compressed sparse rows."""

from array import array
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, islice
from operator import le
from typing import TypeAlias

from attrs import frozen

from searchkit.compiled.view import CSR

Costs: TypeAlias = "array[int] | array[float] | None"
"""The cost of each edge: integers (type code q), floats (d), or None if every edge costs 1."""
MOST = 2**63 - 1
"""The largest integer cost."""


@frozen(eq=False, slots=False)
class Rows:
    """Edges numbered from 0; those that leave node i are `begins[i]` up to, not including, `begins[i + 1]`.

    The arrays are of the standard library, so ten million edges fit into memory without numpy, and numpy can read them
    in place.
    """

    begins: "array[int]"
    """Type code q; one element more than there are nodes."""
    heads: "array[int]"
    """Type code I: the head of each edge."""
    costs: Costs
    keys: Sequence[Hashable] | None = None
    """The key of each edge, which tells parallel edges apart; None if they are numbered."""

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.begins) - 1

    @cached_property
    def into(self) -> "Rows":
        """The edges grouped by head: its `heads` are numbers of edges, in order. O(nodes + edges)."""
        return rows_of(self.nodes, self.heads, range(len(self.heads)), None)

    @cached_property
    def compiled(self) -> CSR:
        """The edges for compiled engines, created at the first use and shared by problems on the graph.

        Raises `MissingCapabilityError` if too many edges leave a node.
        """
        from searchkit_graph.compiled import compile_rows

        return compile_rows(self.begins, self.heads, self.costs)

    def tails(self) -> Iterable[int]:
        """Yield the tail of each edge."""
        for node, (begin, end) in enumerate(zip(self.begins, islice(self.begins, 1, None), strict=False)):
            for _ in range(begin, end):
                yield node


def rows_of(nodes: int, tails: Sequence[int], heads: Sequence[int], costs: Costs) -> Rows:
    """Return the rows of a list of edges; edges of one node keep their order. O(nodes + edges)."""
    count = [0] * (nodes + 1)
    for tail in tails:
        count[tail + 1] += 1
    begins = array("q", accumulate(count))
    if all(map(le, tails, islice(tails, 1, None))):  # the edges are grouped by tail, as in most files
        return Rows(begins, array("I", heads), costs)
    places = begins.tolist()
    order = array("I", bytes(4 * len(tails)))
    for edge, tail in enumerate(tails):
        place = places[tail]
        order[place] = edge
        places[tail] = place + 1
    ordered_costs = None if costs is None else array(costs.typecode, map(costs.__getitem__, order))
    return Rows(begins, array("I", map(heads.__getitem__, order)), ordered_costs)
