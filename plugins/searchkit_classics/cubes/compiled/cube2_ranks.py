"""The ranking of the 2×2×2 cube: the order of the seven corners that move, then their twists.

A corner's twist is its first sticker's place modulo 3. No turn changes the sum of the twists modulo 3, so that those of
six corners determine the seventh's.
"""

from math import factorial
from typing import Any

import numpy as np

from searchkit.compiled.functions import rank_function, unrank_function
from searchkit.compiled.kit import permutation_of, permutation_rank
from searchkit_classics.cubes.compiled.cube2 import BITS, CORNERS, LAST

TWISTS = 3 ** (CORNERS - 1)
SIZE = factorial(CORNERS) * TWISTS
FIELD, FOUR, THREE = np.uint64(BITS), np.uint64(4), np.uint64(3)


@rank_function
def rank(table: Any, state: Any) -> Any:
    """Return the rank of a cube."""
    order, twists = np.uint64(0), np.uint64(0)
    for corner in range(np.uint64(CORNERS)):
        place = state >> FIELD * corner & np.uint64(LAST)
        order |= place // THREE << FOUR * corner
        if corner < CORNERS - 1:
            twists = twists * THREE + place % THREE
    return permutation_rank(order, CORNERS, FOUR, False) * np.uint64(TWISTS) + twists


@unrank_function
def unrank(table: Any, index: Any) -> Any:
    """Return the cube of a rank."""
    order = permutation_of(index // np.uint64(TWISTS), CORNERS, FIELD, False, False)
    twists, total, state = index % np.uint64(TWISTS), np.uint64(0), np.uint64(0)
    for back in range(np.uint64(CORNERS)):
        corner = np.uint64(CORNERS - 1) - back
        twist = np.uint64(0)
        if back > 0:
            twist = twists % THREE
            twists //= THREE
            total += twist
        place = THREE * (order >> FIELD * corner & np.uint64(LAST)) + twist
        state |= place << FIELD * corner
    return state + ((THREE - total % THREE) % THREE << FIELD * np.uint64(CORNERS - 1))
