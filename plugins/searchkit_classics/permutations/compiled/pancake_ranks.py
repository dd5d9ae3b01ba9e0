"""The perfect ranking of stacks of pancakes: the order of the sizes, then the sides that are up, one bit each."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import rank_function, unrank_function
from searchkit.compiled.kit import permutation_of, permutation_rank
from searchkit_classics.permutations.compiled.pancakes import BITS, BURNT, COUNT

FIELD, SIDE_AT, ONE = np.uint64(BITS), np.uint64(BITS - 1), np.uint64(1)


@rank_function
def rank(table: Any, state: Any) -> Any:
    """Return the rank of a stack."""
    count = np.uint64(table[COUNT])
    index = permutation_rank(state, count, FIELD, False)
    if table[BURNT] != 0:
        for place in range(count):
            index = index << ONE | (state >> (FIELD * place + SIDE_AT) & ONE)
    return index


@unrank_function
def unrank(table: Any, index: Any) -> Any:
    """Return the stack of a rank."""
    count = np.uint64(table[COUNT])
    if table[BURNT] == 0:
        return permutation_of(index, count, FIELD, False, False)
    state = permutation_of(index >> count, count, FIELD, False, False)
    for place in range(count):
        state |= (index >> (count - ONE - place) & ONE) << (FIELD * place + SIDE_AT)
    return state
