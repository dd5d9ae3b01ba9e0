"""Executors: who runs the tasks of a search, or many searches, at once.

An executor is a `concurrent.futures.Executor`: threads or processes of this machine, or a cluster. A task is a function
with arguments that can be pickled. It is pure: if it runs twice, it returns the same result and writes the same bytes.
So a task runs again when its process is lost, and nothing else is lost with it.

Plugins add executors by the hook `searchkit_executors`; `searchkit_cluster` adds `ray`.
"""

import atexit
import os
import pickle
import re
import reprlib
import signal
import socket
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from weakref import WeakSet

from searchkit.compiled import cores
from searchkit.errors import (
    InvalidOptionError,
    MissingExtraError,
    PluginError,
    PluginWarning,
    UnknownNameError,
    WorkerError,
    shortened,
    unknown,
)
from searchkit.plugin.registry import DISABLE_VARIABLE, registry
from searchkit.plugin.specs import ExecutorSpec, at_least

Value = TypeVar("Value")

MAX_TRIES = 3
"""How often a task is begun whose process is lost while it runs."""
PARENT_POLL_SECONDS = 0.5
"""The time between two checks of a process whether the one that started it still runs."""
NO_LIMIT = {"LOKY_MAX_MEMORY_LEAK_SIZE": "1e18"}
"""loky replaces a process that has grown by 300 MB; what searches keep in memory is no leak."""


