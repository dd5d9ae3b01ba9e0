"""Running a job in a process of its own, with limits on time, memory and output.

The process is the leader of a session of its own and works in an empty directory that is removed afterwards; at its
end the whole process group is killed. It guards against accidents, not against attackers: see `guard.py`.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import IO, Any

from attrs import define, field, frozen

from searchkit.coursework.endings import Ending, Failure, RunLimits, of_exit_code

STARTUP_SECONDS = 60.0
"""For the interpreter and the imports, on a machine that has a lot to do."""
GRACE_SECONDS = 2.0
"""The worker ends itself at its time limit, and says where it was; after this much more it is killed."""
SHOWN = 4_000
"""Bytes of the student's output that are kept to be shown."""
LONGEST_ANSWER = 64 << 20
"""Bytes that all answers of a job may have."""
OWN_SESSION = os.name == "posix"


class WorkerError(RuntimeError):
    """The worker could not begin: a fault in searchkit, in a plugin or in the machine, and none of the student's."""


@frozen
class Outcome:
    """What became of a job."""

    failure: Failure
    """How it ended; `Ending.FINISHED` where nothing went wrong."""
    answers: tuple[Any, ...] = ()
    """One for each case that was completed."""
    printed: str = ""
    """What the student's code printed; its beginning, if it is long."""
    began: bool = False
    """Whether any case began; otherwise it ended while the file was being loaded."""

    @property
    def finished(self) -> bool:
        """Whether every case was completed."""
        return self.failure.ending is Ending.FINISHED


@define
class Sandbox:
    """Runs jobs, several at once if they are run from several threads; `stop` ends them all."""

    stopped: bool = False
    _running: set[subprocess.Popen[bytes]] = field(factory=set)
    _lock: Any = field(factory=Lock)

    def run(self, job: Mapping[str, Any], limits: RunLimits) -> Outcome:
        """Run a job (see `worker.py`) and wait for its end."""
        with tempfile.TemporaryDirectory(prefix="searchkit-", ignore_cleanup_errors=True) as directory:
            with self._lock:
                if self.stopped:
                    return Outcome(Failure(Ending.STOPPED))
                process = _start(directory)
                self._running.add(process)
            try:
                outcome = _Supervision(process, limits).watch(job)
            except WorkerError:
                if not self.stopped:
                    raise
                outcome = Outcome(Failure(Ending.STOPPED))
            finally:
                with self._lock:
                    self._running.discard(process)
                    _kill(process)
                process.wait()
        return Outcome(Failure(Ending.STOPPED), outcome.answers) if self.stopped else outcome

    def stop(self) -> None:
        """End all jobs that run, and refuse new ones."""
        with self._lock:
            self.stopped = True
            for process in self._running:
                _kill(process)


def _start(directory: str) -> subprocess.Popen[bytes]:
    # The same modules as here, wherever they come from; `-P`: none from the directory it works in.
    path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry)
    environment = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        [sys.executable, "-P", "-B", "-X", "utf8", "-m", "searchkit.coursework.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=directory,
        env=environment,
        start_new_session=OWN_SESSION,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its group. The process is not waited for yet, so its number is still its own."""
    if OWN_SESSION:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


class _Supervision:
    """Reads what the process says until it ends or oversteps a limit."""

    def __init__(self, process: subprocess.Popen[bytes], limits: RunLimits):
        self.process, self.limits = process, limits
        self.events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.printed = bytearray()
        self.flooded = self.began = False

    def watch(self, job: Mapping[str, Any]) -> Outcome:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        readers = [
            Thread(target=self._read_messages, args=(self.process.stdout,), daemon=True),
            Thread(target=self._read_output, args=(self.process.stderr,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        limits = {"seconds": self.limits.seconds, "memory": self.limits.memory}
        with suppress(OSError), self.process.stdin as stdin:  # it may have ended already
            stdin.write(json.dumps({**job, **limits}).encode())
        answers: list[Any] = []
        try:
            failure = self._listen(answers)
        finally:
            _kill(self.process)
            for reader, stream in zip(readers, (self.process.stdout, self.process.stderr), strict=True):
                reader.join(timeout=1)
                if not reader.is_alive():  # a process that left the group may still hold the other end
                    stream.close()
        if self.flooded:  # it may have ended before all of its output was read
            failure = Failure(Ending.OUTPUT_LIMIT)
        printed = self.printed.decode(errors="replace")
        if failure is None:
            raise WorkerError(printed.strip() or f"it was not ready after {STARTUP_SECONDS:g} seconds")
        return Outcome(failure, tuple(answers), printed, self.began)

    def _listen(self, answers: list[Any]) -> Failure | None:
        """Collect the answers; return how the process ended, None if that was before any line of the student's."""
        deadline = monotonic() + STARTUP_SECONDS
        ready = False
        while True:
            try:
                event, value = self.events.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                return Failure(Ending.TIME_LIMIT) if ready else None
            if event == "flood":
                return Failure(Ending.OUTPUT_LIMIT)
            if event == "closed":
                return self._end_without_words() if ready else None
            ready = True
            if "end" in value:
                return Failure.of(value["end"])
            self.began = self.began or "case" in value
            if "answer" in value:
                answers.append(value["answer"])
            deadline = monotonic() + self.limits.seconds + GRACE_SECONDS

    def _end_without_words(self) -> Failure:
        try:
            return of_exit_code(self.process.wait(timeout=self.limits.seconds + GRACE_SECONDS))
        except subprocess.TimeoutExpired:
            return Failure(Ending.TIME_LIMIT)

    def _read_messages(self, stream: IO[bytes]) -> None:
        size = 0
        with suppress(ValueError, OSError):  # a student who writes there has no answer
            while line := stream.readline(LONGEST_ANSWER):
                size += len(line)
                if size > LONGEST_ANSWER:
                    self.events.put(("flood", None))
                    return
                self.events.put(("message", json.loads(line)))
        self.events.put(("closed", None))

    def _read_output(self, stream: IO[bytes]) -> None:
        size = 0
        with suppress(ValueError, OSError):
            while chunk := os.read(stream.fileno(), 1 << 16):
                size += len(chunk)
                self.printed += chunk[: max(0, SHOWN - len(self.printed))]
                if size > self.limits.output * 1000:
                    self.flooded = True
                    self.events.put(("flood", None))
                    return
