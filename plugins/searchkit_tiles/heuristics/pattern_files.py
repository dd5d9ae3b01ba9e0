"""The files of pattern databases: built once, then mapped into the memory of any number of processes.

The digests of the correct tables are known, so a damaged or forged file is never used. A table holds slides and no
places: whatever the owner of the file writes there later, no entry of it is an index.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from searchkit.compiled.tables import TableFile
from searchkit_tiles.heuristics.pattern_digests import DIGESTS

VERSION = 2
"""The version of the files. It is incremented when the tables of a name change, or their place."""
HEAD = 1 << 15
"""Where the first table begins, in bytes, and up to seven more, so that the last one ends at a multiple of eight. The
part before it is not shared: machine code reads what else it needs from there."""


def file_of(name: str, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> TableFile:
    """Return the file of the tables of a board, with tables of these sizes in bytes for these groups."""
    split = " ".join(",".join(map(str, group)) for group in groups)
    return TableFile(
        f"tiles-{name}-v{VERSION}.bin",
        f"searchkit pattern databases v{VERSION}, {name}: {split}",
        sum(sizes),
        DIGESTS.get(name, ""),
        HEAD + -sum(sizes) % 8,
    )


def kept(name: str, groups: Sequence[Sequence[int]], sizes: Sequence[int]) -> memoryview | None:
    """Return the memory of the file of a board, with the tables at its end; None if there is no correct file."""
    return file_of(name, groups, sizes).mapped()


def tables_in(memory: memoryview, sizes: Sequence[int]) -> list[memoryview]:
    """Return the tables of these sizes at the end of some memory."""
    ends = accumulate(sizes, initial=len(memory) - sum(sizes))
    return [memory[begin:end] for begin, end in pairwise(ends)]
