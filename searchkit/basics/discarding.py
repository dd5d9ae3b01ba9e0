"""Freeing large containers piece by piece: freeing millions of states at once would take seconds."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

PIECE = 20_000
"""How many elements are freed at a time, which takes some milliseconds."""
OURS = 2
"""The reference count of a container that only `discard` holds: its variable and the argument of `getrefcount`."""


def discard(containers: Iterable[Any]) -> Iterator[None]:
    """Empty the containers that nothing else refers to, a piece for each step."""
    held = list(containers)
    del containers
    while held:
        container = held.pop()
        if isinstance(container, dict | set | list | deque) and sys.getrefcount(container) <= OURS:
            while container:
                _shorten(container)
                yield
    yield


def _shorten(container: Any) -> None:
    if isinstance(container, list):
        del container[-PIECE:]
    elif isinstance(container, dict):
        for key in list(islice(container, PIECE)):
            del container[key]
    else:
        for _ in range(min(PIECE, len(container))):
            container.pop()
