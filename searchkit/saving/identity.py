"""What names a problem in files that belong to it: saved searches, directories of searches on disk."""

import ast
import linecache
import pickle
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from dis import get_instructions
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any

from attrs import frozen

from searchkit.errors import InvalidProblemError
from searchkit.plugin.loading import write
from searchkit.problem import Identifiable, SupportsSearch

ATOMS = (int, float, bool, str, bytes, tuple, type(None))
"""Types that are written as `pickle` writes them."""
IMMUTABLE = (*ATOMS, complex, range, Fraction, Decimal, frozenset, Enum, partial, MethodType)
"""Types of constants."""
MUTABLE = (list, dict, set)
"""Types of containers, which may be caches."""
WRAPPERS = {staticmethod: "__func__", classmethod: "__func__", property: "fget", cached_property: "func"}
"""Types of what a class may hold instead of a function → the attribute that has the function."""


@frozen
class Identity:
    """The name of a problem in files: equal for equal problems, in every process."""

    kind: str
    """The kind of problem if a plugin can write it, otherwise the class."""
    digest: str
    """SHA-256, in hexadecimal digits, of everything that the problem consists of but its code."""
    code: str
    """SHA-256 of the code of its class, of its functions, and of what they use of their modules."""

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:12]} {self.code[:12]}"


def identity(problem: SupportsSearch[Any, Any]) -> Identity:
    """Return the identity of a problem.

    It is made of the class, of the code, and of the first of these that there is: what the method `file_identity`
    returns (`Identifiable`); the text and the options that a plugin writes; what `pickle` would write of the
    attributes, without those that a `cached_property` keeps. If `file_identity` returns an `Identity`, that is the
    result.

    The code is that of the class, of its base classes, and of the functions that the problem holds, and of what these
    name: constants, and functions and classes of their package or folder. Of a value that may change, such as a cache,
    the statements of the source that assign it count, and not its contents, if there are such statements.

    Raises:
        InvalidProblemError: an attribute can't be compared between processes; the message names it.

    """
    code = list[Any]()
    kind, parts = _parts(problem, code)
    if isinstance(parts, Identity):
        return parts
    digest = _digest(parts, problem, code, "what names it")
    return Identity(kind, digest, _digest(sorted(_code(code, problem)), problem, [], "its code"))


def _parts(problem: Any, code: list[Any]) -> tuple[str, Any]:
    """Return the kind of a problem, and what it consists of but its code; its class is added to `code`."""
    of = type(problem)
    code.append(of)
    if isinstance(problem, Identifiable):
        parts = problem.file_identity()
        return _name(of), parts if isinstance(parts, Identity) else (_name(of), parts)
    if (written := write(problem)) is not None:
        return written.kind, (_name(of), written.text, sorted(written.options.items()))
    state = problem.__getstate__() or {}
    if not isinstance(state, dict):
        return _name(of), (_name(of), state)
    members = {name: member for base in of.__mro__ for name, member in vars(base).items()}
    return _name(of), [
        (name, _digest(state[name], problem, code, f"the attribute {name!r}"))
        for name in sorted(state)
        if type(members.get(name)) is not cached_property
    ]


def _digest(value: object, problem: object, code: list[Any], place: str) -> str:
    """Return the SHA-256 of a value that is found in a place. Raises `InvalidProblemError`.

    The functions and classes in it are added to `code`.
    """
    try:
        return sha256(_pickled(value, problem, code)).hexdigest()
    except InvalidProblemError:
        raise
    except Exception as error:  # a class may raise anything
        how = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise InvalidProblemError(
            f"{type(problem).__name__} can't be named in a file: {place} can't be compared between processes ({how}); "
            "give the class a method `file_identity()` that returns what tells its instances apart, as numbers, texts, "
            "tuples and other plain values (searchkit.Identifiable)"
        ) from error


