"""When two costs are equal: the one place that says what the rounding of floats explains, and what it does not.

An `int` or a `Fraction` is exact. A `float` is an exact number too; its sums are rounded. A sum of n floats ≥ 0, added
up in any order, differs from the exact sum by at most n · 2⁻⁵³ of it (Higham, Accuracy and Stability of Numerical
Algorithms, 2002, section 4.2), and not at all if no addition has to round. So a cost is compared with the exact sum,
and may differ by this much and no more, whatever the size of the numbers. No tolerance here is absolute.

An estimate that a heuristic computes in floats is rounded as well, in ways that nobody can know: it may exceed the cost
that it is compared with by 256 · 2⁻⁵³, about 3 · 10⁻¹⁴, of the costs in play besides.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import inf, nextafter
from operator import add

from searchkit.problem import Cost

UNIT = Fraction(1, 2**53)
"""What an addition may be off by, as a part of the sum."""
SPARE = 256
"""How many such parts the rounding of an estimate may add up to."""
EXACT_UP_TO = 2**53
"""A float holds every whole number up to this."""


def exact(cost: Cost) -> Fraction:
    """Return a finite cost as the rational number that it is."""
    try:
        return Fraction(cost)
    except TypeError:  # a number of another library
        return Fraction(float(cost))


def sum_error(costs: Sequence[Cost]) -> Fraction:
    """Return the most by which a sum of these costs, in any order, may differ from the exact one.

    0 where all costs are exact numbers, or floats of which every sum is a float.
    """
    if not any(isinstance(cost, float) for cost in costs):
        return Fraction(0)
    terms = [exact(cost) for cost in costs]
    total = sum(terms)
    fineness = max(term.denominator for term in terms)
    powers = all(term.denominator & (term.denominator - 1) == 0 for term in terms)
    if powers:
        wholes = [term.numerator * (fineness // term.denominator) for term in terms]
        together = reduce(int.__or__, wholes)
        grain = together & -together or 1
        if sum(wholes) // grain <= EXACT_UP_TO:
            return Fraction(0)
    return len(terms) * UNIT * total


def is_sum(claimed: Cost, costs: Sequence[Cost]) -> bool:
    """Whether a cost is the sum of these, but for what rounding explains."""
    if reduce(add, costs, 0) == claimed:
        return True
    if not _is_finite(claimed):
        return False
    return abs(exact(claimed) - sum(map(exact, costs))) <= sum_error(costs)


def differ(one: Cost, other: Cost, additions: int = 0, scale: Cost = 0) -> bool:
    """Whether two costs differ by more than rounding explains; exact numbers wherever they are not equal.

    Args:
        one: a cost, or an estimate of one.
        other: another, infinity included.
        additions: how many additions made them.
        scale: a cost that they are differences or parts of, if it is larger than both.

    """
    if one == other:
        return False
    if not (_is_finite(one) and _is_finite(other) and (isinstance(one, float) or isinstance(other, float))):
        return True
    largest = max(map(exact, (one, other, scale)))
    return abs(exact(one) - exact(other)) > (additions + SPARE) * UNIT * largest


def share(least: Cost, weight: Cost) -> Cost:
    """Return what the least f = g + w·h of a frontier proves: no path costs less than a w-th of it.

    A quotient that is rounded is rounded down. An f that was rounded itself proves no more than the smallest float
    whose w-fold is as large; where f is so large, or w so near 1, that its rounding counts for more than what g adds
    to the proof, as much is taken off.
    """
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
        return bound if exact(bound) * exact(weight) <= least else nextafter(bound, 0)
    while bound and weight * (lower := nextafter(bound, 0)) >= least:
        bound = lower
    return bound


def exceeds(one: Cost, other: Cost, additions: int = 0, scale: Cost = 0) -> bool:
    """Whether one cost is larger than another, by more than rounding explains. Arguments as for `differ`."""
    return bool(one > other) and differ(one, other, additions, scale)


def _is_finite(cost: Cost) -> bool:
    return -inf < cost < inf  # `math.isfinite` can't take a whole number of 309 digits


def rests_of(costs: Iterable[Cost]) -> list[Cost]:
    """Return what is left to pay before each of these costs, and 0 for the end.

    Added up from the end: a difference of two sums from the beginning would lose what is small beside them.
    """
    rests: list[Cost] = [0]
    for cost in reversed(list(costs)):
        rests.append(rests[-1] + cost)
    return rests[::-1]
