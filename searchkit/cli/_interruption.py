"""Ctrl-C as a cutoff: the first ends the search, the second the program."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from searchkit.search import Search


class Interruption:
    """Whether Ctrl-C was pressed, and the search that it ends."""

    def __init__(self) -> None:
        self.happened = False
        self.search: Search[Any, Any] | None = None

    def watch(self, search: Search[Any, Any]) -> None:
        """Make Ctrl-C end this search; at once, if it was pressed before."""
        self.search = search
        if self.happened:
            search.interrupt()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.happened:
            raise KeyboardInterrupt
        self.happened = True
        if self.search is not None:
            self.search.interrupt()


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Handle Ctrl-C while the block runs. Outside the main thread, which alone gets signals, it changes nothing."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = signal.signal(signal.SIGINT, interruption._handle)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
