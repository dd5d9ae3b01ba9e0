"""Running a job in a contained process with limits on time, memory, output and disk, and supervising it to its end."""

import json
import os
import pickle
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any

from attrs import define, field, frozen

from searchkit_coursework.sandbox.container import BWRAP, GRADED, Container
from searchkit_coursework.sandbox.endings import (
    OF_A_PROCESS,
    Ending,
    Failure,
    RunLimits,
    of_exit_code,
)
from searchkit_coursework.sandbox.service import Service
from searchkit_coursework.sandbox.values import GarbledError
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.guard import LARGEST_FILES

STARTUP_SECONDS = 60.0
"""The time to start the interpreter and import modules, on a busy machine."""
GRACE_SECONDS = 2.0
"""A process ends itself at its time limit and reports the place; after so many more seconds it is killed."""
POLL_SECONDS = 0.1
"""How often the size of its files is measured where the working directory is not a tmpfs."""
MOST_FILES = 5_000
SHOWN = 4_000
"""Bytes of the student's output that are kept."""
LONGEST_ANSWER = 32 << 20
"""The largest answer in bytes."""
KEPT = ("SYSTEMROOT", "SYSTEMDRIVE", "TZ")


class WorkerError(RuntimeError):
    """The process could not start: a fault in searchkit, in a plugin or in the machine, not in the submission."""


@frozen
class Outcome:
    """The result of a job."""

    failure: Failure
    """How it ended; `Ending.FINISHED` if nothing went wrong."""
    answers: tuple[Any, ...] = ()
    """For each map that was completed, what is judged or a `Failure`."""
    printed: str = ""
    """The printed output of the student's code; only the beginning if it is long."""
    loaded: bool = False
    """Whether the student's file was loaded completely."""
    protections: tuple[str, ...] = ()
    """The names of the protections that were active."""

    @property
    def finished(self) -> bool:
        """Whether every map was completed."""
        return self.failure.ending is Ending.FINISHED


@define
class Sandbox:
    """Runs jobs, several at once if several threads run them. `stop` ends all of them."""

    stopped: bool = False
    _running: "set[_Session]" = field(factory=set)

    def stop(self) -> None:
        """End all running jobs, and refuse new ones."""
        self.stopped = True
        for session in tuple(self._running):
            session.kill()

    interrupt = stop

    def grade(
        self, job: Mapping[str, Any], limits: RunLimits, services: Sequence[Service], container: Container
    ) -> Outcome:
        """Run a function on some maps (see `worker.py`), and wait for its end. Raises `WorkerError`."""
        if self.stopped:
            return Outcome(Failure(Ending.STOPPED))
        with tempfile.TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True) as directory:
            session = _Session(directory, limits, container)
            self._running.add(session)
            if self.stopped:  # while it was being started, in a signal handler
                session.kill()
            try:
                failure = session.watch({**job, "readable": container.readable()}, services)
            except WorkerError:
                if not self.stopped:
                    raise
                failure = Failure(Ending.STOPPED)
            finally:
                self._running.discard(session)
        if self.stopped and failure.ending is not Ending.FINISHED:
            failure = Failure(Ending.STOPPED)
        return Outcome(failure, tuple(session.answers), session.shown, session.loaded, session.protections)


class _EndError(Exception):
    """No more messages will come from the process."""

    def __init__(self, failure: Failure):
        super().__init__(failure)
        self.failure = failure


