"""Compiling in another process, while this one searches in Python or waits.

There is one process for each function. It has a low priority and fills the cache on disk (`searchkit.compiled.cache`),
from which this process loads the machine code. It finishes its function also if the program ends.
"""

import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from searchkit.compiled.cache import Request, is_writable
from searchkit.errors import MissingExtraError

logger = logging.getLogger("searchkit")
POLL_SECONDS, NICENESS = 0.005, 10


class Process(subprocess.Popen[bytes]):
    """A process that compiles; if the program ends before it, there is no warning."""

    def __del__(self, *arguments: object) -> None: ...


processes: dict[tuple[int, Path], Process] = {}
"""Those that were started, by this process, which may have been forked, and the file that is made."""
_lock = threading.Lock()


def wait(request: Request, seconds: float) -> bool:
    """Request a function, and wait for at most so many seconds; return whether its machine code is in the cache.

    Raises `MissingExtraError` if it can't be compiled in another process.
    """
    until, key = monotonic() + seconds, (os.getpid(), request.file)
    while not request.file.exists():
        with _lock:
            process = processes[key] = processes.get(key) or _started(request)
        if (code := process.poll()) is not None and not request.file.exists():
            raise MissingExtraError(f"the process that compiled it ended with exit code {code}")
        if monotonic() >= until:
            return False
        sleep(POLL_SECONDS)
    return True


def _started(request: Request) -> Process:
    """Return a process that compiles a function. Raises `MissingExtraError` if there can't be one."""
    folder = request.file.parent
    if not is_writable(folder):
        raise MissingExtraError(
            f"compiled code can't be kept in {folder}; set NUMBA_CACHE_DIR to a folder that can be written"
        )
    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    try:
        process = Process(
            [sys.executable or "python", "-P", "-m", "searchkit.compiled.compiler"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C in a terminal is for the search
        )
        assert process.stdin is not None
        with process.stdin as pipe:
            pickle.dump(request, pipe)
    except (OSError, ValueError, MemoryError) as error:
        raise MissingExtraError(f"no process that compiles can be started: {error}") from error
    logger.info("compiling %s … (once per machine)", request.name or request.module)
    return process


def compile_here(request: Request) -> None:
    """Compile a function in this process. Raises what importing and compiling it raise."""
    module: Any = import_module(request.module)
    if request.name:
        getattr(module, request.name).compile(pickle.loads(request.types))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    gc.set_threshold(50_000)  # a compiler makes many objects that stay
    compile_here(pickle.load(sys.stdin.buffer))
