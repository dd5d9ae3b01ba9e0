"""The limits that a student's process sets for itself, and the messages if one is exceeded."""

import linecache
import os
import signal
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType

from searchkit_coursework.student.channel import Channel

try:
    import resource
except ImportError:  # Windows: the grader's clock and the limit on output work there
    resource = None  # type: ignore[assignment]

MEGABYTE = 1 << 20
LARGEST_FILES = 50 * MEGABYTE
"""The largest size of a file, and of all files together."""
SPARE = 64 * MEGABYTE
"""Bytes that are reserved for the report that the memory is exhausted."""
OPEN_FILES = 128
UNLIMITED: int = -1 if resource is None else resource.RLIM_INFINITY


class Guard:
    """Ends the process with a message as soon as the student's code exceeds a limit."""

    def __init__(self, channel: Channel, file: str, seconds: float, memory: float):
        self.channel, self.file, self.seconds, self.memory = channel, file, seconds, memory
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._time_is_up)

    def limit_resources(self) -> None:
        """Set the system's limits of memory and of the size and number of files."""
        allowed = memory_taken() + int(self.memory * MEGABYTE)
        set_limit("RLIMIT_AS", allowed, allowed + SPARE)
        set_limit("RLIMIT_FSIZE", LARGEST_FILES, LARGEST_FILES)
        set_limit("RLIMIT_NOFILE", OPEN_FILES, OPEN_FILES)
        set_limit("RLIMIT_CORE", 0, 0)

    def set_timer(self, seconds: float) -> None:
        """Restart the clock; 0 stops it."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def end_for_memory(self, place: str) -> None:
        """Report that the memory is exhausted, and end the process."""
        self.set_timer(0)
        self._free_spare()
        self.channel.end("memory", place=place)

    def _free_spare(self) -> None:
        set_limit("RLIMIT_AS", UNLIMITED, UNLIMITED)

    def _time_is_up(self, number: int, frame: FrameType | None) -> None:
        self._free_spare()
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back
        self.channel.end("time", place=_place(self.file, frame.f_lineno) if frame is not None else "")


def set_limit(name: str, soft: int, hard: int) -> tuple[int, int]:
    """Set a limit of the system, but not above the hard limit that there is; return the limits that there were."""
    if resource is None:
        return UNLIMITED, UNLIMITED
    limit = getattr(resource, name)
    before: tuple[int, int] = resource.getrlimit(limit)
    if before[1] != UNLIMITED:
        soft, hard = (before[1] if each == UNLIMITED else min(each, before[1]) for each in (soft, hard))
    with suppress(OSError, ValueError):  # macOS refuses some of them
        resource.setrlimit(limit, (soft, hard))
    return before


def place_of_error(file: str, trace: TracebackType | None) -> str:
    """Return the innermost line of `file` in a traceback; "" if there is none."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return _place(file, line) if line else ""


def _place(file: str, number: int) -> str:
    line = linecache.getline(file, number).strip()
    return f"line {number} ({line})" if line else f"line {number}"


def memory_taken() -> int:
    """Return the present size of the address space of the process in bytes, a guess if it is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 256 * MEGABYTE
    return pages * os.sysconf("SC_PAGE_SIZE")
