"""The verdict on one property on one map."""

from fractions import Fraction
from math import inf

from attrs import frozen

from searchkit.problem import Cost

SLACK = 1e-9
"""Relative difference below which costs count as equal: sums of floats depend on the order."""


@frozen
class Verdict:
    """Whether a property holds on a map; None where the map has no say in it."""

    right: bool | None
    message: str = ""
    """What is wrong, with the numbers that show it."""
    drawing: str = ""
    """The map, with what shows it drawn in."""
    answered: bool = True
    """Whether it is an answer that is wrong, and not that there was none."""
    at_state: bool = False
    """Whether the message names a state, which means nothing without its map."""


RIGHT = Verdict(True)
NO_SAY = Verdict(None)


def exceeds(a: Cost, b: Cost, scale: float = 0.0) -> bool:
    """Whether a is more than b, by more than rounding of the numbers themselves, or of numbers of the size `scale`.

    Whole numbers and fractions are compared exactly.
    """
    if not a > b:
        return False
    if not (isinstance(a, float) or isinstance(b, float)) or a == inf:
        return True
    return Fraction(a) - Fraction(b) > Fraction(SLACK) * max(abs(Fraction(b)), Fraction(scale))
