"""Costs, times and states as people and as JSON read them."""

import json
from fractions import Fraction
from math import ceil, inf, isfinite
from numbers import Integral, Rational, Real
from sys import float_info, maxsize
from typing import Any

from searchkit.errors import quoted
from searchkit.problem import Cost

LARGEST_FLOAT = float_info.max


def readable(cost: Cost) -> str:
    """Return a cost with at most six decimals and separated thousands; a fraction followed by its value."""
    if isinstance(cost, Fraction) and cost.denominator != 1:
        return f"{cost} ≈ {float(cost):.6g}" if cost <= LARGEST_FLOAT else f"{cost}"
    if isinstance(cost, float) and not cost.is_integer():  # infinity is not one
        return f"{cost:,.6f}".rstrip("0").rstrip(".") if isfinite(cost) and abs(cost) >= 1e-6 else f"{cost:g}"
    return f"{int(cost):,}"


def times_optimum(cost: Cost, bound: Cost) -> str:
    """Return by how much a cost is at most above the optimum, given a lower bound > 0: `≤ 1.12 × optimum`."""
    return f"≤ {ceil(100 * float(cost) / float(bound)) / 100:,g} × optimum"


def readable_seconds(seconds: float) -> str:
    """Return a time in seconds, with four decimals below one second and two above."""
    return f"{seconds:.4f}" if seconds < 1 else f"{seconds:,.2f}"


def json_number(cost: Cost | None) -> int | float | None:
    """Return a cost for JSON: the nearest number to a fraction, and None for infinity, which JSON can't hold."""
    if isinstance(cost, Fraction):
        return round(cost) if cost.denominator == 1 or cost > LARGEST_FLOAT else float(cost)
    return None if cost == inf else cost


def plain(value: object) -> Any:
    """Return a state or an action for JSON, with tuples as lists; its `repr` if JSON can't hold all of it.

    Numbers of other libraries, such as numpy, become numbers of Python.
    """
    try:
        return json.loads(json.dumps(value, default=_number, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return quoted(value, maxsize)


def plain_detail(value: object) -> Any:
    """Return what an engine reports of itself, for JSON; a tuple of anything as a list of texts."""
    made = plain(value)
    return list(map(str, value)) if isinstance(value, tuple) and isinstance(made, str) else made


def _number(value: object) -> int | float:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Rational):
        return float(value)
    raise TypeError