def _pickled(value: object, problem: object, code: list[Any], fast: bool = True) -> bytes:
    """Return what a value consists of; which objects are shared does not count, unless one is a part of itself."""
    file = BytesIO()
    pickler = _Pickler(file, problem, code)
    pickler.fast = fast
    try:
        pickler.dump(value)
    except (ValueError, RecursionError):
        if not fast:
            raise
        return _pickled(value, problem, code, fast=False)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Pickles a value in the same way in every process, with every hash seed."""

    def __init__(self, file: BytesIO, problem: object, code: list[Any]):
        super().__init__(file, 5)
        self._problem, self._code, self._functions = problem, code, set[int]()

    def persistent_id(self, value: Any) -> Any:
        """Return what is written instead of a value; None if `pickle` writes it in the same way each time."""
        of = type(value)
        if of in ATOMS:
            return None
        if value is self._problem or of is ModuleType:
            return getattr(value, "__name__", "the problem")
        if isinstance(value, set | frozenset):
            return _name(of), sorted(_pickled(one, self._problem, self._code) for one in value)
        if isinstance(value, type):
            self._code.append(value)
            return _name(value)
        if hasattr(of, "initial_states"):
            kind, parts = _parts(value, self._code)
            return kind, _digest(parts, value, self._code, f"{kind} within it")
        function = _function(value)
        if function is None or id(function) in self._functions:
            return function and _name(function)
        self._functions.add(id(function))  # one that calls itself is in one of its cells
        self._code.append(function)
        return _name(function), function.__defaults__, list(_free_variables(function).items())


def _code(found: list[Any], problem: object) -> Iterator[str]:
    """Yield a digest of each class and function, with what it names; classes and functions in that are added to them.

    What Python's library or the core of searchkit defines does not count.
    """
    seen = set[int]()
    for one in found:
        module = _module(one)
        is_core = module.startswith("searchkit.") and "testing" not in module
        if id(one) in seen or is_core or in_library(module):
            continue
        seen.add(id(one))
        parts, named, values = list[Any](), dict[str, Any](), dict[str, Any]()
        if isinstance(one, type):
            own = {name: part for name, part in vars(one).items() if _function(part) or name[:2] != "__"}
            own["__bases__"] = one.__bases__
        else:
            codes = [one.__code__]
            if codes[0].co_filename.startswith("<attrs generated"):  # it holds hashes of texts
                continue
            for code in codes:
                codes += [part for part in code.co_consts if isinstance(part, CodeType)]
                constants = [part for part in code.co_consts if part not in codes and part is not one.__doc__]
                parts.append((code.co_code, code.co_names, constants))
                named |= {op.argval: 0 for op in get_instructions(code) if op.opname == "LOAD_GLOBAL"}
            named = {name: one.__globals__[name] for name in named if name in one.__globals__}
            defaults = *(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()
            constants = [value for value in defaults if isinstance(value, IMMUTABLE)]  # others may be caches
            own = values = _free_variables(one) | {"(defaults)": tuple(constants)}
        statements = _assignments(str(getattr(sys.modules.get(module), "__file__", "")))
        for name, part in sorted((named | own).items()):
            inside = [part, type(part), *(part.values() if isinstance(part, dict) else ())]
            inside += part if isinstance(part, list | set) else ()
            used = [each if isinstance(each, type) else _function(each) for each in inside]
            follows = [each for each in used if each and _home(_module(each)) == _home(module)]
            found += [used[0], *follows] if used[0] and name in own else follows
            if used[0] is not None:
                continue
            if name in statements and name not in values and not isinstance(part, IMMUTABLE):
                parts.append((name, statements[name]))
            elif name in values or isinstance(part, (*IMMUTABLE, *MUTABLE)):
                with suppress(InvalidProblemError):
                    parts.append((name, _digest(part, problem, found, "")))
        yield _digest((_name(one), parts), problem, found, "its code")


@lru_cache(maxsize=32)
def _assignments(path: str) -> Mapping[str, str]:
    """Return, by name, the statements of a source file that define it, or assign it or a part of its value."""
    found = defaultdict[str, str](str)
    with suppress(SyntaxError):
        for one in ast.walk(ast.parse("".join(linecache.getlines(path)))):
            if isinstance(one, ast.FunctionDef):  # a decorator may have made something else of it
                found[one.name] += ast.dump(one)
            for target in one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]:
                for name in ast.walk(target) if isinstance(target, ast.expr) else ():
                    if isinstance(name, ast.Name):
                        found[name.id] += ast.dump(one)
    return found


def _function(member: Any) -> FunctionType | None:
    """Return the function of a method, of a property, or of what wraps one; None for something else."""
    while not isinstance(member, FunctionType | type | NoneType):
        wrapped = getattr(member, "__dict__", {}).get("__wrapped__")
        member = getattr(member, WRAPPERS[type(member)]) if type(member) in WRAPPERS else wrapped
    return member if isinstance(member, FunctionType) else None


def _free_variables(function: FunctionType) -> dict[str, Any]:
    """Return the values of the variables of the functions around one, by name, that have a value."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def in_library(module: str) -> bool:
    """Whether a module belongs to Python's own library, or to a package of it."""
    return module != "__main__" and module.partition(".")[0] in sys.stdlib_module_names


def _module(value: FunctionType | type) -> str:
    """Return where a function or class is defined; of a function that classes share, `__module__` is that of one."""
    return str(value.__globals__.get("__name__") if isinstance(value, FunctionType) else value.__module__)


def _home(module: str) -> str:
    """Return the folder of the package that a module is in, or of a module in none."""
    top = module.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None)
    return str(Path(file).parent) if file else top


def _name(value: FunctionType | type) -> str:
    own = value.__code__.co_qualname if isinstance(value, FunctionType) else value.__qualname__
    return f"{_module(value)}.{own}"
