"""The options that generators share, and how they are read."""

import re
from collections.abc import Iterable
from operator import index
from typing import Any, NamedTuple

from searchkit.plugin import Parameter

MOST = 10_000
"""The longest side of a map, in cells."""
PAIR = re.compile(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*")
RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?")


class Size(NamedTuple):
    """Width and height of a map, in cells."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


class Span(NamedTuple):
    """The least and the largest number of cells."""

    least: int
    most: int

    def __str__(self) -> str:
        return f"{self.least}-{self.most}"


def size_option(default: Size, least: int, note: str = "") -> Parameter:
    """Return the option of a width and a height, "64x56" or (64, 56), both at least `least`."""

    def size(value: Any) -> Size:
        width, height = _pair(value, PAIR, "WIDTHxHEIGHT in cells, such as 64x56")
        if not (least <= width <= MOST and least <= height <= MOST):
            raise ValueError(f"expected a width and a height from {least} to {MOST} cells")
        return Size(width, height)

    return Parameter("size", f"width and height of the map in cells, WxH{note}", default, size)


def span(value: Any) -> Span:
    """Read a range of sizes: "60-90", (60, 90), or "75" or 75 for one size."""
    one = value if isinstance(value, Iterable) else (value, value)
    least, most = _pair(one, RANGE, "LEAST-MOST in cells, such as 60-90")
    if least > most:
        raise ValueError(f"the least comes first; did you mean {most}-{least}?")
    if least < 1:
        raise ValueError("expected at least 1 cell")
    return Span(least, most)


def _pair(value: Any, pattern: re.Pattern[str], expected: str) -> tuple[int, int]:
    """Read two numbers from a text of this pattern or from a pair; a single number stands for both."""
    try:
        if isinstance(value, str):
            match = pattern.fullmatch(value)
            value = match and (match[1], match[2] or match[1])
        first, second = (int(each) if isinstance(each, str) else index(each) for each in value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected {expected}") from error
    return first, second


SEED = Parameter(
    "seed", "the seed of the random number generator: the same seed gives the same map", convert=int, least=0
)
