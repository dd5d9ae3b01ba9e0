"""What a saved run holds, checked value by value as it is read."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from searchkit.compiled.kit import control
from searchkit.compiled.kit.store import NOBODY
from searchkit.errors import InputFormatError

LARGEST = 1 << 62
"""Counters are below this."""


class Pieces:
    """An array that is made piece by piece while it is saved, so that the whole one takes no memory.

    Args:
        count: the number of its elements, or of its rows.
        piece: returns those from a place on, up to another.

    """

    def __init__(self, count: int, piece: Callable[[int, int], Any]):
        empty = piece(0, 0)
        self.dtype, self.shape, self._piece = empty.dtype, (count, *empty.shape[1:]), piece

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, place: slice) -> Any:
        first, end, _ = place.indices(len(self))
        return self._piece(first, end)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self[:]


class Fields:
    """The values of a saved run, by name; each is checked when it is read.

    All methods raise `InputFormatError`, which names the value, if it is missing or not what is expected.
    """

    def __init__(self, saved: Mapping[str, Any]):
        self._saved = {
            name: value[:] if isinstance(value, Pieces) else value for name, value in saved.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._saved

    def array(
        self,
        name: str,
        kind: Any,
        *,
        length: int | None = None,
        columns: int | None = None,
        below: float | None = None,
        longest: int = NOBODY - 1,
    ) -> Any:
        """Return an array with elements of a type. It may be read-only, and the caller must not keep it.

        Args:
            name: its name.
            kind: the type of its elements.
            length: the number of its elements, or of its rows; None for any number.
            columns: the number of its columns; None for an array of one dimension.
            below: its elements are ≥ 0 and below this; None for any elements.
            longest: the largest length.

        """
        array, kind = self.value(name), np.dtype(kind)
        shape = (-1,) if columns is None else (-1, columns)
        fits = isinstance(array, np.ndarray) and array.dtype == kind and array.ndim == len(shape)
        if not fits or array.shape[1:] != shape[1:]:
            raise self.wrong(name, f"expected an array of {kind}")
        if len(array) > longest or (length is not None and len(array) != length):
            raise self.wrong(name, f"it has {len(array)} elements")
        if below is not None and array.size and not (array.min() >= 0 and array.max() < below):
            raise self.wrong(name, f"expected numbers from 0 up to {below}")
        return np.ascontiguousarray(array)

    def value(self, name: str) -> Any:
        """Return a value as it is."""
        if name not in self._saved:
            raise self.wrong(name, "it is missing")
        return self._saved[name]

    def whole(self, name: str, least: int = 0, most: int = LARGEST) -> int:
        """Return an integer from `least` to `most`."""
        value = self.value(name)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(name, f"expected an integer from {least} to {most}")
        return value

    def number(self, name: str, most: float = control.EXACT) -> Any:
        """Return an integer or a float from 0 to `most`."""
        value = self.value(name)
        if type(value) not in (int, float) or not 0 <= value <= most:
            raise self.wrong(name, f"expected a number from 0 to {most}")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value."""
        value = self.value(name)
        if type(value) is not bool:
            raise self.wrong(name, "expected true or false")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        value = self.value(name)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self.wrong(name, "expected a list of texts")
        return list(value)

    def expect(self, holds: Any, name: str, why: str) -> None:
        """Raise the error for a value, and why it is wrong, if a condition does not hold."""
        if not holds:
            raise self.wrong(name, why)

    def wrong(self, name: str, why: str) -> InputFormatError:
        """Return the error for a value, and why it is wrong."""
        return InputFormatError(f"the saved search can't be continued: {name}: {why}")
