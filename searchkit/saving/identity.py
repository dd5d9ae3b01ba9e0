"""What names a problem in files that belong to it: saved searches, directories of searches on disk."""

import sys
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from attrs import frozen

from searchkit.basics.instances import attributes, consists_of_attributes
from searchkit.errors import InvalidProblemError
from searchkit.plugin.loading import write
from searchkit.problem import Identifiable, SupportsSearch

PLAIN = (int, float, bool, type(None), str, bytes, Fraction, Decimal, complex, range, type(...))
"""Types whose `repr` says everything."""
WRAPPERS: dict[type, str] = {
    staticmethod: "__func__",
    classmethod: "__func__",
    MethodType: "__func__",
    property: "fget",
    cached_property: "func",
    partial: "func",
    type(lru_cache(lambda: None)): "__wrapped__",
}
"""Types of what a class or a module may hold instead of a function → the attribute that has the function."""
NO_IDENTITY = (
    "give the class a method `file_identity()` that returns what tells its instances apart, as numbers, texts, tuples "
    "and other plain values (searchkit.Identifiable)"
)


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

    It is made of the class, of the code (see `code_digest`), and of the first of these that there is: what the method
    `file_identity` returns (`Identifiable`); the text and the options that a plugin writes; the attributes of the
    instance. If `file_identity` returns an `Identity`, that is the result.

    Raises:
        InvalidProblemError: an attribute can't be compared between processes; the message names it.

    """
    of, name = type(problem), _name(type(problem))
    code: list[Any] = []
    if isinstance(problem, Identifiable):
        given = problem.file_identity()
        if isinstance(given, Identity):
            return given
        kind, digest = name, _Digest(problem, "file_identity()", code).of((name, given))
    elif (written := write(problem)) is not None:  # type: ignore[arg-type]  # None for what plugins don't know
        parts = (name, written.kind, written.text, sorted(written.options.items()))
        kind, digest = written.kind, _Digest(problem, "the options", code).of(parts)
    else:
        values = {
            attribute: value for attribute, value in attributes(problem) if not _is_cached(of, attribute)
        }
        digests = [
            (attribute, _Digest(problem, f"the attribute {attribute!r}", code).of(value))
            for attribute, value in sorted(values.items())
        ]
        kind, digest = name, _Digest(problem, "the class", code).of((name, digests))
    return Identity(kind, digest, code_digest(problem, of, code))


def code_digest(problem: object, of: type, more: Iterable[Any]) -> str:
    """Return a digest of a class, of more classes and functions, and of what their code names in its own module.

    That is functions and classes, values that can't be changed, and other containers if their names are in upper case,
    as names of constants are. Base classes count if they are neither searchkit's nor Python's own.
    """
    digest, seen, parts = _Digest(problem, "the code", []), set[int](), list[object]()
    left: list[Any] = [of, *more]
    while left:
        value = left.pop(0)
        if id(value) in seen or not _is_users(value):
            continue
        seen.add(id(value))
        if isinstance(value, type):
            parts.append(_name(value))
            for name, member in sorted(vars(value).items()):
                function = _function(member)
                if function is not None:
                    left.append(function)
                elif not name.startswith("__") and not isinstance(member, type):
                    parts.append(digest.constant(name, member))
            left += [member for member in vars(value).values() if isinstance(member, type)]
            left += value.__bases__
            continue
        code, globals_ = value.__code__, value.__globals__
        if code.co_filename.startswith("<attrs generated"):  # it holds hashes of texts
            continue
        parts.append(
            (_name(value), digest.of_code(code, value.__doc__), digest.constant("", value.__defaults__))
        )
        for cell in value.__closure__ or ():
            with suppress(ValueError):  # it is empty
                inner = _function(cell.cell_contents)
                left += [] if inner is None else [inner]
        codes = [code]
        for code in codes:
            codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
            for name in sorted({*code.co_names} & globals_.keys()):
                named = globals_[name]
                function = _function(named) or named
                if isinstance(function, FunctionType | type):
                    left += [function] if function.__module__ == value.__module__ else []
                else:
                    parts.append(digest.constant(name, named))
    return digest.of(parts)


def _is_users(value: Any) -> bool:
    """Whether a class or a function is defined outside Python's library, and outside the core of searchkit."""
    top = str(value.__module__).partition(".")[0]
    return top not in sys.stdlib_module_names and (top != "searchkit" or "testing" in value.__module__)


def _function(member: Any) -> FunctionType | None:
    """Return the function of a method, a property or a cached function; None for something else."""
    while type(member) in WRAPPERS:
        member = getattr(member, WRAPPERS[type(member)])
    return member if isinstance(member, FunctionType) else None


def _is_cached(of: type, name: str) -> bool:
    """Whether an attribute only keeps what a property has computed."""
    return any(isinstance(vars(base).get(name), cached_property) for base in of.__mro__)


