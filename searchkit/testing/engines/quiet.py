"""Stopping code that runs for a long time without calling the problem, so that counting calls can't stop it."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

QUIET = 2.0
"""CPU seconds of this process without a call of the problem after which a search counts as endless."""
QUIET_AGAIN = 0.05
"""The same while a case is reduced, after one case was stopped."""
SMALLER = 25
"""The largest number of stopped cases. After that, the check looks for no smaller case and no other fault."""


class QuietError(BaseException):
    """The code did not call the problem for too long. Not an `Exception`, so that the code does not catch it."""


class EnoughError(BaseException):
    """Enough cases have been stopped; no smaller case is looked for."""


@contextmanager
def stopped_when_quiet(questions: Callable[[], object], seconds: float) -> Iterator[None]:
    """Raise `QuietError` in the block if `questions()` does not change for this time, or at most for twice this time.

    The time is the CPU time of the process, so the load of the machine does not matter. Nothing is raised on systems
    without these signals, such as Windows, outside the main thread, and during a call of a built-in function.
    """
    if not hasattr(signal, "SIGVTALRM") or current_thread() is not main_thread():
        yield
        return
    before = questions()

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal before
        now = questions()
        if now == before:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            raise QuietError
        before = now

    handler = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
