"""Tuples, texts and lists: length, elements, slices, concatenation, comparison.

A sequence whose parts are known one by one is a `Tuple`; equal elements in memory are a `Array`; a list is a block of
memory with its length first (`Mutable`). `sequence` makes any of them a `Array`, without a copy.
"""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit.translate.arithmetic import arithmetic, compare_numbers, extreme
from searchkit.translate.emitter import CAPACITY, DEFAULT_CAPACITY, RAISED
from searchkit.translate.lookups import tabulate
from searchkit.translate.values import (
    Array,
    Bool,
    Int,
    Known,
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

NONE = Known(None)
MAX_REPEATED = 4096
"""How many elements `value * times` may have."""
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
        case OneOf(objs, ssa):
            return _chosen_sequence(t, objs, ssa)
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
        return kind.rebuilt(iter([t.words_table(numbers)]))  # type: ignore[return-value]
    return build(t, [Known(part) for part in obj], kind.cls)


def _chosen_sequence(t: "Translator", objs: tuple[Any, ...], ssa: str) -> Array:
    """Return one of some constant sequences: copied into memory."""
    kind = as_sequence_type(OneOf(objs))
    if kind is None or isinstance(kind.element, Opaque):
        raise TranslationError(f"{described(OneOf(objs))} where a tuple or text is expected")
    length = t.value_at([len(obj) for obj in objs], ssa)
    starts: list[int] = []
    flat: list[Any] = []
    for obj in objs:
        starts.append(len(flat))
        flat.extend(obj)
    kind = Array(kind.element, kind.capacity, type_of(length), kind.cls)
    if not flat:
        return Array(Int(0, 0), 0, Known(0), kind.cls, t.memory(1))
    ptr = t.memory(kind.capacity * t.words(kind.element))
    start = t.table(starts, ssa)

    def fill(i: Int) -> None:
        part = t.value_at(flat, t.op(f"add i64 {start}, {i.ssa}"))
        t.store(t.element(ptr, i, kind.capacity, t.words(kind.element)), kind.element, part)

    t.counted(length, fill)
    return Array(kind.element, kind.capacity, length, kind.cls, ptr)


def build(t: "Translator", items: list[Value], cls: Any = tuple) -> Array:
    """Put values into memory as a sequence."""
    joined = join_all(type_of(item) for item in items)
    element = Int(0, 0) if joined is None else general(joined)
    if isinstance(element, Opaque):
        raise TranslationError(f"a tuple whose parts are of different kinds: {element.what}")
    words = t.words(element)
    ptr = t.memory(len(items) * words)
    for place, item in enumerate(items):
        t.store(t.word(ptr, place * words), element, item)
    return Array(element, len(items), Known(len(items)), cls, ptr)


def in_memory(t: "Translator", value: Value, kind: Array) -> Array:
    """Return a sequence with elements of a wider type, and room for more."""
    found = sequence(t, value)
    if found.element.static() == kind.element.static() and found.capacity == kind.capacity:
        return found
    words = t.words(kind.element)
    ptr = t.memory(kind.capacity * words)
    if found.capacity > kind.capacity:
        t.fail_if(compare_numbers(t, "Gt", found.length, Known(kind.capacity)), CAPACITY)
    if found.element.static() == kind.element.static():
        t.move(ptr, found.ptr, min(found.capacity, kind.capacity) * words)
    elif found.capacity:

        def copy(i: Int) -> None:
            part = element_at(t, found, i)
            t.store(t.element(ptr, i, kind.capacity, words), kind.element, part)

        t.counted(found.length, copy)
    size = found.length
    if bounds(size)[1] > kind.capacity:
        size = Int(0, kind.capacity, t.integer(size))
    return Array(kind.element, kind.capacity, size, kind.cls, ptr, None, kind.capped)


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
        case OneOf(objs, ssa):
            if not all(hasattr(obj, "__len__") for obj in objs):
                raise TranslationError(f"the length of {described(value)}")
            return t.value_at([len(obj) for obj in objs], ssa)
        case Tuple(items, cls):
            if issubclass(cls, tuple):
                return Known(len(items))
        case Array():
            return value.length
        case Mutable():
            return length_of_list(t, value)
        case Maybe():
            return length(t, t.some(value))
        case Members(_, words):
            counts = [t.op(f"call i64 @llvm.ctpop.i64(i64 {word})") for word in words]
            total = counts[0]
            for count in counts[1:]:
                total = t.op(f"add i64 {total}, {count}")
            return Int(0, len(value.objs), total)
    raise TranslationError(f"the length of {described(value)}")


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
            parts = obj if isinstance(obj, range) else list(obj)

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


def wrapped(t: "Translator", index: Value, size: Value) -> Value:
    """Return an index that counts from the end if it is negative; outside, `IndexError`."""
    index = t.narrowed(index)
    if isinstance(index, OneOf) or not isinstance(index, Known | Int | Bool):
        ssa = t.integer(index)
        index = Int(*bounds(index), ssa)
    if isinstance(index, Known) and isinstance(size, Known):
        place = int(index.obj)
        if not -size.obj <= place < size.obj:
            t.fail(RAISED, IndexError)
        return Known(place + size.obj if place < 0 else place)
    (low, high), (least, most) = bounds(index), bounds(size)
    if most == 0:
        t.fail(RAISED, IndexError)
    if high < 0:
        index = arithmetic(t, "Add", index, size)
    elif low < 0:
        ssa = t.integer(index)
        from_end = t.op(f"add i64 {ssa}, {t.integer(size)}")
        ssa = t.op(f"select i1 {t.op(f'icmp slt i64 {ssa}, 0')}, i64 {from_end}, i64 {ssa}")
        index = Int(min(low + least, 0), max(high, most - 1), ssa)
    low, high = bounds(index)
    if low < 0 or high >= least:
        ssa = t.integer(index)
        t.fail_if(Bool(t.op(f"icmp uge i64 {ssa}, {t.integer(size)}")), RAISED, IndexError)
        if not isinstance(index, Known):
            index = Int(max(0, low), max(0, min(high, most - 1)), ssa)
    return index


def item(t: "Translator", value: Value, index: Value) -> Value:
    """Return `value[index]` of a sequence."""
    pair = access(t, value)
    if pair is None:
        raise TranslationError(f"a subscript of {described(value)}")
    size, get = pair
    return get(wrapped(t, index, size))


def clipped(t: "Translator", index: Value, size: Value, least: int = 0) -> Value:
    """Return an end of a slice as Python takes it: from the end if negative, and within the sequence."""
    index = t.narrowed(index)
    low, high = bounds(index)
    shortest, _ = bounds(size)
    if low >= 0 and high <= shortest:
        return index
    if high < 0:
        return extreme(t, "Gt", arithmetic(t, "Add", size, index), Known(least))
    if low < 0:
        ssa, moved = t.integer(index), arithmetic(t, "Add", index, size)
        is_negative = t.op(f"icmp slt i64 {ssa}, 0")
        lo, hi = bounds(moved)
        chosen = t.op(f"select i1 {is_negative}, i64 {t.integer(moved)}, i64 {ssa}")
        index = extreme(t, "Gt", Int(lo, max(hi, high), chosen), Known(least))
    return extreme(t, "Lt", index, size)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


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
            return Known(value.obj[part])
        if isinstance(value, Tuple):
            return t.tuple_of(value.items[part])
        if isinstance(value, OneOf) and is_sequence(value):
            return t.value_at([obj[part] for obj in value.objs], value.ssa)
    if isinstance(value, OneOf) and len(value.objs) <= 64 and not is_sequence(value):
        return tabulate(t, lambda obj, a, b, c: obj[a:b:c], [value, *ends])
    found = sequence(t, value)
    if found.cls is list:
        found = copied(t, found)
    size = found.length
    if not isinstance(step, Known):
        raise TranslationError("a slice whose step depends on the state")
    if step.obj == 0:
        t.fail(RAISED, ValueError)
    width = 1 if step.obj is None else step.obj
    if width < 0:
        first = arithmetic(t, "Sub", size, Known(1)) if _is_none(start) else clipped_back(t, start, size)
        last: Value = Known(-1) if _is_none(stop) else clipped_back(t, stop, size)
        count = arithmetic(t, "Sub", first, last)
    else:
        first = Known(0) if _is_none(start) else clipped(t, start, size)
        last = size if _is_none(stop) else clipped(t, stop, size)
        count = arithmetic(t, "Sub", last, first)
    count = extreme(t, "Gt", count, Known(0))
    if abs(width) > 1:
        count = arithmetic(
            t, "FloorDiv", arithmetic(t, "Add", count, Known(abs(width) - 1)), Known(abs(width))
        )
    words = t.words(found.element)
    capacity = min(found.capacity, bounds(count)[1])
    if isinstance(count, Int) and count.hi > capacity:
        count = Int(count.lo, capacity, count.ssa)
    if capacity <= 0:
        return Known("" if found.cls is str else b"" if found.cls is bytes else ())
    ptr = t.memory(capacity * words)
    if width == 1:
        _copy_run(t, ptr, found, first, count, capacity)
    else:

        def copy(i: Int) -> None:
            at = arithmetic(t, "Add", first, arithmetic(t, "Mult", i, Known(width)))
            t.store(t.element(ptr, i, capacity, words), found.element, element_at(t, found, at))

        t.counted(count, copy)
    return Array(found.element, capacity, count, tuple if found.cls is list else found.cls, ptr)


def clipped_back(t: "Translator", index: Value, size: Value) -> Value:
    """Return an end of a slice that runs backwards."""
    last, index = arithmetic(t, "Sub", size, Known(1)), t.narrowed(index)
    low, high = bounds(index)
    if low < 0:
        moved = arithmetic(t, "Add", index, size)
        if high < 0:
            index = moved
        else:
            ssa = t.integer(index)
            chosen = t.op(f"select i1 {t.op(f'icmp slt i64 {ssa}, 0')}, i64 {t.integer(moved)}, i64 {ssa}")
            index = Int(bounds(moved)[0], max(high, bounds(moved)[1]), chosen)
    return extreme(t, "Lt", extreme(t, "Gt", index, Known(-1)), last)


def _copy_run(t: "Translator", ptr: str, source: Array, first: Value, count: Value, capacity: int) -> None:
    """Copy `count` elements that begin at `first`."""
    words = t.words(source.element)
    if isinstance(first, Known) and first.obj + capacity <= source.capacity:
        t.move(ptr, t.word(source.ptr, first.obj * words), capacity * words)
        return

    def copy(i: Int) -> None:
        at = arithmetic(t, "Add", first, i)
        t.store(t.element(ptr, i, capacity, words), source.element, element_at(t, source, at))

    t.counted(count, copy)


def copied(t: "Translator", value: Array, cls: Any = None) -> Array:
    """Return a copy, which changes of a list do not reach."""
    words = value.capacity * t.words(value.element)
    ptr = t.memory(words)
    t.move(ptr, value.ptr, words)
    return Array(value.element, value.capacity, value.length, cls or value.cls, ptr)


def concat(t: "Translator", one: Value, other: Value) -> Value:
    """Return `one + other`."""
    if isinstance(one, Known) and isinstance(other, Known):
        return Known(one.obj + other.obj)
    for empty, rest in ((one, other), (other, one)):
        if isinstance(empty, Known) and len(empty.obj) == 0 and not isinstance(rest, Mutable):
            return rest
    parts = [_parts(value) for value in (one, other)]
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
        raise TranslationError(f"a tuple whose parts are of different kinds: {element.what}")
    element = general(element)
    size = arithmetic(t, "Add", first.length, second.length)
    capacity = bounds(size)[1]
    words = t.words(element)
    ptr = t.memory(capacity * words)
    _append_run(t, ptr, element, capacity, first, Known(0))
    _append_run(t, ptr, element, capacity, second, first.length)
    cls = second.cls if isinstance(one, Mutable) else first.cls
    return Array(element, capacity, size, tuple if cls is list else cls, ptr)


def _parts(value: Value) -> list[Value] | None:
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Known) and type(value.obj) is tuple:
        return [Known(obj) for obj in value.obj]
    return None


