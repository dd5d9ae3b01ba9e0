"""The search that fills a pattern database. It runs in Python and in machine code."""

from typing import Any

UNKNOWN = 15
"""The entry of a position that was not reached yet; entries have four bits."""


def fill(
    entries: Any,
    turns: Any,
    sums: Any,
    slots: Any,
    ways: Any,
    pieces: Any,
    level: Any,
    backwards: Any,
    first: Any,
    end: Any,
    scratch: Any,
) -> Any:
    """Enter `level` + 1 for the neighbours of some positions; return how many entries were new.

    Breadth-first search over the positions of `pieces` pieces of one kind, corners or edges. A position is an
    arrangement, which slot each piece is in, and a twist, which of its `ways` each piece is turned. Its number is
    arrangement · ways ** pieces + twist. A turn changes all twists of an arrangement alike, by adding the same digits
    modulo `ways`; so what depends on the arrangement is done once for all its twists.

    Args:
        entries: the database: four bits for each position, the first one in the low bits of the first byte.
        turns: for each turn, the place to which it takes each of `slots` · `ways` stickers.
        sums: for two halves of a twist, as numbers, the sum of their digits, each modulo `ways`.
        slots: the number of slots.
        ways: in how many ways a piece can be in a slot: 3 for corners, 2 for edges.
        pieces: the number of pieces.
        level: the entry of the positions that are expanded.
        backwards: instead, look for positions without an entry that have a neighbour at `level`. This is faster as soon
            as most have entries.
        first: the first arrangement to expand.
        end: the arrangement to stop before.
        scratch: integers, 4 · slots + 2 for each twist.

    """
    low, high, half = 1, 1, pieces // 2
    for _ in range(half):
        low *= ways
    for _ in range(pieces - half):
        high *= ways
    twists, places = low * high, slots * ways
    wanted = UNKNOWN if backwards else level
    new = 0
    for arrangement in range(first, end):
        found, begin = 0, arrangement * twists
        for one in range(high):
            for other in range(low):
                number = begin + one * low + other
                if (entries[number >> 1] >> (number & 1) * 4) & 15 == wanted:
                    scratch[4 * slots + 2 * found] = one
                    scratch[4 * slots + 2 * found + 1] = other
                    found += 1
        if found == 0:
            continue
        rest = arrangement
        for index in range(pieces - 1, -1, -1):  # digits, the last piece lowest
            scratch[index] = rest % (slots - index)
            rest //= slots - index
        for index in range(pieces - 1, -1, -1):  # each counts the slots that earlier pieces left free
            for later in range(index + 1, pieces):
                if scratch[later] >= scratch[index]:
                    scratch[later] += 1
        for turn in range(len(turns) // places):
            there, one_spin, other_spin = 0, 0, 0
            for index in range(pieces):
                place = turns[turn * places + scratch[index] * ways]
                slot = place // ways
                if index < pieces - half:
                    one_spin = one_spin * ways + place - slot * ways
                else:
                    other_spin = other_spin * ways + place - slot * ways
                scratch[slots + index] = slot
                digit = slot
                for before in range(index):
                    if scratch[slots + before] < slot:
                        digit -= 1
                there = there * (slots - index) + digit
            there *= twists
            for each in range(found):
                one, other = scratch[4 * slots + 2 * each], scratch[4 * slots + 2 * each + 1]
                number = there + sums[one_spin * high + one] * low + sums[other_spin * high + other]
                if backwards:
                    if (entries[number >> 1] >> (number & 1) * 4) & 15 != level:
                        continue
                    number = begin + one * low + other
                if (entries[number >> 1] >> (number & 1) * 4) & 15 == UNKNOWN:
                    entries[number >> 1] ^= (UNKNOWN ^ (level + 1)) << (number & 1) * 4
                    new += 1
    return new
