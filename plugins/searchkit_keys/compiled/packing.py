"""States in one word: the keys held in the lowest bits, above them the sorted places of the robots, least first."""

from typing import Any

from searchkit.compiled.functions import compiled_function
from searchkit.plugin import MissingCapabilityError
from searchkit_keys.vault import Vault

WORD = 63
"""The largest number of bits of a state."""


@compiled_function
def without(packed: Any, place: Any, width: Any) -> Any:
    """Return a state without the robot whose place begins at this bit."""
    return ((packed >> (place + width)) << place) | (packed & ((1 << place) - 1))


@compiled_function
def with_robot(others: Any, where: Any, count: Any, width: Any, shift: Any) -> Any:
    """Return a state of `count` robots with one more robot; the keys are the lowest `shift` bits."""
    gap, low = shift, (1 << width) - 1
    for robot in range(count):
        gap += width * ((others >> (shift + width * robot)) & low <= where)
    below = (1 << gap) - 1
    return ((others & ~below) << width) | (where << gap) | (others & below)


def widths(vault: Vault, robots: int, places: int, instead: str) -> tuple[int, int]:
    """Return the number of bits of the keys, and of the place of a robot.

    Raises `MissingCapabilityError` if all of them take more than `WORD` bits; `instead` is what the message recommends.
    """
    shift, width = vault.all_keys.bit_length(), max(0, places - 1).bit_length()
    if shift + robots * width > WORD:
        keys = f"{shift} for keys up to {max(vault.keys)}, " if vault.keys else ""
        raise MissingCapabilityError(
            f"a state of this vault takes {shift + robots * width} bits, {keys}{width} for each of {robots} robots, "
            f"and one of a compiled engine has {WORD}; use backend='python'{instead}"
        )
    return shift, width
