"""Limits: when a search stops although it could continue."""

import os
import signal
import sys
import threading
from math import inf
from numbers import Integral, Real
from pathlib import Path
from time import perf_counter
from traceback import walk_stack
from types import FrameType
from typing import Any, Never

from attrs import frozen

from searchkit.errors import InvalidLimitError, UnknownNameError, quoted, unknown

STATM = Path("/proc/self/statm")
SLICE_SECONDS = 0.005
"""How long the engine runs before time, memory and interruptions are checked."""
CTRL_C = "Ctrl-C"
COMPARISONS = ("__eq__", "__hash__", "__lt__")
LIBRARIES = ("sortedcontainers", "heapq", "fractions", "numbers")
"""Modules that engines call while they write."""


class OutOfMemory(str):
    """The reason of a cutoff, if memory was short."""

    __slots__ = ()


@frozen(init=False)
class Limits:
    """Limits of one run of a search. None means no limit; 0 is a limit.

    Args:
        expansions: states expanded in this run; the limit is exact.
        seconds: wall-clock seconds of this run, checked about a hundred times per second.
        memory: resident memory of the process in MB (10⁶ bytes), checked about a hundred times per second.

    Raises:
        InvalidLimitError: a value is not a number ≥ 0.

    """

    expansions: int | None
    seconds: float | None
    memory: float | None

    def __init__(
        self,
        *,
        expansions: int | None = None,
        seconds: float | None = None,
        memory: float | None = None,
        **others: Never,
    ):
        given: dict[str, Any] = {"expansions": expansions, "seconds": seconds, "memory": memory}
        for name in others:
            what, listing = f"there is no limit {name!r}", f"the limits are {', '.join(given)}"
            raise UnknownNameError(unknown(what, name.removeprefix("max_"), given, listing))
        for name, value in given.items():
            of: Any = Integral if name == "expansions" else Real
            if not (value is None or (isinstance(value, of) and not isinstance(value, bool) and value >= 0)):
                kind = "a whole number" if of is Integral else "a number"
                raise InvalidLimitError(
                    f"limit {name}={quoted(value)}: expected {kind} ≥ 0, or None for no limit"
                )
        self.__attrs_init__(**given)

    def reached(self, elapsed: float) -> str:
        """Return the limit of time or memory that is reached after so many seconds; "" if neither is."""
        if self.seconds is not None and elapsed >= self.seconds:
            return f"the limit of {self.seconds} seconds"
        if self.memory is not None and resident_memory() >= self.memory:
            return OutOfMemory(f"the limit of {self.memory} MB of memory")
        return ""


NO_LIMITS = Limits()
RESERVED = 0.5
"""The share of the addresses that a run finds left when it first checks them, for its end and the growth of a dict."""


def checked_limits(limits: object) -> Limits:
    """Return the limits of a run; for None, no limits. Raises `InvalidLimitError` for other types than `Limits`."""
    if limits is None:
        return NO_LIMITS
    if not isinstance(limits, Limits):
        number = limits if isinstance(limits, int) else "…"
        raise InvalidLimitError(
            f"limits={quoted(limits)}: expected limits of named kinds, such as limits=Limits(expansions={number}) or "
            "Limits(seconds=…, memory=…)"
        )
    return limits


class LimitReached(Exception):  # noqa: N818  # it is not an error
    """Raised by `tree.poll` inside an expansion, which is repeated later. The text names the limit."""


class Watch:
    """What ends the runs of a search besides its engine: limits, `Search.interrupt`, and Ctrl-C.

    It knows nothing of the search, so that a search is freed as soon as it is no longer referenced.

    Args:
        engine: the package of the engine function.

    """

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.running = False
        """Whether a thread is in a run, as the problem that it asks may be."""
        self.interrupted = ""
        """The reason why the run is to end: `CTRL_C`, or that of `Search.interrupt`; "" without one."""
        self.in_python = True
        """Whether Ctrl-C may be raised in code of the problem: machine code is not to be interrupted there."""
        self.handles_ctrl_c = False
        """Whether Ctrl-C is handled in this run."""
        self._limits, self._begin, self._next_check = NO_LIMITS, 0.0, inf
        self._reserve: float | None = None
        """The bytes of address space that are left for the end of a run, such as for saving the search."""

    def start(self, limits: Limits) -> None:
        """Begin a run with these limits."""
        self._limits, self._begin, self._reserve = limits, perf_counter(), None
        self._next_check = self._begin + SLICE_SECONDS

    def stop(self) -> bool:
        """End the run; return whether Ctrl-C was pressed. `poll` does nothing until the next run begins."""
        if pressed := self.interrupted == CTRL_C:
            self.interrupted = ""
        self._limits, self._next_check = NO_LIMITS, inf
        if self.handles_ctrl_c:
            self.handles_ctrl_c = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return pressed

    def reached(self) -> str:
        """Return what ends the run now; "" if nothing does."""
        now = perf_counter()
        if reason := self.interrupted:
            self.interrupted = CTRL_C if reason == CTRL_C else ""
            return reason
        if now >= self._next_check:
            left = addresses_left()
            if self._reserve is None:
                self._reserve = RESERVED * left
            if left < self._reserve:
                return OutOfMemory(
                    "the memory that this process may take (ulimit -v); --max-memory ends a search sooner"
                )
        self._next_check = now + SLICE_SECONDS
        return "" if self._limits is NO_LIMITS else self._limits.reached(now - self._begin)

    def poll(self) -> None:
        """Raise `LimitReached` if the run has to end; engines call it during long expansions, as `tree.poll`."""
        if perf_counter() >= self._next_check and (reason := self.reached()):
            raise LimitReached(reason)

    def handle_ctrl_c(self) -> None:
        """Handle Ctrl-C for the rest of this run, if Python's own handler would."""
        own = not self.handles_ctrl_c and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if own and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._on_ctrl_c)
            self.handles_ctrl_c = True

    def _on_ctrl_c(self, signum: int, frame: FrameType | None) -> None:
        """Raise at once in code of the problem, or if it is pressed twice; otherwise end the run soon."""
        if self.interrupted == CTRL_C or self._is_in_problem(frame):
            raise KeyboardInterrupt
        self.interrupted = CTRL_C

    def _is_in_problem(self, frame: FrameType | None) -> bool:
        """Whether code of the problem runs that an engine in Python asks, and not a comparison of states."""
        asks = False
        for inner, _ in walk_stack(frame) if self.in_python else ():
            module = str(inner.f_globals.get("__name__")).partition(".")[0]
            if module in ("searchkit", self.engine):
                return asks
            if inner.f_code.co_name in COMPARISONS:
                return False
            asks |= module not in LIBRARIES
        return asks


def resident_memory() -> float:
    """Return the resident memory of this process, in MB (10⁶ bytes).

    If the system does not provide the present value, return the largest so far; if it provides neither, raise
    `InvalidLimitError`.
    """
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    try:
        import resource
    except ImportError:
        raise InvalidLimitError(
            f"a memory limit can't be kept on {sys.platform}: the system does not tell a process its memory; "
            "limit the expansions instead"
        ) from None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def addresses_left() -> float:
    """Return the bytes of address space below the limit of this process (`ulimit -v`); infinity without a limit."""
    if sys.platform != "linux":
        return inf
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return inf
    return limit - int(STATM.read_text().split()[0]) * resource.getpagesize()
