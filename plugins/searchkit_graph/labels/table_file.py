"""Files of hub labels. A file lies beside its map or graph, is checked when it is read, and is rejected if it is wrong.

A file is a header of 128 bytes and the arrays of `HubLabels`, integers of 32 bits in the byte order of the machine that
wrote it. All of them are checked here. Machine code uses the numbers of parts and places as indices: each process has
those for itself. Processes share the memory of the rows, which are distances: if somebody changes a row later, a
distance is wrong, but no index is.
"""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import accumulate, pairwise
from pathlib import Path
from struct import Struct
from typing import Any
from zlib import crc32

from searchkit.compiled.shared import SharedTable, read_shared
from searchkit.plugin import InputFormatError
from searchkit_graph.labels.dissection import MOST_ENTRIES
from searchkit_graph.labels.network import Network
from searchkit_graph.labels.table import HubLabels

FORMAT = 1
"""The version. It is incremented when the same network gives other labels, or when the check changes."""
MAGIC = b"searchkit labels"
ORDER = 0x01020304
"""An integer that shows the byte order of the machine."""
HEADER = Struct("=16sIIIII32s")
SIZE = 128
"""The length of the header, padded with zeros."""
LARGE = 2_000
"""With more states than this, checking labels by machine code saves more time than importing Numba takes."""


def written(labels: HubLabels) -> list[bytes]:
    """Return the contents of the file of labels, in parts."""
    arrays = [labels.above, labels.ends, labels.parts, labels.places, labels.forward]
    if labels.backward is not labels.forward:
        arrays.append(labels.backward)
    body = [bytes(part) for part in arrays]
    header = HEADER.pack(
        MAGIC, ORDER, FORMAT, len(labels.above), len(labels.forward), _checksum(body), labels.network.digest
    )
    return [header.ljust(SIZE, b"\0"), *body]


def read_labels(path: Path, network: Network, make: Callable[[Network], HubLabels]) -> HubLabels:
    """Return the labels in a file; processes share the memory of their distances: see `read_shared`.

    All numbers are checked, unless the same file has been checked on this machine before: by machine code, in a tenth
    of the time that computing them takes; without it, or for a small network, by comparison with the labels that `make`
    returns.

    Raises `InputFormatError` if the file can't be read, is damaged or forged, or was written for another map or graph
    or by another version.
    """

    def check(contents: memoryview) -> None:
        fault = _fault(contents, network)
        if not fault:
            labels = _labels(contents, contents, network, None)
            found = (
                _contradiction(labels, network, make)
                if labels
                else "the numbers of its parts do not fit its length"
            )
            fault = found and f"it is damaged: {found}"
        if fault:
            raise InputFormatError(
                f"{fault}; make it anew with searchkit precompute, or delete it", source=str(path)
            )

    frame = SIZE + 16 * network.size  # at most: there are no more parts than states
    name = f"labels-{FORMAT}-{network.digest.hex()}"
    table = read_shared(path, name, frame + 8 * MOST_ENTRIES, frame, check)
    found = _labels(memoryview(table.first), table.memory, network, table)
    assert found is not None
    return found


def _contradiction(labels: HubLabels, network: Network, make: Callable[[Network], HubLabels]) -> str:
    """Return what is wrong with the numbers of labels, or ""."""
    if network.size > LARGE and find_spec("numba") is not None:
        from searchkit_graph.labels.compiled.checking import fault_of

        return fault_of(labels)
    same = written(labels) == written(make(network))
    return "" if same else "its distances are not those that the map makes"


def _fault(contents: memoryview, network: Network) -> str:
    """Return the error of a file as far as its header shows it, or ""."""
    if len(contents) < SIZE or contents[: len(MAGIC)] != MAGIC:
        return "this is not a file of hub labels, or it was cut short"
    _, order, version, _, _, checksum, digest = HEADER.unpack_from(contents)
    if order != ORDER:
        return "it was made on a machine with another order of bytes"
    if version != FORMAT:
        return f"it is of version {version} of the format; expected {FORMAT}"
    if digest != network.digest:
        return "it was made for another map: the map has changed since"
    if checksum != _checksum([contents[SIZE:]]):
        return "it is damaged: its contents do not fit the checksum in its header"
    return ""


def _labels(
    own: memoryview, contents: memoryview, network: Network, table: SharedTable | None
) -> HubLabels | None:
    """Return the labels in the contents of a file; None if they have another length than the header says.

    `own` begins like the contents, and is used as far as machine code finds indices there.
    """
    _, _, _, parts, entries, _, _ = HEADER.unpack_from(own)
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


def _checksum(parts: list[Any]) -> int:
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    return checksum
