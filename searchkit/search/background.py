"""Compiling in another process, while this one goes on.

The process has a low priority, and ends when it has nothing to do, or with the process that it works for. It fills the
cache on disk (`searchkit.compiled.cache`); from there the machine code is loaded.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from time import sleep

from searchkit.compiled.cache import Request, is_writable

THERE, UNDER_WAY, FAILED = "there", "under way", "failed"
IDLE_SECONDS, WATCH_SECONDS = 5.0, 0.5
"""How long the process waits for the next request, and how often it looks whether its parent is still there."""
NICENESS = 10
MOST_ATTEMPTS = 2
"""A process may end, idle, just as a request is sent."""
BEGIN = (
    "import sys; sys.path[:] = eval(sys.stdin.buffer.readline()); "
    "from searchkit.search.background import serve; serve()"
)


class Compiler:
    """The process that compiles for this one; begun at the first request."""

    def __init__(self) -> None:
        self.failures: dict[Path, str] = {}
        """What could not be compiled, and why."""
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: set[Path] = set()
        self._attempts: Counter[Path] = Counter()
        self._lock = threading.Lock()

    def state(self, request: Request) -> str:
        """Return whether the machine code is `THERE`, `UNDER_WAY` or `FAILED`; ask for it, if nobody did."""
        if request.file.exists():
            return THERE
        with self._lock:
            if self._owner != os.getpid():  # forked meanwhile: the process is that of the parent
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
            return UNDER_WAY  # it ended just now; the next look begins another
        except (OSError, ValueError, MemoryError) as error:
            return self._fail(request, f"no process that compiles can be started: {error}")
        self._asked.add(request.file)
        return UNDER_WAY

    def _begin(self) -> None:
        self.end()
        self._asked.clear()
        process = self._process = subprocess.Popen(
            [sys.executable or "python", "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is for the search
        )
        assert process.stdin is not None
        process.stdin.write(repr([path or str(Path.cwd()) for path in sys.path]).encode() + b"\n")


compiler = Compiler()
atexit.register(compiler.end)


def compile_here(request: Request) -> None:
    """Compile what a request asks for in this process. Raises whatever importing and compiling it raise."""
    module = import_module(request.module)
    if request.name:
        getattr(module, request.name).compile(pickle.loads(request.types))


def serve() -> None:
    """Compile what is asked for on standard input, until that is closed or nothing is asked for any more."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: SimpleQueue[Request] = SimpleQueue()
    for target in (lambda: _read(requests), lambda: _watch(os.getppid())):
        threading.Thread(target=target, daemon=True).start()
    code = 1
    try:
        while True:
            compile_here(requests.get(timeout=IDLE_SECONDS))
    except Empty:
        code = 0
    finally:
        os._exit(code)  # Python would wait for the thread that reads


def _read(requests: "SimpleQueue[Request]") -> None:
    """Read requests. When the input ends, so does the process, whatever it is doing."""
    source = sys.stdin.buffer
    while head := source.read(8):
        module, name, types = pickle.loads(source.read(int.from_bytes(head)))
        requests.put(Request(module, name, types, Path()))
    os._exit(0)


def _watch(parent: int) -> None:
    """End the process when its parent has ended: others may have inherited the other end of its input."""
    while os.getppid() == parent:
        sleep(WATCH_SECONDS)
    os._exit(0)
