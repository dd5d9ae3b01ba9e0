"""The search that fills a pattern database, in machine code."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit_classics.cubes.fill import fill

compiled_fill = kernel(fill)


def arrays_of(entries: bytearray, *numbers: Any) -> tuple[Any, ...]:
    """Return the arguments of `compiled_fill`: the entries in the same memory, and lists of integers as arrays."""
    return np.frombuffer(entries, np.uint8), *(np.array(each, np.int64) for each in numbers)
