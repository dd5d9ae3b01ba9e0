"""Engines that work in rounds of expand and merge, so that most of what they hold can stand on disk.

Duplicates are found late: a round expands a whole layer, and only then are the successors that were generated several
times, or that belong to earlier layers, removed (*delayed duplicate detection*, Korf 2003). The forms here keep
everything in memory and show the algorithm; the compiled forms keep sorted runs of packed states on disk.
"""

from searchkit.plugin.specs import Parameter, at_least, boolean


def _exchange(value: object) -> str:
    """Return the name of an exchange. Raises ValueError for other names."""
    if value not in ("files", "objects"):
        raise ValueError("expected files or objects")
    return str(value)


ON_DISK = (
    Parameter(
        "directory",
        "the folder for the files of the search, which goes on there if it was begun; by default a temporary one",
        default="",
        compiled_only=True,
    ),
    Parameter(
        "workers",
        "who expands large layers: serial (a thread of this process), threads:N, processes:N, or a cluster such as ray",
        default="serial",
        compiled_only=True,
    ),
    Parameter(
        "memory",
        "the MB that tasks at work at the same time may use, at least 16",
        default=256,
        convert=at_least(16),
        compiled_only=True,
    ),
    Parameter(
        "repair",
        "whether to go on from the last layer before a damaged or missing file of the directory",
        default=False,
        convert=boolean,
        compiled_only=True,
    ),
    Parameter(
        "exchange",
        "how states go from task to task: files in the directory, or objects in the memory of a cluster",
        default="files",
        convert=_exchange,
        compiled_only=True,
    ),
)
"""The options of the compiled forms."""