def _append_run(
    t: "Translator", ptr: str, element: Value, capacity: int, source: Array, offset: Value
) -> None:
    if not source.capacity:
        return
    words = t.words(element)
    is_same = source.element.static() == element.static()
    if is_same and isinstance(offset, Known) and offset.obj + source.capacity <= capacity:
        t.move(t.word(ptr, offset.obj * words), source.ptr, source.capacity * words)
        return

    def copy(i: Int) -> None:
        at = arithmetic(t, "Add", offset, i)
        t.store(t.element(ptr, at, capacity, words), element, element_at(t, source, i))

    t.counted(source.length, copy)


def repeated(t: "Translator", value: Value, times: Value) -> Value:
    """Return `value * times`."""
    if isinstance(value, Known) and isinstance(times, Known):
        return Known(value.obj * times.obj)
    if isinstance(times, Known):
        parts = _parts(value)
        if parts is not None and len(parts) * times.obj <= MAX_REPEATED:
            return t.tuple_of(parts * times.obj)
    found = sequence(t, value)
    longest, (least, most) = max(1, bounds(found.length)[1]), bounds(times)
    if longest * most > MAX_REPEATED:
        most = max(1, min(MAX_REPEATED, DEFAULT_CAPACITY * t.hints.growth) // longest)
        t.fail_if(compare_numbers(t, "Gt", times, Known(most)), CAPACITY)
        times = Int(min(least, most), most, t.integer(times))
    size = arithmetic(t, "Mult", found.length, extreme(t, "Gt", times, Known(0)))
    capacity, words = max(1, bounds(size)[1]), t.words(found.element)
    ptr = t.memory(capacity * words)

    def copy(i: Int) -> None:
        at = arithmetic(t, "Mod", i, found.length)
        t.store(t.element(ptr, i, capacity, words), found.element, element_at(t, found, at))

    t.counted(size, copy)
    return Array(found.element, capacity, size, found.cls, ptr)


def equal_sequences(t: "Translator", one: Value, other: Value) -> Value:
    """Return whether two sequences have equal elements."""
    first, second = access(t, one), access(t, other)
    if first is None or second is None:
        raise TranslationError(f"a comparison of {described(one)} and {described(other)}")
    (size, get), (other_size, other_get) = first, second
    if isinstance(size, Known) and isinstance(other_size, Known):
        if size.obj != other_size.obj:
            return Known(False)
        if size.obj <= MAX_EXPANDED or isinstance(one, Tuple) or isinstance(other, Tuple):
            found: Value = Known(True)
            for place in range(size.obj):
                found = t.both(found, t.equal(get(Known(place)), other_get(Known(place))))
            return found
    same_size = t.boolean(t.equal(size, other_size))
    if min(bounds(size)[1], bounds(other_size)[1]) == 0:
        return Bool(same_size)
    result = t.alloca("i1")
    t.line(f"store i1 {same_size}, ptr {result}")

    def compare(i: Int) -> Value:
        t.line(f"store i1 {t.boolean(t.equal(get(i), other_get(i)))}, ptr {result}")
        return Bool(t.op(f"load i1, ptr {result}"))

    limit = t.op(f"select i1 {same_size}, i64 {t.integer(size)}, i64 0")
    t.counted(Int(0, bounds(size)[1], limit), compare)
    return Bool(t.op(f"load i1, ptr {result}"))


def compare_sequences(t: "Translator", one: Value, other: Value) -> Value:
    """Return −1, 0 or 1 as one sequence is less than, equal to or greater than another."""
    first, second = access(t, one), access(t, other)
    if first is None or second is None:
        raise TranslationError(f"a comparison of {described(one)} and {described(other)}")
    (size, get), (other_size, other_get) = first, second
    tail = t.three_way(size, other_size)
    if min(bounds(size)[1], bounds(other_size)[1]) == 0:
        return Int(-1, 1, t.integer(tail))
    if (
        isinstance(size, Known)
        and isinstance(other_size, Known)
        and min(size.obj, other_size.obj) <= MAX_EXPANDED
    ):
        ssa = t.integer(tail)
        for place in reversed(range(min(size.obj, other_size.obj))):
            here = t.integer(t.three_way(get(Known(place)), other_get(Known(place))))
            ssa = t.op(f"select i1 {t.op(f'icmp ne i64 {here}, 0')}, i64 {here}, i64 {ssa}")
        return Int(-1, 1, ssa)
    result = t.alloca("i64")
    t.line(f"store i64 0, ptr {result}")

    def compare(i: Int) -> Value:
        here = t.integer(t.three_way(get(i), other_get(i)))
        t.line(f"store i64 {here}, ptr {result}")
        return Bool(t.op(f"icmp eq i64 {here}, 0"))

    t.counted(extreme(t, "Lt", size, other_size), compare)
    found = t.op(f"load i64, ptr {result}")
    return Int(
        -1, 1, t.op(f"select i1 {t.op(f'icmp eq i64 {found}, 0')}, i64 {t.integer(tail)}, i64 {found}")
    )


def find(t: "Translator", value: Value, wanted: Value) -> tuple[Value, str]:
    """Return the first index of an element, and a register that says whether there is one."""
    pair = access(t, value)
    if pair is None:
        raise TranslationError(f"a search in {described(value)}")
    size, get = pair
    place = t.alloca("i64")
    t.line(f"store i64 -1, ptr {place}")

    def compare(i: Int) -> Value:
        found = t.boolean(t.equal(get(i), wanted))
        t.line(f"store i64 {t.op(f'select i1 {found}, i64 {i.ssa}, i64 -1')}, ptr {place}")
        return Bool(t.op(f"xor i1 {found}, true"))

    t.counted(size, compare)
    ssa = t.op(f"load i64, ptr {place}")
    return Int(-1, max(0, bounds(size)[1] - 1), ssa), t.op(f"icmp sge i64 {ssa}, 0")


def index_of(t: "Translator", value: Value, wanted: Value) -> Value:
    """Return `value.index(wanted)`."""
    place, is_there = find(t, value, wanted)
    t.fail_if(Bool(t.op(f"xor i1 {is_there}, true")), RAISED, ValueError)
    _lo, hi = bounds(place)
    return Int(0, hi, place.ssa)  # type: ignore[attr-defined]


def contains(t: "Translator", value: Value, wanted: Value) -> Value:
    """Return whether an element is in a sequence."""
    return Bool(find(t, value, wanted)[1])


def as_text(t: "Translator", value: Value) -> Value:
    """Return a letter that is one of some as a text of length 1, so that it can be joined to others."""
    if isinstance(value, OneOf) and all(isinstance(obj, str) for obj in value.objs):
        return sequence(t, value)
    return value
