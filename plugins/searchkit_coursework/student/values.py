"""Values that the grader sends to a student's process: data only, without functions and paths of files.

Values that `marshal` supports are sent unchanged. A named tuple stays a named tuple. Any other object becomes a
`Record`: its `repr`, and the public attributes that are data.
"""

import marshal
import struct
from collections import namedtuple
from collections.abc import Iterable, Mapping
from numbers import Integral, Rational, Real
from typing import Any, NoReturn

SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes})
DEEPEST = 8
"""The largest depth of nested objects: some objects refer to themselves."""
HEAD = struct.Struct("<I")


class HiddenError(ValueError):
    """A value that is not sent."""


class Record:
    """An object of the problem as data. Its `repr` is that of the object; equal objects have equal records."""

    __slots__ = ("_attributes", "_text")

    def __init__(self, text: str, attributes: Mapping[str, Any]):
        self._text, self._attributes = text, attributes

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_attributes")[name]
        except (KeyError, AttributeError):
            raise AttributeError(f"{self!r} has no {name!r} here") from None

    def __dir__(self) -> Iterable[str]:
        return list(self._attributes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return self._text


def frame(value: Any) -> bytes:
    """Return the bytes to write to a student's process: a length, and as many bytes."""
    data = marshal.dumps(value)
    return HEAD.pack(len(data)) + data


def encode(value: Any, hidden: Iterable[str] = ()) -> Any:
    """Return a value that `marshal` supports and `decode` reads.

    Args:
        value: any object.
        hidden: texts that may not occur in the value, such as paths.

    Raises:
        HiddenError: the value contains something that is not data, such as a function or a path.

    """
    if _is_plain(value, DEEPEST) and not hidden:
        return (value,)
    return _encode(value, tuple(hidden), DEEPEST)


def decode(value: Any) -> Any:
    """Return the value that `encode` was given, with records in place of objects."""
    if len(value) == 1:
        return value[0]
    kind, content, *more = value
    if kind == "tuple":
        return tuple(map(decode, content))
    if kind == "list":
        return list(map(decode, content))
    if kind == "set":
        return set(map(decode, content))
    if kind == "frozenset":
        return frozenset(map(decode, content))
    if kind == "dict":
        return {decode(key): decode(each) for key, each in content}
    if kind == "fraction":
        from fractions import Fraction  # few problems need it, and importing it takes time

        return Fraction(*content)
    if kind == "named":
        name, names = more
        return namedtuple(name, names, rename=True)(*map(decode, content))
    return Record(content, {name: decode(each) for name, each in more[0]})


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in SCALARS:
        return True
    if depth and kind in (tuple, list, set, frozenset):
        return all(_is_plain(each, depth - 1) for each in value)
    if depth and kind is dict:
        return all(_is_plain(k, depth - 1) and _is_plain(v, depth - 1) for k, v in value.items())
    return False


def _encode(value: Any, hidden: tuple[str, ...], depth: int) -> Any:
    kind = type(value)
    if kind is str and any(text in value for text in hidden):
        _refuse(value)
    if kind in SCALARS:
        return (value,)
    if not depth:
        _refuse(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return (
            "named",
            [_encode(each, hidden, depth - 1) for each in value],
            kind.__name__,
            list(value._fields),
        )
    for name, container in (("tuple", tuple), ("list", list), ("frozenset", frozenset), ("set", set)):
        if isinstance(value, container):
            return name, [_encode(each, hidden, depth - 1) for each in value]
    if isinstance(value, Mapping):
        return "dict", [
            (_encode(key, hidden, depth - 1), _encode(each, hidden, depth - 1)) for key, each in value.items()
        ]
    if isinstance(value, str):
        return _encode(str(value), hidden, depth)
    if isinstance(value, Integral):
        return (int(value),)
    if isinstance(value, Rational):
        return "fraction", (int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        return (float(value),)
    if (
        callable(value)
        or hasattr(value, "__fspath__")
        or hasattr(value, "read")
        or hasattr(value, "successors")
    ):
        _refuse(value)
    text = repr(value)
    if any(each in text for each in hidden):
        _refuse(value)
    return "record", text, _attributes(value, hidden, depth - 1)


def _attributes(value: Any, hidden: tuple[str, ...], depth: int) -> list[tuple[str, Any]]:
    found = []
    for name in dir(value):
        if name.startswith("_"):
            continue
        try:
            found.append((name, _encode(getattr(value, name), hidden, depth)))
        except Exception:  # a property may raise anything; then it is not sent
            continue
    return found


def _refuse(value: object) -> NoReturn:
    raise HiddenError(f"{type(value).__name__} is not handed on to a student's process")
