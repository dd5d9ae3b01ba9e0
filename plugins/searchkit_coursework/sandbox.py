"""Running a student's file in a contained process with limits on time, memory and disk.

Where there is bubblewrap (`bwrap`), nothing but Python and the submission is bound, there is no network, and the
working directory is a tmpfs of limited size. Elsewhere the process restricts itself (`student/containment.py`), and the
size of its files is polled. Either way it can start no other process, so that its limits are totals.
"""

import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Thread
from time import monotonic
from typing import IO, Any, cast

from attrs import frozen

import searchkit_coursework
from searchkit.errors import WorkerError
from searchkit.plugin import option, with_options
from searchkit_coursework.maps import Failure
from searchkit_coursework.service import Observation, Service, clean, no_answer
from searchkit_coursework.student.worker import MAX_FILE_BYTES, place

BWRAP = "bubblewrap"
"""The name of this protection in reports."""
SYSTEM = (
    *("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/etc/localtime"),
)
DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero", "/proc/self", "/proc/cpuinfo", "/proc/meminfo")
"""What a process may read besides, where there is no bubblewrap."""
ROOT = Path(searchkit_coursework.__file__).resolve().parent
BASE = {"base": sys.base_prefix, "platbase": sys.base_prefix}
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
PROGRAM = (
    *(PYTHON, "-P", "-B", "-s", "-S", "-X", "utf8", "-c"),
    f"import sys; sys.path.append({str(ROOT.parent)!r}); "
    "from searchkit_coursework.student.worker import run; sys.path.pop(); run()",
)
"""The program that runs a student's functions. Neither `site` nor the index of packages is read."""
STARTUP_SECONDS = 60.0
"""The time to start the interpreter and import modules, on a busy machine."""
GRACE_SECONDS = 2.0
"""A process ends itself at its time limit and reports the place; after so many more seconds it is killed."""
POLL_SECONDS = 0.1
"""How often time and files are measured."""
MAX_FILES = 5_000
SHOWN = 4_000
"""Bytes of the student's output that are kept."""
MAX_ANSWER_BYTES = 32 << 20
INHERITED = ("SYSTEMROOT", "SYSTEMDRIVE", "TZ")
GARBLED = no_answer(
    "its answers can't be read: it wrote to a file descriptor that it has not opened, or closed it; print, and return "
    "an answer"
)


@with_options
class RunLimits:
    """The limits of a student's code."""

    seconds: float = option("the time for each call", default=5.0, least=0.001, most=1_000_000)
    memory: float = option("megabytes in addition to Python's own", default=512.0, least=16, most=1_000_000)


@frozen
class Submission:
    """A file, and what may be read of its folder: the file, or the whole folder."""

    file: Path
    own: Path

    def command(self, directory: str) -> list[str]:
        """Return the beginning of the command that runs a program in bubblewrap; [] where that does not work."""
        if not bwrap_works():
            return []
        return [
            *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *(word for place in system_paths() for word in ("--ro-bind", place, place)),
            *(word for place in packages() for word in ("--tmpfs", place)),
            *(word for place in self._bound for word in ("--ro-bind", place, place)),
            *("--proc", "/proc", "--dev", "/dev", "--size", str(MAX_FILE_BYTES), "--tmpfs", directory),
            *(word for place in ("/proc", "/dev", *packages(), "/") for word in ("--remount-ro", place)),
            *("--chdir", directory, "--"),
        ]

    def job(self, limits: RunLimits) -> dict[str, Any]:
        """Return the first message to the process: the file, limits, and what it may read if it restricts itself."""
        readable: list[str] = []
        if sys.platform == "linux" and not bwrap_works():
            parts = (each for root in system_paths() for each in without_packages(os.path.realpath(root)))
            readable = [*parts, *self._bound, *DEVICES]
        path = [str(self.own)] if self.own != self.file else []
        given = {"file": str(self.file), "path": path, "readable": readable}
        return given | {"seconds": limits.seconds, "memory": limits.memory}

    @property
    def _bound(self) -> list[str]:
        return [str(ROOT / "__init__.py"), str(ROOT / "student"), str(self.own)]


