"""The limits that a student's process lays on itself, and the reasons that it gives when one is overstepped.

Memory, processor time and the size of files are limited by the system. Everything else here guards against accidents
and says what happened in words: an endless loop, a fork bomb copied from a forum, a script that deletes files.
Code that has the whole interpreter to work with can get around it; what it meets then is `containment.py`.
"""

import linecache
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from searchkit_coursework.student.channel import Channel

try:
    import resource
except ImportError:  # Windows: there the time limit alone holds
    resource = None  # type: ignore[assignment]

MEGABYTE = 1 << 20
LARGEST_FILE = 50 * MEGABYTE
SPARE = 64 * MEGABYTE
"""What is kept back for reporting that the memory is used up."""
PROCESSES = {
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
}
NETWORK = {"socket.bind", "socket.connect", "socket.getaddrinfo", "socket.sendto"}
CHANGES = {
    "os.chmod",
    "os.chown",
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.truncate",
    "os.utime",
    "shutil.rmtree",
}
CONNECTIONS = {"os.link", "os.rename", "os.symlink"}
"""Changes of two files: both have to be the student's own."""
LISTINGS = {"os.listdir", "os.scandir"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""Flags of which a file that is only read has none."""


class Guard:
    """Ends the process, with a reason, as soon as the student's code oversteps a limit."""

    def __init__(
        self,
        channel: Channel,
        file: str,
        seconds: float,
        memory: float,
        calls: int,
        readable: Sequence[str] = (),
        private: Sequence[str] = (),
    ):
        self.channel, self.file, self.seconds, self.memory = channel, file, seconds, memory
        self.own = os.path.realpath(Path.cwd())
        self.all_seconds = int(calls * seconds) + 60
        """Of processor time, for the case that nobody is there any more to kill the process."""
        self.readable = (*readable, self.own)
        self.private = tuple(private)
        """Folders that are not to be read, but for what is `readable` in them: the reference solution may be there."""
        self.at_time_limit: Callable[[FrameType | None], None] = lambda frame: None
        """What else to report when the time is up."""
        self.may_start_processes: frozenset[str] = frozenset()
        """Files of searchkit's own that may; not for a student's code that they call."""

    def arm(self) -> None:
        """Watch over time and over what is tried, from now on."""
        sys.dont_write_bytecode = True
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._time_is_up)
        self._refuse_fork_exec()
        sys.addaudithook(self._audit)

    def limit_resources(self) -> None:
        """Let the system limit memory, processor time and the size of files."""
        if resource is not None:
            self._limit_resources()

    def begin(self) -> None:
        """Start the clock anew."""
        self._set_timer(self.seconds)

    def pause(self) -> None:
        """Stop the clock."""
        self._set_timer(0)

    def end_for_memory(self, place: str) -> None:
        """Report that the memory is used up, and end."""
        self.pause()
        self._free_spare()
        self.channel.end("memory", place=place)

    def _set_timer(self, seconds: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def _limit_resources(self) -> None:
        taken = _memory_taken()
        allowed = taken + int(self.memory * MEGABYTE)
        for limit, soft, hard in (
            (resource.RLIMIT_AS, allowed, allowed + SPARE),
            (resource.RLIMIT_CPU, self.all_seconds, self.all_seconds),
            (resource.RLIMIT_FSIZE, LARGEST_FILE, LARGEST_FILE),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            ceiling = resource.getrlimit(limit)[1]
            if ceiling != resource.RLIM_INFINITY:
                soft, hard = min(soft, ceiling), min(hard, ceiling)
            with suppress(OSError, ValueError):  # macOS refuses some of them
                resource.setrlimit(limit, (soft, hard))

    def _free_spare(self) -> None:
        if resource is not None:
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_AS, (hard, hard))

    def _time_is_up(self, number: int, frame: FrameType | None) -> None:
        self._set_timer(0)
        if resource is not None:
            self._free_spare()
        place = place_of_frame(self.file, frame)
        # What is reported may be a problem of the student's, and as endless: it has a second.
        signal.signal(signal.SIGALRM, lambda number, frame: self.channel.end("time", place=place))
        self._set_timer(1)
        self.at_time_limit(frame)
        self.channel.end("time", place=place)

    def _refuse_fork_exec(self) -> None:
        """Close the way to a new process that no audit event is raised for."""
        try:
            import _posixsubprocess
        except ImportError:
            return

        start = _posixsubprocess.fork_exec

        def fork_exec(*arguments: Any) -> int:
            self._refuse_process("")
            return start(*arguments)

        _posixsubprocess.fork_exec = fork_exec

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in PROCESSES:
            self._refuse_process(f" ({event})")
        elif event in NETWORK:
            self._forbid(f"use the network ({event})")
        elif event == "os.killpg" or (event == "os.kill" and arguments[0] != os.getpid()):
            self._forbid("send a signal to another process")
        elif event == "open" and isinstance(arguments[2], int):
            if arguments[2] & WRITING:
                self._refuse_outside("write", arguments[0])
            elif self.private:
                self._refuse_private(arguments[0])
        elif event in LISTINGS and self.private and arguments[0] is not None:
            self._refuse_private(arguments[0])
        elif event in CHANGES and not _relative_to_directory(arguments):
            self._refuse_outside("change", arguments[0])
        elif event in CONNECTIONS:
            self._refuse_outside("change", arguments[0])
            self._refuse_outside("change", arguments[1])

    def _refuse_process(self, how: str) -> None:
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code.co_filename != self.file:
            if frame.f_code.co_filename in self.may_start_processes:
                return
            frame = frame.f_back
        self._forbid(f"start another process{how}")

    def _refuse_outside(self, verb: str, path: Any) -> None:
        if isinstance(path, int) or os.fspath(path) in (os.devnull, os.fsencode(os.devnull)):
            return
        place = os.path.realpath(os.fsdecode(path))
        if not _is_in(place, (self.own,)):
            self._forbid(f"{verb} the file {place}")

    def _refuse_private(self, path: Any) -> None:
        if isinstance(path, int):
            return
        place = os.path.realpath(os.fsdecode(path))
        if _is_in(place, self.private) and not _is_in(place, self.readable):
            self._forbid(f"read the file {place}")

    def _forbid(self, what: str) -> None:
        self.channel.end("forbidden", f"tried to {what}", place_of_frame(self.file, sys._getframe()))


def _is_in(place: str, folders: Sequence[str]) -> bool:
    return any(place == folder or place.startswith(folder + os.sep) for folder in folders)


def _relative_to_directory(arguments: tuple[Any, ...]) -> bool:
    """Whether the path is relative to an open directory, as within `shutil.rmtree`, whose own event came before."""
    return isinstance(arguments[-1], int) and arguments[-1] >= 0 and len(arguments) > 1


def _memory_taken() -> int:
    """Return the address space that the process takes now, in bytes; 0 where nobody says."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 256 * MEGABYTE
    return pages * os.sysconf("SC_PAGE_SIZE")


def place_of_frame(file: str, frame: FrameType | None) -> str:
    """Return the line of `file` that the frame, or the nearest one that called it, is in; empty if none is."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return _place(file, frame.f_lineno)
        frame = frame.f_back
    return ""


def place_of_error(file: str, trace: TracebackType | None) -> str:
    """Return the innermost line of `file` in a traceback; empty if it has none."""
    lines = [line for name, line in _lines(trace) if name == file]
    return _place(file, lines[-1]) if lines else ""


def _lines(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _place(file: str, number: int) -> str:
    line = linecache.getline(file, number).strip()
    return f"line {number} ({line})" if line else f"line {number}"
