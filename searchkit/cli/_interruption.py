"""Ctrl-C as a cutoff: the first ends the searches, the second the program."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol


class Interruptible(Protocol):
    """A search, or many."""

    def interrupt(self) -> None:
        """End soon, as a cutoff."""


class Interruption:
    """Whether Ctrl-C was pressed, and the search that it ends."""

    def __init__(self) -> None:
        self.happened = False
        self.search: Interruptible | None = None

    def watch(self, search: Interruptible) -> None:
        """Make Ctrl-C end this search, or these; at once, if it was pressed before."""
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
