"""A heap of four children a node over an array of 64-bit words, three to an entry (Johnson 1975).

The words are f, the rank, and the turn with the node below it. A float stands as its bits, which are in
order for numbers ≥ 0; for larger first, as the complement. Entries come out by least f, then, where they are ranked, by
least rank, then by least turn. An entry that is not ranked has its cost so far in place of the rank.

(An array of records would read better. Numba copies a record byte by byte, and a search took three times as long.)
"""

from typing import Any

import numpy as np

from searchkit.compiling import compiled_function

WORDS = 3
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
NODE_BITS = np.uint64(32)
NODE_MASK = np.uint64(0xFFFFFFFF)


@compiled_function
def bits(number: Any) -> Any:
    """Return the bits of a float ≥ 0, which are in its order."""
    return np.float64(number + 0.0).view(np.uint64)  # −0 becomes 0


@compiled_function
def number(word: Any) -> Any:
    """Return the float of these bits."""
    return np.uint64(word).view(np.float64)


@compiled_function
def push(heap: Any, size: Any, f: Any, rank: Any, last: Any, ranked: Any) -> None:
    """Put the entry (f, rank, last) into the first `size` of the heap, which becomes one longer."""
    place = np.uint64(size)
    while place > 0:
        above = (place - ONE) >> TWO
        base = above * THREE
        other = heap[base]
        if other < f:
            break
        if other == f:
            other_rank = heap[base + ONE]
            if ranked and other_rank != rank:
                if other_rank < rank:
                    break
            elif heap[base + TWO] < last:
                break
        here = place * THREE
        heap[here], heap[here + ONE], heap[here + TWO] = other, heap[base + ONE], heap[base + TWO]
        place = above
    here = place * THREE
    heap[here], heap[here + ONE], heap[here + TWO] = f, rank, last


@compiled_function
def pop(heap: Any, size: Any, ranked: Any) -> Any:
    """Take the least entry, the first, out of the first `size`; return how many are left."""
    left = size - 1
    end = np.uint64(left)
    base = end * THREE
    f, rank, last = heap[base], heap[base + ONE], heap[base + TWO]
    place = np.uint64(0)
    while True:
        child = (place << TWO) + ONE
        if child >= end:
            break
        least: Any = child
        least_f = heap[child * THREE]
        stop = min(child + FOUR, end)
        other = child + ONE
        while other < stop:
            other_f = heap[other * THREE]
            if other_f == least_f:  # seldom, and so predicted well
                a, b = other * THREE, least * THREE
                if ranked and heap[a + ONE] != heap[b + ONE]:
                    if heap[a + ONE] < heap[b + ONE]:
                        least = other
                elif heap[a + TWO] < heap[b + TWO]:
                    least = other
            else:  # as often as not: a choice of values, not of branches
                smaller = other_f < least_f
                least = other if smaller else least
                least_f = other_f if smaller else least_f
            other += ONE
        base = least * THREE
        if f < least_f:
            break
        if f == least_f:
            if ranked and rank != heap[base + ONE]:
                if rank < heap[base + ONE]:
                    break
            elif last < heap[base + TWO]:
                break
        here = place * THREE
        heap[here], heap[here + ONE], heap[here + TWO] = least_f, heap[base + ONE], heap[base + TWO]
        place = least
    here = place * THREE
    heap[here], heap[here + ONE], heap[here + TWO] = f, rank, last
    return left
