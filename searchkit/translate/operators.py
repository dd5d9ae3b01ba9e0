"""Truth, comparison, membership and the operators, for all kinds of values."""

import operator
import types
from collections.abc import Callable, KeysView
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from searchkit.translate import mutables, sequences
from searchkit.translate.arithmetic import (
    OPERATORS,
    SYMBOLS,
    arithmetic,
    compare_numbers,
    is_truth_value,
    kind_of_number,
)
from searchkit.translate.lookups import (
    GENERATED,
    MAX_KEYS,
    are_distinct,
    can_tabulate,
    key_index,
    known_mask,
    mask,
    tabulate,
)
from searchkit.translate.prelude import combine, merged, three_way_of_sequences
from searchkit.translate.values import (
    MAX_MASK,
    TEXT,
    Array,
    Bool,
    Closure,
    Float,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Method,
    Mutable,
    OneOf,
    Opaque,
    Partial,
    TranslationError,
    Tuple,
    Value,
    described,
    ordered,
    union,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda one, other: one in other,
    "NotIn": lambda one, other: one not in other,
}
OPPOSITE = {"NotEq": "Eq", "NotIn": "In", "IsNot": "Is"}
SPECIAL = {
    "Add": ("add", "radd"),
    "Sub": ("sub", "rsub"),
    "Mult": ("mul", "rmul"),
    "FloorDiv": ("floordiv", "rfloordiv"),
    "Mod": ("mod", "rmod"),
    "BitAnd": ("and", "rand"),
    "BitOr": ("or", "ror"),
    "BitXor": ("xor", "rxor"),
    "Eq": ("eq", "eq"),
    "Lt": ("lt", "gt"),
    "LtE": ("le", "ge"),
    "Gt": ("gt", "lt"),
    "GtE": ("ge", "le"),
}
"""The name of a node → the methods by which the class of the left and of the right operand may define it."""
SET_METHODS = {
    "union": "BitOr",
    "difference": "Sub",
    "intersection": "BitAnd",
    "symmetric_difference": "BitXor",
}


def is_set(value: Value) -> bool:
    """Whether a value is a set."""
    if isinstance(value, Known | OneOf):
        objs = value.objs if isinstance(value, OneOf) else (value.obj,)
        return all(isinstance(obj, set | frozenset | KeysView) for obj in objs)
    return isinstance(value, Members) or (isinstance(value, Mutable) and value.cls in (set, frozenset))


def invert(t: "Translator", value: Value) -> Value:
    """Return `not value` of a truth value."""
    return (
        Known(not value.obj) if isinstance(value, Known) else Bool(t.op(f"xor i1 {t.boolean(value)}, true"))
    )


def both(t: "Translator", one: Value, other: Value) -> Value:
    """Return whether two truth values both hold."""
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Known):
            return that if this.obj else Known(False)
    return Bool(t.op(f"and i1 {t.boolean(one)}, {t.boolean(other)}"))


def truth(t: "Translator", value: Value) -> Value:
    """Return `bool(value)` as `Bool` or `Known`."""
    match value:
        case Known(obj):
            return Known(bool(obj))
        case Bool():
            return value
        case Int(lo, hi, ssa):
            if lo > 0 or hi < 0:
                return Known(True)
            return Bool(t.op(f"icmp ne i{value.width} {ssa}, 0"))
        case Float(ssa):
            return Bool(t.op(f"fcmp une double {ssa}, 0.0"))
        case OneOf(objs, ssa):
            return t.value_at([bool(obj) for obj in objs], ssa)
        case Tuple(items, cls):
            if issubclass(cls, tuple):
                return Known(bool(items))
            codes = [code for name in ("__bool__", "__len__") if (code := getattr(cls, name, None))]
            return truth(t, t.call(Known(codes[0]), [value], {})) if codes else Known(True)
        case Maybe(inner, none):
            if value.unbound:
                return truth(t, t.bound(value))
            holds = t.boolean(truth(t, inner))
            return Bool(t.op(f"select i1 {none}, i1 false, i1 {holds}"))
        case Closure() | Method() | Partial() | Lazy():
            return Known(True)
        case Members(_, words):
            some = words[0]
            for word in words[1:]:
                some = t.op(f"or i64 {some}, {word}")
            return Bool(t.op(f"icmp ne i64 {some}, 0"))
        case Opaque(what):
            raise TranslationError(f"the truth of {what}")
    return truth(t, t.length(value))


