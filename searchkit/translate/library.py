"""Python's built-in functions, and those of the standard library that problems use, on values of machine code."""

import copy
import dataclasses
import functools
import inspect
import itertools
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.translate import mutables, sequences
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
from searchkit.translate.methods import copied
from searchkit.translate.operators import COMPARISONS, binary, compare, equal, invert, is_set, truth
from searchkit.translate.prelude import FUNCTIONS as PRELUDE
from searchkit.translate.prelude import decimal
from searchkit.translate.source import field_names
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


# -- iterators


def _range(t: "Translator", first: Value, stop: Value | None = None, step: Value = ONE) -> Value:
    ends = (ZERO, first) if stop is None else (first, stop)
    start, end, width = (as_int(t, each) for each in (*ends, step))
    if isinstance(start, Known) and isinstance(end, Known) and isinstance(width, Known):
        return Known(range(start.obj, end.obj, width.obj))
    return Lazy("range", (start, end, width))


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
    found = t.call(Known(PRELUDE[sorted]), [items], {"key": key, "reverse": reverse})
    if key is not NONE and is_set(items) and not isinstance(items, Known):
        pairs = t.call(Known(itertools.pairwise), [t.call(Known(map), [key, found], {})], {})
        t.fail_if(t.any_of(pairs, lambda pair: equal(t, *t.items_of(pair, 2))), ORDER)
    return found


def _set(cls: Any, t: "Translator", source: Value = Known(())) -> Value:  # noqa: B008 -- it is frozen
    if cls is frozenset and isinstance(source, Members):
        return Members(source.objs, source.words)
    if cls is frozenset and isinstance(source, Mutable) and source.cls is frozenset:
        return source
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
        return t.call(Known(decimal), [value], {})
    return TEXT


FUNCTIONS: dict[Any, Function] = {
    **{function: partial(_translated, code) for function, code in PRELUDE.items()},
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
    min: partial(_extreme, "Lt", PRELUDE[min]),
    max: partial(_extreme, "Gt", PRELUDE[max]),
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
