"""Writing functions that compiled engines call.

    @heuristic_function
    def manhattan(table, state):
        x, y = state % 100, state // 100
        ...

Each is of one fixed type, so that a kernel is compiled once for all problems. Such a function is written in the part of
Python that Numba compiles. It is compiled at its definition, once per machine: what is compiled is kept in the user's
cache directory. Needs the extra `fast`.

A packed state is a number of 64 bits. The functions of a view with larger states are `MachineCode`, such as that of
`searchkit.translate`: a state is an array of its words there, the lowest first.
"""

import logging
import os
import pickle
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from searchkit.compiled.cache import (
    NotCompiledError,
    Request,
    discard,
    is_writable,
    no_compiling,
    read_checked,
    user_cache,
    write_checked,
)
from searchkit.errors import MissingExtraError

try:
    import numba
    import numpy as np
    from llvmlite import ir
    from numba import types
    from numba.core import serialize, sigutils
    from numba.core.caching import CompileResultCacheImpl
    from numba.core.ccallback import CFunc
    from numba.core.dispatcher import Dispatcher
    from numba.core.errors import NumbaError
    from numba.core.registry import CPUDispatcher
    from numba.extending import intrinsic

    from searchkit.compiled.inlining import bits_set as bits_set
    from searchkit.compiled.inlining import lowest_bit as lowest_bit
    from searchkit.compiled.variants import INLINED, Function, Variants
except ImportError as error:
    raise MissingExtraError(
        "compiled engines need numpy and Numba; install them with: pip install 'statespace-searchkit[fast]'"
    ) from error

logger = logging.getLogger("searchkit")
TABLE = types.Array(types.int64, 1, "C", readonly=True)
WORDS = types.Array(types.uint64, 1, "C", readonly=True)
TYPES = {
    ("expand", False): types.uint64(TABLE, types.uint64, types.uint64[::1], types.float64[::1]),
    ("expand", True): types.uint64(TABLE, WORDS, types.uint64[:, ::1], types.float64[::1]),
    ("is_goal", False): types.boolean(TABLE, types.uint64),
    ("is_goal", True): types.boolean(TABLE, WORDS),
    ("heuristic", False): types.float64(TABLE, types.uint64),
    ("heuristic", True): types.float64(TABLE, WORDS),
}
"""The role of a function of a view, and whether states have several words → its type."""

DIRECTORY = (
    Path(os.environ["NUMBA_CACHE_DIR"])
    if os.environ.get("NUMBA_CACHE_DIR")
    else user_cache(f"kernels/numba-{numba.__version__}")
)
"""Where compiled code is kept: `$NUMBA_CACHE_DIR`, or `searchkit/kernels` in the user's cache directory.

None if there is no home directory.
"""
CACHED: bool = DIRECTORY is not None and is_writable(DIRECTORY)
"""Whether compiled code is kept on disk; if not, each process compiles what it uses."""
_pickled: Any = serialize.dumps
_codec: Any = CompileResultCacheImpl
"""Numba's way from what it has compiled to what can be pickled, and back."""


@cache
def _base() -> str:
    """Return what all machine code depends on: Numba, Python, and what makes machine code here."""
    digest = sha256()
    for name in ("functions.py", "inlining.py", "variants.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    return f"{numba.__version__} {sys.implementation.cache_tag} {digest.hexdigest()}"


def digest_of(function: Function) -> str:
    """Return a digest of a function and of all that it uses: functions, constants and fields, also of other files.

    It is the same in every process. (Numba looks only at the time of the file that a function is in.)
    """
    return sha256("\n".join(_described(function, set())).encode()).hexdigest()


def _described(value: object, seen: set[int]) -> Iterator[str]:
    if isinstance(value, Dispatcher):
        value = value.py_func
    if isinstance(value, FunctionType | Variants):
        if id(value) in seen:
            return
        seen.add(id(value))
    if isinstance(value, Variants):
        for kinds, variant in value.tried:
            yield str(kinds)
            yield from _described(variant, seen)
    elif isinstance(value, FunctionType):
        names = value.__code__.co_names
        used = [value.__globals__.get(name) for name in names]
        of_modules = [vars(one).get(name) for one in used if isinstance(one, ModuleType) for name in names]
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        for one in (value.__code__, value.__defaults__, *used, *of_modules, *cells):
            yield from _described(one, seen)
    elif isinstance(value, CodeType):
        yield f"{value.co_code!r} {value.co_names}"
        yield from _described(value.co_consts, seen)
    elif isinstance(value, tuple):
        for one in value:
            yield from _described(one, seen)
    elif isinstance(value, frozenset):
        yield str(sorted(map(repr, value)))
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, bool | int | float | str | np.generic):
        yield repr(value)