@cache
def bwrap_works() -> bool:
    """Whether bubblewrap is there and the system lets it make namespaces."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    tried = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


@cache
def system_paths() -> list[str]:
    """Return the files and folders of Python and of the system's libraries."""
    library = [sysconfig.get_path(name, vars=BASE) for name in ("stdlib", "platstdlib")]
    shared = map(str, Path(sys.base_prefix).glob("lib/*.so*"))
    return [root for root in dict.fromkeys((*SYSTEM, *library, *shared, PYTHON)) if Path(root).exists()]


@cache
def packages() -> list[str]:
    """Return the folders of installed packages among them, which a submission does not see."""
    patterns = ("*-packages", "*/*-packages")
    found = (place for root in system_paths() for pattern in patterns for place in Path(root).glob(pattern))
    return list(map(str, found))


def without_packages(place: str) -> list[str]:
    """Return the files and folders that together make up a folder without those of packages."""
    left_out = set(map(os.path.realpath, packages()))
    if place in left_out or not any(Path(each).is_relative_to(place) for each in left_out):
        return [] if place in left_out else [place]
    return [each for child in os.scandir(place) for each in without_packages(child.path)]


def run(
    submission: Submission, limits: RunLimits, services: Sequence[Service], stopped: Callable[[], bool]
) -> "StudentProcess":
    """Run functions of a file on maps, one after the other, in a process; return it when it has ended.

    It is killed soon after `stopped` returns true. Raises `WorkerError` if no process could start.
    """
    made = TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True)
    with suppress(RecursionError), made as directory:  # very deep folders are left
        process = StudentProcess(os.path.realpath(directory), submission, limits)
        process.watch(submission, services, stopped)
    if not (process.started or stopped()):
        raise WorkerError(process.printed.strip() or "the process in which it runs does not start")
    return process


