"""Tuples, texts and lists: length, elements, slices, concatenation, comparison.

A sequence whose parts are known one by one is a `Tuple`; equal elements in memory are a `Array`; a list is a block of
memory with its length first (`Mutable`). `sequence` makes any of them a `Array`, without a copy.
"""

import functools
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from searchkit.translate.arithmetic import arithmetic, as_int, compare_numbers, extreme
from searchkit.translate.emitter import CAPACITY, RAISED
from searchkit.translate.values import (
    Array,
    Bool,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Mutable,
    OneOf,
    Opaque,
    TranslationError,
    Tuple,
    Value,
    as_sequence_type,
    bounds,
    described,
    general,
    join,
    join_all,
    type_of,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

ZERO = Known(0)
MAX_REPEATED = 4096
"""How many elements `value * times` may have."""
MANY = 64
"""A tuple, list or text that is repeated may have so many elements, or as many as usual, if its length is not known."""
MAX_EXPANDED = 8
"""Sequences of up to so many parts are compared part by part."""


def is_sequence(value: Value) -> bool:
    """Whether a value is a tuple, text, bytes or list."""
    if isinstance(value, Known):
        return isinstance(value.obj, tuple | str | list | bytes)
    if isinstance(value, OneOf):
        return all(isinstance(obj, tuple | str | list | bytes) for obj in value.objs)
    if isinstance(value, Tuple):
        return issubclass(value.cls, tuple)
    return isinstance(value, Array) or (isinstance(value, Mutable) and value.cls is list)


def class_of(value: Value) -> Any:
    """Return the type of a sequence."""
    if isinstance(value, Known):
        return type(value.obj)
    if isinstance(value, OneOf):
        return type(value.objs[0])
    return value.cls  # type: ignore[attr-defined]


def length_of_list(t: "Translator", value: Mutable) -> Int:
    """Return how many elements a list has now."""
    capacity = value.site.root().capacity
    ssa = t.op(f"call i64 @llvm.umin.i64(i64 {t.loaded('i64', value.ptr)}, i64 {capacity})")
    return Int(0, capacity, ssa)


def sequence(t: "Translator", value: Value) -> Array:
    """Return a tuple, text or list as elements in memory: not copied."""
    match value:
        case Array():
            return value
        case Mutable(cls, site, ptr) if cls is list:
            element = site.root().element
            if element is None:
                return Array(Int(0, 0), 0, Known(0), list, ptr)
            return Array(element, site.root().capacity, length_of_list(t, value), list, t.word(ptr, 1))
        case Maybe():
            return sequence(t, t.some(value))
        case Known(obj) if isinstance(obj, tuple | str | list | bytes):
            return _constant_sequence(t, value)
        case Tuple(items):
            return build(t, items)
        case OneOf():
            return _chosen_sequence(t, value)
    raise TranslationError(f"{described(value)} where a tuple, list or text is expected")


def _constant_sequence(t: "Translator", value: Known) -> Array:
    kind = as_sequence_type(value)
    if kind is None or isinstance(kind.element, Opaque):
        raise TranslationError(f"{described(value)}, whose parts are of different kinds")
    obj = value.obj
    is_word = isinstance(kind.element, Int) and kind.element.width == 64
    if isinstance(kind.element, OneOf | Bool) or is_word:
        places = getattr(kind.element, "objs", ())
        numbers = [places.index(part) if places else int(part) for part in obj]
        return kind.rebuilt(iter([t.table_of(tuple(numbers) or (0,), 64)[0]]))  # type: ignore[return-value]
    return build(t, [Known(part) for part in obj], kind.cls)


def _chosen_sequence(t: "Translator", value: OneOf) -> Array:
    """Return one of some constant sequences: copied into memory."""
    kind = as_sequence_type(value)
    if kind is None or isinstance(kind.element, Opaque):
        raise TranslationError(f"{described(value)} where a tuple or text is expected")
    size, get = access(t, value)  # type: ignore[misc]
    made = new(t, kind.element, kind.capacity, size, kind.cls)
    if made.capacity:
        t.counted(size, lambda i: put(t, made, i, get(i)))
    return made


def new(t: "Translator", element: Value, capacity: int, size: Value, cls: Any) -> Array:
    """Return memory for a sequence."""
    return Array(element, capacity, size, cls, t.memory(capacity * t.words(element)))


def put(t: "Translator", made: Array, index: Value, value: Value) -> None:
    """Write an element of a sequence that is made."""
    t.store(t.element(made.ptr, index, made.capacity, t.words(made.element)), made.element, value)


def copy_run(
    t: "Translator", made: Array, offset: Value, source: Array, first: Value, count: Value, step: int = 1
) -> None:
    """Write some elements of a sequence, from the first one in steps, into one that is made, from an offset on."""
    most, words = bounds(count)[1], t.words(made.element)
    if most <= 0:
        return
    is_same = step == 1 and source.element.static() == made.element.static()
    if (
        is_same
        and isinstance(offset, Known)
        and isinstance(first, Known)
        and offset.obj + most <= made.capacity
        and first.obj + most <= source.capacity
    ):
        target, start = t.word(made.ptr, offset.obj * words), t.word(source.ptr, first.obj * words)
        t.move(target, start, most * words)
        return

    def copy(i: Int) -> None:
        at = arithmetic(t, "Add", first, arithmetic(t, "Mult", i, Known(step)))
        put(t, made, arithmetic(t, "Add", offset, i), element_at(t, source, at))

    t.counted(count, copy)


def build(t: "Translator", items: list[Value], cls: Any = tuple) -> Array:
    """Put values into memory as a sequence."""
    joined = join_all(type_of(item) for item in items)
    element = Int(0, 0) if joined is None else general(joined)
    if isinstance(element, Opaque):
        raise TranslationError(
            f"a tuple whose parts are of different kinds ({element.what}) where an index or a loop takes any of them"
        )
    made = new(t, element, len(items), Known(len(items)), cls)
    for place, item in enumerate(items):
        put(t, made, Known(place), item)
    return made


def in_memory(t: "Translator", value: Value, kind: Array) -> Array:
    """Return a sequence with elements of a wider type, and room for more."""
    found = sequence(t, value)
    if found.element.static() == kind.element.static() and found.capacity == kind.capacity:
        return found
    size = found.length
    if bounds(size)[1] > kind.capacity:
        t.fail_if(compare_numbers(t, "Gt", size, Known(kind.capacity)), CAPACITY)
        size = Int(0, kind.capacity, t.integer(size))
    made = new(t, kind.element, kind.capacity, size, kind.cls)
    copy_run(t, made, ZERO, found, ZERO, size)
    return evolve(made, capped=kind.capped)


def element_at(t: "Translator", value: Array, index: Value) -> Value:
    """Return the element at an index within the sequence."""
    if value.capacity == 0:
        t.fail(RAISED, IndexError)
    address = t.element(value.ptr, index, value.capacity, t.words(value.element))
    return t.load(address, value.element)


def length(t: "Translator", value: Value) -> Value:
    """Return `len(value)`."""
    match value:
        case Known(obj):
            return Known(len(obj))
        case OneOf(objs, ssa) if all(hasattr(obj, "__len__") for obj in objs):
            return t.value_at([len(obj) for obj in objs], ssa)
        case Members(_, words):
            counts = [t.op(f"call i64 @llvm.ctpop.i64(i64 {word})") for word in words]
            total = functools.reduce(lambda one, other: t.op(f"add i64 {one}, {other}"), counts)
            return Int(0, len(value.objs), total)
    pair = access(t, value)
    if pair is None:
        raise TranslationError(f"the length of {described(value)}")
    return pair[0]


Access = tuple[Value, Callable[[Value], Value]]
"""The length of a sequence, and its element at an index within it."""


def access(t: "Translator", value: Value) -> Access | None:
    """Return length and elements of a value that has elements by index; None if it has none."""
    match value:
        case Known(obj):
            if hasattr(obj, "tolist"):
                obj = obj.tolist()
            if not isinstance(obj, tuple | str | list | bytes | range):
                return None
            parts = obj if isinstance(obj, range) else t.hints.kept("list", obj, lambda: list(obj))

            def known(i: Value) -> Value:
                if isinstance(i, Known):
                    return Known(parts[i.obj])
                if isinstance(parts, range):
                    return arithmetic(
                        t, "Add", arithmetic(t, "Mult", i, Known(parts.step)), Known(parts.start)
                    )
                return t.value_at(parts, t.integer(i))

            return Known(len(parts)), known
        case Tuple(items, cls) if issubclass(cls, tuple):
            made: list[Array] = []

            def part(i: Value) -> Value:
                if isinstance(i, Known):
                    return items[int(i.obj)]
                if not made:
                    made.append(build(t, items))
                return element_at(t, made[0], i)

            return Known(len(items)), part
        case Array():
            return value.length, lambda i: element_at(t, value, i)
        case Mutable(cls) if cls is list:
            return length_of_list(t, value), lambda i: t.stable(element_at(t, sequence(t, value), i))
        case Maybe():
            return access(t, t.some(value))
        case OneOf(objs, ssa) if all(isinstance(obj, tuple | str | list | bytes | range) for obj in objs):
            flat, starts, sizes = t.hints.kept("flat", objs, lambda: _flattened(objs))
            size = t.value_at(sizes, ssa)
            start = t.table_or_line(starts, ssa) if len(objs) > 1 else "0"
            return size, lambda i: t.value_at(flat, t.op(f"add i64 {start}, {t.integer(i)}"))
    return None


def _flattened(objs: tuple[Any, ...]) -> tuple[list[Any], list[int], list[int]]:
    """Return the elements of all sequences one after the other, where each begins, and their lengths."""
    sizes = [len(obj) for obj in objs]
    return [each for obj in objs for each in obj], list(itertools.accumulate([0, *sizes]))[:-1], sizes


def from_start(t: "Translator", index: Value, size: Value) -> Value:
    """Return an index that counts from the end if it is negative as one that counts from the start."""
    index = t.narrowed(index)
    index = index if isinstance(index, Known | Int) else as_int(t, index)
    low, high = bounds(index)
    if low >= 0:
        return index
    moved = t.binary("Add", index, size)
    if high < 0:
        return moved
    ssa = t.integer(index)
    chosen = t.op(f"select i1 {t.op(f'icmp slt i64 {ssa}, 0')}, i64 {t.integer(moved)}, i64 {ssa}")
    return Int(min(0, bounds(moved)[0]), max(high, bounds(size)[1] - 1), chosen)


def wrapped(t: "Translator", index: Value, size: Value) -> Value:
    """Return an index that counts from the end if it is negative; outside, `IndexError`."""
    index = from_start(t, index, size)
    (low, high), (least, most) = bounds(index), bounds(size)
    if high < 0 or low >= most or most <= 0:
        t.fail(RAISED, IndexError)
    if low >= 0 and high < least:
        return index
    ssa = t.integer(index)
    t.fail_if(Bool(t.op(f"icmp uge i64 {ssa}, {t.integer(size)}")), RAISED, IndexError)
    return index if isinstance(index, Known) else Int(max(0, low), min(high, most - 1), ssa)


def item(t: "Translator", value: Value, index: Value) -> Value:
    """Return `value[index]` of a sequence."""
    pair = access(t, value)
    if pair is None:
        raise TranslationError(f"a subscript of {described(value)}")
    size, get = pair
    return get(wrapped(t, index, size))


def clipped(t: "Translator", index: Value, size: Value, least: Value, most: Value) -> Value:
    """Return an end of a slice as Python takes it: from the end if negative, and within bounds."""
    return extreme(t, "Lt", extreme(t, "Gt", from_start(t, index, size), least), most)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def ends_of_slice(index: Value) -> list[Value] | None:
    """Return start, stop and step of a slice; None for other indices."""
    if isinstance(index, Tuple) and index.cls is slice:
        return index.items
    part = getattr(index, "obj", None)
    return [Known(part.start), Known(part.stop), Known(part.step)] if isinstance(part, slice) else None


def slice_of(t: "Translator", value: Value, start: Value, stop: Value, step: Value) -> Value:
    """Return `value[start:stop:step]`."""
    if isinstance(value, Maybe):
        value = t.some(value)
    if isinstance(value, Known) and hasattr(value.obj, "tolist"):
        value = Known(tuple(value.obj.tolist()))
    ends = (start, stop, step)
    if all(isinstance(end, Known) for end in ends):
        part = slice(*(end.obj for end in ends))  # type: ignore[attr-defined]
        if isinstance(value, Known):
            return t.computed(lambda a, b: a[b], value.obj, part)
        if isinstance(value, Tuple):
            return t.tuple_of(value.items[part])
        if isinstance(value, OneOf) and is_sequence(value):
            return t.value_at([obj[part] for obj in value.objs], value.ssa)
    found = sequence(t, value)
    size = found.length
    if not isinstance(step, Known):
        raise TranslationError("a slice whose step depends on the state")
    if step.obj == 0:
        t.fail(RAISED, ValueError)
    width = 1 if step.obj is None else step.obj
    least, most = (ZERO, size) if width > 0 else (Known(-1), arithmetic(t, "Sub", size, Known(1)))
    begin, end = (least, most) if width > 0 else (most, least)
    first = begin if _is_none(start) else clipped(t, start, size, least, most)
    last = end if _is_none(stop) else clipped(t, stop, size, least, most)
    count = arithmetic(t, "Sub", last, first) if width > 0 else arithmetic(t, "Sub", first, last)
    count = extreme(t, "Gt", count, ZERO)
    if abs(width) > 1:
        above = arithmetic(t, "Add", count, Known(abs(width) - 1))
        count = arithmetic(t, "FloorDiv", above, Known(abs(width)))
    capacity = min(found.capacity, bounds(count)[1])
    if isinstance(count, Int) and count.hi > capacity:
        count = Int(count.lo, capacity, count.ssa)
    if capacity <= 0:
        return Known("" if found.cls is str else b"" if found.cls is bytes else ())
    made = new(t, found.element, capacity, count, tuple if found.cls is list else found.cls)
    copy_run(t, made, ZERO, found, first, count, width)
    return made


def concat(t: "Translator", one: Value, other: Value) -> Value:
    """Return `one + other`."""
    for empty, rest in ((one, other), (other, one)):
        if isinstance(empty, Known) and len(empty.obj) == 0 and not isinstance(rest, Mutable):
            return rest
    parts = [t.parts(value) for value in (one, other)]
    if parts[0] is not None and parts[1] is not None:
        return t.tuple_of([*parts[0], *parts[1]])
    first, second = sequence(t, one), sequence(t, other)
    element = (
        first.element
        if not second.capacity
        else second.element
        if not first.capacity
        else join(first.element, second.element)
    )
    if isinstance(element, Opaque):
        raise TranslationError(
            f"a sequence of any length joined to parts of another kind ({element.what}); write its parts one by one"
        )
    element = general(element)
    size = arithmetic(t, "Add", first.length, second.length)
    cls = second.cls if isinstance(one, Mutable) else first.cls
    made = new(t, element, bounds(size)[1], size, tuple if cls is list else cls)
    copy_run(t, made, ZERO, first, ZERO, first.length)
    copy_run(t, made, first.length, second, ZERO, second.length)
    return made


def repeated(t: "Translator", value: Value, times: Value) -> Value:
    """Return `value * times`."""
    if isinstance(times, Known):
        parts = t.parts(value)
        if parts is not None and len(parts) * times.obj <= MAX_REPEATED:
            return t.tuple_of(parts * times.obj)
    found = sequence(t, value)
    size = arithmetic(t, "Mult", found.length, extreme(t, "Gt", as_int(t, times), ZERO))
    cls, most = tuple if found.cls is list else found.cls, bounds(size)[1]
    if most <= 0:
        return Known(cls())
    capacity = min(most, max(MANY, t.hints.usual_capacity))
    if most > capacity:
        t.fail_if(compare_numbers(t, "Gt", size, Known(capacity)), CAPACITY)
        size = Int(0, capacity, t.integer(size))
    made = new(t, found.element, capacity, size, cls)
    t.counted(size, lambda i: put(t, made, i, element_at(t, found, arithmetic(t, "Mod", i, found.length))))
    return made


def equal_sequences(t: "Translator", one: Value, other: Value) -> Value:
    """Return whether two sequences have equal elements."""
    first, second = access(t, one), access(t, other)
    if first is None or second is None:
        raise TranslationError(f"a comparison of {described(one)} and {described(other)}")
    (size, get), (other_size, other_get) = first, second
    found = t.equal(size, other_size)
    if isinstance(found, Known) and isinstance(size, Known):
        is_short = size.obj <= MAX_EXPANDED or isinstance(one, Tuple) or isinstance(other, Tuple)
        if is_short or not found.obj:
            for place in range(size.obj if found.obj else 0):
                found = t.both(found, t.equal(get(Known(place)), other_get(Known(place))))
            return found
    pairs = Lazy("zip", (one, other))
    return t.both(found, t.all_of(pairs, lambda pair: t.equal(*t.items_of(pair, 2))))


def as_text(t: "Translator", value: Value) -> Value:
    """Return a letter that is one of some as a text of length 1, so that it can be joined to others."""
    if isinstance(value, OneOf) and all(isinstance(obj, str) for obj in value.objs):
        return sequence(t, value)
    return value
