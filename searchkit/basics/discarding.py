"""Freeing large containers piece by piece: freeing millions of states at once would take seconds."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

PIECE = 20_000
"""How many elements are freed at a time, which takes some milliseconds."""


def discard(containers: Iterable[Any]) -> Iterator[None]:
    """Empty the containers that nothing else refers to, a piece for each step."""
    held = list(containers)
    del containers
    while held:
        if isinstance(held[-1], dict | set | list | deque) and _references(held) <= ALONE:
            while held[-1]:
                _shorten(held[-1])
                yield
        held.pop()
    yield


def _references(held: list[Any]) -> int:
    """Return the reference count of the last element."""
    return sys.getrefcount(held[-1])


ALONE = _references([[]])
"""The reference count of what only a list holds. It depends on the version of Python."""


def _shorten(container: Any) -> None:
    if isinstance(container, list):
        del container[-PIECE:]
    elif isinstance(container, dict):
        for key in list(islice(container, PIECE)):
            del container[key]
    else:
        for _ in range(min(PIECE, len(container))):
            container.pop()
