"""The edges of a graph as arrays, node by node: compressed sparse rows."""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, islice
from operator import le
from typing import TypeAlias

from attrs import frozen

from searchkit.compiled.view import CSR

Costs: TypeAlias = "array[int] | array[float] | None"
"""What each edge costs: whole numbers (type code q), floats (d), or None where every edge costs 1."""
MOST = 2**63 - 1
"""The largest whole cost."""


@frozen(eq=False, slots=False)
class Rows:
    """Edges, numbered from 0: those that leave node i are numbers `begins[i]` up to `begins[i + 1]`.

    The arrays are Python's own, so that ten million edges fit into memory without numpy, which reads them in place.
    """

    begins: "array[int]"
    """Type code q, one more than there are nodes."""
    heads: "array[int]"
    """Type code I: the node that each edge leads to."""
    costs: Costs

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.begins) - 1

    @cached_property
    def into(self) -> "Rows":
        """The same edges by the node that they lead to: its `heads` are edges, in order. O(nodes + edges)."""
        return rows_of(self.nodes, self.heads, range(len(self.heads)), None)

    @cached_property
    def compiled(self) -> CSR:
        """The same for compiled engines, made at the first use; problems on one graph share it.

        Raises `MissingCapabilityError` if too many edges leave a node.
        """
        from searchkit_graph.compiled import compile_rows

        return compile_rows(self.begins, self.heads, self.costs)

    def tails(self) -> Iterable[int]:
        """Yield the node that each edge leaves."""
        for node, (begin, end) in enumerate(zip(self.begins, islice(self.begins, 1, None), strict=False)):
            for _ in range(begin, end):
                yield node


def rows_of(nodes: int, tails: Sequence[int], heads: Sequence[int], costs: Costs) -> Rows:
    """Return the rows of edges that are given one by one; edges of one node keep their order. O(nodes + edges)."""
    count = [0] * (nodes + 1)
    for tail in tails:
        count[tail + 1] += 1
    begins = array("q", accumulate(count))
    if all(map(le, tails, islice(tails, 1, None))):  # they come node by node, as most files have them
        return Rows(begins, array("I", heads), costs)
    places = begins.tolist()
    order = array("I", bytes(4 * len(tails)))
    for edge, tail in enumerate(tails):
        place = places[tail]
        order[place] = edge
        places[tail] = place + 1
    ordered_costs = None if costs is None else array(costs.typecode, map(costs.__getitem__, order))
    return Rows(begins, array("I", map(heads.__getitem__, order)), ordered_costs)
