"""The files of pattern databases: built once, then read by any number of processes.

The digests of the correct tables are known, so a damaged or forged file is never used.
"""

from collections.abc import Sequence

from searchkit.compiled.tables import TableFile
from searchkit_tiles.heuristics.pattern_digests import DIGESTS

VERSION = 1
"""The version of the files. It is incremented when the tables of a name change."""


def file_of(name: str, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> TableFile:
    """Return the file of the tables of a board, with tables of these sizes in bytes for these groups."""
    split = " ".join(",".join(map(str, group)) for group in groups)
    return TableFile(
        f"tiles-{name}-v{VERSION}.bin",
        f"searchkit pattern databases v{VERSION}, {name}: {split}",
        sum(sizes),
        DIGESTS.get(name, ""),
    )


def kept(name: str, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[memoryview] | None:
    """Return the tables of a board from its file; None if there is none, or if it is not correct."""
    content = file_of(name, groups, sizes).read()
    if content is None:
        return None
    tables, begin = [], 0
    for size in sizes:
        tables.append(content[begin : begin + size])
        begin += size
    return tables
