"""No test of this folder leaves a thread behind."""

import gc
from collections.abc import Iterator

import pytest

from tests.search.many.queries import EARLIER, wait_for_no_workers, workers


@pytest.fixture(autouse=True)
def nothing_stays_behind() -> Iterator[None]:
    """Wait for the end of the threads of a test, even those of iterators that are not closed."""
    EARLIER.clear()
    EARLIER.update(workers())
    yield
    if workers():  # those of an iterator that only the garbage collector finds
        gc.collect()
    wait_for_no_workers()
