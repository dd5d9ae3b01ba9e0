"""Costs as people and as JSON read them."""

from fractions import Fraction
from math import ceil, inf, isfinite

from searchkit.problem import Cost


def readable(cost: Cost) -> str:
    """Return a cost with at most six decimals, thousands separated; a fraction as it is, its value beside it."""
    if isinstance(cost, Fraction) and cost.denominator != 1:
        return f"{cost} ≈ {float(cost):.6g}"
    if isinstance(cost, float) and not cost.is_integer():
        return f"{cost:,.6f}".rstrip("0").rstrip(".") if isfinite(cost) and abs(cost) >= 1e-6 else f"{cost:g}"
    return f"{int(cost):,}"


def above_optimum(cost: Cost, bound: Cost) -> str:
    """Return how far a cost is from the optimum at most, given a lower bound > 0, rounded up."""
    ratio = float(cost) / float(bound)
    if ratio < 2:
        return f"at most {ceil(1000 * (ratio - 1)) / 10:g}% above the optimum"
    return f"at most {ceil(10 * ratio) / 10:,g} times the optimum"


def times_optimum(cost: Cost, bound: Cost) -> str:
    """Return the same in few characters: `≤ 1.12 × optimum`."""
    return f"≤ {ceil(100 * float(cost) / float(bound)) / 100:,g} × optimum"


def rough(cost: Cost) -> str:
    """Return a cost in few characters: whole from 1,000 on, otherwise at most six digits."""
    return f"{float(cost):,.0f}" if 1000 <= cost < inf else f"{float(cost):.6g}"


def readable_seconds(seconds: float) -> str:
    """Return a time in seconds: four decimals below one second, two above."""
    return f"{seconds:.4f}" if seconds < 1 else f"{seconds:,.2f}"


def json_number(cost: Cost | None) -> int | float | None:
    """Return a cost as JSON can hold it: a fraction as the nearest number, and infinity, which it can't, as None."""
    if isinstance(cost, Fraction):
        return cost.numerator if cost.denominator == 1 else float(cost)
    if cost is None or not isfinite(cost):
        return None
    return cost
