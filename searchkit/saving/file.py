"""The file of a saved search: two lines that anybody can read, and the search.

    searchkit search 1.0 3f2a…        the version of searchkit, and the SHA-256 of all that follows
    {"engine": "astar", …}            JSON: problem, engine, options, counters (`SavedHeader`)
    …                                 pickles: the search, and piece by piece what a kernel holds

The file is written as a whole or not at all. Files of another version of searchkit are refused.

A pickle may call what it names. These may name one function, `make`, which makes values of a few known types and of
classes that the modules of the problem and of the engine define or import. Nothing is imported, and no constructor of
such a class runs: as in other pickles, `__new__` makes an instance, which gets its attributes then, by `__setstate__`
if the class defines that.
"""

import copyreg
import json
import pickle
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from glob import escape
from hashlib import file_digest
from importlib import import_module
from io import BufferedReader
from itertools import chain
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, NoReturn

from attrs import asdict, frozen
from sortedcontainers import SortedDict, SortedList, SortedSet

from searchkit.basics.files import opened, replacing
from searchkit.errors import InputFormatError, SavingError, SearchkitError, quoted
from searchkit.plugin.specs import EngineSpec
from searchkit.saving.identity import Identity, identity, in_library
from searchkit.tree import SearchTree

MAX_LINE = 1 << 20
OF_PROCESS = frozenset({"listener", "poll", "__orig_class__"})
"""Attributes of a tree that are not saved …"""
OF_KERNELS = OF_PROCESS | {"reached", "frontier", "closed", "expanded", "warnings"}
"""… and those if a kernel has saved what they show."""


@frozen
class SavedHeader:
    """What a saved search says about itself, before it is loaded."""

    problem: Identity
    """What names the problem: see `searchkit.saving.identity`."""
    engine: str
    options: Mapping[str, str]
    """The options that were given, as texts."""
    backend: str
    """`python` or `compiled`."""
    ended: bool
    """Whether the search has ended: it found a goal, or has seen everything."""
    statistics: Mapping[str, float]
    """The statistics of the result, by name."""
    label: Mapping[str, Any]
    """What the saver wrote besides, such as the source of the problem: JSON values."""


def write_search(path: str | Path, search: Any, more: Mapping[str, Any], label: Mapping[str, object]) -> None:
    """Write a `Search`, and `more` that it knows besides its kernel. Raises what `Search.save` raises."""
    problem, spec, kernel = search.problem, search.spec, search.kernel
    texts = {name: str(value) for name, value in search.options.items()}
    statistics, named = asdict(search.statistics), identity(problem)
    header = SavedHeader(named, spec.name, texts, search.backend, search.ended, statistics, dict(label))
    find = classes_of(problem, spec)
    target = Path(path).resolve()
    # A process that was killed while it wrote has left what `replacing` writes to.
    for left_over in target.parent.glob(f"{escape(target.name[:100])}.{'[0-9a-f]' * 12}.new"):
        left_over.unlink(missing_ok=True)
    with replacing(target) as file:
        begin = file.write(_first_line("0" * 64))
        file.write(json.dumps(asdict(header)).encode() + b"\n")
        try:
            for part in chain([more], () if kernel is None else kernel.saved()):
                _Writer(file, problem, find).dump(part)
        except RecursionError:
            fault = "a value is nested too deeply, or contains itself"
            raise SavingError(f"the search can't be saved: {fault}") from None
        file.seek(begin)
        digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it can be read
        file.seek(0)
        file.write(_first_line(digest))


def saved_header(path: str | Path) -> SavedHeader:
    """Return what a saved search says about itself; nothing is run.

    Raises:
        InputFormatError: the file can't be read, is not a saved search, or is damaged.
        SavingError: it was saved by another version of searchkit.

    """
    with opened_search(path) as (header, _):
        return header


@contextmanager
def opened_search(path: str | Path) -> Iterator[tuple[SavedHeader, "BufferedReader[Any]"]]:
    """Yield the header of a saved search, and the file, which is whole: next is what `parts_of` reads.

    Raises `SavingError`, and `InputFormatError` for any error by which a damaged file shows.
    """
    try:
        with opened(Path(path)) as file:
            words = file.readline(200).decode("ascii", "replace").split()
            if len(words) != 4 or words[:2] != ["searchkit", "search"]:
                expected = "expected a saved search, whose first line begins with 'searchkit search'"
                raise InputFormatError(expected, source=str(path))
            if words[2] != _version():
                raise SavingError(
                    f"{path} was saved by searchkit {words[2]}, and this is {_version()}: load it there, or begin a "
                    "new search"
                )
            begin = file.tell()
            if file_digest(file, "sha256").hexdigest() != words[3]:
                raise ValueError("it was cut short or changed")
            file.seek(begin)
            found = json.loads(file.readline(MAX_LINE))
            yield SavedHeader(Identity(**found.pop("problem")), **found), file
    except (SearchkitError, OSError):
        raise
    except Exception as error:
        raise InputFormatError(
            f"the file is damaged: {error} ({type(error).__name__}); it can't be loaded: use an older copy of the file",
            source=str(path),
        ) from error


