"""What the compiled view of a graph needs: the edges as sparse rows, and the values of the straight line."""

from collections.abc import Sequence
from sys import float_info
from typing import Any

import numpy as np

from searchkit.compiled.functions import heuristic_function
from searchkit.compiled.view import CSR
from searchkit.plugin import MissingCapabilityError

MOST_EDGES = 0xFFFE
"""The largest number of edges of a node; compiled engines number successors by 16 bits."""


@heuristic_function
def looked_up(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node from a table of floats."""
    return table.view(np.float64)[np.int64(state)]


def values_of(line: Any, goals: Sequence[int]) -> Any:
    """Return the table of `looked_up`: the value of a `StraightLine` for each node."""
    xs, ys = map(np.frombuffer, line.plane)
    squares = np.full(len(xs), np.inf)
    for goal in goals:
        across, up = xs - xs[goal], ys - ys[goal]
        np.minimum(squares, across * across + up * up, out=squares)
    with np.errstate(over="ignore"):
        values = np.minimum(line.rate * np.sqrt(squares), float_info.max) if goals else np.zeros(len(xs))
    return (np.floor(values) if line.whole else values).view(np.int64)


def compiled_rows(network: Any) -> CSR:
    """Return the edges of a `Network`; only integer costs are copied.

    Raises `MissingCapabilityError` if too many edges leave a node.
    """
    begins, edges = np.frombuffer(network.begins, np.int64), len(network.heads)
    most = int(np.diff(begins).max(initial=0))
    if most > MOST_EDGES:
        raise MissingCapabilityError(
            f"{most:,} edges leave a node, and compiled engines take {MOST_EDGES:,} at most; use backend='python'"
        )
    costs: Any = np.ones(edges)
    if network.costs is not None and edges:
        costs = np.frombuffer(network.costs, network.costs.typecode).astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        narrow = costs.astype(np.float32)  # half the memory, if no number changes
    heads = np.frombuffer(network.heads, np.uint32) if edges else np.empty(0, np.uint32)
    return CSR(begins, heads, narrow if (narrow == costs).all() else costs)
