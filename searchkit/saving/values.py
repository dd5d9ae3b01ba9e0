"""The values of a search as bytes, and back: pickles in which a file can name nothing but data.

A pickle may call what it names. These may name one function, `make`, which makes values of a few known types and of
classes that the modules of the problem and of the engine define or import. Nothing is imported, and no constructor of
such a class runs: as in other pickles, `__new__` makes an instance, which gets its attributes then, by `__setstate__`
if the class defines that.

Objects that are compared by identity, such as the nodes of a tree, are made empty. Their attributes follow after the
values in which they occur, so that they may refer to each other, and form chains of any length.
"""

import copyreg
import pickle
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Collection
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import FunctionType, MethodType
from typing import Any, NoReturn

from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit.errors import SavingError, shortened
from searchkit.plugin.specs import EngineSpec
from searchkit.result import Solution
from searchkit.tree import SearchTree

NOT_SAVED = frozenset({"arrivals", "listener", "poll"})
"""Slots of a tree that belong to the process."""
FACTORIES = {of.__name__: of for of in (list, set, dict, int, float)}
"""What a `defaultdict` may make."""
BATCH = 10_000
"""So many objects are filled by one pickle."""
MAX_VALUE_CHARS = 80
"""The most characters of a value that a message shows."""


def _name(of: type) -> str:
    return f"{of.__module__}:{of.__qualname__}"


KNOWN: dict[str, Any] = {
    _name(of): of
    for of in (
        *(Fraction, Decimal, complex, range, deque, OrderedDict, Counter, defaultdict),
        *(SortedDict, SortedList, SortedSet),
    )
}
"""The types that any search may hold, in addition to those that `pickle` knows by itself: they are called."""


def make(name: str, *arguments: object) -> NoReturn:
    """Stand in files for the function that makes a value; `Reader` provides it."""
    raise NotImplementedError


class Classes:
    """The classes whose values a search may hold: decided by the problem and the engine, never by a file.

    Args:
        problem: the problem; its modules are those of its class, of its base classes, and of its attributes.
        spec: the engine.

    """

    def __init__(self, problem: object, spec: EngineSpec):
        held = getattr(problem, "__dict__", {}).values()
        problems = [problem, *(value for value in held if hasattr(value, "initial_states"))]
        own = {base.__module__ for one in problems for base in type(one).__mro__} | {spec.run.__module__}
        own |= {str(value.__module__) for value in held if isinstance(value, FunctionType | MethodType)}
        own -= {"searchkit.problem", *sys.stdlib_module_names} - {"__main__"}
        packages = {name.partition(".")[0] for name in own} - {"searchkit"}
        self._prefixes = (*(f"{name}." for name in (*own, *packages)), "searchkit.engines.")
        self._found: dict[str, Any] = {**KNOWN, **{_name(of): of for of in (SearchTree, Solution)}}
        for module in own & sys.modules.keys():
            for value in vars(sys.modules[module]).values():
                if isinstance(value, type) and value.__module__ not in sys.stdlib_module_names:
                    self._found[_name(value)] = value

    def find(self, name: str) -> Any:
        """Return the class that a file calls so; None if no search may hold its values."""
        if name not in self._found:
            module, _, path = name.partition(":")
            found: Any = sys.modules.get(module) if f"{module}.".startswith(self._prefixes) else None
            for part in path.split("."):
                found = getattr(found, "__dict__", {}).get(part)
            self._found[name] = found if isinstance(found, type) else None
        found = self._found[name]
        return None if hasattr(found, "__del__") else found

    def name(self, of: type) -> str:
        """Return the name of a class in files; "" if no search may hold its values."""
        name = _name(of)
        return name if self.find(name) is of else ""


def _is_object(of: Any) -> bool:
    """Whether the instances of a class have nothing but attributes, and are compared by identity."""
    return of.__new__ is object.__new__ and of.__hash__ in (object.__hash__, None) and _name(of) not in KNOWN


