"""One task at a time, in a thread of this process."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread, current_thread
from typing import Any, TypeVar

from attrs import define, field

Value = TypeVar("Value")
Asked = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


@define(eq=False)
class Serial:
    """Runs tasks in one thread, in their order, so that the caller can look after limits and Ctrl-C meanwhile.

    Machine code releases the interpreter's lock. The thread is a daemon: the end of the program does not wait for it.
    """

    count: int = 1
    _asked: "SimpleQueue[Asked | None]" = field(factory=SimpleQueue)
    _thread: Thread | None = None
    _closed: bool = False

    def submit(self, task: Callable[..., Value], /, *arguments: Any) -> "Future[Value]":
        """Return the future result of a task: see `Workers.submit`."""
        if self._closed:
            raise RuntimeError("the workers are closed")
        if self._thread is None:
            self._thread = Thread(target=self._work, name="searchkit-serial", daemon=True)
            self._thread.start()
        future: Future[Value] = Future()
        self._asked.put((future, task, arguments))
        return future

    def close(self) -> None:
        """Cancel the tasks that have not begun, and wait for the one that runs. Safe to call twice."""
        self._closed = True
        self._asked.put(None)
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join()

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
