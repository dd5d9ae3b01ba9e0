"""Executors: who runs the tasks of a search, or many searches, at once.

An executor is a `concurrent.futures.Executor`: threads or processes of this machine, or a cluster. A task is a function
with arguments that can be pickled. It is pure: if it runs twice, it returns the same result and writes the same bytes.
So a task runs again when its process is lost, and nothing else is lost with it.

Plugins add executors by the hook `searchkit_executors`; `searchkit_cluster` adds `ray`.
"""

import os
import pickle
import reprlib
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar
from weakref import WeakSet

from searchkit.compiled import cores
from searchkit.errors import (
    InvalidOptionError,
    MissingExtraError,
    UnknownNameError,
    WorkerError,
    quoted,
    shortened,
    unknown,
)
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import ExecutorSpec

Value = TypeVar("Value")

MAX_TRIES = 3
"""How often a task is begun whose process is lost while it runs."""
PARENT_POLL_SECONDS = 0.5
"""The time between two checks of a process whether the one that started it still runs."""


class ThreadExecutor(Executor):
    """Runs tasks in threads of this process, begun in the order in which they were submitted.

    Machine code and NumPy release the interpreter's lock, so they run at once. Python code runs at once only in a
    free-threaded build of Python; otherwise threads take turns. Unlike those of
    `concurrent.futures.ThreadPoolExecutor`, the threads are daemons: the end of the program does not wait for them,
    not even if a member of a problem never returns.

    Args:
        max_workers: the number of threads; one is started for each of the first tasks.

    """

    shares_memory = True
    """Whether tasks share the memory of this process, so that nothing is pickled."""

    def __init__(self, max_workers: int = 1):
        self._max_workers = max_workers
        self._tasks: SimpleQueue[tuple[Future[Any], partial[Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = self.killed = False
        """Whether `shutdown` was called, and whether that was with `cancel_futures`."""
        self._lock = threading.RLock()  # a finalizer may shut it down at any point

    def submit(self, fn: Callable[..., Value], /, *args: Any, **kwargs: Any) -> "Future[Value]":
        """Return the future result of `fn(*args, **kwargs)`. Raises RuntimeError after `shutdown`."""
        future: Future[Value] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("this executor was shut down")
            if len(self._threads) < self._max_workers:
                thread = threading.Thread(target=self._work, name="searchkit-executor", daemon=True)
                thread.start()
                self._threads.append(thread)
            self._tasks.put((future, partial(fn, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more tasks. Safe to call twice.

        Args:
            wait: whether to return only when the tasks have ended.
            cancel_futures: whether to cancel the tasks that have not begun. Those that run in threads are completed;
                other processes are killed, and the futures of their tasks raise `WorkerError`.

        """
        with self._lock:
            self._closed, self.killed = True, self.killed or cancel_futures
            for _ in self._threads:
                self._tasks.put(None)
        self.end_tasks()
        for thread in self._threads if wait else ():
            if thread is not threading.current_thread():
                thread.join()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Wait for the tasks, but not after an exception such as KeyboardInterrupt."""
        self.shutdown(cancel_futures=kind is not None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if self.killed:
                future.cancel()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self.run_task(call))
                except BaseException as error:
                    ended = WorkerError(f"the executor was shut down while {task_name(call)} ran")
                    future.set_exception(ended if self.killed and not self.shares_memory else error)
            del task, future, call  # while the thread waits, it holds none of them

    def run_task(self, call: "partial[Any]") -> Any:
        """Return what a task returns, or raise what it raises; called in one of the threads."""
        return call()

    def end_tasks(self) -> None:
        """End what runs elsewhere, if the executor is `killed`; called by `shutdown`."""


class ProcessExecutor(ThreadExecutor):
    """Runs tasks in processes of this machine, one task at a time in each.

    Each thread has a process of its own, from a pool of loky for one process: the loss of a process fails all tasks of
    its pool. Scripts need no `if __name__ == "__main__":`, as loky does not run them again; functions and classes that
    they define are pickled by value. The processes end with the program, however it ends.

    Args:
        max_workers: the number of processes; one is started for each of the first tasks.

    Raises:
        MissingExtraError: loky is not installed.

    """

    shares_memory = False

    def __init__(self, max_workers: int = 1):
        if find_spec("loky") is None:
            raise MissingExtraError(
                "workers processes need loky, which is not installed: python -m pip install "
                "'statespace-searchkit[fast]'; workers serial and threads need nothing"
            )
        super().__init__(max_workers)
        self._pools: dict[threading.Thread, Any] = {}
        _opened.add(self)

    def end_tasks(self) -> None:
        """Kill the processes, if the executor is `killed`."""
        for pool in list(self._pools.values()) if self.killed else ():
            pool.shutdown(wait=False, kill_workers=True)

    def _work(self) -> None:
        super()._work()
        if pool := self._pools.pop(threading.current_thread(), None):
            pool.shutdown()

    def run_task(self, call: "partial[Any]") -> Any:
        """Let the process of this thread run a task."""
        import loky

        message, thread, lost = pack(call), threading.current_thread(), ""
        for _ in range(MAX_TRIES):
            try:
                with self._lock:
                    if self.killed:
                        break
                    if is_new := thread not in self._pools:
                        self._pools[thread] = loky.ProcessPoolExecutor(
                            1, initializer=_begin_process, initargs=(os.getpid(),)
                        )
                    future = self._pools[thread].submit(run_packed, message)
                    if is_new:
                        # At its end, the program would wait for the tasks: loky registers that in this way when a pool
                        # begins, and what was registered last is called first.
                        threading._register_atexit(_kill_all)  # type: ignore[attr-defined]
                answer = future.result()
            except RuntimeError as error:  # the process is lost: `run_packed` raises nothing
                self._pools.pop(thread, None)
                lost = str(error).partition("{")[2].partition("}")[0] or str(error)  # the exit codes
            else:
                return result_of(answer)
        raise WorkerError(
            f"the task {task_name(call)} was begun {MAX_TRIES} times, and each time its process was lost ({lost}); the "
            "system kills processes that use too much memory"
        )


_opened: "WeakSet[ProcessExecutor]" = WeakSet()


def _kill_all() -> None:
    """Kill the processes of all executors."""
    for executor in list(_opened):
        executor.shutdown(wait=False, cancel_futures=True)


def _begin_process(parent: int) -> None:
    """Prepare a process: it ignores Ctrl-C, keeps standard output for results, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if os.name == "posix":
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_SECONDS)
    os._exit(1)


def task_name(call: "partial[Any]") -> str:
    """Return a task as messages show it: its name, and its arguments in short."""
    listed = ", ".join(reprlib.repr(argument) for argument in call.args)
    return f"{getattr(call.func, '__qualname__', type(call.func).__name__)}({shortened(listed, 200)})"


def pack(value: object, name: str = "") -> bytes:
    """Return bytes of a task for `run_packed`, or of a value for `unpacked`. Raises `WorkerError` if there are none."""
    import cloudpickle  # which writes the classes and functions of the script of this process, too

    try:
        return cloudpickle.dumps(value)  # type: ignore[no-any-return]  # it has no types
    except Exception as error:  # a class may raise anything
        name = name or (task_name(value) if isinstance(value, partial) else type(value).__name__)
        raise WorkerError(
            f"{name} can't be sent to another process: {type(error).__name__}: {error}"
        ) from error


@lru_cache(maxsize=1)
def unpacked(packed: bytes) -> Any:
    """Return, in another process, a value that was packed; the last one is kept for the tasks to come."""
    return pickle.loads(packed)


def run_packed(message: bytes) -> bytes:
    """Run a packed task in this process; return its result or error for `result_of`."""
    try:
        try:
            call = pickle.loads(message)
        except BaseException as error:  # modules that are imported may raise anything
            raise WorkerError(
                f"what is sent to other processes can't be read on {socket.gethostname()}: {type(error).__name__}: "
                f"{error}; they need the modules that define it"
            ) from error
        return pack((True, call()), "the result of the task")
    except BaseException as error:
        error.add_note("in another process:\n" + "".join(traceback.format_exception(error)).rstrip())
        try:
            answer = pack((False, error), "the error")
            pickle.loads(answer)  # a constructor may need other arguments than those that an error keeps
        except Exception:
            replacement = WorkerError(f"{type(error).__name__}: {error}")
            replacement.__notes__ = error.__notes__
            answer = pickle.dumps((False, replacement))
        return answer


def result_of(answer: bytes) -> Any:
    """Return the result of which `run_packed` has made bytes, or raise the error of the task."""
    succeeded, value = pickle.loads(answer)
    if succeeded:
        return value
    raise value


def open_executor(workers: str | Executor) -> Executor:
    """Return the executor that a text names: `NAME`, or `NAME:` and what this kind of executor reads there.

    `serial` runs one task at a time, in a thread of this process. `threads` runs a task for each core, in threads of
    this process, and `threads:8` eight: at once if they are machine code, or in a free-threaded build of Python.
    `processes` starts a process for each core, `processes:8` starts eight. `ray` and `ray://host:10001` are those of a
    cluster, from the plugin `searchkit_cluster`. Threads and processes are started when the first tasks come.

    An executor is returned as it is. Whoever opens one by its name ends it: by `with`, or by
    `shutdown(cancel_futures=True)`, which also kills its processes.

    Raises:
        UnknownNameError: there is no executor of that name.
        InvalidOptionError: what follows the name is invalid, or it is neither a text nor an executor.
        MissingExtraError: it needs a package that is not installed.

    Example:
        >>> with open_executor("serial") as executor:
        ...     executor.submit(pow, 2, 10).result()
        1024

    """
    if isinstance(workers, Executor):
        return workers
    if not isinstance(workers, str) or workers.isdecimal():
        names = f"processes:{workers} or threads:{workers}" if str(workers).isdecimal() else "processes:8"
        given = f"workers={quoted(workers)}: expected a name such as {names}"
        raise InvalidOptionError(f"{given}, or a concurrent.futures.Executor")
    name, known = workers.partition(":")[0], available_executors()
    if name not in known:
        raise UnknownNameError(
            unknown(f"there is no executor {name!r}", name, known, f"there are {', '.join(known)}")
        )
    return known[name].open(workers)


def tasks_at_once(executor: Executor) -> int:
    """Return how many tasks an executor runs at once; the number of cores if it does not say."""
    return getattr(executor, "_max_workers", None) or cores()  # those of the standard library have it, too


def in_this_process(executor: Executor) -> bool:
    """Whether tasks share the memory of this process, so that nothing is pickled."""
    return bool(getattr(executor, "shares_memory", isinstance(executor, ThreadPoolExecutor)))


def available_executors() -> dict[str, ExecutorSpec]:
    """Return the kinds of executors by name: the built-in ones, and those of plugins that have other names."""
    built_in = {spec.name: spec for spec in BUILT_IN}
    return built_in | dict(registry().executors) | built_in


def _open_here(text: str) -> Executor:
    """Return one of the built-in executors."""
    name, colon, number = text.partition(":")
    kind = ProcessExecutor if name == "processes" else ThreadExecutor
    if name == "serial" and not colon:
        return kind()
    if name != "serial" and (not colon or (number.isdecimal() and int(number))):
        return kind(int(number) if colon else cores())
    expected = name if name == "serial" else f"{name}, or {name}:N with a number of {name} ≥ 1"
    raise InvalidOptionError(f"workers {text!r}: expected {expected}")


BUILT_IN = (
    ExecutorSpec("serial", _open_here),
    ExecutorSpec("threads", _open_here),
    ExecutorSpec("processes", _open_here),
)