def is_changed(path: str | Path, header: SavedHeader, problem: Any, spec: EngineSpec, allowed: bool) -> bool:
    """Whether the code of the problem has changed since.

    Raises `SavingError` if that is not `allowed`, and for a search of another problem or by another engine.
    """
    saved, named = header.problem, identity(problem)
    if spec.name != header.engine:
        raise SavingError(
            f"{path} was saved with another engine: expected {spec.name}, and the file has {header.engine}; leave the "
            "engine out, or begin a new search"
        )
    if (saved.kind, saved.digest) != (named.kind, named.digest):
        raise SavingError(
            f"{path} was saved with another problem: expected {named}, and the file has {saved}; give the problem "
            "of the file, or begin a new search. If it is the same problem, one of its attributes changes during a "
            "search, such as a cache: then give it a method file_identity() (searchkit.Identifiable)"
        )
    if saved.code == named.code:
        return False
    if not allowed or header.backend == "compiled":
        how = "load it with changed_problem=True (--changed-problem), and what it has proved no longer counts; or "
        remedy = how if header.backend == "python" else ""
        raise SavingError(
            f"the code of the problem has changed since {path} was saved: {remedy}begin a new search"
        )
    return True


def parts_of(file: "BufferedReader[Any]", problem: Any, spec: EngineSpec) -> Iterator[Any]:
    """Yield what the file has: what the search knows besides its kernel, and what the kernel has saved."""
    find = classes_of(problem, spec)
    while file.peek(1):
        yield _Reader(file, problem, find).load()


def _version() -> str:
    return str(import_module("searchkit").__version__)  # which imports nothing by itself


def _first_line(digest: str) -> bytes:
    return f"searchkit search {_version()} {digest}\n".encode()


def _name(of: type) -> str:
    return f"{of.__module__}:{of.__qualname__}"


KINDS = Fraction, Decimal, complex, range, deque, OrderedDict, Counter, SortedDict, SortedList, SortedSet
"""The types that any search may hold, in addition to those that `pickle` knows by itself: they are called."""
KNOWN: dict[str, Any] = {_name(of): of for of in KINDS}


def make(name: str, *arguments: object) -> NoReturn:
    """Stand in files for the function that makes a value. `_Reader` calls its own in place of this one."""
    raise NotImplementedError  # files of a search are read by `parts_of`, not by `pickle.load`


def classes_of(problem: object, spec: EngineSpec) -> Callable[[str], Any]:
    """Return a function that finds the class that a file names; it returns None if no search may hold its values.

    That is decided by the problem and the engine, never by a file: the classes are those that the modules of the
    problem's class, of its base classes and of its attributes define or import, and others of the same packages.
    """
    held = getattr(problem, "__dict__", {}).values()
    problems = [problem, *(value for value in held if hasattr(value, "initial_states"))]
    own = {base.__module__ for one in problems for base in type(one).__mro__} | {spec.run.__module__}
    own |= {str(value.__module__) for value in held if isinstance(value, FunctionType | MethodType)}
    own = {name for name in own - {"searchkit.problem"} if not in_library(name)}
    packages = {name.partition(".")[0] for name in own} - {"searchkit"}
    prefixes = (
        *(f"{name}." for name in (*own, *packages)),
        *(f"searchkit.{name}." for name in ("engines", "result", "tree")),
    )
    imported = KNOWN | {
        _name(value): value
        for module in own & sys.modules.keys()
        for value in vars(sys.modules[module]).values()
        if isinstance(value, type) and not in_library(value.__module__)
    }

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


class _Writer(pickle.Pickler):
    """Writes values; those that hold the problem do not write it."""

    def __init__(self, file: Any, problem: object, find: Callable[[str], Any]):
        super().__init__(file, 5)
        self._find, self._problem = find, problem

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
                skipped = OF_PROCESS if isinstance(value.reached, dict) else OF_KERNELS
                return make, (name,), {key: part for key, part in vars(value).items() if key not in skipped}
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


class _Reader(pickle.Unpickler):
    """Reads values from a file, which may be anybody's."""

    def __init__(self, file: Any, problem: object, find: Callable[[str], Any]):
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
            import numpy as np

            dtype, shape, content, is_scalar = arguments
            array = np.frombuffer(content, np.dtype(str(dtype))).reshape(shape)
            return array[()] if is_scalar else array.copy()
        of = self._find(name)
        if of is None:
            raise pickle.UnpicklingError(f"{name!r} is not a class of the problem or the engine")
        if name in KNOWN or of is SearchTree or issubclass(of, Enum):
            return of(*arguments)
        return of.__new__(of, *arguments)
