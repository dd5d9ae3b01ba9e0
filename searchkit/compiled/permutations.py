"""Numbering permutations in lexicographic order, for the rankings of compiled views.

A permutation of 0, 1, …, `count − 1` is a packed state or a part of one: its elements are fields of `bits` ≥ 4 bits,
the first one lowest. There are at most 16 elements. The digit of a place is how many smaller elements come later (the
code of Lehmer 1960), counted by one instruction on the set of those that came before (Korf and Schultze, "Large-scale
parallel breadth-first search", AAAI 2005).

In many puzzles only permutations of one parity can be reached. Those that differ in their last two elements alone have
different parities and ranks 2k and 2k + 1, so k numbers either half.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.inlining import bits_set

ZERO, ONE, TWO, FOUR, FIFTEEN = (np.uint64(number) for number in (0, 1, 2, 4, 15))
ELEMENTS = np.uint64(0xFEDCBA9876543210)
"""The elements in increasing order, four bits each."""


@compiled_function
def permutation_rank(word: Any, count: Any, bits: Any, halved: Any) -> Any:
    """Return the rank of a permutation (uint64) among all of `count` elements; or, if `halved`, half of it.

    Fields may have further bits above the lowest four.
    """
    word, count, bits = np.uint64(word), np.uint64(count), np.uint64(bits)
    rank, before = ZERO, ZERO
    last = ONE + np.uint64(halved)  # the place whose digit, and perhaps that of the one before, is left out
    for place in range(count - min(last, count)):
        element = word & FIFTEEN
        word >>= bits
        smaller = bits_set(before & ((ONE << element) - ONE))
        rank = rank * (count - place) + element - smaller
        before |= ONE << element
    return rank


@compiled_function
def permutation_of(rank: Any, count: Any, bits: Any, halved: Any, odd: Any) -> Any:
    """Return the permutation (uint64) with a rank; if it is `halved`, the odd or the even one."""
    rank, count, bits = np.uint64(rank), np.uint64(count), np.uint64(bits)
    digits, inversions = ZERO, ZERO
    for radix in range(TWO + np.uint64(halved), count + ONE):
        digit = rank % radix
        rank //= radix
        digits = digits << FOUR | digit
        inversions += digit
    word, rest, swapped = ZERO, ELEMENTS, count  # no place
    if halved and count > ONE:
        swapped = count - TWO
    for place in range(count):
        digit = digits & FIFTEEN
        if place == swapped:
            digit = (inversions ^ np.uint64(odd)) & ONE
        digits >>= FOUR
        shift = FOUR * digit
        lower = (ONE << shift) - ONE
        word |= (rest >> shift & FIFTEEN) << bits * place
        rest = rest & lower | rest >> FOUR & ~lower
    return word
