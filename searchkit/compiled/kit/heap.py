"""Binary heaps in machine code. The least entry comes out first: a number, or a tuple of numbers.

How entries are kept is up to the form of the heap: a `NamedTuple` of arrays with two variants:

    @load.when(Form)
    @store.when(Form)

`Pairs` is a form that is ready for use. The heap does not know its size: functions take it and return the new one.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.variants import variants

ZERO, ONE = np.uint64(0), np.uint64(1)


@variants("heap")
def load(heap: Any, index: Any) -> Any:
    """Return the entry at a place of a heap. In compiled code only."""


@variants("heap")
def store(heap: Any, index: Any, entry: Any) -> None:
    """Write an entry to a place of a heap. In compiled code only."""


class Pairs(NamedTuple):
    """A heap of pairs of numbers: the least first number comes out first, of equal ones the least second number."""

    numbers: Any
    """Two for each entry."""


@load.when(Pairs)
def _(heap: Any, index: Any) -> Any:
    place = index << ONE
    return heap.numbers[place], heap.numbers[place + ONE]


@store.when(Pairs)
def _(heap: Any, index: Any, entry: Any) -> None:
    place = index << ONE
    heap.numbers[place], heap.numbers[place + ONE] = entry


@compiled_function
def sift_up(heap: Any, place: Any, entry: Any) -> None:
    """Write an entry to a place, after moving the entries above that come after it down."""
    place = np.uint64(place)
    while place > ZERO:
        above = (place - ONE) >> ONE
        other = load(heap, above)
        if not entry < other:
            break
        store(heap, place, other)
        place = above
    store(heap, place, entry)


@compiled_function
def first_child(heap: Any, place: Any, end: Any) -> Any:
    """Return the child of a place that comes out first, and its entry; there must be a child before `end`."""
    child = (place << ONE) + ONE
    if child + ONE < end:  # the sum takes no branch, which would be predicted wrongly half of the time
        child += np.uint64(load(heap, child + ONE) < load(heap, child))
    return child, load(heap, child)


@compiled_function
def sift_down(heap: Any, size: Any, entry: Any) -> None:
    """Replace the first of `size` entries by another one."""
    place, end = ZERO, np.uint64(size)
    while (place << ONE) + ONE < end:
        child, other = first_child(heap, place, end)
        if entry < other:
            break
        store(heap, place, other)
        place = child
    store(heap, place, entry)


@compiled_function
def push(heap: Any, size: Any, entry: Any) -> Any:
    """Add an entry to a heap of `size` entries, which has room for it; return the new size."""
    sift_up(heap, size, entry)
    return size + 1


@compiled_function
def pop(heap: Any, size: Any) -> Any:
    """Remove the first of `size` entries; return the new size.

    The gap moves down to a leaf, always to the child that comes out first, and the last entry moves up from there: it
    seldom moves far, as it was a leaf itself.
    """
    end, place = np.uint64(size - 1), ZERO
    while (place << ONE) + ONE < end:
        child, other = first_child(heap, place, end)
        store(heap, place, other)
        place = child
    sift_up(heap, place, load(heap, end))
    return size - 1
