"""The verdict on one property on one map."""

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


RIGHT = Verdict(True)
NO_SAY = Verdict(None)


def exceeds(a: Cost, b: Cost) -> bool:
    """Whether a is more than b, by more than rounding."""
    excess = a - b if a > b else 0
    return excess > (SLACK * max(1.0, abs(float(b))) if isinstance(excess, float) else 0)
