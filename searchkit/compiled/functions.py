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
import pickle
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import get_ident
from typing import Any

from searchkit.compiled.cache import CodeCache, is_writable, user_cache
from searchkit.errors import MissingExtraError

try:
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core import event, serialize, sigutils
    from numba.core.ccallback import CFunc
    from numba.core.compiler import CompileResult
    from numba.core.errors import NumbaError
    from numba.extending import intrinsic

    from searchkit.compiled.inlining import bits_set as bits_set
    from searchkit.compiled.inlining import digest_of_inlined
    from searchkit.compiled.inlining import lowest_bit as lowest_bit
    from searchkit.compiled.variants import INLINED, UNWRAPPED
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
COMPILED = Path(__file__).parent
KERNELS = COMPILED.parent / "kernels"


def cache_directory() -> Path:
    """Return where compiled code is kept: `$NUMBA_CACHE_DIR`, or `searchkit/kernels` in the user's cache directory.

    Raises `RuntimeError` if there is no home directory.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    return user_cache() / "kernels" / f"numba-{numba.__version__}-{_sources()}"


@cache
def _sources(folder: Path | None = None) -> str:
    """Return a digest of the files in a folder; without one, of what all compiled code may call."""
    digest = sha256()
    if folder is None:
        paths = [*KERNELS.rglob("*.py"), *(COMPILED / "kit").glob("*.py")]
        paths += [COMPILED / name for name in ("functions.py", "inlining.py", "variants.py")]
    else:
        paths = [*folder.glob("*.py")]
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _is_ours(folder: Path) -> bool:
    """Whether `_sources()` covers the files of a folder."""
    return folder == COMPILED / "kit" or folder.is_relative_to(KERNELS)


def _directory() -> Path | None:
    try:
        return cache_directory()
    except RuntimeError:
        return None


DIRECTORY = _directory()
"""The directory of compiled code; None if there is no home directory."""
CACHED: bool = DIRECTORY is not None and is_writable(DIRECTORY)
"""Whether compiled code is kept on disk; if not, each process compiles what it uses."""

Function = Callable[..., Any]


def _can_be_kept(function: Function) -> bool:
    """Whether a function is defined in the file of a module. Other functions are compiled again in each process."""
    module = sys.modules.get(function.__module__)
    is_own = hasattr(module, "__file__") and vars(module) is function.__globals__
    return is_own and DIRECTORY is not None and Path(function.__code__.co_filename).is_file()


def _cache_of(function: Function, name: str, *, by_import: bool = False) -> CodeCache:
    """Return the cache of the machine code of a function.

    `name` is where its module has what compiles it. The key covers everything that becomes part of the machine code:
    kernels call functions of all files of their folder.
    """
    assert DIRECTORY is not None
    path = Path(function.__code__.co_filename)
    directory = DIRECTORY if _is_ours(path.parent) else DIRECTORY / path.parent.name
    if by_import:
        stamp = f"{sha256(path.read_bytes()).hexdigest()} {digest_of_inlined(function)}"
    else:
        stamp = _sources() if _is_ours(path.parent) else f"{_sources()} {_sources(path.parent)}"
    pickled: Any = serialize.dumps
    rebuild: Any = CompileResult._rebuild
    return CodeCache(
        function,
        directory,
        f"{numba.__version__} {stamp} {name}",
        write=lambda compiled: pickled(compiled._reduce()),
        read=lambda target, data: rebuild(target, *pickle.loads(data)),
        pickled=pickled,
        name=name,
        by_import=by_import,
    )


def _jit(function: Function, options: Any, name: str, *, logged: bool = False) -> Any:
    """Return a function that is compiled, or loaded from the cache, when it is first called."""
    compiled: Any = numba.njit(**options)(function)
    if _can_be_kept(function):
        compiled._cache = _cache_of(function, name)
    by_numba = compiled.compile
    listen: Any = event.install_listener

    def compile_once(types: Any) -> Any:
        with listen("numba:compile", _Announcement(compiled)) if logged else nullcontext():
            return by_numba(types)

    compiled.compile = compile_once
    return compiled


def _for_kernels(function: Function, options: Any) -> Any:
    """Return a function that compiled code calls. A quarter of the compiling is what only a call from Python needs.

    The first call from Python compiles it once more, with that: `from_python`.
    """
    name = function.__name__
    compiled = _jit(function, {**options, **UNWRAPPED}, name)
    compiled.from_python = _jit(function, options, f"{name}.from_python")

    def add(result: Any) -> None:
        # Numba would also add it to what a call from Python looks through, which would call a null pointer then.
        compiled.overloads[tuple(result.signature.args)] = result

    compiled.add_overload = add
    compiled._compile_for_args = lambda *arguments, **_: compiled.from_python  # Numba calls what this returns
    return compiled


def _callback(kind: Any, function: Function) -> Any:
    """Compile a function now, or load it from the cache; its machine code is called through a pointer."""
    try:
        return _compiled_callback(kind, function, {"_nrt": False})
    except (
        NumbaError,
        RuntimeError,
    ):  # it makes arrays: counting the references to all of them takes 10 ns a call
        return _compiled_callback(kind, function, {})


def _compiled_callback(kind: Any, function: Function, options: Any) -> Any:
    normalized: Any = sigutils.normalize_signature
    compiled: Any = CFunc(function, normalized(kind), locals={}, options=options)
    if _can_be_kept(function):
        compiled._cache = _cache_of(function, function.__name__, by_import=True)
    compiled.compile()
    return compiled


def _called(kinds: tuple[Any, Any], state: Any) -> Any:
    """Return what types and makes the call of a function whose address is the first argument."""
    kind = kinds[0] if isinstance(state, types.Integer) else kinds[1]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result, *taken = [context.get_value_type(one) for one in (kind.return_type, *kind.args)]
        pointer = builder.inttoptr(arguments[0], ir.FunctionType(result, taken).as_pointer())
        return builder.call(pointer, arguments[1:])

    return kind.return_type(types.int64, *kind.args), generate


def _call_expand(
    typing_context: Any, address: Any, table: Any, state: Any, out_states: Any, out_costs: Any
) -> Any:
    """Call the `expand` at an address. In compiled code only.

    Kernels take addresses and not Numba's function objects: these take 20 µs each at every call from Python.
    """
    return _called((EXPAND, WIDE_EXPAND), state)


def _call_heuristic(typing_context: Any, address: Any, table: Any, state: Any) -> Any:
    """Call the `heuristic` at an address. In compiled code only."""
    return _called((HEURISTIC, WIDE_HEURISTIC), state)


def _call_goal(typing_context: Any, address: Any, table: Any, state: Any) -> Any:
    """Call the `is_goal` at an address. In compiled code only."""
    return _called((IS_GOAL, WIDE_IS_GOAL), state)


call_expand: Any = intrinsic(_call_expand)
call_goal: Any = intrinsic(_call_goal)
call_heuristic: Any = intrinsic(_call_heuristic)


def expand_function(function: Function) -> Any:
    """Compile `expand(table, state, out_states, out_costs) -> n`.

    It writes the n successors of a state into `out_states` and what each action costs into `out_costs`, in the order
    of the problem's `successors`. `table` is the view's array of int64, `state` a packed state (uint64).
    """
    return _callback(EXPAND, function)


def heuristic_function(function: Function) -> Any:
    """Compile `heuristic(table, state) -> float`; it returns infinity if no goal can be reached."""
    return _callback(HEURISTIC, function)


def goal_function(function: Function) -> Any:
    """Compile `is_goal(table, state) -> bool`."""
    return _callback(IS_GOAL, function)


def wide_expand_function(function: Function) -> Any:
    """Compile `expand(table, state, out_states, out_costs) -> n` for states of several words.

    `out_states[i]` is the array of the words of successor i; begin with `copy_state(out_states[i], state)`.
    """
    return _callback(WIDE_EXPAND, function)


def wide_heuristic_function(function: Function) -> Any:
    """Compile `heuristic(table, state) -> float` for states of several words."""
    return _callback(WIDE_HEURISTIC, function)


def wide_goal_function(function: Function) -> Any:
    """Compile `is_goal(table, state) -> bool` for states of several words."""
    return _callback(WIDE_IS_GOAL, function)


def compiled_function(function: Function) -> Any:
    """Compile a function that other compiled code calls: `numba.njit`, inlined. It can't allocate arrays.

    Python can call it too; such a call compiles it separately, and takes some microseconds longer than that of a
    `kernel`.
    """
    return _for_kernels(function, INLINED)


def sub_kernel(function: Function) -> Any:
    """Compile a large function, or one that is seldom called, without inlining. It can't allocate arrays."""
    return _for_kernels(function, {"_nrt": False})


@compiled_function
def copy_state(target: Any, state: Any) -> None:
    """Copy the words of a state; assignment to a slice would allocate a temporary array."""
    for word in range(state.size):
        target[word] = state[word]


def kernel(function: Function) -> Any:
    """Compile the main loop of an engine. It runs without Python's global lock, and can't allocate arrays.

    Compiling it is logged to the logger `searchkit`, at the level INFO.
    """
    options = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
    return _jit(function, options, function.__name__, logged=True)


class _Announcement(event.Listener):
    """Logs that a kernel is being compiled by this thread: that takes some seconds, at the first use on a machine."""

    def __init__(self, compiled: Any):
        self.compiled, self.thread = compiled, get_ident()

    def on_start(self, event: Any) -> None:
        """Log the name of the kernel."""
        if event.data["dispatcher"] is self.compiled and get_ident() == self.thread:
            logger.info("compiling %s … (once per machine)", self.compiled.py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Do nothing."""
