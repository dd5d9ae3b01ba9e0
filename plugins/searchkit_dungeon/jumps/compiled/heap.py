"""The frontier of jump point search: least f first; of equal ones, the one made last.

Places in arrays are unsigned, here and beside: Numba lets signed ones count from the end, which takes time.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function

ENTRY = np.dtype([("f", np.float64), ("node", np.uint32)], align=True)
"""The node is the number of a record, and records are numbered in the order in which they are made."""
AT: Any = np.uint64
"""Makes a place out of a number that is not negative."""


@compiled_function
def push(heap: Any, size: Any, f: Any, node: Any) -> Any:
    """Add an entry whose node is newer than all others; return how many entries there are."""
    _rise(heap, size, f, node)
    return size + 1


@compiled_function
def pop(heap: Any, size: Any) -> Any:
    """Drop the first entry; return how many are left.

    The hole sinks to the bottom, always to the better child, and the last entry rises from there: it seldom has far to.
    """
    left = size - 1
    f, node = heap[AT(left)].f, heap[AT(left)].node
    place, child = 0, 1
    while child < left:
        child += _second(heap, child, left)
        heap[AT(place)].f, heap[AT(place)].node = heap[AT(child)].f, heap[AT(child)].node
        place, child = child, 2 * child + 1
    _rise(heap, place, f, node)
    return left


@compiled_function
def replace(heap: Any, size: Any, f: Any, node: Any) -> None:
    """Drop the first entry and add another. Where that is one of the next, this takes fewer steps than to do both."""
    place, child = 0, 1
    while child < size:
        child += _second(heap, child, size)
        if f < heap[AT(child)].f or (f == heap[AT(child)].f and node > heap[AT(child)].node):
            break
        heap[AT(place)].f, heap[AT(place)].node = heap[AT(child)].f, heap[AT(child)].node
        place, child = child, 2 * child + 1
    heap[AT(place)].f, heap[AT(place)].node = f, node


@compiled_function
def _second(heap: Any, child: Any, size: Any) -> Any:
    """Return 1 if the entry after a child is there and comes before it, else 0."""
    if child + 1 >= size:
        return 0
    one, other = heap[AT(child)], heap[AT(child + 1)]
    return int((other.f < one.f) | ((other.f == one.f) & (other.node > one.node)))


@compiled_function
def _rise(heap: Any, place: Any, f: Any, node: Any) -> None:
    while place > 0:
        above = (place - 1) >> 1
        if heap[AT(above)].f < f or (heap[AT(above)].f == f and heap[AT(above)].node > node):
            break
        heap[AT(place)].f, heap[AT(place)].node = heap[AT(above)].f, heap[AT(above)].node
        place = above
    heap[AT(place)].f, heap[AT(place)].node = f, node