class CodeCache:
    """The machine code of one function, as Numba looks for it.

    Args:
        function: the function.
        is_kernel: whether it is the main loop of an engine, whose compiling is logged; functions of views are compiled
            when their module is imported.

    """

    def __init__(self, function: Function, *, is_kernel: bool):
        assert DIRECTORY is not None
        self.function, self.is_kernel = function, is_kernel
        self.folder, self.key = DIRECTORY, ""

    def load_overload(self, types: Any, target: Any) -> Any:
        """Return what was compiled for these types; None if that is to be done now.

        Raises `NotCompiledError` within `no_compiling`.
        """
        title, path = self._key(types, target.codegen())
        data = read_checked(path, title)
        if data is not None:
            # Only code that makes arrays needs what Numba takes half of its start-up to make.
            if b"NRT_" in data:
                target.refresh()
            try:
                return _codec.rebuild(None, target, pickle.loads(data))
            except Exception as error:  # whatever is wrong with it, it can be compiled anew
                logger.debug("%s can't be loaded: %r", path, error)
                discard(path)
        if no_compiling.depth:
            name = self.function.__name__ if self.is_kernel else ""
            raise NotCompiledError(Request(self.function.__module__, name, _pickled(types), path))
        if self.is_kernel:
            logger.info("compiling %s … (once per machine)", self.function.__name__)
        return None

    def save_overload(self, types: Any, compiled: Any) -> None:
        """Keep what was compiled, if possible."""
        title, path = self._key(types, compiled.codegen)
        write_checked(path, title, _pickled(_codec.reduce(None, compiled)))

    def _key(self, types: Any, codegen: Any) -> tuple[str, Path]:
        """Return what the machine code depends on, as a digest, and its file."""
        self.key = self.key or f"{_base()} {digest_of(self.function)}"
        title = sha256(f"{self.key} {codegen.magic_tuple()} {types}".encode()).hexdigest()
        stem = f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"
        return title, self.folder / f"{stem}-{title[:20]}.nbc"


def _can_be_kept(function: Function) -> bool:
    """Whether a function is defined in the file of a module. Other functions are compiled again in each process."""
    module = sys.modules.get(function.__module__)
    is_own = hasattr(module, "__file__") and vars(module) is function.__globals__
    return is_own and DIRECTORY is not None and Path(function.__code__.co_filename).is_file()


class _Kernel(CPUDispatcher):
    """A function that is compiled, or loaded from the cache, when it is first called with arguments of some types."""

    def __init__(self, function: Function, options: Any):
        super().__init__(
            function, targetoptions={"nopython": True, "_nrt": False, "no_cfunc_wrapper": True} | options
        )
        if _can_be_kept(function):
            self._cache = CodeCache(function, is_kernel="nogil" in options)


class _Inner(_Kernel):
    """A function that compiled code calls. What only a call from Python needs is a quarter of the compiling."""

    def __init__(self, function: Function, options: Any):
        super().__init__(function, {"no_cpython_wrapper": True} | options)

    def __call__(self, *arguments: Any, **others: Any) -> Any:
        """Raise `TypeError`."""
        raise TypeError(
            f"{self.py_func.__qualname__} can only be called by compiled code; let a kernel call it"
        )


class Callback(CFunc):
    """A function of a view: it is compiled now, or loaded from the cache, and called through a pointer.

    Its role and its address are those of `searchkit.compiled.view.MachineCode`.
    """

    is_wide = False

    def __init__(self, function: Function, role: str, options: Any):
        normalized: Any = sigutils.normalize_signature
        super().__init__(function, normalized(TYPES[role, self.is_wide]), locals={}, options=options)
        self.role = role
        if _can_be_kept(function):
            self._cache = CodeCache(function, is_kernel=False)
        self.compile()


def _callback(role: str, function: Function) -> Any:
    try:
        return Callback(function, role, {"_nrt": False})
    except (NumbaError, RuntimeError):
        # It makes arrays: counting references to all of them takes 10 ns a call.
        return Callback(function, role, {})


def _called(role: str, state: Any) -> Any:
    """Return what types and makes the call of a function whose address is the first argument."""
    kind = TYPES[role, not isinstance(state, types.Integer)]

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
    return _called("expand", state)


def _call_heuristic(typing_context: Any, address: Any, table: Any, state: Any) -> Any:
    """Call the `heuristic` at an address. In compiled code only."""
    return _called("heuristic", state)


def _call_goal(typing_context: Any, address: Any, table: Any, state: Any) -> Any:
    """Call the `is_goal` at an address. In compiled code only."""
    return _called("is_goal", state)


call_expand: Any = intrinsic(_call_expand)
call_goal: Any = intrinsic(_call_goal)
call_heuristic: Any = intrinsic(_call_heuristic)


def expand_function(function: Function) -> Any:
    """Compile `expand(table, state, out_states, out_costs) -> n`.

    It writes the n successors of a state into `out_states` and what each action costs into `out_costs`, in the order
    of the problem's `successors`. `table` is the view's array of int64, `state` a packed state (uint64).
    """
    return _callback("expand", function)


def heuristic_function(function: Function) -> Any:
    """Compile `heuristic(table, state) -> float`; it returns infinity if no goal can be reached."""
    return _callback("heuristic", function)


def goal_function(function: Function) -> Any:
    """Compile `is_goal(table, state) -> bool`."""
    return _callback("is_goal", function)


def compiled_function(function: Function) -> Any:
    """Compile a function that only other compiled code calls: `numba.njit`, inlined. It can't allocate arrays."""
    return _Inner(function, INLINED)


def sub_kernel(function: Function) -> Any:
    """Compile a large function, or one that is seldom called, in the same way, but without inlining it."""
    return _Inner(function, {})


@compiled_function
def copy_state(target: Any, state: Any) -> None:
    """Copy the words of a state; assignment to a slice would allocate a temporary array."""
    for word in range(state.size):
        target[word] = state[word]


def kernel(function: Function) -> Any:
    """Compile the main loop of an engine. It runs without Python's global lock, and can't allocate arrays.

    Compiling it is logged to the logger `searchkit`, at the level INFO.
    """
    return _Kernel(function, {"nogil": True})
