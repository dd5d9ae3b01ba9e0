"""Python's built-in functions, and those of the standard library that problems use, on values of machine code."""

import copy
import dataclasses
import functools
import itertools
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.translate import mutables, sequences
from searchkit.translate.arithmetic import (
    absolute,
    as_int,
    by_library,
    extreme,
    kind_of_number,
    rounded,
    square_root,
    to_integer,
)
from searchkit.translate.iteration import foreach
from searchkit.translate.lookups import can_tabulate, tabulate
from searchkit.translate.operators import binary, compare, invert, truth
from searchkit.translate.prelude import FUNCTIONS as PRELUDE
from searchkit.translate.values import (
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

Function = Callable[["Translator", list[Value], dict[str, Value]], Value]
FUNCTIONS: dict[Any, Function] = {}
"""A function of Python → what generates its code."""


def function(*names: Any) -> Callable[[Function], Function]:
    """Register what generates the code of some functions."""

    def register(generate: Function) -> Function:
        for name in names:
            FUNCTIONS[name] = generate
        return generate

    return register


def lazily(kind: str) -> Function:
    """Return what makes an iterator that is not stored."""
    return lambda t, args, kwargs: Lazy(kind, tuple(args))


def _translated(code: Any, t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.call(Known(code), args, kwargs)


for _function, _code in PRELUDE.items():
    FUNCTIONS[_function] = functools.partial(_translated, _code)
for _function in (zip, reversed, itertools.combinations, itertools.combinations_with_replacement):
    FUNCTIONS[_function] = lazily(_function.__name__)


@function(itertools.product)
def _product(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    times = kwargs.get("repeat", Known(1))
    if not isinstance(times, Known):
        raise TranslationError("product(…, repeat=…) that depends on the state")
    return Lazy("product", tuple(args * times.obj))


@function(itertools.permutations)
def _permutations(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    count = args[1] if len(args) > 1 else t.length(t.collected(args[0], tuple))
    return Lazy("permutations", (args[0], count))


@function(range)
def _range(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    numbers = [as_int(t, arg) for arg in args]
    if all(isinstance(number, Known) for number in numbers):
        return Known(range(*(number.obj for number in numbers)))  # type: ignore[attr-defined]
    if len(numbers) == 1:
        return Lazy("range", (Known(0), numbers[0], Known(1)))
    return Lazy("range", (*numbers[:2], numbers[2] if len(numbers) > 2 else Known(1)))


@function(enumerate)
def _enumerate(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    start = args[1] if len(args) > 1 else kwargs.get("start", Known(0))
    return Lazy("enumerate", (args[0], start))


@function(iter)
def _iter(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return args[0]


@function(len)
def _len(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.length(args[0])


@function(abs, operator.abs, math.fabs)
def _abs(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return absolute(t, args[0])


@function(sum)
def _sum(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    start = args[1] if len(args) > 1 else kwargs.get("start", Known(0))
    total = t.reduce(args[0], start, lambda so_far, item: t.binary("Add", so_far, item))
    if kind_of_number(total) == "float" and t.compensated_sums:
        raise TranslationError("a sum of floats, which Python 3.12 and later round in another way")
    return total


@function(math.prod)
def _prod(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    start = kwargs.get("start", Known(1))
    return t.reduce(args[0], start, lambda so_far, item: t.binary("Mult", so_far, item))


@function(any)
def _any(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.any_of(args[0], t.truth)


@function(all)
def _all(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.all_of(args[0], t.truth)


@function(min)
def _min(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return _least(t, "Lt", args, kwargs)


@function(max)
def _max(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return _least(t, "Gt", args, kwargs)


def _least(t: "Translator", name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    key = kwargs.get("key")
    if key is None and len(args) > 1 and all(map(kind_of_number, args)):
        found = args[0]
        for other in args[1:]:
            found = extreme(t, name, found, other)
        return found
    source: Value = t.tuple_of(args) if len(args) > 1 else args[0]

    def better(so_far: Value, item: Value) -> Value:
        assert isinstance(so_far, Maybe)
        if key is None:
            if kind_of_number(item) and kind_of_number(so_far.value):
                chosen = extreme(t, name, so_far.value, item)
                return t.either(Bool(so_far.none), lambda: item, lambda: chosen)
            order = t.compare(name, item, so_far.value)
            return t.either(_or(t, so_far.none, order), lambda: item, lambda: so_far.value)
        mine = t.call(key, [item], {})
        pair = t.tuple_of([mine, item])
        order = t.compare(name, mine, t.subscript(so_far.value, Known(0)))
        return t.either(_or(t, so_far.none, order), lambda: pair, lambda: so_far.value)

    best = t.reduce_first(
        source, better, None if key is None else lambda item: t.tuple_of([t.call(key, [item], {}), item])
    )
    if best is None:
        if "default" not in kwargs:
            t.fail(t.RAISED, ValueError)
        return kwargs["default"]
    result = best.value if key is None else t.subscript(best.value, Known(1))
    if "default" in kwargs:
        return t.either(Bool(best.none), lambda: kwargs["default"], lambda: result)
    t.fail_if(Bool(best.none), t.RAISED, ValueError)
    return result


def _or(t: "Translator", none: str, order: Value) -> Value:
    return Bool(t.op(f"or i1 {none}, {t.boolean(order)}"))


@function(tuple)
def _tuple(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.collected(args[0], tuple) if args else Known(())


@function(list, deque, bytearray)
def _list(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if len(args) > 1 or kwargs:
        raise TranslationError("a deque of limited length")
    key = t.key("list()")
    return mutables.list_of(t, args[0], key) if args else mutables.new(t, list, key)


@function(bytes)
def _bytes(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    found = sequences.sequence(t, t.collected(args[0], tuple))
    if kind_of_number(args[0]) or kind_of_number(found.element) != "int":
        raise TranslationError(f"bytes of {described(args[0])}")
    low, high = bounds(found.element)
    if low < 0 or high > 255:
        outside = t.any_of(found, lambda item: t.invert(t.compare("In", item, Known(range(256)))))
        t.fail_if(outside, t.RAISED, ValueError)
    return Array(found.element, found.capacity, found.length, bytes, found.ptr)


@function(copy.copy, copy.deepcopy)
def _copy(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    value = args[0]
    if isinstance(value, Mutable):
        return t.detached(value, value)
    if isinstance(value, Known) and type(value.obj) is list:
        return mutables.list_of(t, value, t.key("copy"))
    return value


@function(set)
def _set(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    key = t.key("set()")
    if not args:
        return mutables.new(t, set, key)
    made = mutables.new(t, set, key)
    foreach(t, args[0], lambda item: mutables.add(t, made, item))
    return made


@function(frozenset)
def _frozenset(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not args:
        return Known(frozenset())
    value = args[0]
    if isinstance(value, Members):
        return Members(value.objs, value.words)
    if isinstance(value, Known) and not hasattr(value.obj, "__next__"):
        return Known(frozenset(value.obj))
    if isinstance(value, Mutable) and value.cls is frozenset:
        return value
    made = mutables.new(t, frozenset, t.key("frozenset()"))
    foreach(t, value, lambda item: mutables.add(t, made, item))
    return made


@function(dict, OrderedDict, defaultdict, Counter)
def _dict(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    raise TranslationError("a dict made at run time of this kind")


def make_dict(t: "Translator", cls: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Return a new dict, defaultdict or Counter."""
    made = mutables.new(t, cls, t.key("dict()"))
    if cls is defaultdict:
        factory, args = (args[0].obj if args else None), args[1:]  # type: ignore[attr-defined]
        t.defaults[id(made.site.root())] = factory
    if cls is Counter:
        t.defaults[id(made.site.root())] = int
        if args and not _is_mapping(args[0]):
            t.call_method(made, "update", args, {})
            args = []
    if args:
        source = args[0]
        if isinstance(source, Known) and isinstance(source.obj, dict):
            source = Known(list(source.obj.items()))
        elif isinstance(source, Mutable) and issubclass(source.cls, dict):
            source = Lazy("entries", (source, "items"))
        foreach(t, source, lambda pair: mutables.put(t, made, *t.items_of(pair, 2)))
    for name, value in kwargs.items():
        mutables.put(t, made, Known(name), value)
    return made


for _cls in (dict, OrderedDict, defaultdict, Counter):
    FUNCTIONS[_cls] = functools.partial(lambda cls, t, args, kwargs: make_dict(t, cls, args, kwargs), _cls)


def _is_mapping(value: Value) -> bool:
    if isinstance(value, Known):
        return isinstance(value.obj, dict)
    return isinstance(value, Mutable) and issubclass(value.cls, dict)


@function(int, operator.index)
def _int(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not args:
        return Known(0)
    if len(args) == 1 and kind_of_number(args[0]):
        return to_integer(t, args[0])
    return tabulate(t, int, args)


@function(math.floor)
def _floor(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return to_integer(t, args[0], "floor")


@function(math.ceil)
def _ceil(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return to_integer(t, args[0], "ceil")


@function(round)
def _round(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if (
        len(args) > 1
        and isinstance(args[1], Known)
        and args[1].obj in range(16)
        and isinstance(args[0], Float)
    ):
        return rounded(t, args[0], args[1].obj)
    if len(args) > 1:
        return tabulate(t, round, args)
    return to_integer(t, args[0], "roundeven")


@function(float)
def _float(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Float(t.floating(args[0])) if kind_of_number(args[0]) else tabulate(t, float, args)


@function(bool, operator.truth)
def _bool(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.truth(args[0]) if args else Known(False)


@function(pow, operator.pow)
def _pow(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if len(args) != 2:
        raise TranslationError("pow with three arguments")
    return t.binary("Pow", *args)


@function(math.hypot)
def _hypot(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Python rounds the exact root; if the sum of squares is exact, a square root does that, too."""
    if can_tabulate(args) or not all(kind_of_number(arg) == "int" for arg in args):
        return tabulate(t, math.hypot, args)
    squares = [t.binary("Mult", arg, arg) for arg in args]
    total = functools.reduce(lambda one, other: t.binary("Add", one, other), squares)
    t.fail_if(compare(t, "Gt", total, Known(1 << 53)), t.RAISED, OverflowError)
    return square_root(t, total)


@function(math.dist)
def _dist(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    size = t.length(args[0])
    if not isinstance(size, Known):
        raise TranslationError("dist of tuples of several lengths")
    one, other = (t.items_of(arg, size.obj) for arg in args)
    return _hypot(t, [t.binary("Sub", *pair) for pair in zip(one, other, strict=True)], {})


def _by_library(name: str, t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not all(map(kind_of_number, args)):
        return tabulate(t, getattr(math, name), args)
    return by_library(t, name, args)


for _name in ("sin", "cos", "tan", "atan", "atan2", "exp"):
    FUNCTIONS[getattr(math, _name)] = functools.partial(_by_library, _name)


@function(math.sqrt)
def _sqrt(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return square_root(t, args[0])


@function(isinstance)
def _isinstance(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    value, cls = args
    if not isinstance(cls, Known):
        raise TranslationError("isinstance of a class that depends on the state")
    if isinstance(value, Maybe) and not value.unbound:
        inner = _isinstance(t, [value.value, cls], {})
        is_none = issubclass(type(None), cls.obj)
        return t.either(Bool(value.none), lambda: Known(is_none), lambda: inner)
    kind = _class_of(value)
    return Known(issubclass(kind, cls.obj)) if kind is not None else tabulate(t, isinstance, args)


def _class_of(value: Value) -> Any:
    match value:
        case Int():
            return int
        case Bool():
            return bool
        case Float():
            return float
        case Members():
            return value.cls
        case Tuple() | Array() | Mutable():
            return value.cls
    return None


@function(type)
def _type(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    kind = _class_of(args[0]) if len(args) == 1 else None
    return Known(kind) if kind is not None else tabulate(t, type, args)


@function(str, repr, format, print)
def _str(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if args and sequences.is_sequence(args[0]) and sequences.class_of(args[0]) is str:
        return args[0]
    return tabulate(t, str, args) if len(args) == 1 and can_tabulate(args) else Opaque("a formatted text")


@function(hash, id)
def _hash(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    raise TranslationError("hash() and id(), which differ between processes")


@function(ord)
def _ord(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return tabulate(t, ord, args)


@function(bin)
def _bin(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Partial(Known(bin), args)


@function(hasattr)
def _hasattr(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if isinstance(args[0], OneOf):
        return tabulate(t, hasattr, args)
    return Known(hasattr(_class_of(args[0]), args[1].obj))  # type: ignore[attr-defined]


@function(getattr)
def _getattr(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    if not isinstance(args[1], Known):
        raise TranslationError("an attribute whose name depends on the state")
    return t.attribute(args[0], args[1].obj)


@function(dataclasses.replace, attrs.evolve, *([copy.replace] if hasattr(copy, "replace") else []))
def _replace(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return t.with_fields(args[0], kwargs)


@function(functools.partial)
def _partial(t: "Translator", args: list[Value], kwargs: dict[str, Value]) -> Value:
    return Partial(args[0], args[1:], kwargs)


OPERATORS: dict[Any, str] = {
    operator.add: "Add",
    operator.sub: "Sub",
    operator.mul: "Mult",
    operator.floordiv: "FloorDiv",
    operator.mod: "Mod",
    operator.xor: "BitXor",
    operator.or_: "BitOr",
    operator.and_: "BitAnd",
}
COMPARISONS: dict[Any, str] = {
    operator.eq: "Eq",
    operator.ne: "NotEq",
    operator.lt: "Lt",
    operator.le: "LtE",
    operator.gt: "Gt",
    operator.ge: "GtE",
}
for _function, _name in OPERATORS.items():
    FUNCTIONS[_function] = functools.partial(lambda name, t, args, kwargs: binary(t, name, *args), _name)
for _function, _name in COMPARISONS.items():
    FUNCTIONS[_function] = functools.partial(lambda name, t, args, kwargs: compare(t, name, *args), _name)
FUNCTIONS[operator.contains] = lambda t, args, kwargs: compare(t, "In", args[1], args[0])
FUNCTIONS[operator.getitem] = lambda t, args, kwargs: t.subscript(*args)
FUNCTIONS[operator.neg] = lambda t, args, kwargs: binary(t, "Sub", Known(0), args[0])
FUNCTIONS[operator.not_] = lambda t, args, kwargs: invert(t, truth(t, args[0]))
