"""Compiled views of problems: packed states as data and as machine code."""

import logging
import os
from importlib import import_module
from importlib.util import find_spec

logger = logging.getLogger("searchkit")
_broken: list[BaseException] = []


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_usable() -> bool:
    """Whether Numba can be imported. It may be installed and broken, in any way: that is logged once."""
    if find_spec("numba") is None:
        return False
    try:
        import_module("searchkit.compiled.functions")
    except (Exception, SystemExit) as error:
        if not _broken:
            _broken.append(error)
            logger.warning(
                "machine code can't be used: importing Numba failed (%s: %s)", type(error).__name__, error
            )
        return False
    return True