def compare(t: "Translator", name: str, one: Value, other: Value) -> Value:
    """Return a comparison, by the name of its node."""
    if isinstance(one, Known) and isinstance(other, Known):
        return t.computed(COMPARISONS[name], one.obj, other.obj)
    if name in OPPOSITE:
        return invert(t, compare(t, OPPOSITE[name], one, other))
    if name == "In":
        return contains(t, other, one)
    if name == "Is":
        return _identical(t, one, other)
    if name == "Eq":
        return equal(t, one, other)
    one, other = _not_none(t, one), _not_none(t, other)
    if kind_of_number(one) and kind_of_number(other):
        return compare_numbers(t, name, one, other)
    if is_set(one) and is_set(other):
        return _compare_sets(t, name, as_members(t, one), as_members(t, other))
    if (result := _special(t, name, one, other)) is not None:
        return t.truth(result)
    order = three_way(t, one, other)
    return compare_numbers(t, name, order, Known(0))


def _identical(t: "Translator", one: Value, other: Value) -> Value:
    """Return whether one is the other, where that can be told: small integers are one object each."""
    if all(map(kind_of_number, (one, other))) and is_truth_value(one) != is_truth_value(other):
        return Known(False)
    single = [each for each in (one, other) if isinstance(each, Known | OneOf | Bool)]
    numbers = [each.obj for each in single if isinstance(each, Known) and kind_of_number(each)]
    if not single or any(number not in range(-5, 257) for number in numbers):
        raise TranslationError(f"whether {described(one)} is {described(other)}: write ==")
    return equal(t, one, other)


def equal(t: "Translator", one: Value, other: Value) -> Value:
    """Return whether two values are equal."""
    if isinstance(other, Known) and not isinstance(one, Known):
        one, other = other, one
    if (special := _special(t, "Eq", one, other)) is not None:
        return t.truth(special)
    if isinstance(one, Known):
        if isinstance(other, Known):
            return Known(one.obj == other.obj)
        found = _equal_known(t, one, other)
        if found is not None:
            return found
    if isinstance(one, Maybe) or isinstance(other, Maybe):
        return _equal_maybe(t, one, other)
    if isinstance(one, OneOf) and isinstance(other, OneOf):
        objs = union(one.objs, other.objs, exact=True)
        if are_distinct(t, objs):
            places = [t.converted(value, OneOf(objs))[0] for value in (one, other)]
            return Bool(t.op(f"icmp eq i64 {places[0]}, {places[1]}"))
    if kind_of_number(one) and kind_of_number(other):
        return compare_numbers(t, "Eq", one, other)
    if is_set(one) and is_set(other):
        return _compare_sets(t, "Eq", as_members(t, one), as_members(t, other))
    rows = [t.parts(value) for value in (one, other)]
    if rows[0] is not None and rows[1] is not None:
        kinds = [sequences.class_of(value) for value in (one, other)]
        if kinds[0] is kinds[1] and kinds[0].__eq__ is object.__eq__:
            raise TranslationError(f"two objects of {kinds[0].__name__} are equal only if they are one")
        are_tuples = all(issubclass(cls, tuple) for cls in kinds)
        result: Value = Known((are_tuples or kinds[0] is kinds[1]) and len(rows[0]) == len(rows[1]))
        for x, y in zip(*rows, strict=False):
            result = both(t, result, equal(t, x, y))
        return result
    if sequences.is_sequence(one) and sequences.is_sequence(other):
        classes = {sequences.class_of(value) for value in (one, other)}
        if len(classes) > 1 and not all(issubclass(cls, tuple) for cls in classes):
            return Known(False)
        return sequences.equal_sequences(t, one, other)
    for value in (one, other):
        if isinstance(value, Opaque):
            raise TranslationError(f"a comparison of {value.what}")
    if isinstance(one, OneOf) or isinstance(other, OneOf):
        if can_tabulate([one, other]):
            return tabulate(t, operator.eq, [one, other], "a comparison")
        raise TranslationError(f"a comparison of {described(one)} and {described(other)}")
    if _dict_class(one) and _dict_class(other):
        raise TranslationError("a comparison of dicts")
    return Known(False)


