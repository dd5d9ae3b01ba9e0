"""Methods of values: texts, tuples, lists, sets, dicts and numbers."""

from array import array
from collections import Counter
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING

from searchkit.translate import mutables, sequences
from searchkit.translate.arithmetic import absolute
from searchkit.translate.lookups import can_tabulate, tabulate
from searchkit.translate.operators import SET_METHODS, compare, invert, is_letter, is_part, is_set
from searchkit.translate.prelude import METHODS as PRELUDE
from searchkit.translate.prelude import set_slice
from searchkit.translate.source import MUTATORS
from searchkit.translate.values import (
    TEXT,
    Array,
    Bool,
    Int,
    Known,
    Lazy,
    Maybe,
    Mutable,
    OneOf,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    described,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

NONE = Known(None)
SET_NAMES = {*SET_METHODS, "issubset", "issuperset", "isdisjoint"}
"""Methods of a set that do not change it."""
PLAIN = (str, bytes, int, float, tuple, list, set, frozenset, range)
"""Objects whose methods, but `MUTATORS`, only compute a result."""
ARRAY_METHODS = {"all", "any", "argmax", "argmin", "astype", "item", "max", "mean", "min", "sum", "tolist"}
"""Methods of an array of numpy that do not change it."""


def copied(t: "Translator", value: Value) -> Value:
    """Return a copy of what may be changed; another value as it is."""
    if isinstance(value, Mutable):
        return t.detached(value, value)
    obj = value.obj if isinstance(value, Known) else value.objs[0] if isinstance(value, OneOf) else None
    cls = next((cls for cls in (list, set, dict) if isinstance(obj, cls)), None)
    return value if cls is None else t.call(Known(cls), [value], {})


def call_method(
    t: "Translator", owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value:
    """Return `owner.name(*args, **kwargs)`."""
    if isinstance(owner, Maybe):
        owner = t.some(owner)
    if isinstance(owner, Opaque):
        if name in MUTATORS and not owner.is_text:
            raise TranslationError(f"a change of {owner.what}")
        return owner
    if isinstance(owner, Partial) and isinstance(owner.function, Known) and owner.function.obj is bin:
        return _count_bits(t, owner.args[0], name, args)
    if isinstance(owner, Lazy) and name not in ("__iter__", "__next__"):
        owner = t.collected(owner)
    if name == "copy":
        return copied(t, owner)
    if name in ("__contains__", "__getitem__"):
        return t.compare("In", args[0], owner) if name == "__contains__" else t.subscript(owner, args[0])
    if isinstance(owner, Known):
        return _known_method(t, owner, name, args, kwargs)
    if isinstance(owner, Mutable):
        args = [t.detached(arg, arg) if getattr(arg, "ptr", "") == owner.ptr else arg for arg in args]
        kinds = ("list",) if owner.cls is list else ("set",) if is_set(owner) else ("dict",)
        for kind in ("Counter", "dict") if owner.cls is Counter else kinds:
            if (kind, name) in PRELUDE:
                return t.call(Known(PRELUDE[kind, name]), [owner, *args], kwargs)
            if (kind, name) in OWN:
                return OWN[kind, name](t, owner, *args) or NONE
        code = getattr(owner.cls, name, None)
        if isinstance(code, FunctionType):
            return t.call(Known(code), [owner, *args], kwargs)
    if is_set(owner):
        return _set_method(t, owner, name, args)
    if isinstance(owner, Tuple) and name == "_replace":
        return t.with_fields(owner, kwargs)
    if sequences.is_sequence(owner):
        return _sequence_method(t, owner, name, args, kwargs)
    if isinstance(owner, Int | Bool):
        return _number_method(t, owner, name, args)
    if isinstance(owner, OneOf) and name == "get" and all(type(obj) is dict for obj in owner.objs):
        return t.look_up(owner, args[0], args[1] if len(args) > 1 else NONE)
    if isinstance(owner, OneOf) and name in ("items", "keys", "values"):
        return t.value_at([tuple(getattr(obj, name)()) for obj in owner.objs], owner.ssa)
    return _tabulated(t, owner, name, args)


def _tabulated(t: "Translator", owner: Value, name: str, args: list[Value]) -> Value:
    return tabulate(t, lambda obj, *rest: getattr(obj, name)(*rest), [owner, *args], f".{name}()")


def _known_method(
    t: "Translator", owner: Known, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value:
    obj = owner.obj
    if isinstance(obj, array):
        return call_method(t, Known(tuple(obj)), name, args, kwargs)
    if isinstance(obj, dict):
        return _known_dict_method(t, owner, name, args)
    if name in MUTATORS and not isinstance(obj, str | bytes | int | tuple | frozenset):
        raise TranslationError(
            f"a change of a {type(obj).__name__} that is not made anew for each state (.{name})"
        )
    if isinstance(obj, str) and name == "join":
        return joined_text(t, obj, args[0])
    if isinstance(obj, str) and name == "format":
        return TEXT
    if isinstance(obj, set | frozenset) and name in SET_NAMES:
        return _set_method(t, owner, name, args)
    if isinstance(obj, tuple | list | str) and name in ("index", "count", "find") and not can_tabulate(args):
        return _sequence_method(t, owner, name, args, kwargs)
    if (
        isinstance(obj, PLAIN)
        or hasattr(obj, "_value_")
        or (hasattr(obj, "tolist") and name in ARRAY_METHODS)
    ):
        return _tabulated(t, owner, name, args)
    raise TranslationError(f".{name}() of an object of the class {type(obj).__name__}")


def _known_dict_method(t: "Translator", owner: Known, name: str, args: list[Value]) -> Value:
    obj = owner.obj
    is_cache = id(obj) in t.hints.caches
    if name == "get" and args:
        default = args[1] if len(args) > 1 else NONE
        if is_cache:
            return default
        return t.look_up(owner, args[0], default)
    if name in ("__setitem__", "setdefault"):
        t.note_cache(obj)
        value = args[1] if len(args) > 1 else NONE
        if name == "__setitem__":
            t.env[0, f"$cache {id(obj)}"] = value
        return value
    if name == "keys":
        return Known(obj.keys())
    if name in ("items", "values"):
        return Known(tuple(getattr(obj, name)()))
    if name in MUTATORS:
        raise TranslationError(f"a change of a dict that is not made anew for each state (.{name})")
    return _tabulated(t, owner, name, args)


def joined_text(t: "Translator", separator: str, parts: Value) -> Value:
    """Return `separator.join(parts)`; it is made only if something else than an action needs it."""
    found = t.collected(parts)
    if isinstance(found, Known):
        return Known(separator.join(found.obj))
    if separator and not t.makes_text():
        return TEXT
    text = sequences.sequence(t, found)
    if is_letter(text.element) and not separator:
        return Array(text.element, text.capacity, text.length, str, text.ptr)
    if not sequences.is_sequence(text.element) or sequences.class_of(text.element) is not str:
        return TEXT
    between = Known(separator)
    whole = t.reduce(
        found, Known(""), lambda before, part: t.binary("Add", t.binary("Add", before, between), part)
    )
    return sequences.slice_of(t, whole, Known(len(separator)), NONE, NONE) if separator else whole


def _count_bits(t: "Translator", number: Value, name: str, args: list[Value]) -> Value:
    if name == "count" and isinstance(args[0], Known) and args[0].obj == "1":
        return call_method(t, number, "bit_count", [], {})
    raise TranslationError("a text made by bin()")


def _number_method(t: "Translator", owner: Value, name: str, args: list[Value]) -> Value:
    number = absolute(t, owner)
    width = number.width if isinstance(number, Int) else 64
    ssa = t.resized(number, width)
    if name == "bit_count":
        found = t.op(f"call i{width} @llvm.ctpop.i{width}(i{width} {ssa})")
    elif name == "bit_length":
        zeros = t.op(f"call i{width} @llvm.ctlz.i{width}(i{width} {ssa}, i1 false)")
        found = t.op(f"sub i{width} {width}, {zeros}")
    else:
        return _tabulated(t, owner, name, args)
    if width > 64:
        found = t.op(f"trunc i{width} {found} to i64")
    return Int(0, width, found)


def _set_method(t: "Translator", owner: Value, name: str, args: list[Value]) -> Value:
    if name not in SET_NAMES:
        raise TranslationError(f".{name}() of {described(owner)}")
    found = owner
    for arg in args:
        other = arg if is_set(arg) else mutables.set_of(t, arg, t.key(name))
        if name == "issubset":
            return compare(t, "LtE", owner, other)
        if name == "issuperset":
            return compare(t, "GtE", owner, other)
        if name == "isdisjoint":
            return invert(t, t.truth(t.binary("BitAnd", owner, other)))
        found = t.binary(SET_METHODS[name], found, other)
    return found


def _sequence_method(
    t: "Translator", owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Value:
    is_text = is_part(owner, args[0]) if args else sequences.class_of(owner) is str
    for kind in ("text", "sequence") if is_text else ("sequence", "text"):
        if (kind, name) in PRELUDE:
            return t.call(Known(PRELUDE[kind, name]), [owner, *args], kwargs)
    return _tabulated(t, owner, name, args)


# -- what machine code does with lists, sets and dicts


def _remove_key(t: "Translator", owner: Mutable, key: Value) -> None:
    t.fail_if(invert(t, mutables.discard(t, owner, key)), t.RAISED, KeyError)


def _discard(t: "Translator", owner: Mutable, key: Value) -> None:
    mutables.discard(t, owner, key)


def _set_item(t: "Translator", owner: Mutable, index: Value, value: Value) -> None:
    ends = sequences.ends_of_slice(index)
    if ends is None:
        mutables.set_item(t, owner, index, value)
    else:
        t.call(Known(set_slice), [owner, *ends, value], {})


def _delete_item(t: "Translator", owner: Mutable, index: Value) -> None:
    if sequences.ends_of_slice(index) is None:
        mutables.pop(t, owner, index)
    else:
        _set_item(t, owner, index, Known(()))


OWN: dict[tuple[str, str], Callable[..., Value | None]] = {
    ("list", "append"): mutables.append,
    ("list", "clear"): mutables.clear,
    ("list", "pop"): mutables.pop,
    ("list", "__delitem__"): _delete_item,
    ("list", "__setitem__"): _set_item,
    ("set", "add"): mutables.add,
    ("set", "clear"): mutables.clear,
    ("set", "discard"): _discard,
    ("set", "remove"): _remove_key,
    ("dict", "clear"): mutables.clear,
    ("dict", "get"): mutables.get_or,
    ("dict", "items"): lambda t, owner: Lazy("entries", (owner, "items")),
    ("dict", "keys"): lambda t, owner: Lazy("entries", (owner, "keys")),
    ("dict", "values"): lambda t, owner: Lazy("entries", (owner, "values")),
    ("dict", "__delitem__"): _remove_key,
    ("dict", "__setitem__"): mutables.put,
}
"""The kind of an object and the name of a method → what generates its code."""
