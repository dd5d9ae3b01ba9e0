"""How the options of methods are read."""

from collections.abc import Callable
from math import isfinite
from operator import index
from typing import Any


def whole(least: int) -> Callable[[Any], int]:
    """Return what reads a whole number of at least `least`; it raises `ValueError` for anything else."""

    def read(value: Any) -> int:
        try:
            found = int(value) if isinstance(value, str) else index(value)
        except (TypeError, ValueError):
            found = least - 1
        if found < least:
            raise ValueError(f"expected a whole number of at least {least}")
        return found

    return read


def number(least: float, most: float, reason: str) -> Callable[[Any], float]:
    """Return what reads a number above `least` and up to `most`; it raises `ValueError` for anything else."""

    def read(value: Any) -> float:
        found = float(value)
        if not (isfinite(found) and least < found <= most):
            raise ValueError(f"expected {reason}")
        return found

    return read


def share(value: Any) -> float:
    """Read a probability. Raises `ValueError` for anything else."""
    found = float(value)
    if not 0 <= found <= 1:
        raise ValueError("expected a probability from 0 to 1")
    return found
