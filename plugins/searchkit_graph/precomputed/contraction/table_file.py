"""Files of contraction hierarchies: a header, the ranks, and the arrays of both halves.

All numbers are checked here: an arc is an edge, or the sum of two arcs over a state of a lower rank, so its length is
that of a path; and where ranks fall and rise again on the way between two states, there is a way as short on which they
rise and fall. Each process has ranks, and where the arcs of a state begin, for itself. Processes share the memory of
the arcs: machine code checks the ends of an arc whenever it uses them as indices.
"""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import accumulate, pairwise
from pathlib import Path

from searchkit.compiled.shared import SharedTable
from searchkit_graph.precomputed import table_file
from searchkit_graph.precomputed.contraction.hierarchy import MOST_ARCS, Half, Hierarchy
from searchkit_graph.precomputed.network import Network
from searchkit_graph.precomputed.table_file import SIZE, TableFormat, counts_of

FORMAT = TableFormat("hierarchy", "contraction hierarchies", b"searchkit ranks ", 1)


def written(hierarchy: Hierarchy) -> list[bytes]:
    """Return the contents of the file of a hierarchy, in parts."""
    up, down = hierarchy.up, hierarchy.down
    arrays = [hierarchy.ranks, up.begins, down.begins, *up[1:], *down[1:]]
    return FORMAT.contents(hierarchy.network, (len(up.heads), len(down.heads)), arrays)


def read_hierarchy(path: Path, network: Network, make: Callable[[Network], Hierarchy]) -> Hierarchy:
    """Return the hierarchy in a file; processes share the memory of its arcs.

    All numbers are checked, unless the same file has been checked on this machine before: by machine code, or without
    it, or for a small network, by comparison with the hierarchy that `make` returns.

    Raises `InputFormatError` as `TableFormat.read` does.
    """

    def fault(contents: memoryview) -> str:
        hierarchy = _hierarchy(contents, contents, network, None)
        if hierarchy is None:
            return "the numbers of its arcs do not fit its length"
        if network.size > table_file.LARGE and find_spec("numba") is not None:
            from searchkit_graph.precomputed.contraction.compiled.checking import fault_of

            return fault_of(hierarchy)
        return "" if written(hierarchy) == written(make(network)) else "its arcs are not those of the graph"

    own = SIZE + 4 * (3 * network.size + 2)
    table = FORMAT.read(path, network, own + 12 * MOST_ARCS, own, fault)
    found = _hierarchy(memoryview(table.first), table.memory, network, table)
    assert found is not None
    return found


def _hierarchy(
    own: memoryview, contents: memoryview, network: Network, table: SharedTable | None
) -> Hierarchy | None:
    """Return the hierarchy in the contents of a file; None if they have another length than the header says.

    `own` begins like the contents, and is used as far as numbers are indices that are not checked again.
    """
    up, down = counts_of(own)
    frame = [network.size, network.size + 1, network.size + 1]
    counts = [*frame, *[up] * 3, *[down] * 3]
    if len(contents) != SIZE + 4 * sum(counts):
        return None
    ranks, begins, back_begins, *arcs = (
        (own if index < len(frame) else contents)[4 * begin : 4 * end].cast("I")
        for index, (begin, end) in enumerate(pairwise(accumulate(counts, initial=SIZE // 4)))
    )
    return Hierarchy(network, ranks, Half(begins, *arcs[:3]), Half(back_begins, *arcs[3:]), table)