def _dict_class(value: Value) -> Any:
    """Return the class of a dict; None for other values."""
    cls = value.cls if isinstance(value, Mutable) else type(getattr(value, "obj", None))
    return cls if issubclass(cls, dict) else None


def as_members(t: "Translator", value: Value) -> Value:
    """Return a set that is one of some known sets as a bit mask; another value as it is."""
    if not isinstance(value, OneOf) or not is_set(value):
        return value
    objs = tuple(ordered({member for obj in value.objs for member in obj}))
    if len(objs) > MAX_MASK:
        raise TranslationError(f"a set with {len(objs)} possible members")
    columns = zip(*(known_mask(obj, objs) for obj in value.objs), strict=True)
    return Members(objs, [t.table_or_line(list(column), value.ssa) for column in columns])


def _equal_known(t: "Translator", constant: Known, other: Value) -> Value | None:
    obj = constant.obj
    if obj is None:
        if isinstance(other, Maybe) and not other.unbound:
            return Bool(other.none)
        if not isinstance(other, OneOf | Opaque | Maybe):
            return Known(False)
    if isinstance(other, OneOf):
        return t.value_at([bool(each == obj) for each in other.objs], other.ssa)
    return None


def _equal_maybe(t: "Translator", one: Value, other: Value) -> Value:
    values = [
        t.bound(value) if isinstance(value, Maybe) and value.unbound else value for value in (one, other)
    ]
    kind = next((value for value in values if isinstance(value, Maybe)), None)
    if kind is None:
        return equal(t, *values)
    (none, mine), (also, its) = (t.maybe_parts(value, kind) for value in values)
    inner = t.boolean(equal(t, mine, its))
    some, all_ = t.op(f"or i1 {none}, {also}"), t.op(f"and i1 {none}, {also}")
    return Bool(t.op(f"select i1 {some}, i1 {all_}, i1 {inner}"))


def three_way(t: "Translator", one: Value, other: Value) -> Value:
    """Return a number below, equal to or above 0 as a value is less than, equal to or greater than another."""
    if isinstance(one, OneOf | Known) and isinstance(other, OneOf | Known):
        return _three_way_of_texts(t, one, other)
    if kind_of_number(one) and kind_of_number(other):
        return t.either(compare_numbers(t, "Lt", one, other), lambda: Known(-1), lambda: Known(1))
    are_sequences = sequences.is_sequence(one) and sequences.is_sequence(other)
    mine, its = (t.parts(value) if are_sequences else _ordered_fields(t, value) for value in (one, other))
    if mine is not None and its is not None:
        return _three_way_of_parts(t, mine, its)
    if are_sequences:
        return t.call(Known(three_way_of_sequences), [one, other], {})
    raise TranslationError(f"the order of {described(one)} and {described(other)}")


def _three_way_of_parts(t: "Translator", mine: list[Value], its: list[Value]) -> Value:
    if not mine or not its:
        return Known(len(mine) - len(its))
    same = equal(t, mine[0], its[0])
    return t.either(
        same, lambda: _three_way_of_parts(t, mine[1:], its[1:]), lambda: three_way(t, mine[0], its[0])
    )


def _ordered_fields(t: "Translator", value: Value) -> list[Value] | None:
    """Return the fields of an object if its class was made to compare objects field by field."""
    cls = value.cls if isinstance(value, Tuple) else type(getattr(value, "obj", None))
    by_attrs = hasattr(cls, "__attrs_attrs__") and "__lt__" in vars(cls)
    if not (by_attrs or getattr(getattr(cls, "__dataclass_params__", None), "order", False)):
        return None
    return t.parts(value)


