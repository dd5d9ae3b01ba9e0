"""Rows on vaults of 81×81 cells and 26 keys, with one robot and with four: contraction, search and path.

C++ uses Dijkstra's algorithm. searchkit uses A* with the default heuristic, as `solve` does, and Dijkstra's algorithm
for a comparison of the same search.
"""

from collections.abc import Iterator
from ctypes import CDLL, byref, c_int64, c_uint8
from typing import Any

import numpy as np

from benchmarks.cpp.reference import pointer
from benchmarks.cpp.work import Work
from searchkit import solve
from searchkit_keys import ContractedVault, generate_vault
from searchkit_keys.vault import Vault

SIZE, KEYS, SEEDS = 81, 26, 5
TARGET = 2.0
SEARCHES = {"A*": ("astar", "combined"), "Dijkstra": ("dijkstra", "zero")}
"""How it is called → engine and heuristic."""


def rows(library: CDLL, size: int = SIZE, keys: int = KEYS, seeds: int = SEEDS) -> Iterator[Work]:
    """Yield the rows; with smaller vaults for tests."""
    library.vault.restype = c_int64
    vaults = [generate_vault(size, keys, seed) for seed in range(seeds)]
    for robots, drawn in ((1, vaults), (4, [vault.split() for vault in vaults])):
        for search, (engine, heuristic) in SEARCHES.items():
            yield work(
                library,
                f"vaults, {size}×{size}, {keys} keys, {robots} robot{'s' * (robots > 1)}, {search} ({seeds})",
                drawn,
                engine,
                heuristic,
            )


def work(library: CDLL, name: str, vaults: list[Vault], engine: str, heuristic: str) -> Work:
    """Return the row of some vaults, one after the other, with our problems made anew each time."""
    grids: list[Any] = [np.array([list(map(ord, row)) for row in vault.rows], np.uint8) for vault in vaults]
    expanded, states = c_int64(), c_int64()

    def reference() -> float:
        return float(
            sum(
                library.vault(pointer(grid, c_uint8), *grid.shape, byref(expanded), byref(states))
                for grid in grids
            )
        )

    def ours() -> float:
        results = [solve(ContractedVault(vault, heuristic), engine, backend="compiled") for vault in vaults]
        return float(sum(result.cost or 0 for result in results))

    return Work(name, reference, ours, target=TARGET)