class _Digest:
    """The digest of a value that does not depend on the process, on hash seeds or on which objects are shared."""

    def __init__(self, problem: object, place: str, code: list[Any]):
        self.problem, self.place = problem, place
        self.code = code
        """The functions and classes that were found in values, to which they are added."""
        self._inside: dict[int, int] = {}
        """The objects that the present one is a part of, by their ids; each with its depth."""
        self._named: dict[int, bytes | None] = {}
        """The digest of each problem in it that says what it is, by its id; None for other problems."""

    def of(self, value: object) -> str:
        """Return the digest. Raises `InvalidProblemError`."""
        try:
            return self._digest(value).hex()
        except RecursionError:
            raise self._unknown(value, "is nested too deeply") from None

    def _digest(self, value: object) -> bytes:
        kind = type(value)
        if kind in PLAIN:
            return _hashed(kind.__name__, [repr(value).encode(errors="surrogatepass")])
        if value is self.problem:
            return _hashed("the problem", [])
        if id(value) in self._inside:
            return _hashed("inside", [str(len(self._inside) - self._inside[id(value)]).encode()])
        self._inside[id(value)] = len(self._inside)
        try:
            return self._of_parts(value, kind)
        finally:
            del self._inside[id(value)]

    def _of_parts(self, value: Any, kind: type) -> bytes:
        digest = self._digest
        if hasattr(kind, "initial_states"):
            self.code.append(kind)
        if hasattr(kind, "initial_states") and (named := self._of_problem(value)) is not None:
            return named
        if kind is FunctionType:
            return self._of_function(value)
        if kind in (MethodType, BuiltinMethodType):
            return _hashed("method", [value.__name__.encode(), digest(value.__self__)])
        if kind is partial:
            return _hashed("partial", map(digest, (value.func, value.args, value.keywords)))
        if isinstance(value, type):
            self.code.append(value)
        if isinstance(value, type | ModuleType):
            return _hashed("name", [_name(value).encode()])
        if isinstance(value, Enum):
            return _hashed(_name(kind), [digest(value.value)])
        if isinstance(value, tuple | list | deque):
            return _hashed(_name(kind), map(digest, value))
        if isinstance(value, set | frozenset):
            return _hashed(_name(kind), sorted(map(digest, value)))
        if isinstance(value, Mapping):
            return _hashed(_name(kind), (digest(part) for pair in value.items() for part in pair))
        if consists_of_attributes(kind):
            self.code.append(kind)
            pairs = sorted(attributes(value), key=lambda pair: pair[0])
            return _hashed(_name(kind), (digest(part) for pair in pairs for part in pair))
        try:
            with memoryview(value) as buffer:
                if "O" not in buffer.format:
                    return _hashed(buffer.format, [repr(buffer.shape).encode(), buffer.tobytes()])
        except TypeError:
            pass
        raise self._unknown(value, "can't be compared between processes")

    def _of_problem(self, problem: Any) -> bytes | None:
        """Return the digest of a problem within the problem, such as one that is wrapped; None if only its parts tell.

        All methods of a wrapped problem may be attributes of the wrapper, so that the problem is asked for many times.
        """
        if id(problem) not in self._named:
            parts: object = None
            if isinstance(problem, Identifiable):
                parts = (problem.file_identity(),)
            elif (written := write(problem)) is not None:
                parts = (written.kind, written.text, sorted(written.options.items()))
            named = (
                None if parts is None else _hashed(f"problem {_name(type(problem))}", [self._digest(parts)])
            )
            self._named[id(problem)] = named
        return self._named[id(problem)]

    def _of_function(self, function: FunctionType) -> bytes:
        self.code.append(function)
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = (function.__defaults__, function.__kwdefaults__, cells)
        return _hashed(f"function {_name(function)}", map(self._digest, parts))

    def of_code(self, code: CodeType, documentation: str | None = None) -> str:
        """Return the digest of the code of a function, with that of functions inside it."""
        constants = [
            self.of_code(constant) if isinstance(constant, CodeType) else self.constant("", constant)
            for constant in code.co_consts
            if documentation is None or constant is not documentation
        ]
        return self.of((code.co_code, code.co_names, constants))

    def constant(self, name: str, value: object) -> str:
        """Return the digest of a value that code names; "" if it may change, or can't be compared."""
        if isinstance(value, list | dict | set) and not name.isupper():
            return ""
        if not isinstance(value, (*PLAIN, tuple, frozenset, list, dict, set, Enum)):
            return ""
        try:
            return name + self._digest(value).hex()
        except (InvalidProblemError, RecursionError):
            return ""

    def _unknown(self, value: object, what: str) -> InvalidProblemError:
        return InvalidProblemError(
            f"{type(self.problem).__name__} can't be named in a file: in {self.place}, an object of type "
            f"{_name(type(value))} {what}; {NO_IDENTITY}"
        )


def _hashed(kind: str, parts: Iterable[bytes]) -> bytes:
    hasher = sha256(kind.encode())
    for part in parts:
        hasher.update(b"%d:" % len(part))
        hasher.update(part)
    return hasher.digest()


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"
