"""What names a problem in files that belong to it: saved searches, directories of searches on disk."""

import ast
import linecache
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from attrs import frozen

from searchkit.errors import InvalidProblemError
from searchkit.plugin.loading import write
from searchkit.problem import Identifiable, SupportsSearch

PLAIN = (int, float, bool, type(None), str, bytes, Fraction, Decimal, complex, range, type(...))
"""Types whose `repr` says everything."""
IMMUTABLE = (*PLAIN, tuple, frozenset, Enum)
"""Types of constants."""
WRAPPERS: dict[type, str] = {
    **dict.fromkeys((staticmethod, classmethod, MethodType), "__func__"),
    property: "fget",
    cached_property: "func",
    partial: "func",
    type(lru_cache(len)): "__wrapped__",
}
"""Types of what a class or a module may hold instead of a function → the attribute that has the function."""


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
    name in their modules: functions, classes and constants. Of a container that may change, such as a cache, the
    statements of the source that assign it count, and not its contents.

    Raises:
        InvalidProblemError: an attribute can't be compared between processes; the message names it.

    """
    of, values = type(problem), _Digest(problem)
    kind, parts = _name(of), None
    if isinstance(problem, Identifiable):
        values.place, parts = "file_identity()", problem.file_identity()
        if isinstance(parts, Identity):
            return parts
    elif (written := write(problem)) is not None:  # type: ignore[arg-type]  # None for what plugins don't know
        kind, parts = written.kind, (written.kind, written.text, sorted(written.options.items()))
    else:
        state = problem.__getstate__() or {}
        if isinstance(state, dict):
            cached = {
                name
                for base in of.__mro__
                for name in vars(base)
                if type(vars(base)[name]) is cached_property
            }
            kept = sorted(state.keys() - cached)
            parts = [(name, values.of(state[name], f"the attribute {name!r}")) for name in kept]
        else:
            parts = values.of(state, "the attributes")
    digest, code = values.of((_name(of), parts), values.place), _Digest(problem, with_code=True)
    return Identity(kind, digest, code.of([of, *values.code], "the code"))


class _Digest:
    """The digest of values that does not depend on the process, on hash seeds or on which objects are shared.

    Args:
        problem: the problem to which the values belong.
        with_code: whether the code of functions and classes counts.

    """

    def __init__(self, problem: object, with_code: bool = False):
        self.problem, self.place, self._with_code = problem, "the options", with_code
        self.code: list[Any] = []
        """The functions and classes that were found, and the digests of the code of problems in the problem."""
        self._inside: dict[int, int] = {}
        """The objects that the present one is a part of, by their ids; each with its depth."""
        self._problems: dict[int, Identity] = {}
        """The identities of problems in the problem: a wrapper may hold all methods of another one."""
        self._seen = set[int]()

    def of(self, value: object, place: str) -> str:
        """Return the digest of a value that is found in a place. Raises `InvalidProblemError`."""
        self.place = place
        try:
            return self._digest(value).hex()
        except RecursionError:
            raise self._unknown(value, "is nested too deeply") from None

    def _digest(self, value: Any) -> bytes:
        if type(value) in PLAIN:
            text = value if isinstance(value, bytes) else repr(value).encode(errors="surrogatepass")
            return _hashed(type(value).__name__, [text])
        depth = len(self._inside)
        if value is self.problem or id(value) in self._inside:
            return _hashed("inside", [b"%d" % (depth - self._inside.get(id(value), -1))])
        self._inside[id(value)] = depth
        try:
            kind, parts = self._parts(value, type(value))
            return _hashed(kind, map(self._digest, parts))
        finally:
            del self._inside[id(value)]

    def _parts(self, value: Any, of: type) -> tuple[str, Iterable[Any]]:
        """Return what kind of value it is, and what it consists of."""
        kind = _name(of)
        if hasattr(of, "initial_states"):
            if id(value) not in self._problems:
                self._problems[id(value)] = identity(value)
                self.code.append(self._problems[id(value)].code)
            return "problem", (self._problems[id(value)].kind, self._problems[id(value)].digest)
        if of is FunctionType:
            self.code.append(value)
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            return f"function {_name(value)}", (value.__defaults__, cells, *self._used(value))
        if isinstance(value, type):
            self.code.append(value)
            return f"class {_name(value)}", self._used(value)
        if isinstance(value, ModuleType):
            return f"module {value.__name__}", ()
        if isinstance(value, tuple | list):
            return kind, value
        if isinstance(value, set | frozenset):
            return kind, sorted(map(self._digest, value))
        if isinstance(value, Mapping):
            return kind, (part for pair in value.items() for part in pair)
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            raise self._unknown(value, "can't be compared between processes") from None
        return kind, (part if not hasattr(part, "__next__") else list(part) for part in reduced)

    def _used(self, value: Any) -> Iterator[Any]:
        """Yield what the code of a class or function consists of and names, once, if the code counts.

        What Python's library or the core of searchkit defines does not count.
        """
        module = str(value.__module__)
        top, is_class = module.partition(".")[0], isinstance(value, type)
        is_core = top == "searchkit" and "testing" not in module
        if not self._with_code or id(value) in self._seen or top in sys.stdlib_module_names or is_core:
            return
        self._seen.add(id(value))
        if is_class:
            yield from value.__bases__
            used = {
                name: one for name, one in vars(value).items() if _function(one) or not name.startswith("__")
            }
        else:
            codes = [value.__code__]
            if codes[0].co_filename.startswith("<attrs generated"):  # it holds hashes of texts
                return
            for code in codes:
                codes += [one for one in code.co_consts if isinstance(one, CodeType)]
                consts = [
                    one
                    for one in code.co_consts
                    if not isinstance(one, CodeType) and one is not value.__doc__
                ]
                yield code.co_code, code.co_names, consts
            names = {name for code in codes for name in code.co_names}
            used = {name: value.__globals__[name] for name in names & value.__globals__.keys()}
        for name, one in sorted(used.items()):
            named = _function(one) or one
            if not isinstance(named, FunctionType | type):
                yield name, self._constant(name, one, module)
            elif is_class or named.__module__ == module:
                yield named

    def _constant(self, name: str, value: object, module: str) -> str:
        """Return the digest of a value that code names; "" for what is not a constant."""
        if isinstance(value, list | dict | set):
            return _assignments(str(getattr(sys.modules.get(module), "__file__", ""))).get(name, "")
        with suppress(InvalidProblemError):
            return _Digest(self.problem).of(value, "") if isinstance(value, IMMUTABLE) else ""
        return ""

    def _unknown(self, value: object, what: str) -> InvalidProblemError:
        return InvalidProblemError(
            f"{type(self.problem).__name__} can't be named in a file: in {self.place}, an object of type "
            f"{_name(type(value))} {what}; give the class a method `file_identity()` that returns what tells its "
            "instances apart, as numbers, texts, tuples and other plain values (searchkit.Identifiable)"
        )


@lru_cache(maxsize=32)
def _assignments(path: str) -> Mapping[str, str]:
    """Return, by name, the statements of a source file that assign the name, or a part of its value."""
    found = defaultdict[str, str](str)
    with suppress(SyntaxError):
        for one in ast.walk(ast.parse("".join(linecache.getlines(path)))):
            for target in one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]:
                for name in ast.walk(target) if isinstance(target, ast.expr) else ():
                    if isinstance(name, ast.Name):
                        found[name.id] += ast.dump(one)
    return found


def _function(member: Any) -> FunctionType | None:
    """Return the function of a method, a property or a cached function; None for something else."""
    while type(member) in WRAPPERS:
        member = getattr(member, WRAPPERS[type(member)])
    return member if isinstance(member, FunctionType) else None


def _hashed(kind: str, parts: Iterable[bytes]) -> bytes:
    hasher = sha256(kind.encode())
    for part in parts:
        hasher.update(b"%d:" % len(part))
        hasher.update(part)
    return hasher.digest()


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value)}"
