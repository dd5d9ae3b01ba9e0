"""The perfect ranking of boards of up to 16 cells: the cell of the blank, then the order of the tiles without it.

With the blank in one cell, either the even or the odd orders of the tiles can be reached.
"""

from typing import Any

import numpy as np

from searchkit.compiled.functions import rank_function, unrank_function
from searchkit.compiled.kit import permutation_of, permutation_rank
from searchkit_tiles.compiled.narrow import BITS, blank_of
from searchkit_tiles.compiled.table import CELLS, HALF, ODD, ONE

ONES = np.uint64(0x111111111111111)


@rank_function
def rank(table: Any, state: Any) -> Any:
    """Return the rank of a board."""
    tiles = np.uint64(table[CELLS]) - ONE
    blank = np.uint64(blank_of(state))
    lower = (ONE << BITS * blank) - ONE
    order = (state & lower | state >> BITS & ~lower) - (ONES & ((ONE << BITS * tiles) - ONE))
    return blank * np.uint64(table[HALF]) + permutation_rank(order, tiles, BITS, True)


@unrank_function
def unrank(table: Any, index: Any) -> Any:
    """Return the board of a rank."""
    tiles, half = np.uint64(table[CELLS]) - ONE, np.uint64(table[HALF])
    blank = index // half
    odd = np.uint64(table[ODD]) >> blank & ONE
    order = permutation_of(index - blank * half, tiles, BITS, True, odd)
    order += ONES & ((ONE << BITS * tiles) - ONE)
    lower = (ONE << BITS * blank) - ONE
    return order & lower | (order & ~lower) << BITS
