"""What the processes that share the tests do not do twice, and how the tests are shared out among them.

A page of the documentation stays in one process, because its examples build on one another; so do the cases of one
test, which use the same kernels, and the tests of type checkers, which run each checker once. A kernel is compiled by
the first process that needs it, and loaded by the others.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

try:
    import fcntl
except ImportError:  # Windows: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

WHOLE = (".md", "test_type_checkers.py")
"""How the paths end whose tests stay together."""


def unit_of(nodeid: str) -> str:
    """Return the name of what is given to one process as a whole."""
    path = nodeid.partition("::")[0]
    return path if path.endswith(WHOLE) else nodeid.partition("[")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out by these units; those of many tests come first, so that all processes end at about the same time.

    (`--dist loadgroup`, which is meant for this, has no effect with pytest 9.2 and xdist 3.8.)
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Units(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

    return Units(config, log)


def locks_of(config: pytest.Config) -> Path | None:
    """Return the folder of the locks of this run; None if there is one process only."""
    run = getattr(config, "workerinput", {}).get("testrunuid") or getattr(config.option, "testrunuid", None)
    return Path(tempfile.gettempdir()) / f"searchkit-tests-{run}" if run else None


def pytest_configure(config: pytest.Config) -> None:
    """Make each process that shares the tests wait for a kernel that another one compiles."""
    if not hasattr(config, "workerinput"):
        if getattr(config.option, "testrunuid", "") is None:
            config.option.testrunuid = uuid4().hex
        return
    folder = locks_of(config)
    if fcntl is None or folder is None:
        return
    try:
        from numba.core.ccallback import CFunc
        from numba.core.dispatcher import Dispatcher
    except ImportError:
        return
    folder.mkdir(exist_ok=True)
    Dispatcher.compile = one_at_a_time(folder, Dispatcher.compile, lambda compiled: compiled.py_func)
    CFunc.compile = one_at_a_time(folder, CFunc.compile, lambda compiled: compiled._pyfunc)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the locks."""
    folder = locks_of(config)
    if folder is not None and not hasattr(config, "workerinput"):
        shutil.rmtree(folder, ignore_errors=True)


def one_at_a_time(folder: Path, compile_: Callable[..., Any], function_of: Callable[[Any], Any]) -> Any:
    """Return a method that compiles one function in one process at a time: the next ones find it on disk."""
    from numba.core.compiler_lock import global_compiler_lock

    held = set[Path]()

    @wraps(compile_)
    def compile_once(compiled: Any, *arguments: Any) -> Any:
        function = function_of(compiled)
        path = folder / sha256(f"{function.__module__}.{function.__qualname__}".encode()).hexdigest()
        with global_compiler_lock:  # first, as other threads of this process take it first
            if path in held:  # a function that calls itself
                return compile_(compiled, *arguments)
            held.add(path)
            try:
                with locked(path):
                    return compile_(compiled, *arguments)
            finally:
                held.remove(path)

    return compile_once


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of that name. It ends with its process, whatever happens."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