class ThreadExecutor(Executor):
    """Runs tasks in threads of this process, begun in the order in which they were submitted.

    Machine code and NumPy release the interpreter's lock, so they run at once. Python code runs at once only in a
    free-threaded build of Python; otherwise threads take turns. Unlike those of
    `concurrent.futures.ThreadPoolExecutor`, the threads are daemons: the end of the program does not wait for them.

    Args:
        max_workers: the number of threads; each is started when it is needed.

    """

    shares_memory = True
    """Whether tasks share the memory of this process, so that nothing is pickled."""

    def __init__(self, max_workers: int = 1):
        self._max_workers = max_workers
        self._tasks: SimpleQueue[tuple[Future[Any], partial[Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._closed = False
        self._lock = threading.RLock()  # a finalizer may shut it down at any point

    def submit(self, fn: Callable[..., Value], /, *args: Any, **kwargs: Any) -> "Future[Value]":
        """Return the future result of `fn(*args, **kwargs)`. Raises RuntimeError after `shutdown`."""
        future: Future[Value] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("this executor was shut down")
            if not self._idle.acquire(blocking=False) and len(self._threads) < self._max_workers:
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
            self._closed = True
            if cancel_futures:
                with suppress(Empty):
                    while True:
                        future, _ = self._tasks.get_nowait() or (Future(), None)
                        if future.cancel():
                            future.set_running_or_notify_cancel()  # which `concurrent.futures.wait` notices
            for _ in self._threads:
                self._tasks.put(None)
        if wait:
            for thread in self._threads:
                if thread is not threading.current_thread():
                    thread.join()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Wait for the tasks, but not after an exception such as KeyboardInterrupt."""
        self.shutdown(cancel_futures=kind is not None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, call = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self.run_task(call))
                except BaseException as error:
                    future.set_exception(error)
            del task, future, call  # while the thread waits, it holds none of them
            self._idle.release()

    def run_task(self, call: "partial[Any]") -> Any:
        """Return what a task returns, or raise what it raises; called in one of the threads."""
        return call()


class ProcessExecutor(ThreadExecutor):
    """Runs tasks in processes of this machine, one task at a time in each.

    Each thread has a process of its own, from a pool of loky for one process: the loss of a process fails all tasks of
    its pool. Scripts need no `if __name__ == "__main__":`, as loky does not run them again; functions and classes that
    they define are pickled by value.

    Args:
        max_workers: the number of processes; each is started when it is needed.

    Raises:
        MissingExtraError: loky is not installed.

    """

    shares_memory = False

    def __init__(self, max_workers: int = 1):
        try:
            import_module("loky")
        except ImportError as error:
            raise MissingExtraError(
                "workers processes need loky, which is not installed: python -m pip install "
                "'statespace-searchkit[fast]'; workers serial and threads need nothing"
            ) from error
        super().__init__(max_workers)
        self._pools: dict[int, Any] = {}
        """Thread → its pool."""
        self._killed = False

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more tasks: see `ThreadExecutor.shutdown`."""
        super().shutdown(False, cancel_futures=cancel_futures)
        if cancel_futures:
            with self._lock:
                self._killed = True
            for pool in list(self._pools.values()):
                pool.shutdown(wait=wait, kill_workers=True)
        super().shutdown(wait)

    def _work(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # a process that begins inherits it: Ctrl-C is for this one
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        super()._work()
        pool = self._pools.pop(threading.get_ident(), None)
        if pool is not None:
            pool.shutdown()

    def run_task(self, call: "partial[Any]") -> Any:
        """Let the process of this thread run a task."""
        from loky.process_executor import BrokenProcessPool, ShutdownExecutorError, TerminatedWorkerError

        message, lost = pack(call), ""
        for _ in range(MAX_TRIES):
            try:
                return result_of(self._submit(message).result())
            except (BrokenProcessPool, ShutdownExecutorError) as error:
                if self._killed:
                    raise WorkerError(f"the executor was shut down while {task_name(call)} ran") from None
                self._pools.pop(threading.get_ident(), None)
                lost = str(error)
                if not isinstance(error, TerminatedWorkerError):
                    break
        ending = re.search(r"(?<={).*(?=})", lost)  # the exit codes
        raise WorkerError(
            f"the task {task_name(call)} was begun {MAX_TRIES} times, and each time its process was lost "
            f"({ending[0] if ending else lost}); the system kills processes that use too much memory"
        )

    def _submit(self, message: bytes) -> "Future[bytes]":
        """Let the process of this thread run a packed task."""
        import loky

        thread = threading.get_ident()
        with self._lock:
            if self._killed:
                raise loky.process_executor.ShutdownExecutorError
            pool = self._pools.get(thread)
            if pool is not None:
                return pool.submit(run_packed, message)  # type: ignore[no-any-return]  # loky has no types
            pool = self._pools[thread] = loky.ProcessPoolExecutor(
                1, initializer=_begin_process, initargs=(os.getpid(),), env=NO_LIMIT
            )
            future: Future[bytes] = pool.submit(run_packed, message)
            # At the end of the program, loky waits for the tasks that run. It registers that in the same way when a
            # pool begins, and what was registered last is called first.
            _begun.add(self)
            threading._register_atexit(_kill_all)  # type: ignore[attr-defined]
            return future


_begun: "WeakSet[ProcessExecutor]" = WeakSet()
"""The executors that have started processes."""


def _kill_all() -> None:
    """Kill the processes of all executors."""
    for executor in list(_begun):
        executor.shutdown(cancel_futures=True)


def _begin_process(parent: int) -> None:
    """Prepare a process: it ignores Ctrl-C, keeps standard output for results, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if os.name == "posix":
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_SECONDS)
    atexit._run_exitfuncs()  # what a task has started ends, too
    os._exit(1)


def task_name(call: "partial[Any]") -> str:
    """Return a task as messages show it: its name, and its arguments in short."""
    listed = ", ".join(reprlib.repr(argument) for argument in call.args)
    return f"{getattr(call.func, '__qualname__', type(call.func).__name__)}({shortened(listed, 200)})"


def pack(call: "partial[Any]") -> bytes:
    """Return a task as bytes for `run_packed` in another process. Raises `WorkerError` if it can't be pickled."""
    import cloudpickle

    try:
        message: bytes = cloudpickle.dumps(call)
    except Exception as error:  # a class may raise anything
        raise WorkerError(
            f"{task_name(call)} can't be sent to another process: {type(error).__name__}: {error}"
        ) from error
    return message


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
        return _dumped((True, call()))
    except BaseException as error:
        error.add_note("in another process:\n" + "".join(traceback.format_exception(error)).rstrip())
        try:
            answer = _dumped((False, error))
            pickle.loads(
                answer
            )  # the constructor of an error may need other arguments than those that it keeps
        except Exception:
            replacement = WorkerError(f"{type(error).__name__}: {error}")
            replacement.__notes__ = error.__notes__
            answer = pickle.dumps((False, replacement))
        return answer


def _dumped(outcome: tuple[bool, Any]) -> bytes:
    """Return bytes: those of pickle, unless the outcome has classes of the script of the other process."""
    import cloudpickle

    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception:
        try:
            return cloudpickle.dumps(outcome)  # type: ignore[no-any-return]  # it has no types
        except Exception as error:
            raise WorkerError(
                f"the result of the task can't be sent to another process: {type(error).__name__}: {error}"
            ) from error


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
    if not isinstance(workers, str):
        raise InvalidOptionError(
            f"workers={workers!r}: expected a name such as processes:8, or a concurrent.futures.Executor"
        )
    name, known = workers.partition(":")[0], available_executors()
    if name not in known:
        listing = f"there are {', '.join(known)}"
        raise UnknownNameError(unknown(f"there are no workers {workers!r}", name, known, listing))
    return known[name].open(workers)


def tasks_at_once(executor: Executor) -> int:
    """Return how many tasks an executor runs at once; the number of cores if it does not say."""
    return getattr(executor, "_max_workers", None) or cores()  # those of the standard library have it, too


def in_this_process(executor: Executor) -> bool:
    """Whether tasks share the memory of this process, so that nothing is pickled."""
    return bool(getattr(executor, "shares_memory", isinstance(executor, ThreadPoolExecutor)))


def available_executors() -> dict[str, ExecutorSpec]:
    """Return the kinds of executors by name: the built-in ones and those of plugins.

    Those of a plugin whose hook fails are left out, with a `PluginWarning`. Raises `PluginError` for a name that is
    used twice.
    """
    owners = dict.fromkeys((spec.name for spec in BUILT_IN), "searchkit")
    found = {spec.name: spec for spec in BUILT_IN}
    for plugin, call in registry().calls("searchkit_executors"):
        try:
            specs = call()
            if not isinstance(specs, list) or not all(isinstance(spec, ExecutorSpec) for spec in specs):
                raise TypeError(
                    f"searchkit_executors returned {specs!r:.100}, expected a list of ExecutorSpec"
                )
        except Exception as error:
            warnings.warn(
                f"the executors of plugin {plugin!r} are left out: {type(error).__name__}: {error}",
                PluginWarning,
                stacklevel=2,
            )
            continue
        for spec in specs:
            if spec.name in owners:
                raise PluginError(
                    f"executor {spec.name!r} is added by {owners[spec.name]} and by the plugin {plugin!r}; block it "
                    f"with {DISABLE_VARIABLE}={plugin}"
                )
            owners[spec.name], found[spec.name] = plugin, spec
    return found


def _count_of(text: str) -> int:
    """Return the number after the name of an executor, or without one the number of cores."""
    name, colon, number = text.partition(":")
    try:
        return at_least(1)(number) if colon else cores()
    except ValueError as error:
        raise InvalidOptionError(
            f"workers {text!r}: expected {name}, or {name}:N with a number of {name} ≥ 1"
        ) from error


def _serial(text: str) -> Executor:
    if text != "serial":
        raise InvalidOptionError(f"workers {text!r}: serial takes nothing after its name")
    return ThreadExecutor()


BUILT_IN = (
    ExecutorSpec("serial", "one task at a time, in a thread of this process", _serial),
    ExecutorSpec(
        "threads",
        "threads of this process, one for each core; threads:N for N",
        lambda text: ThreadExecutor(_count_of(text)),
    ),
    ExecutorSpec(
        "processes",
        "processes of this machine, one for each core; processes:N for N",
        lambda text: ProcessExecutor(_count_of(text)),
    ),
)
