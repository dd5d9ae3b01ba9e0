"""Several measurements of one quantity: the median and the range."""

from collections.abc import Sequence
from statistics import median

from attrs import frozen


@frozen
class Spread:
    """The median of several measurements, and their range."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the spread of at least one value."""
        return cls(median(values), min(values), max(values))
