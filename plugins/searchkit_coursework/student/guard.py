"""The limits that a student's process sets for itself, and the messages if one is exceeded.

The system limits memory, processor time and the size of files. The rest of this module guards against accidents and
reports them: an endless loop, a fork bomb copied from a forum, a script that deletes files. Code that controls the
whole interpreter can evade it, but not the protections of `containment.py`.
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
except ImportError:  # Windows: only the time limit works there
    resource = None  # type: ignore[assignment]

MEGABYTE = 1 << 20
LARGEST_FILE = 50 * MEGABYTE
SPARE = 64 * MEGABYTE
"""Bytes that are reserved for the report that the memory is exhausted."""
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
"""Changes of two files: both have to belong to the student."""
LISTINGS = {"os.listdir", "os.scandir"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""The flags of files that are opened for writing."""


class Guard:
    """Ends the process with a message as soon as the student's code exceeds a limit."""

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
        """Seconds of processor time, in case the grader has ended and can't kill the process."""
        self.readable = (*readable, self.own)
        self.private = tuple(private)
        """Folders that may not be read, except for what is `readable`: they may contain the reference solution."""
        self.at_time_limit: Callable[[FrameType | None], None] = lambda frame: None
        """Reports more when the time is up."""
        self.may_start_processes: frozenset[str] = frozenset()
        """Files of searchkit that may start processes, but not on behalf of student's code that they call."""

    def arm(self) -> None:
        """Begin to watch the time and the operations of the student's code."""
        sys.dont_write_bytecode = True
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._time_is_up)
        self._refuse_fork_exec()
        sys.addaudithook(self._audit)

    def limit_resources(self) -> None:
        """Set the system's limits of memory, processor time and the size of files."""
        if resource is not None:
            self._limit_resources()

    def begin(self) -> None:
        """Restart the clock."""
        self._set_timer(self.seconds)

    def pause(self) -> None:
        """Stop the clock."""
        self._set_timer(0)

    def end_for_memory(self, place: str) -> None:
        """Report that the memory is exhausted, and end the process."""
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
        # Reporting may call code of the student's that is endless as well: it gets one second.
        signal.signal(signal.SIGALRM, lambda number, frame: self.channel.end("time", place=place))
        self._set_timer(1)
        self.at_time_limit(frame)
        self.channel.end("time", place=place)

    def _refuse_fork_exec(self) -> None:
        """Refuse the one way to start a process for which Python raises no audit event."""
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
    """Whether the path is relative to an open directory, as in `shutil.rmtree`, which raised an event before."""
    return isinstance(arguments[-1], int) and arguments[-1] >= 0 and len(arguments) > 1


def _memory_taken() -> int:
    """Return the present size of the address space of the process in bytes, a guess if it is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 256 * MEGABYTE
    return pages * os.sysconf("SC_PAGE_SIZE")


def place_of_frame(file: str, frame: FrameType | None) -> str:
    """Return the line of `file` that the frame, or its nearest caller in `file`, is in; "" if there is none."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return _place(file, frame.f_lineno)
        frame = frame.f_back
    return ""


def place_of_error(file: str, trace: TracebackType | None) -> str:
    """Return the innermost line of `file` in a traceback; "" if there is none."""
    lines = [line for name, line in _lines(trace) if name == file]
    return _place(file, lines[-1]) if lines else ""


def _lines(trace: TracebackType | None) -> Iterator[tuple[str, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


def _place(file: str, number: int) -> str:
    line = linecache.getline(file, number).strip()
    return f"line {number} ({line})" if line else f"line {number}"
