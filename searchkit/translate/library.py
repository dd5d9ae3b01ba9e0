"""Python's built-in functions and methods, and those of the standard library that problems use.

A function or method is computed by Python where everything is known, is translated where `prelude` has it in Python, or
has a rule here.
"""

import copy
import dataclasses
import functools
import inspect
import itertools
import math
import operator
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.translate import mutables, prelude, sequences
from searchkit.translate.arithmetic import (
    OPERATORS,
    absolute,
    as_int,
    by_library,
    extreme,
    kind_of_number,
    square_root,
    to_integer,
)
from searchkit.translate.emitter import ORDER
from searchkit.translate.lookups import can_tabulate, tabulate
from searchkit.translate.operators import (
    COMPARISONS,
    SET_METHODS,
    binary,
    compare,
    equal,
    invert,
    is_letter,
    is_part,
    is_set,
    truth,
)
from searchkit.translate.source import MUTATORS, field_names
from searchkit.translate.values import (
    TEXT,
    Array,
    Bool,
    Float,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Mutable,
    OneOf,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    bounds,
    described,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

Function = Callable[..., Value]
"""Generates the code of a function: takes the translator, and what the function takes."""
NONE, ZERO, ONE, FALSE = Known(None), Known(0), Known(1), Known(False)
SET_NAMES = {*SET_METHODS, "issubset", "issuperset", "isdisjoint"}
"""Methods of a set that do not change it."""
PLAIN = (str, bytes, int, float, tuple, list, set, frozenset, range)
"""Objects whose methods, but `MUTATORS`, only compute a result."""
ARRAY_METHODS = {"all", "any", "argmax", "argmin", "astype", "item", "max", "mean", "min", "sum", "tolist"}
"""Methods of an array of numpy that do not change it."""


# -- methods of texts, tuples, lists, sets, dicts and numbers


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
            if (kind, name) in prelude.METHODS:
                return t.call(Known(prelude.METHODS[kind, name]), [owner, *args], kwargs)
            if (kind, name) in METHODS:
                return METHODS[kind, name](t, owner, *args) or NONE
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
    if isinstance(owner, OneOf) and name != "split" and can_tabulate([owner, *args]):  # that makes a new list
        return _tabulated(t, owner, name, args)
    is_text = is_part(owner, args[0]) if args else sequences.class_of(owner) is str
    for kind in ("text", "sequence") if is_text else ("sequence", "text"):
        if (kind, name) in prelude.METHODS:
            return t.call(Known(prelude.METHODS[kind, name]), [owner, *args], kwargs)
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
        t.call(Known(prelude.set_slice), [owner, *ends, value], {})


def _delete_item(t: "Translator", owner: Mutable, index: Value) -> None:
    if sequences.ends_of_slice(index) is None:
        mutables.pop(t, owner, index)
    else:
        _set_item(t, owner, index, Known(()))


METHODS: dict[tuple[str, str], Callable[..., Value | None]] = {
    ("list", "append"): mutables.growing(mutables.append),
    ("list", "clear"): mutables.clear,
    ("list", "pop"): mutables.pop,
    ("list", "__delitem__"): _delete_item,
    ("list", "__setitem__"): _set_item,
    ("set", "add"): mutables.growing(mutables.add),
    ("set", "clear"): mutables.clear,
    ("set", "discard"): _discard,
    ("set", "remove"): _remove_key,
    ("dict", "clear"): mutables.clear,
    ("dict", "get"): mutables.get_or,
    ("dict", "items"): lambda t, owner: Lazy("entries", (owner, "items")),
    ("dict", "keys"): lambda t, owner: Lazy("entries", (owner, "keys")),
    ("dict", "values"): lambda t, owner: Lazy("entries", (owner, "values")),
    ("dict", "__delitem__"): _remove_key,
    ("dict", "__setitem__"): mutables.growing(mutables.put),
}
"""The kind of an object and the name of a method → what generates its code."""


def call_library(t: "Translator", function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Return the value of a function of `FUNCTIONS`."""
    rule = FUNCTIONS[function]
    try:
        _signature(rule).bind(t, *args, **kwargs)
    except TypeError as error:
        raise TranslationError(f"{function.__name__}() with such arguments ({error})") from None
    return rule(t, *args, **kwargs)


@cache
def _signature(rule: Function) -> inspect.Signature:
    return inspect.signature(rule)


def _translated(code: Any, t: "Translator", /, *args: Value, **kwargs: Value) -> Value:
    try:
        return t.call(Known(code), list(args), kwargs)
    except TranslationError as error:
        if not (error.place or error.function):
            error.function = code.__name__.strip("_")
            error.args = (f"{error.function} of {' and '.join(map(described, args))}: {error}",)
        raise


# -- functions: iterators


def _range(t: "Translator", first: Value, stop: Value | None = None, step: Value = ONE) -> Value:
    ends = (ZERO, first) if stop is None else (first, stop)
    return Lazy("range", tuple(as_int(t, each) for each in (*ends, step)))


def _zip(t: "Translator", *sources: Value, strict: Value = FALSE) -> Value:
    if not isinstance(strict, Known) or strict.obj:
        sources = tuple(t.collected(each) if isinstance(each, Lazy) else each for each in sources)
        for other in sources[1:]:
            different = compare(t, "NotEq", t.length(sources[0]), t.length(other))
            t.fail_if(different, t.RAISED, ValueError)
    return Lazy("zip", sources)


# -- numbers


def _sum(t: "Translator", source: Value, start: Value = ZERO) -> Value:
    total = t.reduce(source, start, lambda so_far, item: t.binary("Add", so_far, item))
    if kind_of_number(total) == "float" and t.compensated_sums:
        raise TranslationError("a sum of floats, which Python 3.12 and later round in another way")
    return total


def _extreme(name: str, code: Any, t: "Translator", *args: Value, **kwargs: Value) -> Value:
    if len(args) > 1 and not kwargs and all(map(kind_of_number, args)):
        return functools.reduce(lambda one, other: extreme(t, name, one, other), args)
    return t.call(Known(code), list(args), kwargs)


def _int(t: "Translator", number: Value, *base: Value) -> Value:
    if kind_of_number(number) and not base:
        return to_integer(t, number)
    if not (base or can_tabulate([number])) and sequences.is_sequence(number):
        return t.call(Known(prelude.integer), [number], {})
    return tabulate(t, int, [number, *base])


def _float(t: "Translator", number: Value) -> Value:
    return Float(t.floating(number)) if kind_of_number(number) else tabulate(t, float, [number])


def _round(t: "Translator", number: Value, *digits: Value) -> Value:
    return tabulate(t, round, [number, *digits]) if digits else to_integer(t, number, "roundeven")


def _by_library(name: str, t: "Translator", *numbers: Value) -> Value:
    if not all(map(kind_of_number, numbers)):
        return tabulate(t, getattr(math, name), numbers)
    return by_library(t, name, numbers)


# -- collections


def _list(t: "Translator", source: Value | None = None) -> Value:
    key = t.key("list()")
    return mutables.new(t, list, key) if source is None else mutables.list_of(t, source, key)


def _bytes(t: "Translator", numbers: Value) -> Value:
    found = sequences.sequence(t, t.collected(numbers))
    if kind_of_number(found.element) != "int":
        raise TranslationError(f"bytes of {described(numbers)}")
    low, high = bounds(found.element)
    if low < 0 or high > 255:
        outside = t.any_of(found, lambda item: invert(t, compare(t, "In", item, Known(range(256)))))
        t.fail_if(outside, t.RAISED, ValueError)
    return Array(found.element, found.capacity, found.length, bytes, found.ptr)


def _sorted(t: "Translator", items: Value, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    found = t.call(Known(prelude.FUNCTIONS[sorted]), [items], {"key": key, "reverse": reverse})
    if key is not NONE and is_set(items) and not isinstance(items, Known):
        pairs = t.call(Known(itertools.pairwise), [t.call(Known(map), [key, found], {})], {})
        t.fail_if(t.any_of(pairs, lambda pair: equal(t, *t.items_of(pair, 2))), ORDER)
    return found


def _set(cls: Any, t: "Translator", source: Value = Known(())) -> Value:  # noqa: B008 -- it is frozen
    if cls is frozenset and isinstance(source, Members):
        return Members(source.objs, source.words)
    return mutables.set_of(t, source, t.key("set()"), cls)


def _dict(cls: Any, t: "Translator", /, *args: Value, **kwargs: Value) -> Value:
    """Return a new dict, defaultdict or Counter."""
    made = mutables.new(t, cls, t.key("dict()"))
    if cls is defaultdict:
        t.defaults[id(made.site.root())], args = (args[0] if args else NONE), args[1:]
    for source in args:
        t.call_method(made, "update", [source], {})
    for name, value in kwargs.items():
        mutables.put(t, made, Known(name), value)
    return made


# -- objects


def _isinstance(t: "Translator", value: Value, cls: Value) -> Value:
    if not isinstance(cls, Known):
        raise TranslationError("isinstance of a class that depends on the state")
    if isinstance(value, Maybe) and not value.unbound:
        inner = _isinstance(t, value.value, cls)
        is_none = issubclass(type(None), cls.obj)
        return t.either(Bool(value.none), lambda: Known(is_none), lambda: inner)
    kind = _class_of(value)
    return tabulate(t, isinstance, [value, cls]) if kind is None else Known(issubclass(kind, cls.obj))


def _class_of(value: Value) -> Any:
    """Return the class of a value; None if there may be several."""
    match value:
        case Int():
            return int
        case Bool():
            return bool
        case Float():
            return float
        case Members() | Tuple() | Array() | Mutable():
            return value.cls
        case Lazy():
            return Iterator
    return None


def _type(t: "Translator", value: Value) -> Value:
    kind = _class_of(value)
    return tabulate(t, type, [value]) if kind is None else Known(kind)


def _hasattr(t: "Translator", owner: Value, name: Value) -> Value:
    kind = _class_of(owner)
    if kind is None or not isinstance(name, Known):
        return tabulate(t, hasattr, [owner, name])
    return Known(hasattr(kind, name.obj) or name.obj in field_names(kind))


def _getattr(t: "Translator", owner: Value, name: Value) -> Value:
    if not isinstance(name, Known):
        raise TranslationError("an attribute whose name depends on the state")
    return t.attribute(owner, name.obj)


def _text(function: Any, t: "Translator", value: Value, *form: Value) -> Value:
    if (
        function is not repr
        and not form
        and sequences.is_sequence(value)
        and sequences.class_of(value) is str
    ):
        return value
    if can_tabulate([value, *form]):
        return tabulate(t, function, [value, *form])
    if isinstance(value, Int) and not form and t.makes_text():
        return t.call(Known(prelude.decimal), [value], {})
    return TEXT


FUNCTIONS: dict[Any, Function] = {
    **{function: partial(_translated, code) for function, code in prelude.FUNCTIONS.items()},
    **{
        function: partial(lambda name, t, *args: binary(t, name, *args), name)
        for name, function in OPERATORS.items()
    },
    **{
        function: partial(lambda name, t, *args: compare(t, name, *args), name)
        for name, function in COMPARISONS.items()
    },
    **{cls: partial(_dict, cls) for cls in (dict, OrderedDict, defaultdict, Counter)},
    range: _range,
    zip: _zip,
    enumerate: lambda t, source, start=ZERO: Lazy("enumerate", (source, start)),
    reversed: lambda t, source: Lazy("reversed", (source,)),
    iter: lambda t, source: source,
    len: lambda t, value: t.length(value),
    abs: absolute,
    operator.abs: absolute,
    sum: _sum,
    math.prod: lambda t, source, *, start=ONE: t.reduce(source, start, lambda *two: t.binary("Mult", *two)),
    any: lambda t, source: t.any_of(source, t.truth),
    all: lambda t, source: t.all_of(source, t.truth),
    min: partial(_extreme, "Lt", prelude.FUNCTIONS[min]),
    max: partial(_extreme, "Gt", prelude.FUNCTIONS[max]),
    int: _int,
    float: _float,
    bool: truth,
    operator.truth: truth,
    round: _round,
    math.floor: lambda t, number: to_integer(t, number, "floor"),
    math.ceil: lambda t, number: to_integer(t, number, "ceil"),
    math.sqrt: square_root,
    **{
        getattr(math, name): partial(_by_library, name)
        for name in ("sin", "cos", "tan", "atan", "atan2", "exp")
    },
    pow: lambda t, one, other: binary(t, "Pow", one, other),
    divmod: lambda t, *both: t.tuple_of([binary(t, name, *both) for name in ("FloorDiv", "Mod")]),
    ord: lambda t, letter: tabulate(t, ord, [letter]),
    bin: lambda t, number: Partial(Known(bin), [number]),
    tuple: lambda t, source: t.collected(source),
    list: _list,
    sorted: _sorted,
    deque: _list,
    bytearray: _list,
    bytes: _bytes,
    set: partial(_set, set),
    frozenset: partial(_set, frozenset),
    copy.copy: copied,
    copy.deepcopy: copied,
    isinstance: _isinstance,
    type: _type,
    hasattr: _hasattr,
    getattr: _getattr,
    str: partial(_text, str),
    repr: partial(_text, repr),
    format: partial(_text, format),
    partial: lambda t, function, /, *args, **kwargs: Partial(function, list(args), kwargs),
    operator.contains: lambda t, container, element: compare(t, "In", element, container),
    operator.getitem: lambda t, owner, index: t.subscript(owner, index),
    operator.neg: lambda t, number: binary(t, "Sub", ZERO, number),
    operator.not_: lambda t, value: invert(t, truth(t, value)),
}
"""A function of Python → what generates its code."""
for _replace in (dataclasses.replace, attrs.evolve, getattr(copy, "replace", attrs.evolve)):
    FUNCTIONS[_replace] = lambda t, owner, /, **fields: t.with_fields(owner, fields)
