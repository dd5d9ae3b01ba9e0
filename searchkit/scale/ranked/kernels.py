"""The machine code of breadth-first search in two bits a state.

The cell of a rank is two bits of an array of words. It begins as `UNSEEN`. A state that is reached gets the mark of its
layer: `EVEN` or `ODD`, in turn. Once it is expanded, its cell is `DONE`. So bits are only ever set, never cleared, and
any number of threads can share the array without locks, each expanding the states of its own words:

* Words are changed by an atomic OR alone, so no thread loses what another one sets.
* In one layer all threads give the same mark to the states they reach. Two that reach the same state set the same bits.
* A thread that reads an old word may take a state for unseen and mark it again, which changes nothing, or see a cell
  before it is `DONE`: a cell that is not `UNSEEN` never becomes so again, and no thread marks it.
* Within a layer no cell gets the mark of that layer, so a thread finds in its words the states of that layer only, each
  once.

So the cells after a layer are the same, however many threads there were and in whatever order they ran.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel, sub_kernel
from searchkit.compiled.inlining import bits_set, load_shared, lowest_bit, prefetch, set_shared
from searchkit.compiled.kit import expand

UNSEEN, EVEN, ODD, DONE = range(4)
PER_WORD = 32
"""The number of cells in a word."""
NEXT, EXPANDED, GENERATED, WRONG, WRONG_RANK = range(5)
"""Places in the array of a thread's counters: the word that is looked at next; states expanded, and generated; if a
state has an invalid rank, the rank of its parent plus 1, and the invalid rank itself."""
COUNTERS = 5
STEPS_PER_SUCCESSOR = 32
"""How many words can be looked at while one successor is generated and marked, about."""
WAITING = 256
"""How many ranks wait for their words to be loaded into the processor's cache, at least."""
ZERO, ONE, TWO, THREE, LOW = (np.uint64(number) for number in (0, 1, 2, 3, 0x5555555555555555))
SHIFT, PLACE = np.uint64(5), np.uint64(PER_WORD - 1)


@kernel
def expand_marked(
    graph: Any, rank: Any, unrank: Any, table: Any, cells: Any, size: Any,
    mark: Any, end: Any, steps: Any, counters: Any, out_states: Any, out_costs: Any, waiting: Any,
) -> Any:  # fmt: skip
    """Expand the states with a mark in the words from `counters[NEXT]` up to `end`, until the steps are used up.

    Return whether all are expanded. It ends between two words. The successors that are unseen get the other mark.

    It also ends at a successor whose rank is invalid. All ranks are compared with `size`; one state of a word is
    compared with the state of its rank.
    """
    word, end, size, left = np.uint64(counters[NEXT]), np.uint64(end), np.uint64(size), np.int64(steps)
    successors_mark = THREE - np.uint64(mark)
    room = np.uint64(waiting.size) - np.uint64(out_costs.size)
    queued = ZERO
    while word < end and left > 0:
        cells_here = load_shared(cells, word)
        low, high = cells_here & LOW, cells_here >> ONE & LOW
        marked = low & ~high if mark == EVEN else high & ~low
        rest = marked
        while rest != ZERO:
            is_first = rest == marked
            index = word << SHIFT | lowest_bit(rest) >> ONE
            rest &= rest - ONE
            count = np.uint64(expand(graph, table, unrank(table, index), out_states, out_costs))
            counters[EXPANDED] += 1
            counters[GENERATED] += np.int64(count)
            left -= STEPS_PER_SUCCESSOR * np.int64(count)
            for successor in range(count):
                reached = rank(table, out_states[successor])
                is_sample = is_first and successor == ZERO
                if reached >= size or (is_sample and unrank(table, reached) != out_states[successor]):
                    counters[WRONG], counters[WRONG_RANK] = np.int64(index) + 1, np.int64(reached)
                    return False
                waiting[queued] = reached
                queued += ONE
                prefetch(cells, reached >> SHIFT)
            if queued > room:
                _mark_all(cells, waiting, queued, successors_mark)
                queued = ZERO
        if marked != ZERO:
            set_shared(cells, word, marked | marked << ONE)
        word += ONE
        left -= 1
    _mark_all(cells, waiting, queued, successors_mark)
    counters[NEXT] = np.int64(word)
    return word == end


@sub_kernel
def _mark_all(cells: Any, waiting: Any, queued: Any, mark: Any) -> None:
    """Mark those of the first ranks that are unseen."""
    for number in range(queued):
        word, shift = waiting[number] >> SHIFT, (waiting[number] & PLACE) << ONE
        if load_shared(cells, word) >> shift & THREE == ZERO:
            set_shared(cells, word, mark << shift)


@kernel
def count_marked(cells: Any, first: Any, end: Any, mark: Any) -> Any:
    """Return how many states in some words have a mark."""
    total = ZERO
    for word in range(np.uint64(first), np.uint64(end)):
        low, high = cells[word] & LOW, cells[word] >> ONE & LOW
        total += bits_set(low & ~high if mark == EVEN else high & ~low)
    return total
