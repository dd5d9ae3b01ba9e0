"""The search that fills a pattern database, in machine code."""

from typing import Any

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit_tiles.heuristics.spread import spread

_spread = kernel(spread)


def compiled_spread(cells: int, near: Any, start: int, costs: Any, now: Any, later: Any, places: Any) -> None:
    """Run `searchkit_tiles.heuristics.spread.spread` in machine code."""
    arrays = np.frombuffer(costs, np.uint8), np.frombuffer(now, np.uint32), np.frombuffer(later, np.uint32)
    _spread(cells, np.array(near, np.int64), start, *arrays, np.array(places, np.int64))
