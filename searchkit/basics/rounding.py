"""When two costs are equal: the only place that defines which differences are due to the rounding of floats.

An `int` or a `Fraction` is exact. A `float` is an exact number too, but its sums are rounded. A sum of n floats ≥ 0,
added in any order, differs from the exact sum by at most n · 2⁻⁵³ of it (Higham, Accuracy and Stability of Numerical
Algorithms, 2002, section 4.2). So a cost is compared with the exact sum, and may differ by this much and no more,
independently of the size of the numbers. There is no absolute tolerance.

A heuristic value that is computed in floats is rounded as well, by an unknown amount. It may exceed the cost that it is
compared with by an additional 256 · 2⁻⁵³, about 3 · 10⁻¹⁴, of the largest cost involved.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import inf, nextafter
from operator import add

from searchkit.problem import Cost

UNIT = Fraction(1, 2**53)
"""The largest relative error of one addition."""
SPARE = 256
"""How many such errors a heuristic value may contain."""
EXACT_UP_TO = 2**53
"""A float represents every whole number up to this one exactly."""


def is_sum(claimed: Cost, costs: Sequence[Cost]) -> bool:
    """Whether a cost equals the sum of these, apart from rounding."""
    if reduce(add, costs, 0) == claimed:
        return True
    if not _is_finite(claimed) or not any(isinstance(cost, float) for cost in costs):
        return False
    total = sum((Fraction(cost) for cost in costs), Fraction())
    return abs(Fraction(claimed) - total) <= len(costs) * UNIT * total


def differ(one: Cost, other: Cost, additions: int = 0, scale: Cost = 0) -> bool:
    """Whether two costs differ by more than rounding can cause; exact numbers differ if they are not equal.

    Args:
        one: a cost, or a heuristic value.
        other: another one, possibly infinity.
        additions: by how many additions they were computed.
        scale: a cost of which they are parts or differences, if it is larger than both.

    """
    if one == other:
        return False
    if not (_is_finite(one) and _is_finite(other) and (isinstance(one, float) or isinstance(other, float))):
        return True
    largest = max(Fraction(one), Fraction(other), Fraction(scale))
    return abs(Fraction(one) - Fraction(other)) > (additions + SPARE) * UNIT * largest


def bound_from_weighted_f(least: Cost, weight: Cost) -> Cost:
    """Return the lower bound that the least f = g + w·h of a frontier proves: f / w, rounded down.

    If f was rounded itself, the bound is at most the smallest float whose product with w is no less than f. If f is so
    large, or w so near 1, that the rounding of f outweighs what g adds to the proof, the bound is reduced further.
    """
    if weight == 1:
        return least
    if not isinstance(least, int | float):
        return least / Fraction(weight)
    try:
        bound = least / weight
    except OverflowError:  # of integers whose quotient is larger than any float
        return least // weight
    if not isinstance(bound, float) or not 0 < bound < inf:
        return bound
    if isinstance(least, float) and isinstance(weight, float) and least * 2.0**-51 >= weight - 1:
        bound *= 1 - 2.0**-50
    if isinstance(least, int) and least > EXACT_UP_TO:
        return bound if Fraction(bound) * Fraction(weight) <= least else nextafter(bound, 0)
    while bound and weight * (lower := nextafter(bound, 0)) >= least:
        bound = lower
    return bound


def exceeds(one: Cost, other: Cost, additions: int = 0, scale: Cost = 0) -> bool:
    """Whether one cost is larger than another by more than rounding can cause. The arguments are those of `differ`."""
    return bool(one > other) and differ(one, other, additions, scale)


def _is_finite(cost: Cost) -> bool:
    return -inf < cost < inf  # `math.isfinite` fails for an int of 309 digits
