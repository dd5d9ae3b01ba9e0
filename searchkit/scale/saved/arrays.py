"""Arrays of plain numbers as the bytes of a file: in the order of their elements, the least significant byte first."""

from typing import Any

import numpy as np


def plain(array: Any) -> tuple[Any, memoryview]:
    """Return an array with its bytes. It is copied only if its elements do not lie side by side, in that order.

    Raises `TypeError` if its elements are not plain numbers.
    """
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"an array of {array.dtype}: expected plain numbers")
    found = np.asarray(array, array.dtype.newbyteorder("<"), order="C")
    return found, found.reshape(-1).view(np.uint8).data


def empty(shape: tuple[int, ...], dtype: str) -> tuple[Any, memoryview]:
    """Return an array that is to be filled by its bytes, and these."""
    array = np.empty(shape, dtype)
    return array, array.reshape(-1).view(np.uint8).data
