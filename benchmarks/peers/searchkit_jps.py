"""searchkit's jump point search, for grids with diagonal moves."""

from collections.abc import Callable
from typing import Any

from benchmarks.peers.searchkit import queries, warm

LIBRARIES = ("searchkit.kernels.best_first",)
CANNOT = "grids with 8 moves"
EASIER: dict[str, str] = {}
__all__ = ["queries8", "warm"]


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`jps`."""
    return queries(arrays, 8, "jps")
