"""What machine code for all tables has in common: reading arrays, paths, and reports of progress."""

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from searchkit.compiled.functions import kernel
from searchkit.compiled.kit import lend_object
from searchkit_graph.precomputed.network import FAR, HALF, LOW, Network
from searchkit_graph.precomputed.tables import Way, damaged

logger = logging.getLogger("searchkit")
Reader = TypeVar("Reader")
PATIENCE = 3.0
"""Seconds between two reports of progress."""


class Progress:
    """Logs how far a long computation is, every few seconds."""

    def __init__(self, most: int, table: str, what: str):
        self.most, self.table, self.what, self.last = most, table, what, perf_counter()

    def report(self, done: int) -> None:
        """Log it, if it is time."""
        if perf_counter() - self.last >= PATIENCE:
            self.last = perf_counter()
            logger.info("%s: %s of %s %s", self.table, f"{done:,}", f"{self.most:,}", self.what)


def lent_reader(readers: list[Any], make: Callable[[], Reader]) -> Reader:
    """Return a reader that nobody else uses, an earlier one or a new one. It is kept for others when it is deleted."""
    try:
        kept = readers.pop()
    except IndexError:
        kept = make()
    reader: Reader = lend_object(kept, readers.append)
    return reader


def numbers_of(part: Any, kind: Any) -> Any:
    """Return an array of the standard library, or a part of a file, as an array of numpy over the same memory."""
    return np.frombuffer(part, kind) if len(part) else np.zeros(0, kind)


def way_along(network: Network, states: list[int], what: str) -> Way:
    """Return the path along some states."""
    edges, values = np.empty((2, len(states)), np.int64)
    begins, heads, lengths = (
        numbers_of(part, kind)
        for part, kind in (
            (network.begins, np.int64),
            (network.heads, np.uint32),
            (network.lengths, np.uint32),
        )
    )
    units = map(np.int64, network.units)
    if not _choose_edges(begins, heads, lengths, *units, np.array(states), edges, values):
        raise damaged(what)
    return Way(states, edges[:-1].tolist(), values.tolist())


@kernel
def _choose_edges(
    begins: Any, heads: Any, lengths: Any, straight: Any, slant: Any, states: Any, chosen: Any, values: Any
) -> Any:
    """Write which edges a path takes, and the value of the way to each state; return whether there are such edges."""
    values[0] = 0
    for place in range(states.size - 1):
        least, begin = np.int64(FAR), begins[states[place]]
        for edge in range(begin, begins[states[place] + 1]):
            length = lengths[edge]
            value = np.int64(length >> HALF) * straight + np.int64(length & LOW) * slant
            if np.int64(heads[edge]) == states[place + 1] and value < least:
                least, chosen[place] = value, edge - begin
        if least == FAR:
            return False
        values[place + 1] = values[place] + least
    return True