class StudentProcess:
    """A process, which gets the maps one after the other. One thread talks to it, another one watches its limits."""

    def __init__(self, directory: str, submission: Submission, limits: RunLimits):
        self.answers: list[Observation | Failure] = []
        """For each map, in order, what is judged, or why there is no answer."""
        self.failure: Failure | None = GARBLED
        """Why the process ended before every map was completed; None if it did not."""
        self.loaded = False
        """Whether the student's file was loaded completely."""
        self.printed = ""
        """The beginning of its printed output."""
        contained = submission.command(directory)
        self.protections = [BWRAP] if contained else []
        """The names of the protections that were active."""
        self.started = False
        self._directory, self._limits = directory, limits
        self._deadline = monotonic() + STARTUP_SECONDS
        self._output = TemporaryFile("a+b", buffering=0)  # noqa: SIM115  # `watch` closes it
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        environment |= {"HOME": directory, "TMPDIR": directory, "LANG": "C.UTF-8", "PATH": os.defpath}
        self._process = subprocess.Popen(
            [*contained, *PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=directory,
            env=environment | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"},
            start_new_session=os.name == "posix",
        )
        self._stdin = cast("IO[bytes]", self._process.stdin)
        self._stdout = cast("IO[bytes]", self._process.stdout)

    def watch(self, submission: Submission, services: Sequence[Service], stopped: Callable[[], bool]) -> None:
        """Let the process do its job, and kill it at the end, or when it exceeds a limit."""
        talk = Thread(target=self._talk, args=(submission, services), daemon=True)
        talk.start()
        exceeded = None
        while talk.is_alive() and exceeded is None and not stopped():
            talk.join(POLL_SECONDS)
            exceeded = self._exceeded() if talk.is_alive() else None
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        talk.join(1)  # a process that left the group may still have the other end of the pipe
        self._process.wait()
        self.failure = exceeded or self.failure
        self._output.seek(0)
        self.printed = clean(self._output.read(SHOWN).decode(errors="replace"), SHOWN, lines=True)
        self._output.close()
        if not talk.is_alive():
            self._stdout.close()
            with suppress(OSError):  # what was not read any more
                self._stdin.close()

    def _exceeded(self) -> Failure | None:
        """Return why the process has to end now."""
        size, held = 0, Path(f"/proc/{self._process.pid}/fd")  # on Linux: files that it has deleted, too
        with suppress(OSError, RecursionError):
            for count, file in enumerate(chain(Path(self._directory).rglob("*"), held.glob("*"))):
                with suppress(OSError):  # it is gone
                    status = file.stat() if file.parent == held else file.lstat()
                    size += status.st_size if file.parent != held or not status.st_nlink else 0
                if size > MAX_FILE_BYTES or count > MAX_FILES:
                    return no_answer("disk limit: it wrote more than 50 MB of files")
        if monotonic() < self._deadline:
            return None
        return no_answer(f"time limit: still running after {self._limits.seconds:g} s")

    def _talk(self, submission: Submission, services: Sequence[Service]) -> None:
        """Send the job and the maps, answer questions, and collect the answers; `failure` says how it ended."""
        try:
            self._send(submission.job(self._limits))
            self.protections += map(str, self._read()["protected"])  # no code of the student's has run
            self.started = True
            self._deadline = monotonic() + self._limits.seconds + GRACE_SECONDS
            message = self._read()
            self.loaded = message == {"loaded": True}
            for service in services if self.loaded else ():
                self._deadline = monotonic() + self._limits.seconds + GRACE_SECONDS
                self._send(service.opening())
                while isinstance(message := self._read(), list):
                    self._send(service.answer(message))
                if "end" in message:
                    break
                self.answers.append(service.observation(message))
            self.failure = no_answer(message["end"]) if len(self.answers) < len(services) else None
        except EOFError as end:
            said = b"".join((*end.args, self._stdout.read(MAX_ANSWER_BYTES))).decode(errors="replace")
            code = self._process.wait()
            self.failure = no_answer(reason_of_end(said, code, submission.file, self._limits.seconds))
        except (ValueError, LookupError, TypeError, RecursionError, MemoryError, OSError):
            pass  # it wrote something else than what was expected

    def _send(self, value: object) -> None:
        """Write to the process. Nothing happens if it does not read any more: what it wrote is still to be read."""
        with suppress(OSError):
            self._stdin.write(pickle.dumps(value))
            self._stdin.flush()

    def _read(self) -> Any:
        """Return the next message, an object or a list. Raises EOFError at the end, ValueError for other data.

        The end is the last line, or the first of a traceback.
        """
        line = self._stdout.readline(MAX_ANSWER_BYTES)
        if not line or line.startswith((b"Timeout", b"Fatal Python error")):
            raise EOFError(line)
        return json.loads(line)


def reason_of_end(said: str, code: int, file: Path, seconds: float) -> str:
    """Return why a process ended by itself, with the line of the file that was running, if it is known.

    Args:
        said: the last that it wrote: a traceback of `faulthandler` if its time was up, or if it crashed.
        code: its exit code.
        file: the file that it has run.
        seconds: its time.

    """
    written = str(file).encode("ascii", "backslashreplace").decode()
    lines = re.findall(r'^  File "(.+)", line (\d+)', said, re.MULTILINE)
    where = next((place(str(file), int(number)) for path, number in lines if path == written), "")
    if said.startswith("Timeout"):
        return f"time limit: still running after {seconds:g} s{where}"
    if 128 < code < 192:
        code = 128 - code  # a container reports the signal of its process in this way
    if code >= 0:
        return f"it ended the program with exit code {code} (os._exit?); return an answer instead"
    name = next((one.name for one in signal.Signals if one.value == -code), f"signal {-code}")
    hints = {
        "SIGKILL": "; it was killed, perhaps because the machine ran out of memory",
        "SIGSEGV": "; often that is a recursion that is too deep",
    }
    return f"crashed: {name}{where}{hints.get(name, '')}"
