"""Tasks in other processes of this machine.

A process is started as a new Python that imports `searchkit.scale.workers.process` and what the tasks need. The script
that runs here is not run there, so it needs no `if __name__ == "__main__":`.
"""

import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Condition, Thread
from typing import Any, TypeVar
from weakref import finalize

from attrs import define, field

from searchkit.errors import WorkerError
from searchkit.scale.workers.packing import named, packed, receive, send
from searchkit.scale.workers.process import READY

Value = TypeVar("Value")

TRIES = 3
"""How often a task is begun whose process is killed while it runs."""
ENDING_SECONDS = 2.0
"""How long to wait for the end of a process: machine code does not notice that it is asked to end."""
BOOT = "import sys; sys.path[:] = sys.argv[1:]; from searchkit.scale.workers.process import main; main()"
"""Nothing is imported before the import path is the one of this process."""


@define(eq=False)
class Processes:
    """Runs tasks in processes, one task at a time in each. Each process is started when it is needed."""

    count: int
    _shared: "_Shared" = field(init=False, factory=lambda: _Shared())
    _threads: list[Thread] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        finalize(self, self._shared.close)

    def submit(self, task: Callable[..., Value], /, *arguments: Any) -> "Future[Value]":
        """Return the future result of a task: see `Workers.submit`."""
        future: Future[Value] = Future()
        if self._shared.ask(_Asked(future, task, arguments)) and len(self._threads) < self.count:
            thread = Thread(target=_serve, args=(self._shared,), name="searchkit-process", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes that run now."""
        return tuple(process.popen.pid for process in self._shared.running)

    def close(self) -> None:
        """Cancel the tasks that have not begun, and end all processes. Safe to call twice."""
        self._shared.close()
        for thread in self._threads:
            thread.join()


@define(eq=False)
class _Asked:
    """A task that was submitted."""

    future: "Future[Any]"
    task: Callable[..., Any]
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The name of the task, for messages."""
        return named(self.task, self.arguments)


@define(eq=False)
class _Shared:
    """What the threads share. None of it holds a `Processes`, so that one which is not used any more is closed."""

    waiting: deque[_Asked] = field(factory=deque)
    idle: int = 0
    closed: bool = False
    running: "set[_Process]" = field(factory=set)
    change: Condition = field(factory=Condition)

    def ask(self, asked: _Asked) -> bool:
        """Take a task; return whether all threads are busy."""
        with self.change:
            if self.closed:
                raise RuntimeError("the workers are closed")
            self.waiting.append(asked)
            self.change.notify()
            return self.idle < len(self.waiting)

    def next(self) -> _Asked | None:
        """Wait for a task; return None when the workers are closed."""
        with self.change:
            self.idle += 1
            try:
                while not self.closed:
                    if self.waiting:
                        return self.waiting.popleft()
                    self.change.wait()
                return None
            finally:
                self.idle -= 1

    def close(self) -> None:
        """Cancel what waits, and make the processes end."""
        with self.change:
            self.closed = True
            waiting = tuple(self.waiting)
            self.waiting.clear()
            for process in self.running:
                process.terminate()
            self.change.notify_all()
        for asked in waiting:
            if asked.future.cancel():
                asked.future.set_running_or_notify_cancel()

    def add(self, process: "_Process") -> None:
        """Take note of a process that was started; make it end if the workers are closed."""
        with self.change:
            self.running.add(process)
            if self.closed:
                process.terminate()


class _Process:
    """A process that runs tasks."""

    def __init__(self) -> None:
        if not sys.executable:
            raise WorkerError(
                "this program has no Python executable to start processes with; use workers serial"
            )
        try:
            with _interrupts_blocked():
                self.popen = subprocess.Popen(
                    [sys.executable, "-c", BOOT, *sys.path],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )
        except OSError as error:
            raise WorkerError(f"no process can be started: {error}") from error

    def wait_until_ready(self) -> None:
        """Wait until it can run tasks. Raises EOFError if it is killed, and `WorkerError` if it cannot begin."""
        assert self.popen.stdout is not None
        try:
            if receive(self.popen.stdout) == READY:
                return
        except EOFError:
            ending = self.ending()
            if self.popen.poll() is not None and self.popen.returncode < 0:
                raise
        else:
            ending = "it wrote something else"
        raise WorkerError(
            f"a process of {sys.executable} could not begin to run tasks ({ending}); the reason stands above, in its "
            "messages"
        )

    def run(self, message: bytes) -> bytes:
        """Return the answer to a message. Raises OSError or EOFError if the process has ended."""
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        send(self.popen.stdin, message)
        return receive(self.popen.stdout)

    def ending(self) -> str:
        """Return how it ended, in words."""
        try:
            code = self.popen.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its pipes"
        return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def terminate(self) -> None:
        """Make it end soon, and end what its tasks have started."""
        self.popen.terminate()

    def end(self) -> None:
        """End it, and wait until it has ended."""
        self.popen.terminate()
        try:
            self.popen.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout):
            assert stream is not None
            with suppress(OSError):  # what could not be written into the pipe
                stream.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and so in a process that starts, until that ignores it; not on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@define(eq=False)
class _Slot:
    """One process after the other, for the tasks of one thread."""

    shared: _Shared
    process: _Process | None = None

    def settle(self, asked: _Asked) -> None:
        """Run a task, and give its result or its error to its future."""
        try:
            message = packed((asked.task, asked.arguments), lambda: asked.name)
            right, value = pickle.loads(self.answer(message, asked))
        except BaseException as error:
            right, value = False, error
        if right:
            asked.future.set_result(value)
        else:
            asked.future.set_exception(value)

    def answer(self, message: bytes, asked: _Asked) -> bytes:
        """Return the answer to a message; give it to another process if one is lost. Raises `WorkerError`."""
        ending = ""
        for _ in range(TRIES):
            try:
                return self.started().run(message)
            except (EOFError, OSError):
                if self.shared.closed:
                    raise WorkerError(f"the workers were closed while {asked.name} ran") from None
                if self.process is not None:
                    ending = self.process.ending()
        raise WorkerError(
            f"the task {asked.name} was begun {TRIES} times, and each time its process was lost (at last: {ending}); "
            "the system kills processes that use too much memory"
        )

    def started(self) -> _Process:
        """Return the process; start one if there is none. Raises `WorkerError`."""
        if self.process is None or self.process.popen.poll() is not None:
            self.end()
            process = _Process()
            self.shared.add(process)
            self.process = process
            process.wait_until_ready()
        return self.process

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.shared.running.discard(self.process)
            self.process.end()
            self.process = None


def _serve(shared: _Shared) -> None:
    """Give tasks to processes; each thread runs this."""
    slot = _Slot(shared)
    try:
        while (asked := shared.next()) is not None:
            if asked.future.set_running_or_notify_cancel():
                slot.settle(asked)
            del asked  # while it waits, it holds no task
    finally:
        slot.end()
