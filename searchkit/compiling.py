"""Writing functions that compiled engines call.

    @heuristic_function
    def manhattan(table, state):
        x, y = state % 100, state // 100
        ...

Each is of one fixed type, so that a kernel is compiled once for all problems. Such a function is written in the part of
Python that Numba compiles. It is compiled at its definition, once per machine: what is compiled is kept in the user's
cache directory. Needs the extra `fast`.

A packed state is a number of 64 bits. The functions of a view with larger states are made by the decorators that begin
with `wide_`: a state is an array of its words there, the lowest first.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from searchkit.caching import user_cache
from searchkit.errors import MissingExtraError

try:
    import numba
    from numba import types
    from numba.core import event
    from numba.extending import overload

    from searchkit.inlining import INLINED as INLINED
    from searchkit.inlining import bits_set as bits_set
    from searchkit.inlining import digest_of_inlined
    from searchkit.inlining import lowest_bit as lowest_bit
except ImportError as error:
    raise MissingExtraError(
        "compiled engines need numpy and Numba; install them with: pip install 'statespace-searchkit[fast]'"
    ) from error

logger = logging.getLogger("searchkit")
TABLE = types.Array(types.int64, 1, "C", readonly=True)
EXPAND = types.uint64(TABLE, types.uint64, types.uint64[::1], types.float64[::1])
HEURISTIC = types.float64(TABLE, types.uint64)
IS_GOAL = types.boolean(TABLE, types.uint64)
WORDS = types.Array(types.uint64, 1, "C", readonly=True)
WIDE_EXPAND = types.uint64(TABLE, WORDS, types.uint64[:, ::1], types.float64[::1])
WIDE_HEURISTIC = types.float64(TABLE, WORDS)
WIDE_IS_GOAL = types.boolean(TABLE, WORDS)
KERNELS = Path(__file__).parent / "kernels"


def cache_directory() -> Path:
    """Return where compiled code is kept: `$NUMBA_CACHE_DIR`, or `searchkit/kernels` in the user's cache directory.

    Raises `RuntimeError` where there is no home directory.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    return user_cache() / "kernels" / f"numba-{numba.__version__}-{_sources()}"


@cache
def _sources(folder: Path = KERNELS) -> str:
    """Return a digest of the files in a folder: Numba looks only at the file of a function, not at those it calls."""
    digest = sha256()
    for path in [*sorted(folder.glob("*.py")), Path(__file__).parent / "inlining.py"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _use_cache_directory() -> bool:
    try:
        directory = cache_directory()
        directory.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return False
    numba.config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]  # it is set at import
    return os.access(directory, os.W_OK)


CACHED: bool = _use_cache_directory()
"""Whether compiled code is kept on disk; where it can't be, each process compiles what it uses."""

Function = Callable[..., Any]
_kernels: set[Any] = set()


def _can_be_kept(function: Function) -> bool:
    """Whether the function is a module's own: what is typed at a prompt is compiled anew each time."""
    module = sys.modules.get(function.__module__)
    return CACHED and hasattr(module, "__file__") and vars(module) is function.__globals__


def _named(function: Function) -> Function:
    """Name a function after what it takes from outside itself, so that what is kept on disk is never out of date."""
    function.__qualname__ += f"-{digest_of_inlined(function)}"
    return function


def expand_function(function: Function) -> Any:
    """Compile `expand(table, state, out_states, out_costs) -> n`.

    It writes the n successors of a state into `out_states` and what each action costs into `out_costs`, in the order
    of the problem's `successors`. `table` is the view's array of int64, `state` a packed state (uint64).
    """
    return numba.cfunc(EXPAND, cache=_can_be_kept(function))(_named(function))


def heuristic_function(function: Function) -> Any:
    """Compile `heuristic(table, state) -> float`: infinity where no goal can be reached."""
    return numba.cfunc(HEURISTIC, cache=_can_be_kept(function))(_named(function))


def goal_function(function: Function) -> Any:
    """Compile `is_goal(table, state) -> bool`."""
    return numba.cfunc(IS_GOAL, cache=_can_be_kept(function))(_named(function))


def wide_expand_function(function: Function) -> Any:
    """Compile `expand(table, state, out_states, out_costs) -> n` for states of several words.

    `out_states[i]` is the array of the words of successor i; `copy_state` makes it the same as the state at first.
    """
    return _wide(WIDE_EXPAND, function)


def wide_heuristic_function(function: Function) -> Any:
    """Compile `heuristic(table, state) -> float` for states of several words."""
    return _wide(WIDE_HEURISTIC, function)


def wide_goal_function(function: Function) -> Any:
    """Compile `is_goal(table, state) -> bool` for states of several words."""
    return _wide(WIDE_IS_GOAL, function)


def _wide(kind: Any, function: Function) -> Any:
    how: Any = {"_nrt": False}  # counting the references to the words would take longer than the functions
    return numba.cfunc(kind, cache=_can_be_kept(function), **how)(_named(function))


@contextmanager
def _beside(function: Function) -> Iterator[bool]:
    """Tell whether the function can be kept; if it is no kernel of searchkit, apart by a digest of its folder too."""
    kept, before = _can_be_kept(function), numba.config.CACHE_DIR  # type: ignore[attr-defined]  # it is set at import
    folder = Path(function.__code__.co_filename).parent
    if kept and folder != KERNELS:
        numba.config.CACHE_DIR = str(Path(before) / _sources(folder))  # type: ignore[attr-defined]
    try:
        yield kept
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


def compiled_function(function: Function) -> Any:
    """Compile a function that the others call: `numba.njit`, inlined, kept on disk. It may not make arrays."""
    with _beside(function) as kept:
        return numba.njit(cache=kept, **INLINED)(function)


def chosen_for(stub: Function) -> Callable[[Function], Function]:
    """Decorate a function that returns what compiled code calls for `stub`, chosen by the types of the arguments."""
    decorate: Callable[[Function], Function] = overload(stub, jit_options=INLINED, strict=False)
    return decorate


def sub_kernel(function: Function) -> Any:
    """Compile a large or seldom function of a kernel: called, not inlined. It may not make arrays."""
    how: Any = {"_nrt": False}
    return numba.njit(cache=_can_be_kept(function), **how)(function)


@compiled_function
def copy_state(target: Any, state: Any) -> None:
    """Copy the words of a state: assigning to a slice would make an array meanwhile."""
    for word in range(state.size):
        target[word] = state[word]


def kernel(function: Function) -> Any:
    """Compile an engine: other threads of Python run meanwhile. It may not make arrays.

    That it is being compiled is logged to the logger `searchkit`, at the level INFO.
    """
    how: Any = {"nogil": True, "_nrt": False}
    with _beside(function) as kept:
        compiled = numba.njit(cache=kept, **how)(function)
    _kernels.add(compiled)
    return compiled


class _Announcement(event.Listener):
    """Says which engine is being compiled: it takes some seconds, at the first use on a machine."""

    def on_start(self, event: Any) -> None:
        """Log it."""
        name = event.data["dispatcher"].py_func.__name__
        if event.data["dispatcher"] in _kernels:
            logger.info("compiling %s … (once per machine)", name)

    def on_end(self, event: Any) -> None:
        """Say nothing more."""


_register: Any = event.register
_register("numba:compile", _Announcement())
