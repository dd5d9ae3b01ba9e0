"""Tasks in threads of this process, which share its memory: nothing is pickled."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, TypeVar

from attrs import define, field

Value = TypeVar("Value")
Asked = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


@define(eq=False)
class ThreadWorkers:
    """Runs tasks in threads, begun in their order, so that the caller can look after limits and Ctrl-C meanwhile.

    Machine code and numpy release the interpreter's lock, so they run at once. Python code runs at once only in a
    free-threaded build of Python; otherwise threads take turns. The threads are daemons: the end of the program does
    not wait for them.
    """

    count: int = 1
    """The number of threads; each is started when it is needed."""
    _asked: "SimpleQueue[Asked | None]" = field(init=False, factory=SimpleQueue)
    _threads: list[Thread] = field(init=False, factory=list)
    _closed: bool = field(init=False, default=False)
    _lock: Any = field(init=False, factory=Lock)
    """Held while a task is accepted, so that none is accepted after the workers were closed."""

    def submit(self, task: Callable[..., Value], /, *arguments: Any) -> "Future[Value]":
        """Return the future result of a task: see `Workers.submit`."""
        future: Future[Value] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the workers are closed")
            if len(self._threads) < self.count:
                thread = Thread(target=self._work, name="searchkit-worker", daemon=True)
                thread.start()
                self._threads.append(thread)
            self._asked.put((future, task, arguments))
        return future

    def close(self, seconds: float | None = None) -> None:
        """Cancel the tasks that have not begun, and wait for those that run. Safe to call twice.

        Args:
            seconds: how long to wait for each thread; None for as long as its task takes.

        """
        with self._lock:
            self._closed = True
            for _ in self._threads:
                self._asked.put(None)
        for thread in self._threads:
            if thread is not current_thread():
                thread.join(seconds)

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            future, task, arguments = asked
            if self._closed:
                future.cancel()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(task(*arguments))
                except BaseException as error:
                    future.set_exception(error)
            del asked, future, task, arguments  # while it waits, it holds none of them
