"""Compiled functions for graphs: sparse rows over the arrays of a graph, and the straight-line heuristic."""

from array import array
from collections.abc import Sequence
from math import sqrt
from sys import float_info
from typing import Any

import numpy as np

from searchkit.compiled.functions import heuristic_function
from searchkit.compiled.view import CSR
from searchkit.plugin import MissingCapabilityError

MOST_EDGES = 0xFFFE
"""The largest number of edges of a node; compiled engines number successors by 16 bits."""
MOST = float_info.max
"""The largest heuristic value, as in `searchkit_graph.straight_line`, which imports what uses this module."""
HEADER = 3
"""The length of the header of the table: the number of goals, whether costs are integers, and the rate."""


@heuristic_function
def straight_line(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node: table = header, then x and y of each goal, then x and y of each node."""
    numbers = table.view(np.float64)
    goals = table[0]
    if goals == 0:
        return 0.0
    place = HEADER + 2 * (goals + np.int64(state))
    x, y = numbers[place], numbers[place + 1]
    least = np.inf
    for goal in range(goals):
        across, up = x - numbers[HEADER + 2 * goal], y - numbers[HEADER + 2 * goal + 1]
        least = min(least, across * across + up * up)
    estimate = min(numbers[2] * sqrt(least), MOST)
    return np.floor(estimate) if table[1] == 1 else estimate


def compile_rows(
    row_begins: "array[int]", heads: "array[int]", row_costs: "array[int] | array[float] | None"
) -> CSR:
    """Return the edges of a graph, given as the arrays of `Rows`; only integer costs are copied.

    Raises `MissingCapabilityError` if too many edges leave a node.
    """
    begins = np.frombuffer(row_begins, np.int64)
    edges = len(heads)
    if int(np.diff(begins).max(initial=0)) > MOST_EDGES:
        raise MissingCapabilityError(
            f"{int(np.diff(begins).max()):,} edges leave a node, and compiled engines take {MOST_EDGES:,} at most; "
            "use backend='python'"
        )
    costs: Any = np.ones(edges)
    if row_costs is not None and edges:
        costs = np.frombuffer(row_costs, row_costs.typecode).astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        narrow = costs.astype(np.float32)  # half the memory, if no number changes
    if (narrow == costs).all():
        costs = narrow
    return CSR(begins, np.frombuffer(heads, np.uint32) if edges else np.empty(0, np.uint32), costs)


def straight_line_table(goals: Sequence[int], whole: bool, rate: float, xs: Any, ys: Any) -> Any:
    """Return the table of `straight_line`: its header, then x and y of each goal, then x and y of each node."""
    places = np.column_stack([np.frombuffer(xs), np.frombuffer(ys)])
    header = np.array([len(goals), whole, 0], np.int64)
    header.view(np.float64)[2] = rate
    return np.concatenate([header, np.concatenate([places[goals], places]).ravel().view(np.int64)])
