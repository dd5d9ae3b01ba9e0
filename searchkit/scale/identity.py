"""What names a problem in files that belong to it: saved searches, directories of searches on disk."""

from collections import deque
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property, partial
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
    """SHA-256, in hexadecimal digits, of everything that the problem consists of."""

    def __str__(self) -> str:
        return f"{self.kind} {self.digest[:12]}"


def identity(problem: SupportsSearch[Any, Any]) -> Identity:
    """Return the identity of a problem.

    It is made of the class and of the first of these that there is: what the method `file_identity` returns
    (`Identifiable`); the text and the options that a plugin writes; the attributes of the instance. A function is told
    apart by its name, its code and the values that it holds, but not by the global names that it uses. If
    `file_identity` returns an `Identity`, its kind is that of the result.

    Raises:
        InvalidProblemError: an attribute can't be compared between processes; the message names it.

    """
    of, name = type(problem), f"{type(problem).__module__}.{type(problem).__qualname__}"
    if isinstance(problem, Identifiable):
        given = problem.file_identity()
        kind = given.kind if isinstance(given, Identity) else name
        return Identity(kind, _Digest(problem, "file_identity()").of((name, given)))
    written = write(problem)  # type: ignore[arg-type]  # plugins return None for what they don't know
    if written is not None:
        parts = (name, written.kind, written.text, sorted(written.options.items()))
        return Identity(written.kind, _Digest(problem, "the options").of(parts))
    parts_of = {attribute: value for attribute, value in attributes(problem) if not _is_cached(of, attribute)}
    digests = [
        (attribute, _Digest(problem, f"the attribute {attribute!r}").of(value))
        for attribute, value in sorted(parts_of.items())
    ]
    return Identity(name, _Digest(problem, "the class").of((name, digests)))


def _is_cached(of: type, name: str) -> bool:
    """Whether an attribute only keeps what a property has computed."""
    return any(isinstance(vars(base).get(name), cached_property) for base in of.__mro__)


class _Digest:
    """The digest of a value that does not depend on the process, on hash seeds or on which objects are shared."""

    def __init__(self, problem: object, place: str):
        self.problem, self.place = problem, place
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
        if hasattr(kind, "initial_states") and (named := self._of_problem(value)) is not None:
            return named
        if kind is FunctionType:
            return self._of_function(value)
        if kind in (MethodType, BuiltinMethodType):
            return _hashed("method", [value.__name__.encode(), digest(value.__self__)])
        if kind is partial:
            return _hashed("partial", map(digest, (value.func, value.args, value.keywords)))
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
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = (function.__defaults__, function.__kwdefaults__, cells)
        return _hashed(
            f"function {_name(function)}", [self._of_code(function.__code__), *map(self._digest, parts)]
        )

    def _of_code(self, code: CodeType) -> bytes:
        constants = [
            self._of_code(constant) if isinstance(constant, CodeType) else self._digest(constant)
            for constant in code.co_consts
        ]
        return _hashed("code", [code.co_code, repr(code.co_names).encode(), *constants])

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