def _special(t: "Translator", name: str, one: Value, other: Value) -> Value | None:
    """Return the result of an operator that a class of the program defines; None if none does."""
    for owner, argument, which in ((one, other, 0), (other, one, 1)):
        method = f"__{SPECIAL[name][which]}__" if name in SPECIAL else ""
        code = getattr(owner.cls, method, None) if isinstance(owner, Tuple | Mutable) else None
        if isinstance(code, types.FunctionType) and not code.__code__.co_filename.startswith(GENERATED):
            result = t.call(Known(code), [owner, argument], {})
            if not isinstance(result, Known) or result.obj is not NotImplemented:
                return result
        elif isinstance(owner, Tuple) and issubclass(owner.cls, tuple) and hasattr(tuple, method):
            return None  # the tuple's own method comes first
    return None


def _three_way_of_texts(t: "Translator", one: Value, other: Value) -> Value:
    groups = [value.objs if isinstance(value, OneOf) else (value.obj,) for value in (one, other)]  # type: ignore[attr-defined]
    objs = union(*groups)
    try:
        ranked = sorted(set(objs))
    except TypeError:
        raise TranslationError(f"the order of {described(one)} and {described(other)}") from None
    ranks = {obj: rank for rank, obj in enumerate(ranked)}
    numbers = [
        t.value_at([ranks[obj] for obj in group], getattr(value, "ssa", "0"))
        for value, group in zip((one, other), groups, strict=True)
    ]
    return arithmetic(t, "Sub", *numbers)


def contains(t: "Translator", container: Value, element: Value) -> Value:
    """Return `element in container`."""
    if isinstance(container, Maybe):
        container = t.some(container)
    match container:
        case Known(obj) if isinstance(obj, dict | KeysView | set | frozenset | tuple | list | range):
            if id(obj) in t.hints.caches:
                return Known(False)
            if isinstance(obj, dict | KeysView | set | frozenset | range):
                if isinstance(obj, range) and kind_of_number(element) == "int" and obj.step == 1:
                    above = compare_numbers(t, "GtE", element, Known(obj.start))
                    return both(t, above, compare_numbers(t, "Lt", element, Known(obj.stop)))
                if isinstance(obj, range) and len(obj) > MAX_KEYS:
                    raise TranslationError(f"a search in a range of {len(obj)} numbers")
                return _is_key(t, t.keys_of(obj), element)
            with suppress(TranslationError):
                return _is_key(t, t.keys_of(obj), element)
        case Known(obj) if isinstance(obj, str | bytes):
            if isinstance(element, OneOf | Known):
                return tabulate(t, lambda part: part in obj, [element])
            if isinstance(element, Array) and element.cls is str:
                raise TranslationError("a search for a text that depends on the state in another text")
            return _is_key(t, list(obj), element)
        case Members(objs, words):
            return _in_mask(t, objs, words, element)
        case Mutable(cls):
            if cls is not list:
                return mutables.has(t, container, element)
        case OneOf(objs, ssa):
            if all(isinstance(obj, set | frozenset | dict | tuple | list) for obj in objs):
                return t.look_up(
                    OneOf(tuple(dict.fromkeys(obj, True) for obj in objs), ssa), element, Known(False)
                )
            return tabulate(t, lambda objs, part: part in objs, [container, element], "in")
    if isinstance(container, Array) and is_part(container, element):
        return compare(t, "GtE", t.call_method(container, "find", [element], {}), Known(0))
    if isinstance(container, Tuple) and not issubclass(container.cls, tuple):
        return truth(t, t.call(Known(container.cls.__contains__), [container, element], {}))
    return t.any_of(container, lambda item: equal(t, item, element))


def is_letter(value: Value) -> bool:
    """Whether a value is a text of length 1."""
    objs = value.objs if isinstance(value, OneOf) else (value.obj,) if isinstance(value, Known) else ()
    return bool(objs) and all(isinstance(obj, str) and len(obj) == 1 for obj in objs)


