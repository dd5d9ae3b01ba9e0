"""What the crossings of a river share: the picture of two banks, and a bound on the trips of a boat."""

from collections.abc import Sequence
from math import inf

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


def spread(state: tuple[int, ...]) -> tuple[float, float]:
    """Return the position of a state of banks: how many are across, and which; a crossing leads by one to the right."""
    middle = (len(state) - 2) / 2
    which = sum((number - middle) * (1 + number / 9) * bank for number, bank in enumerate(state[1:]))
    return 1.2 * (2 * sum(state[1:]) - state[0]), which


def fewest_trips(people: int, room: int, here: bool) -> float:
    """Return the least number of trips in both directions that bring people across, with nothing else in the way.

    Args:
        people: how many have not crossed yet.
        room: how many cross in one trip, each of whom can bring back the boat.
        here: whether the boat is on their side.

    """
    if not here:
        return 1 + fewest_trips(people + 1, room, True) if people else 0
    if people <= room:
        return 1
    return inf if room == 1 else 1 + 2 * -(-(people - room) // (room - 1))
