"""Files of hub labels: a header, and the arrays of `HubLabels`.

All numbers are checked here. Machine code uses the numbers of parts and places as indices: each process has those for
itself. Processes share the memory of the rows, which are distances: if somebody changes a row later, a distance is
wrong, but no index is.
"""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from searchkit.compiled.shared import SharedTable
from searchkit_graph.precomputed import table_file
from searchkit_graph.precomputed.labels.dissection import MOST_ENTRIES
from searchkit_graph.precomputed.labels.table import HubLabels
from searchkit_graph.precomputed.network import Network
from searchkit_graph.precomputed.table_file import SIZE, TableFormat, counts_of

FORMAT = TableFormat("labels", "hub labels", b"searchkit labels", 1)


def written(labels: HubLabels) -> list[bytes]:
    """Return the contents of the file of labels, in parts."""
    arrays = [labels.above, labels.ends, labels.parts, labels.places, labels.forward]
    if labels.backward is not labels.forward:
        arrays.append(labels.backward)
    return FORMAT.contents(labels.network, (len(labels.above), len(labels.forward)), arrays)


def read_labels(path: Path, network: Network, make: Callable[[Network], HubLabels]) -> HubLabels:
    """Return the labels in a file; processes share the memory of their distances.

    All numbers are checked, unless the same file has been checked on this machine before: by machine code, in a tenth
    of the time that computing them takes; without it, or for a small network, by comparison with the labels that `make`
    returns.

    Raises `InputFormatError` as `TableFormat.read` does.
    """

    def fault(contents: memoryview) -> str:
        labels = _labels(contents, contents, network, None)
        if labels is None:
            return "the numbers of its parts do not fit its length"
        return _contradiction(labels, network, make)

    frame = SIZE + 16 * network.size  # at most: there are no more parts than states
    table = FORMAT.read(path, network, frame + 8 * MOST_ENTRIES, frame, fault)
    found = _labels(memoryview(table.first), table.memory, network, table)
    assert found is not None
    return found


def _contradiction(labels: HubLabels, network: Network, make: Callable[[Network], HubLabels]) -> str:
    """Return what is wrong with the numbers of labels, or ""."""
    if network.size > table_file.LARGE and find_spec("numba") is not None:
        from searchkit_graph.precomputed.labels.compiled.checking import fault_of

        return fault_of(labels)
    same = written(labels) == written(make(network))
    return "" if same else "its distances are not those that the map makes"


def _labels(
    own: memoryview, contents: memoryview, network: Network, table: SharedTable | None
) -> HubLabels | None:
    """Return the labels in the contents of a file; None if they have another length than the header says.

    `own` begins like the contents, and is used as far as machine code finds indices there.
    """
    parts, entries = counts_of(own)
    symmetric = network.reverse is network
    frame = [parts, parts, network.size, network.size]
    counts = [*frame, entries, *([] if symmetric else [entries])]
    if parts > network.size or len(contents) != SIZE + 4 * sum(counts):
        return None
    bounds = list(accumulate(counts, initial=SIZE // 4))
    arrays: list[Any] = [
        (
            own[4 * begin : 4 * end].cast("i")
            if index < len(frame)
            else contents[4 * begin : 4 * end].cast("I")
        )
        for index, (begin, end) in enumerate(pairwise(bounds))
    ]
    above, ends, of_states, places, forward = arrays[:5]
    return HubLabels(network, above, ends, of_states, places, forward, arrays[-1], table)
