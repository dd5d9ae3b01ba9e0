"""Two banks with a boat between them, as rows of a picture."""

from collections.abc import Sequence

from searchkit.plugin import Mark

LAND, WATER, BOAT, DECK, TORCH = ".~_=!"
SIDES = {
    LAND: Mark(" ", "#24452f", "bank"),
    WATER: Mark("~", "#1d4e79", "water"),
    BOAT: Mark("▄", "#b5793c", "boat", rank=2),
}
WIDE = 6
"""The cells of the water."""


def banks(people: Sequence[tuple[str, int]], far: bool) -> list[str]:
    """Return a picture of two banks: each key with its bank, 0 or 1, and whether the boat is at the right one."""
    left = "".join(LAND if bank else key for key, bank in people)
    right = "".join(key if bank else LAND for key, bank in people)
    boat = WATER * (WIDE - 1) + BOAT if far else BOAT + WATER * (WIDE - 1)
    empty = LAND * len(people)
    return [left + WATER * WIDE + right, empty + boat + empty]
