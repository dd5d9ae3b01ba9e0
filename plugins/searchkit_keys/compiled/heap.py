"""A binary heap over an array of int64, two to an entry: entries come out by the first, then by the second."""

from typing import Any

from searchkit.compiled.functions import compiled_function


@compiled_function
def push(heap: Any, size: Any, first: Any, second: Any) -> Any:
    """Put an entry in; return how many there are then."""
    place = size
    while place > 0:
        above = (place - 1) >> 1
        other = heap[2 * above]
        if other < first or (other == first and heap[2 * above + 1] <= second):
            break
        heap[2 * place], heap[2 * place + 1] = other, heap[2 * above + 1]
        place = above
    heap[2 * place], heap[2 * place + 1] = first, second
    return size + 1


@compiled_function
def pop(heap: Any, size: Any) -> Any:
    """Take the least entry, the first of `size`, out; return how many are left."""
    left = size - 1
    first, second = heap[2 * left], heap[2 * left + 1]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= left:
            break
        least = heap[2 * child]
        if child + 1 < left:
            other = heap[2 * child + 2]
            if other < least or (other == least and heap[2 * child + 3] < heap[2 * child + 1]):
                child += 1
                least = other
        if first < least or (first == least and second <= heap[2 * child + 1]):
            break
        heap[2 * place], heap[2 * place + 1] = least, heap[2 * child + 1]
        place = child
    heap[2 * place], heap[2 * place + 1] = first, second
    return left
