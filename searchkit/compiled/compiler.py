"""Compiling in another process, while this one searches in Python or waits.

That process has a low priority. It fills the cache on disk (`searchkit.compiled.cache`), from which this process loads
the machine code. It ends when no function has been requested for some seconds; when the program ends, it finishes the
function that it is compiling.
"""

import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any

from searchkit.compiled.cache import Request, is_writable
from searchkit.errors import MissingExtraError

logger = logging.getLogger("searchkit")
IDLE_SECONDS = 20.0
"""How long the process waits for a request."""
POLL_SECONDS = 0.005
NICENESS = 10
MAX_ATTEMPTS = 2
"""How often a function is requested: an idle process may end just when a request is sent."""


class Compiler:
    """The process that compiles for this one; it is started at the first request."""

    def __init__(self) -> None:
        self._failures: dict[Path, str] = {}
        """The file of a function that could not be compiled → the reason."""
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: set[Path] = set()
        self._attempts: Counter[Path] = Counter()
        self._lock = threading.Lock()

    def wait(self, request: Request, seconds: float) -> bool:
        """Request a function, and wait for at most so many seconds; return whether its machine code is in the cache.

        Raises `MissingExtraError` if it can't be compiled in another process.
        """
        until = monotonic() + seconds
        while not request.file.exists():
            with self._lock:
                if not request.file.exists():  # it may have been written since
                    self._request(request)
            if monotonic() >= until:
                return False
            sleep(POLL_SECONDS)
        return True

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()

    def _request(self, request: Request) -> None:
        """Request the function, unless it is being compiled."""
        file = request.file
        if self._owner != os.getpid():  # this process was forked: the compiling process belongs to its parent
            self._process, self._owner = None, os.getpid()
            self._asked.clear()
        code = None if self._process is None else self._process.poll()
        if file in self._asked and self._process is not None and code is None:
            return
        if file in self._asked and code:
            self._failures[file] = f"the process that compiled it ended with exit code {code}"
        elif not is_writable(file.parent):
            self._failures[file] = (
                f"compiled code can't be kept in {file.parent}; set NUMBA_CACHE_DIR to a folder that can be written"
            )
        elif self._attempts[file] == MAX_ATTEMPTS:
            self._failures[file] = "the process that compiles ended before it was done"
        if file in self._failures:
            raise MissingExtraError(self._failures[file])
        self._attempts[file] += 1
        try:
            self._send(request)
        except BrokenPipeError:
            return  # it has just ended; the next call starts another
        except (OSError, ValueError, MemoryError) as error:
            self._failures[file] = f"no process that compiles can be started: {error}"
            return
        self._asked.add(file)

    def _send(self, request: Request) -> None:
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._asked.clear()
            path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
            self._process = subprocess.Popen(
                [sys.executable or "python", "-P", "-m", "searchkit.compiled.compiler"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C in a terminal is for the search
            )
        assert self._process.stdin is not None
        logger.info("compiling %s … (once per machine)", request.name or request.module)
        pickle.dump(request, self._process.stdin)
        self._process.stdin.flush()


compiler = Compiler()


def compile_here(request: Request) -> None:
    """Compile a function in this process. Raises what importing and compiling it raise."""
    module = import_module(request.module)
    if request.name:
        attrgetter(request.name)(module).compile(pickle.loads(request.types))


def serve() -> None:
    """Compile the functions requested on standard input, until it ends or no request comes any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    gc.set_threshold(50_000)  # a compiler makes many objects that stay
    requests: SimpleQueue[Any] = SimpleQueue()

    def read() -> None:
        with suppress(EOFError):
            while True:
                requests.put(pickle.load(sys.stdin.buffer))
        requests.put(None)

    threading.Thread(target=read, daemon=True).start()
    code = 1
    try:
        while (request := requests.get(timeout=IDLE_SECONDS)) is not None:
            compile_here(request)
        code = 0
    except Empty:
        code = 0
    finally:
        os._exit(code)  # Python would wait for the thread that reads


if __name__ == "__main__":
    serve()
