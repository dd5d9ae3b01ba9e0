"""Known objects at run time: the index of a value among them, and operations as tables.

Whatever has few possible arguments needs no translation: Python calls it for each of them once, and a table gives the
result.
"""

import itertools
import math
import types
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.translate.emitter import LAYOUT, RAISED, Numbers
from searchkit.translate.sequences import element_at, sequence
from searchkit.translate.source import field_names
from searchkit.translate.values import (
    Array,
    Bool,
    DeadCodeError,
    Float,
    Int,
    Known,
    Maybe,
    Members,
    Mutable,
    OneOf,
    TranslationError,
    Tuple,
    Value,
    bounds,
    constant_key,
    described,
    is_int,
    mask_words,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

MAX_DOMAIN = 40_000
"""How many combinations of arguments are tried for a table."""
MAX_COMPARED = 128
"""With how many keys a value is compared one by one."""
MAX_KEYS = 1 << 21
"""Entries of a table from numbers to their place among keys."""
GENERATED = ("<string>", "<attrs generated")
"""How the names of files begin in which `dataclasses` and `attrs` make methods."""


def index_among(t: "Translator", value: Value, objs: Sequence[Any]) -> str:
    """Return the register with the index of a value that surely is one of some objects."""
    if not isinstance(value, Known | OneOf):
        return key_index(t, objs, value)[0]
    equal = {constant_key(obj): place for place, obj in reversed(list(enumerate(objs)))}
    places = equal | {constant_key(obj, exact=True): place for place, obj in enumerate(objs)}

    def place_of(mine: Any) -> int:
        found = places.get(constant_key(mine, exact=True), equal.get(constant_key(mine)))
        return next((p for p, obj in enumerate(objs) if obj == mine), 0) if found is None else found

    if isinstance(value, Known):
        return str(place_of(value.obj))
    return t.table_or_line([place_of(obj) for obj in value.objs], value.ssa)


def key_index(t: "Translator", objs: Sequence[Any], value: Value) -> tuple[str, bool]:
    """Return the index of a value among keys, −1 if it equals none, and whether it may be none."""
    match value:
        case Known(obj):
            for place, key in enumerate(objs):
                if key is obj or (is_hashable(obj) and is_hashable(key) and key == obj):
                    return str(place), False
            return "-1", True
        case Maybe(inner, none):
            if value.unbound:
                return key_index(t, objs, t.bound(value))
            found, _ = key_index(t, objs, inner)
            nothing, _ = key_index(t, objs, Known(None))
            return t.op(f"select i1 {none}, i64 {nothing}, i64 {found}"), True
        case OneOf(mine, ssa) if all(map(is_hashable, mine)):
            places = {obj: place for place, obj in reversed(list(enumerate(objs))) if is_hashable(obj)}
            where = [places.get(obj, -1) for obj in mine]
            return t.table_or_line(where, ssa), -1 in where
        case Int() | Bool():
            return _integer_index(t, objs, value)
        case Float() | Members():
            return _compared_index(t, objs, value)
        case Tuple(items, cls):
            return _tuple_index(t, objs if issubclass(cls, tuple) else _fields_of(objs, cls), items)
        case Array() | Mutable():
            return _sequence_index(t, objs, sequence(t, value)), True
    raise TranslationError(f"{described(value)} as a key")


def _fields_of(objs: Sequence[Any], cls: Any) -> list[Any]:
    """Return the fields of each object of a class; None for others, which equal none of its objects."""
    check_key(cls)
    names = field_names(cls)
    return [tuple(getattr(obj, name) for name in names) if type(obj) is cls else None for obj in objs]


def check_key(cls: Any) -> None:
    """Raise `TranslationError` if objects of a class can't be compared by the words that they take."""
    code = getattr(cls.__eq__, "__code__", None)
    if not issubclass(cls, tuple) and (code is None or not code.co_filename.startswith(GENERATED)):
        raise TranslationError(f"a key of the class {cls.__name__}, which defines or lacks __eq__")


def are_distinct(t: "Translator", objs: Sequence[Any]) -> bool:
    """Whether no two of some objects are equal, so that their places among them tell whether they are."""
    return t.hints.kept("distinct", objs, lambda: all(map(is_hashable, objs)) and len(set(objs)) == len(objs))  # type: ignore[no-any-return]


def is_hashable(obj: Any) -> bool:
    """Whether an object can be a key."""
    try:
        hash(obj)
    except TypeError:
        return False
    return True


def is_whole(obj: Any) -> bool:
    """Whether an object equals an integer."""
    return isinstance(obj, int) or (isinstance(obj, float) and obj.is_integer())


def _integer_index(t: "Translator", objs: Sequence[Any], value: Value) -> tuple[str, bool]:
    places = t.hints.kept(
        "places",
        objs,
        lambda: {int(obj): place for place, obj in reversed(list(enumerate(objs))) if is_whole(obj)},
    )
    if not places:
        return "-1", True
    lo, hi = min(places), max(places)
    low, high = bounds(value)
    if hi - lo > MAX_KEYS or (isinstance(value, Int) and value.width > 64):
        return _compared_index(t, list(objs), value)
    ssa = t.integer(value)
    if low >= lo - 64 and high <= hi + 64:  # a longer table instead of a test
        lo, hi = min(lo, low), max(hi, high)
        where = [places.get(number, -1) for number in range(lo, hi + 1)]
        inside = where[max(0, low - lo) : high - lo + 1]
        return t.table_or_line(where, _minus(t, ssa, lo)), -1 in inside
    where = t.hints.kept(
        "numbers", places, lambda: Numbers([*(places.get(number, -1) for number in range(lo, hi + 1)), -1])
    )
    index = t.op(f"call i64 @llvm.umin.i64(i64 {_minus(t, ssa, lo)}, i64 {hi - lo + 1})")
    return t.table(where, index), True


def _minus(t: "Translator", ssa: str, number: int) -> str:
    return ssa if number == 0 else t.op(f"sub i64 {ssa}, {number}")


def _compared_index(t: "Translator", objs: Sequence[Any], value: Value) -> tuple[str, bool]:
    """Compare with each key, where a table would be too large."""
    if len(objs) > MAX_COMPARED:
        raise TranslationError(f"{described(value)} as one of {len(objs)} keys")
    found = "-1"
    for place, key in reversed(list(enumerate(objs))):
        is_same = t.equal(Known(key), value)
        if not isinstance(is_same, Known) or is_same.obj:
            found = t.op(f"select i1 {t.boolean(is_same)}, i64 {place}, i64 {found}")
    return found, True


def _tuple_index(t: "Translator", objs: Sequence[Any], items: Sequence[Value]) -> tuple[str, bool]:
    """Multiply the places of the parts among what stands there in the keys."""
    keys = [
        (place, obj) for place, obj in enumerate(objs) if isinstance(obj, tuple) and len(obj) == len(items)
    ]
    if not keys:
        return "-1", True
    columns, registers, absent = [], [], ""
    for part, item in enumerate(items):
        column = list(dict.fromkeys(obj[part] for _, obj in keys))
        if all(map(is_int, column)):
            column.sort()
        ssa, may_miss = key_index(t, column, item)
        if may_miss:
            missing = t.op(f"icmp slt i64 {ssa}, 0")
            absent = missing if not absent else t.op(f"or i1 {absent}, {missing}")
        columns.append(column)
        registers.append(ssa)
    size = math.prod(map(len, columns))
    if size > MAX_KEYS:
        raise TranslationError(f"a table of {size} entries for keys that are tuples")
    at = "0"
    for column, ssa in zip(columns, registers, strict=True):
        at = t.op(f"mul i64 {at}, {len(column)}") if at != "0" else "0"
        at = t.op(f"add i64 {at}, {ssa}")
    where = [-1] * (size + 1)
    parts = [{obj: place for place, obj in enumerate(column)} for column in columns]
    for place, obj in reversed(keys):
        index = 0
        for column, each, part in zip(columns, parts, obj, strict=True):
            index = index * len(column) + each[part]
        where[index] = place
    if absent:
        at = t.op(f"select i1 {absent}, i64 {size}, i64 {at}")
    return t.table_or_line(where, at), bool(absent) or -1 in where[:size]


def _sequence_index(t: "Translator", objs: Sequence[Any], value: Array) -> str:
    """Follow the elements through a table of prefixes (a trie)."""
    letters, flat, ends = t.hints.kept("trie", objs, lambda: _trie(objs, value.cls))
    dead = len(ends) - 1
    node_at = t.alloca("i64")
    t.line(f"store i64 0, ptr {node_at}")

    def step(i: Value) -> None:
        node = t.op(f"load i64, ptr {node_at}")
        letter, may_miss = key_index(t, letters, element_at(t, value, i))
        place = t.op(f"add i64 {t.op(f'mul i64 {node}, {len(letters)}')}, {letter}")
        bad = t.op(f"icmp sge i64 {node}, {dead}")
        if may_miss:
            bad = t.op(f"or i1 {bad}, {t.op(f'icmp slt i64 {letter}, 0')}")
        to = t.table(flat, t.op(f"select i1 {bad}, i64 0, i64 {place}"))
        bad = t.op(f"or i1 {bad}, {t.op(f'icmp slt i64 {to}, 0')}")
        t.line(f"store i64 {t.op(f'select i1 {bad}, i64 {dead}, i64 {to}')}, ptr {node_at}")

    if value.capacity:
        t.counted(value.length, step)
    return t.table(ends, t.op(f"load i64, ptr {node_at}"))


def _trie(objs: Sequence[Any], cls: Any) -> tuple[list[Any], Numbers, Numbers]:
    """Return the letters of some texts or tuples, a table from node and letter to node, and what ends at each node."""
    kind = str if cls is str else bytes if cls is bytes else tuple
    keys = [(place, obj) for place, obj in enumerate(objs) if isinstance(obj, kind)]
    letters = list(dict.fromkeys(letter for _, obj in keys for letter in obj))
    at = {letter: place for place, letter in enumerate(letters)}
    rows, ends = [[-1] * len(letters)], [-1]
    for place, obj in reversed(keys):
        node = 0
        for letter in obj:
            if rows[node][at[letter]] < 0:
                rows[node][at[letter]] = len(rows)
                rows.append([-1] * len(letters))
                ends.append(-1)
            node = rows[node][at[letter]]
        ends[node] = place
    if len(rows) * len(letters) > MAX_KEYS:
        raise TranslationError("a large table of texts or tuples")
    return letters, Numbers([entry for row in rows for entry in row] or [-1]), Numbers([*ends, -1])


Domain = tuple[list[Any], Callable[["Translator"], str]]
"""All objects that a value can be, and what generates its place among them."""


def domain(value: Value, most: int = MAX_DOMAIN) -> Domain | None:
    """Return the domain of a value; None if it is too large."""
    match value:
        case Known(obj):
            return [obj], lambda t: "0"
        case OneOf(objs, ssa) if len(objs) <= most:
            return list(objs), lambda t: ssa
        case Bool():
            return [False, True], lambda t: t.integer(value)
        case Int(lo, hi) if hi - lo < most:
            return list(range(lo, hi + 1)), lambda t: _minus(t, t.integer(value), lo)
        case Tuple(items, cls):
            found = _rows([domain(item, most) for item in items], most)
            if found is None or cls is tuple:
                return found
            return [cls(*row) for row in found[0]], found[1]
        case Maybe(inner, none) if not value.unbound:
            some = domain(inner, most)
            if some is None:
                return None
            rest, place = some
            return [None, *rest], lambda t: t.op(
                f"select i1 {none}, i64 0, i64 {t.op(f'add i64 {place(t)}, 1')}"
            )
        case Array(element, _, Known(length)):

            def letter(i: int) -> Domain | None:
                found = domain(element, most)
                return found and (
                    found[0],
                    lambda t: index_among(t, element_at(t, value, Known(i)), found[0]),
                )

            found = _rows([letter(i) for i in range(length)], most)
            make = "".join if value.cls is str else value.cls
            return found and (list(map(make, found[0])), found[1])
    return None


def _rows(parts: Sequence[Domain | None], most: int = MAX_DOMAIN) -> Domain | None:
    """Return the domain of a tuple of some values."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or math.prod(len(objs) for objs, _ in known) > most:
        return None

    def place(t: "Translator") -> str:
        at = "0"
        for objs, place_of in known:
            if len(objs) > 1:
                at = t.op(f"mul i64 {at}, {len(objs)}") if at != "0" else at
                at = t.op(f"add i64 {at}, {place_of(t)}")
        return at

    return list(itertools.product(*(objs for objs, _ in known))), place


def can_tabulate(args: Sequence[Value], most: int = MAX_DOMAIN) -> bool:
    """Whether the arguments of an operation have few possible values together."""
    sizes = [most + 1 if (part := domain(arg, most)) is None else len(part[0]) for arg in args]
    return math.prod(sizes) <= most


def tabulate(t: "Translator", function: Callable[..., Any], args: Sequence[Value], what: str = "") -> Value:
    """Return the result of an operation, from a table of its results for all possible arguments."""
    domains = [domain(arg) for arg in args]
    found = _rows(domains)
    if found is None:
        name = what or getattr(function, "__name__", "an operation").strip("_")
        unknown = args[domains.index(None)] if None in domains else args[0]
        raise TranslationError(f"{name} of {described(unknown)}")
    rows, place = found
    results: list[Any] = []
    faults: list[Any] = []
    for number, row in enumerate(rows):
        if not number % 256:
            t.check_deadline()
        try:
            result = function(*row)
            is_iterator = isinstance(result, types.GeneratorType | map | filter | zip | enumerate | reversed)
            results.append(tuple(result) if is_iterator else result)
            faults.append(None)
        except Exception as error:  # of the program, which may catch it
            results.append(None)
            faults.append(type(error))
    if None not in faults and len(set(faults)) == 1:
        t.fail(RAISED, faults[0])
    at = place(t)
    for fault in dict.fromkeys(each for each in faults if each is not None):
        t.fail_if(t.value_at([each is fault for each in faults], at), RAISED, fault)
    if None not in faults:
        raise DeadCodeError
    first = results[faults.index(None)]
    return t.value_at(
        [result if fault is None else first for result, fault in zip(results, faults, strict=True)], at
    )


def known_mask(members: Iterable[Any], objs: Sequence[Any]) -> list[int]:
    """Return the words of a known set over a universe, as signed integers; without members that are not in it."""
    numbers = [0] * mask_words(objs)
    places = {constant_key(obj): place for place, obj in enumerate(objs)}
    for place in {places[key] for key in map(constant_key, members) if key in places}:
        numbers[place // 64] |= 1 << place % 64
    return [number - (1 << 64) if number >> 63 else number for number in numbers]


def mask(t: "Translator", value: Value, objs: Sequence[Any], *, strict: bool = True) -> list[str]:
    """Return the words of a set over a universe; a member outside it is a value outside the layout, or left out."""
    words = ["0"] * mask_words(objs)
    if isinstance(value, Known):
        known = {constant_key(obj) for obj in objs}
        if strict and any(constant_key(obj) not in known for obj in value.obj):
            t.fail(LAYOUT)
        return [*map(str, known_mask(value.obj, objs))]
    if isinstance(value, Members):
        both = list(zip(value.objs, objs, strict=False))
        same = all(constant_key(mine) == constant_key(its) for mine, its in both)
        if same and len(both) == len(value.objs):
            return value.words + words[len(value.words) :]
    slots = [t.alloca("i64") for _ in words]
    for slot in slots:
        t.line(f"store i64 0, ptr {slot}")

    def add(member: Value) -> None:
        place, may_miss = key_index(t, objs, member)
        there = "true"
        if may_miss and strict:
            t.fail_if(Bool(t.op(f"icmp slt i64 {place}, 0")), LAYOUT)
        elif may_miss:
            there = t.op(f"icmp sge i64 {place}, 0")
        bit = t.op(f"shl i64 {t.op(f'zext i1 {there} to i64')}, {t.op(f'and i64 {place}, 63')}")
        number = t.op(f"lshr i64 {place}, 6")
        for word, slot in enumerate(slots):
            here = bit
            if len(slots) > 1:
                here = t.op(f"select i1 {t.op(f'icmp eq i64 {number}, {word}')}, i64 {bit}, i64 0")
            old = t.op(f"load i64, ptr {slot}")
            t.line(f"store i64 {t.op(f'or i64 {old}, {here}')}, ptr {slot}")

    t.foreach(value, add)
    return [t.op(f"load i64, ptr {slot}") for slot in slots]