def is_part(container: Value, element: Value) -> bool:
    """Whether what is looked for in a text or bytes is one as well, and not a letter or number in it."""
    is_text = sequences.class_of(container) in (str, bytes)
    return is_text and not (is_letter(element) or kind_of_number(element))


def _is_key(t: "Translator", keys: list[Any], element: Value) -> Value:
    place, may_miss = key_index(t, keys, element)
    if not may_miss:
        return Known(True)
    return Known(False) if place == "-1" else Bool(t.op(f"icmp sge i64 {place}, 0"))


def _in_mask(t: "Translator", objs: tuple[Any, ...], words: list[str], element: Value) -> Value:
    place, _ = key_index(t, objs, element)
    if place == "-1":
        return Known(False)
    is_there = t.op(f"icmp sge i64 {place}, 0")
    return Bool(t.op(f"select i1 {is_there}, i1 {bit_of(t, words, place)}, i1 false"))


def bit_of(t: "Translator", words: list[str], place: str) -> str:
    """Return a bit of a mask."""
    word = words[0]
    if len(words) > 1:
        number = t.op(f"lshr i64 {place}, 6")
        for i, other in enumerate(words[1:], 1):
            word = t.op(f"select i1 {t.op(f'icmp eq i64 {number}, {i}')}, i64 {other}, i64 {word}")
    shifted = t.op(f"lshr i64 {word}, {t.op(f'and i64 {place}, 63')}")
    return t.op(f"trunc i64 {shifted} to i1")


def _compare_sets(t: "Translator", name: str, one: Value, other: Value) -> Value:
    if isinstance(one, Mutable) or isinstance(other, Mutable):
        if name in ("GtE", "Gt"):
            one, other, name = other, one, {"GtE": "LtE", "Gt": "Lt"}[name]
        inside = t.all_of(one, lambda element: contains(t, other, element))
        if name == "LtE":
            return inside
        return both(t, compare_numbers(t, name, t.length(one), t.length(other)), inside)
    objs = _universe(one, other)
    mine, its = mask(t, one, objs), mask(t, other, objs)
    if name in ("GtE", "Gt"):
        mine, its, name = its, mine, {"GtE": "LtE", "Gt": "Lt"}[name]
    outside, missing = "0", "0"
    for x, y in zip(mine, its, strict=True):
        common = t.op(f"and i64 {x}, {y}")
        outside = t.op(f"or i64 {outside}, {t.op(f'xor i64 {x}, {common}')}")
        missing = t.op(f"or i64 {missing}, {t.op(f'xor i64 {y}, {common}')}")
    is_subset = Bool(t.op(f"icmp eq i64 {outside}, 0"))
    if name == "LtE":
        return is_subset
    return both(t, is_subset, Bool(t.op(f"icmp {'eq' if name == 'Eq' else 'ne'} i64 {missing}, 0")))


def combine_with_items(t: "Translator", name: str, one: Members, items: Value) -> Value:
    """Return the result of an operator on a set and the set of some values, which is not stored."""
    grows = name in ("BitOr", "BitXor")
    constants = [item.obj for item in t.parts(items) or () if isinstance(item, Known)]
    objs = _universe(one, Known(constants)) if grows else one.objs
    mine, its = mask(t, one, objs), mask(t, items, objs, strict=grows)
    return Members(objs, [_word(t, name, x, y) for x, y in zip(mine, its, strict=True)])


def _word(t: "Translator", name: str, one: str, other: str) -> str:
    if name == "Sub":
        return t.op(f"and i64 {one}, {t.op(f'xor i64 {other}, -1')}")
    if name not in ("BitOr", "BitAnd", "BitXor"):
        raise TranslationError(f"the operator {SYMBOLS[name]} of sets")
    return t.op(f"{ {'BitOr': 'or', 'BitAnd': 'and', 'BitXor': 'xor'}[name] } i64 {one}, {other}")


