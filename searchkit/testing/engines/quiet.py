"""Stopping code that runs on and on and asks the problem nothing, which no count of questions can stop."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

QUIET = 2.0
"""Seconds of this process's own computing time without a question, after which a search is taken to be endless."""
QUIET_AGAIN = 0.05
"""The same while a case is made smaller, once one has been stopped after `QUIET`."""
SMALLER = 25
"""How many cases are stopped in all. After them, no smaller one and no other fault is looked for beyond the next."""


class QuietError(BaseException):
    """It has asked nothing for too long. Not an `Exception`: code under test can't swallow it by accident."""


class EnoughError(BaseException):
    """So many cases have been stopped that no smaller one is looked for."""


@contextmanager
def stopped_when_quiet(questions: Callable[[], object], seconds: float) -> Iterator[None]:
    """Raise `QuietError` in the block, once `questions()` has stayed the same for that long, or up to twice as long.

    The time is that of the process's own computing, so it does not matter what else the machine does. Where there are
    no such signals, as on Windows, or in another thread than the main one, nothing is raised; nor within one call of a
    built-in function.
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