class Writer(pickle.Pickler):
    """Writes values to a file.

    Args:
        file: a file that is open for writing.
        classes: the classes of the problem and the engine.
        problem: the problem, which a value may hold; it is not written.
        tree: the tree of the search.
        skipped: slots of this tree that are not written.

    """

    def __init__(
        self,
        file: Any,
        classes: Classes,
        problem: object,
        tree: SearchTree[Any, Any],
        skipped: Collection[str] = (),
    ):
        super().__init__(file, 5)
        self._classes, self._problem, self._tree, self._skipped = classes, problem, tree, skipped
        self._objects: list[Any] = []
        """The objects whose attributes are not written yet."""
        numpy = sys.modules.get("numpy")
        self._numpy: Any = () if numpy is None else (numpy.ndarray, numpy.generic)

    def write(self, value: object) -> None:
        """Write a value. Raises `SavingError` if it holds something that has no form in files."""
        try:
            self.dump(value)
            while self._objects:
                batch, self._objects = self._objects[:BATCH], self._objects[BATCH:]
                self.dump([self._state(one) for one in batch])
        except RecursionError:
            raise SavingError(
                "the search can't be saved: a value is nested too deeply, or contains itself"
            ) from None

    def _state(self, value: Any) -> Any:
        if isinstance(value, SearchTree):
            names = set(vars(SearchTree())) - NOT_SAVED
            return {
                name: getattr(value, name)
                for name in names.difference(self._skipped if value is self._tree else ())
            }
        return value.__getstate__()

    def reducer_override(self, value: Any) -> Any:
        """Return how a value is made again that `pickle` does not know by itself."""
        of = type(value)
        if value is make:
            return NotImplemented
        if value is self._problem:
            return make, ("problem",)
        if of is type and value in FACTORIES.values():
            return make, ("type", value.__name__)
        if isinstance(value, self._numpy) and value.dtype.kind in "biufcSUmM":
            return make, ("numpy", value.dtype.str, value.shape, value.tobytes(), value.ndim == 0)
        if name := self._classes.name(of):
            if isinstance(value, Enum):
                return make, (name, value.value)
            if _is_object(of):
                self._objects.append(value)
                return make, (name,)
            function, arguments, *rest = value.__reduce_ex__(5)
            if function is copyreg.__newobj__:  # type: ignore[attr-defined]
                return make, (name, *arguments[1:]), *rest
            if function is of and (name in KNOWN or issubclass(of, frozenset)):
                return make, (name, *arguments), *rest
        raise SavingError(
            f"the search can't be saved: {shortened(repr(value), MAX_VALUE_CHARS)} is of type "
            f"{of.__module__}.{of.__qualname__}; "
            "expected numbers, texts, containers of them, and instances of classes that the module of the problem "
            "defines or imports"
        )


class Reader(pickle.Unpickler):
    """Reads values from a file, which may be anybody's.

    Args:
        file: a file that is open for reading.
        classes: the classes of the problem and the engine.
        problem: the problem.

    """

    def __init__(self, file: Any, classes: Classes, problem: object):
        super().__init__(file)
        objects: list[Any] = []

        def made(name: str, *arguments: Any) -> Any:
            if name == "problem":
                return problem
            if name == "type":
                return FACTORIES[arguments[0]]
            if name == "numpy":
                return _array(*arguments)
            of = classes.find(name)
            if of is None:
                raise pickle.UnpicklingError(f"{name!r} is not a class of the problem or the engine")
            if name in KNOWN or issubclass(of, Enum):
                return of(*arguments)
            if not _is_object(of):
                return of.__new__(of, *arguments)
            objects.append(SearchTree() if of is SearchTree else object.__new__(of))
            return objects[-1]

        self._objects, self._made = objects, made

    def read(self) -> Any:
        """Return the next value. Raises anything if the file is not what `Writer` wrote."""
        value = self.load()
        while self._objects:
            batch = self._objects[:BATCH]
            del self._objects[:BATCH]
            for one, state in zip(batch, self.load(), strict=True):
                _fill(one, state)
        return value

    def find_class(self, module: str, name: str) -> Any:
        """Return the one function that a file may name."""
        if (module, name) != (make.__module__, make.__name__):
            raise pickle.UnpicklingError(f"it names {module}.{name}, and a saved search names only data")
        return self._made


def _fill(value: Any, state: Any) -> None:
    """Give an object its attributes."""
    if hasattr(value, "__setstate__"):
        value.__setstate__(state)
        return
    for part in (
        state if isinstance(state, tuple) else (state,)
    ):  # those of its dictionary, and those in slots
        for name, attribute in (part or {}).items():
            object.__setattr__(value, name, attribute)


def _array(dtype: str, shape: Any, content: bytes, is_scalar: bool) -> Any:
    import numpy as np

    array = np.frombuffer(content, np.dtype(str(dtype))).reshape(shape)
    return array[()] if is_scalar else array.copy()
