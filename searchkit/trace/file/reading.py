"""The header and the columns of a `.trace` file, with every type, length and range checked."""

from array import array
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from searchkit.trace.file.columns import moved, read_exact

Value = TypeVar("Value")


def no_constant(name: str) -> Any:
    """Raise ValueError: NaN and Infinity are not JSON."""
    raise ValueError(f"{name} is not a number of JSON")


def member(kind: type[Value], header: Mapping[str, Any], name: str) -> Value:
    """Return a member of a JSON object, which has to be of a type. Raises ValueError."""
    value = header.get(name)
    if type(value) is not kind:
        raise ValueError(f"{name} in its header should be a {kind.__name__}")
    return value


def count(header: Mapping[str, Any], name: str, most: int = 1 << 62) -> int:
    """Return a whole number from 0 to `most`. Raises ValueError."""
    number = member(int, header, name)
    if not 0 <= number <= most:
        raise ValueError(f"{name} in its header should be a number from 0 to {most:,}")
    return number


class Columns:
    """The columns of a file by name, with their lengths and ranges checked."""

    def __init__(self, columns: Mapping[str, Any]):
        self._columns = columns

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def whole(
        self, name: str, n: int | None = None, least: int | None = None, below: int | None = None
    ) -> "array[int]":
        """Return a column of `n` whole numbers, each from `least` to less than `below`. Raises ValueError."""
        values = self._columns.get(name)
        if not isinstance(values, array) or (n is not None and len(values) != n):
            raise ValueError(
                f"it should have a column {name} of {'' if n is None else f'{n:,} '}whole numbers"
            )
        if values and (
            (least is not None and min(values) < least) or (below is not None and max(values) >= below)
        ):
            raise ValueError(f"column {name} has a number that is out of range")
        return values

    def texts(self, name: str, n: int | None = None) -> list[str]:
        """Return a column of `n` texts. Raises ValueError."""
        values = self._columns.get(name)
        if not isinstance(values, list) or (n is not None and len(values) != n):
            raise ValueError(f"it should have a column {name} of {'' if n is None else f'{n:,} '}texts")
        return values

    def numbers(self, name: str, n: int) -> list[Any]:
        """Return a column of `n` exact numbers: indices in one column and texts in another. Raises ValueError."""
        known = [read_exact(text) for text in self.texts(f"{name}_values")]
        return [known[index] for index in self.whole(name, n, 0, len(known))]

    def exact(self, names: tuple[str, str, str], n: int) -> "Exact":
        """Return `n` exact numbers in one of the three forms. Raises ValueError."""
        if names[0] in self:
            return Exact(iter(self.whole(names[0], n)), None)
        if names[1] in self:
            ulps = f"{names[1]}_ulps"
            return Exact(iter(self.numbers(names[1], n)), iter(self.whole(ulps, n)) if ulps in self else None)
        return Exact(iter(self.numbers(names[2], n)), None, steps=False)


class Exact:
    """Exact numbers, given by steps from others, or directly."""

    def __init__(self, values: Iterator[Any], ulps: Iterator[int] | None, steps: bool = True):
        self._values, self._ulps, self._steps = values, ulps, steps

    def next(self, base: Any) -> Any:
        """Return the next number, which may be a step from `base`; None for no base."""
        value = next(self._values)
        if self._steps and base is not None:
            value += base
        ulps = next(self._ulps) if self._ulps is not None else 0
        return moved(value, ulps) if ulps else value