class _Session:
    """A process, which gets the maps one after the other."""

    def __init__(self, directory: str, limits: RunLimits, container: Container):
        self.directory, self.limits = os.path.realpath(directory), limits
        self.answers: list[Any] = []
        self.loaded = self._flooded = self._ended = False
        contained = container.command(self.directory)
        self.protections: tuple[str, ...] = (BWRAP,) if contained else ()
        self._events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._printed = bytearray()
        self._service: Service | None = None
        self._writing = Lock()
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {"HOME": directory, "TMPDIR": directory, "LANG": "C.UTF-8", "PATH": os.defpath}
        self._process = subprocess.Popen(
            [*contained, *GRADED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=environment | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"},
            start_new_session=os.name == "posix",
        )

    @property
    def shown(self) -> str:
        """The beginning of the printed output."""
        return clean(self._printed.decode(errors="replace"), SHOWN, lines=True)

    def kill(self) -> None:
        """Kill the process and its group."""
        if self._ended:
            return
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def watch(self, job: Mapping[str, Any], services: Sequence[Service]) -> Failure:
        """Run the job to its end; return how it ended. Raises `WorkerError`."""
        popen = self._process
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        readers = [
            Thread(target=self._read_messages, args=(popen.stdout,), daemon=True),
            Thread(target=self._read_output, args=(popen.stderr,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        try:
            self._send({**job, "seconds": self.limits.seconds, "memory": self.limits.memory})
            failure = self._hand_out(services)
        except _EndError as end:
            failure = end.failure
        except ValueError:  # a `GarbledError`, too
            failure = Failure(Ending.GARBLED)
        finally:
            self.kill()
            popen.wait()
            self._ended = True
            for reader, stream in zip(readers, (popen.stdout, popen.stderr), strict=True):
                reader.join(timeout=1)
                if not reader.is_alive():  # a process that left the group may still have the other end
                    stream.close()
            if self._writing.acquire(timeout=1):
                with suppress(OSError):
                    popen.stdin.close()
                self._writing.release()
        # it may have ended before all was read
        return Failure(Ending.OUTPUT_LIMIT) if self._flooded else failure

    def _hand_out(self, services: Sequence[Service]) -> Failure:
        """Send the maps one at a time."""
        self.protections += tuple(map(str, self._first()["protected"]))
        limit = self.limits.seconds + GRACE_SECONDS
        if self._next(monotonic() + limit) != {"loaded": True}:
            raise GarbledError("no function")
        self.loaded = True
        for service in services:
            self._service = service
            Thread(target=self._send, args=(service.opening(),), daemon=True).start()
            message = self._next(monotonic() + limit)
            if "answer" not in message:
                raise GarbledError("no answer")
            self.answers.append(service.seen(message["answer"]))
        return Failure(Ending.FINISHED)

    def _first(self) -> dict[str, Any]:
        """Return the first message. No code of the student's has run before. Raises `WorkerError`."""
        try:
            return self._next(monotonic() + STARTUP_SECONDS, frozenset())
        except (_EndError, ValueError):
            self.kill()
            printed = self.shown.strip()
            raise WorkerError(printed or f"it was not ready after {STARTUP_SECONDS:g} seconds") from None

    def _next(self, deadline: float, endings: frozenset[Ending] = OF_A_PROCESS) -> dict[str, Any]:
        """Return the next message. Raises `_EndError` at the end, `ValueError` for an invalid message."""
        while True:
            left = deadline - monotonic()
            try:
                event, value = self._events.get(timeout=max(0.0, min(left, POLL_SECONDS)))
                break
            except Empty:
                if self._fills_disk():
                    raise _EndError(Failure(Ending.DISK_LIMIT)) from None
                if left <= 0:
                    raise _EndError(self._unanswered()) from None
        if event == "flood":
            raise _EndError(Failure(Ending.OUTPUT_LIMIT))
        if event == "closed":
            try:
                code = self._process.wait(self.limits.seconds + GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                raise _EndError(self._unanswered()) from None
            raise _EndError(of_exit_code(code))
        if event == "garbled" or not isinstance(value, dict):
            raise GarbledError("no message")
        if "end" in value and endings:
            raise _EndError(Failure.of(value["end"], endings))
        return value

    def _unanswered(self) -> Failure:
        service = self._service
        if service is not None and service.refused:
            return Failure(Ending.EXPANSION_LIMIT, f"{service.most:,}")
        return Failure(Ending.TIME_LIMIT)

    def _fills_disk(self) -> bool:
        size = 0
        with suppress(OSError):
            for count, file in enumerate(Path(self.directory).rglob("*")):
                size += file.lstat().st_size
                if size > LARGEST_FILES or count > MOST_FILES:
                    return True
        return False

    def _send(self, value: object) -> None:
        self._write(pickle.dumps(value))

    def _write(self, data: bytes) -> None:
        """Write to the process. Nothing happens if it does not read any more."""
        assert self._process.stdin is not None
        left = memoryview(data)
        with suppress(OSError, ValueError), self._writing:
            while left:  # unbuffered, so that nothing is left to write when the pipe is closed
                left = left[os.write(self._process.stdin.fileno(), left) :]

    def _read_messages(self, stream: IO[bytes]) -> None:
        try:
            while line := stream.readline(LONGEST_ANSWER):
                message = json.loads(line)
                if not isinstance(message, list):
                    self._events.put(("message", message))
                elif self._service is None:
                    raise GarbledError("a question without a map")
                else:
                    self._write(self._service.answer(message))
        except (ValueError, RecursionError, MemoryError):
            self._events.put(("garbled", None))
        except OSError:
            pass
        self._events.put(("closed", None))

    def _read_output(self, stream: IO[bytes]) -> None:
        size = 0
        with suppress(ValueError, OSError):
            while chunk := os.read(stream.fileno(), 1 << 16):
                size += len(chunk)
                self._printed += chunk[: max(0, SHOWN - len(self._printed))]
                if size > self.limits.output * 1000:
                    self._flooded = True
                    self._events.put(("flood", None))
                    return
