"""The digest of a layer, over arrays of packed states: `searchkit.certificates.layers.digest_of` says what it is."""

from typing import Any

import numpy as np

SEEDS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
PIECE = 1 << 14
"""States that are hashed at a time, so that what is calculated stays in the cache."""


def halves_of(states: Any) -> tuple[int, int]:
    """Return the two halves of the digest of different states: those of several arrays are added modulo 2⁶⁴."""
    sums = [0, 0]
    for begin in range(0, len(states), PIECE):
        piece = states[begin : begin + PIECE].reshape(len(states[begin : begin + PIECE]), -1)
        for half, seed in enumerate(SEEDS):
            keys = np.full(len(piece), seed)
            for word in range(piece.shape[1]):
                keys ^= piece[:, word]
                keys ^= keys >> np.uint64(30)
                keys *= FIRST
                keys ^= keys >> np.uint64(27)
                keys *= SECOND
                keys ^= keys >> np.uint64(31)
            sums[half] += int(keys.sum(dtype=np.uint64))
    return sums[0], sums[1]
