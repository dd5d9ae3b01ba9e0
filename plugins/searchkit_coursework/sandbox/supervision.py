"""Supervising a student's process: its messages, questions, output and time."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import IO, Any

from searchkit_coursework.sandbox.endings import OF_A_PROCESS, Ending, Failure, RunLimits, of_exit_code
from searchkit_coursework.sandbox.service import GarbledError, Service
from searchkit_coursework.sandbox.wording import clean
from searchkit_coursework.student.values import frame

STARTUP_SECONDS = 60.0
"""The time to start the interpreter and import modules, on a busy machine."""
GRACE_SECONDS = 2.0
"""A process ends itself at its time limit and reports the place; after so many more seconds it is killed."""
SHOWN = 4_000
"""Bytes of the student's output that are kept."""
LONGEST_ANSWER = 32 << 20
"""The largest answer in bytes."""
OF_A_CHECK = frozenset({*OF_A_PROCESS, Ending.FINISHED, Ending.MISUSE, Ending.RAISED})


class WorkerError(RuntimeError):
    """The process could not start: a fault in searchkit, in a plugin or in the machine, not in the submission."""


class RefusedError(WorkerError):
    """The system refuses `containment.isolate`."""


class Process:
    """A process and the processes it has started. All can be killed, also inside a namespace."""

    def __init__(self, popen: subprocess.Popen[bytes]):
        self.popen = popen
        self._inner: int | None = None
        """A descriptor of the process in the namespace; unlike its number, it can't refer to another process later."""

    def has_inside(self, number: object) -> None:
        """Store the process in the namespace. Raises `ValueError` for an invalid process number."""
        if type(number) is not int or number <= 1 or self._inner is not None:
            raise ValueError("no process")
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self._inner = os.pidfd_open(number)

    def exit_code(self, seconds: float) -> int | None:
        """Wait for the process to end; return its exit code, or minus the signal; None if it does not end.

        The process is not reaped, so that its number stays valid and the rest of its group can be killed.
        """
        if not hasattr(os, "waitid"):  # Windows, and macOS with older Pythons
            with suppress(subprocess.TimeoutExpired):
                return self.popen.wait(seconds)
            return None
        deadline = monotonic() + seconds
        while True:
            ended = os.waitid(os.P_PID, self.popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None:
                return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            if monotonic() > deadline:
                return None
            sleep(0.005)

    def kill(self) -> None:
        """Kill the process and its group. The process is not reaped yet, so its number is still valid."""
        if self._inner is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
        if self.popen.returncode is not None:
            return
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        else:
            self.popen.kill()

    def close(self) -> None:
        """Close the descriptor."""
        if self._inner is not None:
            os.close(self._inner)
            self._inner = None


class Supervision:
    """Sends the maps, and reads the messages of the process until it ends or exceeds a limit.

    Args:
        process: the process.
        limits: its limits.
        services: the maps to run a function on, one after the other; None for a check.

    """

    def __init__(self, process: Process, limits: RunLimits, services: Sequence[Service] | None):
        self.process, self.limits, self.services = process, limits, services
        self.answers: list[Any] = []
        self.protections: list[str] = []
        self.loaded = False
        self._events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._printed = bytearray()
        self._flooded = False
        self._service: Service | None = None
        self._writing = Lock()

    @property
    def shown(self) -> str:
        """The beginning of the printed output."""
        return clean(self._printed.decode(errors="replace"), SHOWN, lines=True)

    def watch(self, job: Mapping[str, Any]) -> Failure:
        """Run the job to its end; return how it ended. Raises `WorkerError`."""
        popen = self.process.popen
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        readers = [
            Thread(target=self._read_messages, args=(popen.stdout,), daemon=True),
            Thread(target=self._read_output, args=(popen.stderr,), daemon=True),
        ]
        for reader in readers:
            reader.start()
        limits = {"seconds": self.limits.seconds, "memory": self.limits.memory}
        try:
            self._write(frame({**job, **limits, "cases": len(self.services or ())}))
            failure = self._listen_to_check() if self.services is None else self._hand_out(self.services)
        finally:
            self.process.kill()
            for reader, stream in zip(readers, (popen.stdout, popen.stderr), strict=True):
                reader.join(timeout=1)
                if not reader.is_alive():  # a process that left the group may still have the other end
                    stream.close()
            self._close_input()
            self.process.close()
        if self._flooded:  # the process may have ended before all of its output was read
            return Failure(Ending.OUTPUT_LIMIT)
        return failure

    def _hand_out(self, services: Sequence[Service]) -> Failure:
        """Send the maps one at a time; return how the job ended."""
        try:
            self._begin()
            limit = self.limits.seconds + GRACE_SECONDS
            deadline = monotonic() + limit
            while "protected" in (message := self._next(deadline)):
                self._take_protections(message["protected"])
            if message != {"loaded": True}:
                raise GarbledError("no function")
            self.loaded = True
            for service in services:
                self._service = service
                Thread(target=self._write, args=(service.opening(),), daemon=True).start()
                message = self._next(monotonic() + limit)
                if "answer" not in message:
                    raise GarbledError("no answer")
                self.answers.append(service.seen(message["answer"]))
        except _EndError as end:
            return end.failure
        except (GarbledError, ValueError):
            return Failure(Ending.GARBLED)
        return Failure(Ending.FINISHED)

    def _listen_to_check(self) -> Failure:
        """Collect the answers of a check; return how it ended."""
        try:
            self._begin()
            deadline = monotonic() + self.limits.seconds + GRACE_SECONDS
            while True:
                message = self._next(deadline, OF_A_CHECK)
                if isinstance(message.get("answer"), dict):
                    self.answers.append(message["answer"])
        except _EndError as end:
            return end.failure
        except ValueError:
            return Failure(Ending.GARBLED)

    def _begin(self) -> None:
        """Wait until the process is ready. No code of the student's has run until then."""
        deadline = monotonic() + STARTUP_SECONDS
        while True:
            try:
                message = self._next(deadline, frozenset())
            except (_EndError, ValueError):
                self.process.kill()
                printed = self.shown.strip()
                raise WorkerError(printed or f"it was not ready after {STARTUP_SECONDS:g} seconds") from None
            if "process" in message:
                self.process.has_inside(message["process"])
            elif message == {"end": {"kind": "refused", "detail": "", "place": ""}}:
                raise RefusedError("namespaces")
            elif "ready" in message:
                if isinstance(message["ready"], list):
                    self._take_protections(message["ready"])
                return

    def _take_protections(self, names: Any) -> None:
        if not isinstance(names, list) or self.protections:
            raise GarbledError("no protections")
        self.protections = names

    def _next(self, deadline: float, endings: frozenset[Ending] = OF_A_PROCESS) -> dict[str, Any]:
        """Return the next message. Raises `_EndError` at the end, `ValueError` for an invalid message."""
        try:
            event, value = self._events.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise _EndError(self._unanswered(Ending.TIME_LIMIT)) from None
        if event == "flood":
            raise _EndError(Failure(Ending.OUTPUT_LIMIT))
        if event == "garbled":
            raise GarbledError(value)
        if event == "closed":
            raise _EndError(self._end_without_words())
        if not isinstance(value, dict):
            raise GarbledError("no message")
        if "end" in value and endings:
            raise _EndError(Failure.of(value["end"], endings))
        return value

    def _unanswered(self, ending: Ending) -> Failure:
        service = self._service
        if service is not None and service.refused:
            return Failure(Ending.EXPANSION_LIMIT, f"{service.instance.most_expansions:,}")
        return Failure(ending)

    def _end_without_words(self) -> Failure:
        code = self.process.exit_code(self.limits.seconds + GRACE_SECONDS)
        return Failure(Ending.TIME_LIMIT) if code is None else of_exit_code(code)

    def _write(self, data: bytes) -> None:
        """Write to the process. Nothing happens if it does not read any more."""
        assert self.process.popen.stdin is not None
        left = memoryview(data)
        with suppress(OSError, ValueError), self._writing:
            while left:  # unbuffered, so that nothing is left to write when the pipe is closed
                left = left[os.write(self.process.popen.stdin.fileno(), left) :]

    def _close_input(self) -> None:
        """Close the pipe to the process, unless a thread still writes to a process that has left the group.

        Never while a thread writes: the number of the descriptor may be that of another file then.
        """
        assert self.process.popen.stdin is not None
        if self._writing.acquire(timeout=1):
            with suppress(OSError):
                self.process.popen.stdin.close()
            self._writing.release()

    def _read_messages(self, stream: IO[bytes]) -> None:
        try:
            while line := stream.readline(LONGEST_ANSWER):
                message = json.loads(line)
                if isinstance(message, list):
                    if self._service is None:
                        raise GarbledError("a question without a map")
                    self._write(self._service.answer(message))
                else:
                    self._events.put(("message", message))
        except (GarbledError, ValueError, RecursionError, MemoryError) as error:
            self._events.put(("garbled", type(error).__name__))
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


class _EndError(Exception):
    """No more messages will come from the process."""

    def __init__(self, failure: Failure):
        super().__init__(failure)
        self.failure = failure
