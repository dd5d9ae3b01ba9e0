"""Work that goes on while the search does: functions called in a thread, and compiling in another process.

The process has a low priority, and ends when it has nothing to do. It fills the cache on disk
(`searchkit.compiled.cache`), from which the machine code is loaded. When the program that it works for ends, it
finishes what it was asked for, so that a machine that runs only short programs gets machine code too. At most one such
process per cache does so; the others end with their programs. `SEARCHKIT_FINISH_COMPILING=0` ends all of them with
their programs.
"""

import atexit
import ctypes
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import nullcontext, suppress
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

from searchkit.compiled import Leaving
from searchkit.compiled.cache import Lock, Request, is_writable, user_cache

THERE, UNDER_WAY, FAILED = "there", "under way", "failed"
IDLE_SECONDS, POLL_SECONDS, WATCH_SECONDS = 5.0, 0.1, 0.5
"""How long the process waits for a request; the time between two checks whether requests can still come; and between
two checks whether its parent still runs."""
NICENESS, ALONE_NICENESS = 10, 19
"""The niceness while the program runs, and after its end."""
ALONE_SECONDS = 120.0
"""How long it continues at most after the end of the program. Compiling a function takes some seconds."""
FINISH_VARIABLE = "SEARCHKIT_FINISH_COMPILING"
"""The environment variable that makes the process end with the program if its value is 0."""
MOST_ATTEMPTS = 2
"""How often a function is requested: an idle process may end just when a request is sent."""
LEAVE_SECONDS = 1.0
"""How long the end of the program waits for a thread that imports."""
IMPORTS = 3
"""How often a function is called at most while imports of other threads make it fail: see `lost_import`."""
GARBAGE = 50_000
"""After how many new objects garbage is collected: a compiler makes many that stay, and going over them again and again
takes a tenth of its time."""
WITHOUT_COLOURS = {"NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}
"""Numba colours the message of each overload that does not fit, which nobody sees."""
BEGIN = (
    "import sys; sys.path[:] = eval(sys.stdin.buffer.readline()); "
    "from searchkit.search.background import serve; serve()"
)
_threads: "WeakSet[threading.Thread]" = WeakSet()


class Compiler:
    """The process that compiles for this one; it is started at the first request."""

    def __init__(self) -> None:
        self.failures: dict[Path, str] = {}
        """The file of a function that could not be compiled → the reason."""
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: set[Path] = set()
        self._attempts: Counter[Path] = Counter()
        self._lock = threading.Lock()

    def state(self, request: Request) -> str:
        """Return whether the machine code is `THERE`, `UNDER_WAY` or `FAILED`; request it if that was not done yet."""
        if request.file.exists():
            return THERE
        with self._lock:
            if (
                self._owner != os.getpid()
            ):  # this process was forked: the compiling process belongs to its parent
                self._process, self._owner = None, os.getpid()
                self._asked.clear()
            if request.file in self.failures:
                return FAILED
            running = self._process is not None and self._process.poll() is None
            if request.file in self._asked and running:
                return UNDER_WAY
            if request.file.exists():
                return THERE
            code = None if self._process is None else self._process.returncode
            if request.file in self._asked and code:
                return self._fail(request, f"the process that compiled it ended with exit code {code}")
            return self._ask(request)

    def leave(self) -> None:
        """Leave the process to itself at the end of the program, without waiting."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
            if process.returncode is None:
                process.returncode = 0  # which keeps `Popen` from warning that it still runs

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()

    def _fail(self, request: Request, why: str) -> str:
        self.failures[request.file] = why
        return FAILED

    def _ask(self, request: Request) -> str:
        if not is_writable(request.file.parent):
            return self._fail(
                request,
                f"compiled code can't be kept in {request.file.parent}; set NUMBA_CACHE_DIR to a folder that can be "
                "written",
            )
        self._attempts[request.file] += 1
        if self._attempts[request.file] > MOST_ATTEMPTS:
            return self._fail(request, "the process that compiles ended before it was done")
        try:
            if self._process is None or self._process.poll() is not None:
                self._begin()
            assert self._process is not None
            assert self._process.stdin is not None
            content = pickle.dumps((request.module, request.name, request.types))
            self._process.stdin.write(len(content).to_bytes(8) + content)
            self._process.stdin.flush()
        except BrokenPipeError:
            return UNDER_WAY  # it has just ended; the next call starts another
        except (OSError, ValueError, MemoryError) as error:
            return self._fail(request, f"no process that compiles can be started: {error}")
        self._asked.add(request.file)
        return UNDER_WAY

    def _begin(self) -> None:
        self.end()
        atexit.unregister(self.leave)  # register it once only
        atexit.register(self.leave)
        self._asked.clear()
        process = self._process = subprocess.Popen(
            [sys.executable or "python", "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | WITHOUT_COLOURS,
            start_new_session=True,  # Ctrl-C in a terminal is for the search
        )
        assert process.stdin is not None
        process.stdin.write(repr([path or str(Path.cwd()) for path in sys.path]).encode() + b"\n")


compiler = Compiler()


def compile_here(request: Request) -> None:
    """Compile the function of a request in this process. Raises what importing and compiling it raise."""
    module = import_module(request.module)
    if request.name:
        attrgetter(request.name)(module).compile(pickle.loads(request.types))


def serve() -> None:
    """Compile the functions requested on standard input, until it is closed or no request comes any more."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(GARBAGE)
    requests = Requests()
    for target in (requests.read, lambda: requests.watch(os.getppid())):
        threading.Thread(target=target, daemon=True).start()
    code = 1
    try:
        import_module("searchkit.compiled.functions").compile_faster()
        while True:
            compile_here(requests.next())
    except Empty:
        code = 0
    finally:
        os._exit(code)  # Python would wait for the thread that reads


class Requests:
    """The requests that the process receives, in order."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Request] = SimpleQueue()
        self._asked = self._given = self._done = 0
        """How many requests were read, how many were returned by `next`, and how many are done."""
        self._alone = threading.Event()
        """Set when the program has ended."""
        self._once = threading.Lock()

    def next(self) -> Request:
        """Return the next request; the last one is done. Raises `Empty` if none comes for a while, or can come."""
        self._done = self._given
        until = monotonic() + IDLE_SECONDS
        while True:
            with suppress(Empty):
                request = self._queue.get(timeout=POLL_SECONDS)
                self._given += 1
                return request
            if self._alone.is_set() or monotonic() >= until:
                raise Empty

    def read(self) -> None:
        """Read requests until the end of the input, which is the end of the program."""
        source = sys.stdin.buffer
        while head := source.read(8):
            module, name, types = pickle.loads(source.read(int.from_bytes(head)))
            self._asked += 1
            self._queue.put(Request(module, name, types, Path()))
        self._go_on_alone()

    def watch(self, parent: int) -> None:
        """Detect the end of the parent: other processes may have inherited the other end of the input."""
        while os.getppid() == parent:
            sleep(WATCH_SECONDS)
        self._go_on_alone()

    def _go_on_alone(self) -> None:
        """Let the process finish its requests, if it may; otherwise end it at once."""
        with self._once:
            if self._alone.is_set():
                return
            lock = Lock(finishing_lock())
            if self._done == self._asked or os.environ.get(FINISH_VARIABLE) == "0" or not lock.take():
                os._exit(0)
            # Not on Windows. It is for the main thread, which compiles; `os.nice` would be for this one.
            if hasattr(os, "setpriority"):
                os.setpriority(os.PRIO_PROCESS, os.getpid(), ALONE_NICENESS)
            self._alone.set()
        sleep(ALONE_SECONDS)
        os._exit(1)


def finishing_lock() -> Path:
    """Return the file that is locked by the one process that finishes the requests of an ended program."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(folder) if folder else user_cache() / "kernels") / "finishing.lock"


class Work:
    """A function that is called in a thread, or in this one."""

    def __init__(self, call: Any, context: Any = nullcontext):
        self.call, self.context = call, context
        self.ended = threading.Event()
        self.error: BaseException | None = None

    def begin(self) -> bool:
        """Start a thread that calls it; return whether that was possible."""
        thread = threading.Thread(target=self.do, name="searchkit machine code", daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError):
            return False
        if not _threads:
            atexit.unregister(_leave)
            atexit.register(_leave)
        _threads.add(thread)
        return True

    def do(self) -> None:
        """Call it, and keep its exception."""
        try:
            with self.context():
                self._call()
        except BaseException as error:
            self.error = error
        finally:
            self.ended.set()

    def _call(self) -> None:
        for left in reversed(range(IMPORTS)):
            try:
                self.call()
            except ImportError as error:
                if not (left and lost_import(error)):
                    raise
            else:
                return


def lost_import(error: BaseException) -> bool:
    """Whether an import failed because the import of the same module in another thread failed meanwhile.

    The import of a module with a function that is not compiled yet fails, and is repeated later; a thread that waited
    for it gets a module without its last names, which is no longer in `sys.modules`.
    """
    name = error.name if isinstance(error, ImportError) else None
    return name is not None and name not in sys.modules and not isinstance(error, ModuleNotFoundError)


def _leave() -> None:
    """End the threads that import, and wait for them: a thread that runs while Python ends may crash it."""
    alive = [thread for thread in _threads if thread.is_alive()]
    if alive:
        _ignore_exits()
    for thread in alive:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Leaving)
        )
    for thread in alive:
        thread.join(LEAVE_SECONDS)


def _ignore_exits() -> None:
    """Do not report a `SystemExit` that nobody can catch: a thread may be in a function that C code calls."""
    report = sys.unraisablehook

    def ignore(event: Any) -> None:
        if not isinstance(event.exc_value, SystemExit):
            report(event)

    sys.unraisablehook = ignore
