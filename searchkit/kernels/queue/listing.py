"""Listing the entries of a ladder queue, and sorting their turns."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.kernels.queue.entries import HALF, LAST_TURN, OPENED, unpacked
from searchkit.kernels.queue.ladder import CHUNK, END, LATE_LIST, ONE, ROUND, ZERO

DIGIT_BITS = 11
DIGIT = np.uint64((1 << DIGIT_BITS) - 1)
"""Turns are sorted by digits of so many bits, the lowest digit first."""


@kernel
def count_digits(turns: Any, digit: Any, counts: Any) -> None:
    """Count the occurrences of each value of a digit."""
    for turn in turns:
        counts[np.uint64(turn) >> digit & DIGIT] += 1


@kernel
def far_places(heads: Any, links: Any, fills: Any, places: Any) -> None:
    """Write the places of all entries in the lists of a pool."""
    count = ZERO
    for index in range(np.uint64(heads.size)):
        chunk, filled = np.uint64(heads[index]), np.uint64(fills[index])
        while chunk != np.uint64(END):
            for place in range(filled):
                places[count] = chunk * CHUNK + place
                count += ONE
            chunk, filled = np.uint64(links[chunk]), CHUNK


@kernel
def list_far(queue: Any, rows: Any, walk: Any, most: Any) -> Any:
    """Write whole entries of lists into `rows`, the newest of each list first; return whether these are all.

    `rows` has two words for each of them. `walk` is the present list, its next chunk plus 1, and the number of entries
    written: the next call goes on from there, after `most` entries or a few more. Turns count down.
    """
    index, chunk, count = np.uint64(walk[0]), np.uint64(walk[1]), np.uint64(walk[2])
    begun, filled, total = count, CHUNK, np.uint64(rows.size >> 1)
    while index <= LATE_LIST:
        if count - begun >= np.uint64(most):
            break
        if chunk == ZERO:
            chunk, filled = np.uint64(queue.heads[index]) + ONE, np.uint64(queue.fills[index])
        if chunk > np.uint64(END):
            index, chunk = index + ONE, ZERO
            continue
        opened = np.uint64(queue.sizes[OPENED])
        f = opened - ONE + ((index - opened) & ROUND)
        chunk -= ONE
        for back in range(filled):
            place = chunk * CHUNK + filled - ONE - back
            first, last = unpacked(queue, queue.pool[place], queue.late[place] if index == LATE_LIST else f)
            turn = total - count if queue.fifo else np.uint64(LAST_TURN) - total + count
            rows[count << ONE] = first if queue.ranked else first | turn
            rows[(count << ONE) + ONE] = turn << HALF | last if queue.ranked else last
            count += ONE
        chunk, filled = np.uint64(queue.links[chunk]) + ONE, CHUNK
    walk[0], walk[1], walk[2] = index, chunk, count
    return index > LATE_LIST


@kernel
def move_by_digit(turns: Any, digit: Any, places: Any, target: Any) -> None:
    """Write each turn to the next place of those with that digit."""
    for turn in turns:
        value = np.uint64(turn) >> digit & DIGIT
        target[places[value]] = turn
        places[value] += 1