def _universe(one: Value, other: Value) -> tuple[Any, ...]:
    objs = union(*(value.objs if isinstance(value, Members) else tuple(value.obj) for value in (one, other)))  # type: ignore[attr-defined]
    if len(objs) > MAX_MASK:
        raise TranslationError(f"a set with {len(objs)} possible members")
    return objs


def _combine_sets(t: "Translator", name: str, one: Value, other: Value) -> Value:
    if name in ("Sub", "BitAnd") and isinstance(one, Members):
        objs = one.objs  # nothing new can come in
        its = mask(t, other, objs, strict=False)
    elif isinstance(one, Members) and isinstance(other, Mutable):
        objs = one.objs
        its = mask(t, other, objs)
    elif isinstance(one, Mutable) and isinstance(other, Members) and name in ("BitOr", "BitXor", "BitAnd"):
        return _combine_sets(t, name, other, one)
    elif isinstance(one, Mutable) or isinstance(other, Mutable):
        return _combine_at_run_time(t, name, one, other)
    else:
        objs = _universe(one, other)
        its = mask(t, other, objs)
    mine = mask(t, one, objs)
    return Members(objs, [_word(t, name, x, y) for x, y in zip(mine, its, strict=True)])


def _combine_at_run_time(t: "Translator", name: str, one: Value, other: Value) -> Value:
    cls = frozenset if sequences.class_of(one) is frozenset else set
    made = mutables.new(t, cls, t.key(name))
    t.call(Known(combine), [made, Known(name), one, other], {})
    return made


def _not_none(t: "Translator", value: Value) -> Value:
    """Return a value that has to be something else than None: `TypeError` if it is None."""
    if isinstance(value, Maybe):
        return t.some(value)
    if isinstance(value, OneOf) and None in value.objs and len(value.objs) > 1:
        t.fail_if(t.value_at([obj is None for obj in value.objs], value.ssa), t.RAISED, TypeError)
        spare = next(obj for obj in value.objs if obj is not None)
        return t.value_at([spare if obj is None else obj for obj in value.objs], value.ssa)
    return value


def binary(t: "Translator", name: str, one: Value, other: Value) -> Value:
    """Return the result of an operator, by the name of its node."""
    if isinstance(one, Known) and isinstance(other, Known):
        return t.computed(OPERATORS[name], one.obj, other.obj)
    one, other = (_not_none(t, value) for value in (one, other))
    if kind_of_number(one) and kind_of_number(other):
        return arithmetic(t, name, one, other)
    if is_set(one) and is_set(other) and name in SET_METHODS.values():
        if {OneOf, Mutable} == {type(one), type(other)}:
            return _combine_at_run_time(t, name, one, other)
        return _combine_sets(t, name, as_members(t, one), as_members(t, other))
    if name == "BitOr" and _dict_class(one) is dict is _dict_class(other):
        return t.call(Known(merged), [one, other], {})
    if (result := _special(t, name, one, other)) is not None:
        return result
    for value in (one, other):
        if isinstance(value, Opaque):
            return value
    if name == "Add":
        texts = [sequences.as_text(t, value) for value in (one, other)]
        if all(map(sequences.is_sequence, texts)):
            result = sequences.concat(t, *texts)
            return mutables.list_of(t, result, t.key("concat")) if isinstance(one, Mutable) else result
    if name == "Mult":
        for value, times in ((one, other), (other, one)):
            if kind_of_number(times) == "int" and sequences.is_sequence(value):
                result = sequences.repeated(t, sequences.as_text(t, value), times)
                is_list = isinstance(value, Mutable) or (isinstance(value, Known) and type(value.obj) is list)
                return mutables.list_of(t, result, t.key("repeat")) if is_list else result
    if name == "Mod" and isinstance(one, Known) and isinstance(one.obj, str):
        return TEXT
    if can_tabulate([one, other]):
        return tabulate(t, OPERATORS[name], [one, other], f"the operator {SYMBOLS[name]}")
    raise TranslationError(f"the operator {SYMBOLS[name]} of {described(one)} and {described(other)}")
