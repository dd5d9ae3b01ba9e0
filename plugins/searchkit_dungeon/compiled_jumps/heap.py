"""The frontier of jump point search: least f first; of equal ones, the one made last."""

from typing import Any

import numpy as np

from searchkit.compiling import compiled_function

ENTRY = np.dtype([("f", np.float64), ("node", np.uint32)], align=True)
"""The node is the number of a record, and records are numbered in the order in which they are made."""


@compiled_function
def push(heap: Any, size: Any, f: Any, node: Any) -> Any:
    """Add an entry whose node is newer than all others; return how many entries there are."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if heap[above].f < f:
            break
        heap[place].f, heap[place].node = heap[above].f, heap[above].node
        place = above
    heap[place].f, heap[place].node = f, node
    return size + 1


@compiled_function
def pop(heap: Any, size: Any) -> Any:
    """Drop the first entry; return how many are left.

    The hole sinks to the bottom, always to the better child, and the last entry rises from there: it seldom has far to.
    """
    left = size - 1
    f, node = heap[left].f, heap[left].node
    place, child = 0, 1
    while child < left:
        other = child + 1
        if other < left:
            worse = (heap[other].f < heap[child].f) | (
                (heap[other].f == heap[child].f) & (heap[other].node > heap[child].node)
            )
            child += int(worse)
        heap[place].f, heap[place].node = heap[child].f, heap[child].node
        place, child = child, 2 * child + 1
    while place > 0:
        above = (place - 1) >> 1
        if heap[above].f < f or (heap[above].f == f and heap[above].node > node):
            break
        heap[place].f, heap[place].node = heap[above].f, heap[above].node
        place = above
    heap[place].f, heap[place].node = f, node
    return left
