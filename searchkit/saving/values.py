"""The values of a search as bytes, and back: pickles in which a file can name nothing but data.

A pickle may call what it names. These may name one function, `make`, which makes values of a few known types and of
classes that the modules of the problem and of the engine define or import. Nothing is imported, and no constructor of
such a class runs: as in other pickles, `__new__` makes an instance, which gets its attributes then, by `__setstate__`
if the class defines that.
"""

import copyreg
import pickle
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from types import FunctionType, MethodType
from typing import Any, NoReturn

from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit.errors import SavingError, quoted
from searchkit.plugin.specs import EngineSpec
from searchkit.tree import SearchTree

SLOTS = tuple(slot for slot in vars(SearchTree()) if slot not in ("listener", "poll"))
"""The slots of a tree, without those that belong to the process."""
OF_KERNELS = frozenset({"reached", "frontier", "closed", "expanded", "warnings"})
"""Slots of a tree that a kernel fills from what it has saved."""


def _name(of: type) -> str:
    return f"{of.__module__}:{of.__qualname__}"


KNOWN: dict[str, Any] = {
    _name(of): of
    for of in (
        *(Fraction, Decimal, complex, range, deque, OrderedDict, Counter),
        *(SortedDict, SortedList, SortedSet),
    )
}
"""The types that any search may hold, in addition to those that `pickle` knows by itself: they are called."""


def make(name: str, *arguments: object) -> NoReturn:
    """Stand in files for the function that makes a value; `Reader` provides it."""
    raise NotImplementedError


def classes_of(problem: object, spec: EngineSpec) -> Callable[[str], Any]:
    """Return a function that finds the class that a file names; it returns None if no search may hold its values.

    That is decided by the problem and the engine, never by a file: the classes are those that the modules of the
    problem's class, of its base classes and of its attributes define or import, and others of the same packages.
    """
    held = getattr(problem, "__dict__", {}).values()
    problems = [problem, *(value for value in held if hasattr(value, "initial_states"))]
    own = {base.__module__ for one in problems for base in type(one).__mro__} | {spec.run.__module__}
    own |= {str(value.__module__) for value in held if isinstance(value, FunctionType | MethodType)}
    own = {name for name in own - {"searchkit.problem"} if not _in_library(name)}
    packages = {name.partition(".")[0] for name in own} - {"searchkit"}
    prefixes = (
        *(f"{name}." for name in (*own, *packages)),
        *(f"searchkit.{name}." for name in ("engines", "result", "tree")),
    )
    imported = {
        _name(value): value
        for module in own & sys.modules.keys()
        for value in vars(sys.modules[module]).values()
        if isinstance(value, type) and not _in_library(value.__module__)
    }
    imported |= KNOWN

    @cache
    def find(name: str) -> Any:
        module, _, path = name.partition(":")
        found: Any = imported.get(name)
        if found is None and f"{module}.".startswith(prefixes):
            found = sys.modules.get(module)
            for part in path.split("."):
                found = getattr(found, "__dict__", {}).get(part)
        return found if isinstance(found, type) and not hasattr(found, "__del__") else None

    return find


def _in_library(module: str) -> bool:
    """Whether a module belongs to Python's own library, or to a package of it."""
    return module != "__main__" and module.partition(".")[0] in sys.stdlib_module_names


class Writer(pickle.Pickler):
    """Writes values to a file.

    Args:
        file: a file that is open for writing.
        find: the classes of the problem and the engine.
        problem: the problem, which a value may hold; it is not written.

    """

    def __init__(self, file: Any, find: Callable[[str], Any], problem: object):
        super().__init__(file, 5)
        self._find, self._problem = find, problem

    def write(self, value: object) -> None:
        """Write a value. Raises `SavingError` if it holds something that has no form in files."""
        try:
            self.dump(value)
        except RecursionError:
            raise SavingError(
                "the search can't be saved: a value is nested too deeply, or contains itself"
            ) from None

    def reducer_override(self, value: Any) -> Any:
        """Return how a value is made again that `pickle` does not know by itself."""
        of, name = type(value), _name(type(value))
        if value is make:
            return NotImplemented
        if value is self._problem:
            return make, ("problem",)
        if of.__module__ == "numpy" and hasattr(value, "dtype") and value.dtype.kind in "biufcSUmM":
            return make, ("numpy", value.dtype.str, value.shape, value.tobytes(), value.ndim == 0)
        if self._find(name) is of:
            if isinstance(value, Enum):
                return make, (name, value.value)
            if of is SearchTree:
                skipped = () if isinstance(value.reached, dict) else OF_KERNELS
                return make, (name,), {slot: getattr(value, slot) for slot in SLOTS if slot not in skipped}
            function, arguments, *rest = value.__reduce_ex__(5)
            if function is copyreg.__newobj__:  # type: ignore[attr-defined]
                return make, (name, *arguments[1:]), *rest
            if function is of and (name in KNOWN or issubclass(of, frozenset)):
                return make, (name, *arguments), *rest
        raise SavingError(
            f"the search can't be saved: {quoted(value)} is of type {of.__module__}.{of.__qualname__}; expected "
            "numbers, texts, containers of them, and instances of classes that the module of the problem defines or "
            "imports"
        )


class Reader(pickle.Unpickler):
    """Reads values from a file, which may be anybody's.

    Args:
        file: a file that is open for reading.
        find: the classes of the problem and the engine.
        problem: the problem.

    """

    def __init__(self, file: Any, find: Callable[[str], Any], problem: object):
        super().__init__(file)
        self._find, self._problem = find, problem

    def find_class(self, module: str, name: str) -> Any:
        """Return the one function that a file may name."""
        if (module, name) != (make.__module__, make.__name__):
            raise pickle.UnpicklingError(f"it names {module}.{name}, and a saved search names only data")
        return self._make

    def _make(self, name: str, *arguments: Any) -> Any:
        if name == "problem":
            return self._problem
        if name == "numpy":
            return _array(*arguments)
        of = self._find(name)
        if of is None:
            raise pickle.UnpicklingError(f"{name!r} is not a class of the problem or the engine")
        if name in KNOWN or of is SearchTree or issubclass(of, Enum):
            return of(*arguments)
        return of.__new__(of, *arguments)


def _array(dtype: str, shape: Any, content: bytes, is_scalar: bool) -> Any:
    import numpy as np

    array = np.frombuffer(content, np.dtype(str(dtype))).reshape(shape)
    return array[()] if is_scalar else array.copy()
