"""What instances of classes consist of: their attributes, in dictionaries and in slots."""

from collections.abc import Iterator
from typing import Any, Generic, Protocol

HEAP_TYPE = 1 << 9
"""The flag of types that are made while Python runs: by `class`, and by some modules in C."""
CACHED_HASH = "_attrs_cached_hash"
"""Where attrs keeps a hash, which another process can't use."""
NOT_ATTRIBUTES = {"__dict__", "__weakref__", CACHED_HASH}


def slots(of: type) -> tuple[str, ...]:
    """Return the names of the attributes that the instances of a class have in slots."""
    groups = [vars(base).get("__slots__", ()) for base in of.__mro__]
    names = [
        f"_{base.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
        for base, group in zip(of.__mro__, groups, strict=True)
        for name in ((group,) if isinstance(group, str) else group)
    ]
    return tuple(name for name in dict.fromkeys(names) if name not in NOT_ATTRIBUTES)


def attributes(value: object) -> Iterator[tuple[str, Any]]:
    """Return the names and the values of an instance's own attributes, in slots too."""
    for name in slots(type(value)):
        if hasattr(value, name):
            yield name, getattr(value, name)
    for name, part in getattr(value, "__dict__", {}).items():
        if name not in NOT_ATTRIBUTES:
            yield name, part


def consists_of_attributes(of: type) -> bool:
    """Whether the instances of a class have nothing but attributes: it inherits from no class that is written in C."""
    for base in of.__mro__:
        if base in (object, Generic, Protocol):
            continue
        new = vars(base).get("__new__")
        if not base.__flags__ & HEAP_TYPE or not (
            {"__dict__", "__slots__"} & vars(base).keys() or _has_dict(of)
        ):
            return False
        if (
            new is not None and getattr(new, "__self__", None) is base
        ):  # a type in C that makes its own instances
            return False
    return True


def _has_dict(of: type) -> bool:
    return any("__dict__" in vars(base) for base in of.__mro__ if base is not type)
