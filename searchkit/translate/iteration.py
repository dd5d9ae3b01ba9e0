"""Iteration: over what is known (unrolled if it is short), over memory, and over iterators that are never stored.

`foreach(value, body)` generates the body once for each element that is known by itself, or once within a loop. A
generator is not stored either: its own code is generated, with the body at each `yield`.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.translate import mutables, sequences
from searchkit.translate.arithmetic import arithmetic, extreme
from searchkit.translate.emitter import FUEL
from searchkit.translate.values import (
    Bool,
    Int,
    Known,
    Lazy,
    Maybe,
    Members,
    Mutable,
    OneOf,
    TranslationError,
    Tuple,
    Value,
    bounds,
    described,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator

MAX_UNROLLED = 64
"""Nested loops are unrolled up to so many bodies together."""
Body = Callable[[Value], None]


def foreach(t: "Translator", value: Value, body: Body) -> None:
    """Generate the body for each element, in Python's order."""
    if isinstance(value, Lazy):
        LAZY[value.kind](t, value, body)
        return
    if isinstance(value, Maybe):
        foreach(t, t.some(value), body)
        return
    if isinstance(value, Known):
        _foreach_known(t, value, body)
        return
    if isinstance(value, Members):
        _foreach_member(t, value, body)
        return
    if isinstance(value, Mutable) and value.cls is not list:
        mutables.each_entry(t, value, lambda key, _: body(key))
        return
    if isinstance(value, Mutable):
        _foreach_list(t, value, body)
        return
    if isinstance(value, Tuple) and not (_is_uniform(value) and _is_long(t, len(value.items))):
        unrolled(t, value.items, body)
        return
    if isinstance(value, OneOf) and not sequences.is_sequence(value):
        if not all(isinstance(obj, frozenset | set | dict | range) for obj in value.objs):
            raise TranslationError(f"iteration over {described(value)}")
        value = t.value_at([tuple(obj) for obj in value.objs], value.ssa)
    pair = sequences.access(t, value)
    if pair is None:
        raise TranslationError(f"iteration over {described(value)}")
    size, get = pair
    if isinstance(size, Known) and size.obj <= 4 and t.unrolled * size.obj <= MAX_UNROLLED:
        unrolled(t, [get(Known(i)) for i in range(size.obj)], body)
        return
    repeat(t, size, lambda i: body(get(i)))


def _is_long(t: "Translator", size: int) -> bool:
    """Whether a loop over so many elements is not unrolled."""
    return size > t.hints.unrolled or t.unrolled * size > MAX_UNROLLED


def _is_uniform(value: Tuple) -> bool:
    return all(isinstance(item, Int | Known) for item in value.items)


def unrolled(t: "Translator", items: Sequence[Value], body: Body) -> None:
    """Generate the body for each of some values."""
    before = t.unrolled
    t.unrolled *= max(1, len(items))
    for item in items:
        body(item)
    t.unrolled = before


def _foreach_known(t: "Translator", value: Known, body: Body) -> None:
    obj = value.obj
    if hasattr(obj, "tolist"):
        obj = obj.tolist()
    if (
        not isinstance(obj, tuple | list | str | bytes | range | dict | set | frozenset)
        and not isinstance(obj, type)
        and (hasattr(obj, "__next__") or not hasattr(obj, "__iter__"))
    ):
        raise TranslationError(f"iteration over {described(value)}")
    parts = obj if isinstance(obj, range) else list(obj)
    if not _is_long(t, len(parts)):
        unrolled(t, [Known(part) for part in parts], body)
        return
    if not parts:
        return
    _, get = sequences.access(t, Known(parts))  # type: ignore[misc]
    repeat(t, Known(len(parts)), lambda i: body(get(i)))


def _foreach_member(t: "Translator", value: Members, body: Body) -> None:
    """Take the lowest bit away until none is left."""
    for number, word in enumerate(value.words):
        rest = t.alloca("i64")
        t.line(f"store i64 {word}, ptr {rest}")

        def head(rest: str = rest) -> Value:
            return Bool(t.op(f"icmp ne i64 {t.op(f'load i64, ptr {rest}')}, 0"))

        def one(rest: str = rest, number: int = number) -> None:
            now = t.op(f"load i64, ptr {rest}")
            t.line(f"store i64 {t.op(f'and i64 {now}, ' + t.op(f'sub i64 {now}, 1'))}, ptr {rest}")
            place = t.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 false)")
            here = value.objs[64 * number : 64 * number + 64]
            body(t.value_at(here, place))

        t.loop_until(t.key(f"members {number}"), head, one)


def _foreach_list(t: "Translator", value: Mutable, body: Body) -> None:
    """Read a list by its index: it may grow meanwhile."""
    if value.site.root().element is None:
        return

    def one(i: Int) -> None:
        body(t.stable(sequences.element_at(t, sequences.sequence(t, value), i)))

    repeat(t, sequences.length_of_list(t, value), one, lambda: sequences.length_of_list(t, value).ssa)


def repeat(
    t: "Translator", size: Value, body: Callable[[Int], None], limit: Callable[[], str] | None = None
) -> None:
    """Generate a loop of `size` iterations; the body gets the number of each.

    Args:
        t: the function that is generated.
        size: how many iterations there are, or may be at most.
        body: what is generated.
        limit: generates how many there are if that may change meanwhile.

    """
    at = t.alloca("i64")
    t.line(f"store i64 0, ptr {at}")
    fixed, most = t.integer(size), max(1, bounds(size)[1])

    def head() -> Value:
        now = t.op(f"load i64, ptr {at}")
        return Bool(t.op(f"icmp slt i64 {now}, {fixed if limit is None else limit()}"))

    def one() -> None:
        now = t.op(f"load i64, ptr {at}")
        t.line(f"store i64 {t.op(f'add i64 {now}, 1')}, ptr {at}")
        body(Int(0, most - 1, now))

    t.loop_until(t.key("repeat"), head, one, fuel=most > 1 << 16)


# -- iterators


def _range(t: "Translator", value: Lazy, body: Body) -> None:
    size, get = range_access(t, value)
    if isinstance(size, Known) and not _is_long(t, size.obj):
        unrolled(t, [get(Known(i)) for i in range(size.obj)], body)
        return
    repeat(t, size, lambda i: body(get(i)))


def range_access(t: "Translator", value: Lazy) -> sequences.Access:
    """Return the length and the numbers of a range."""
    start, stop, step = value.args
    if not isinstance(step, Known) or step.obj == 0:
        raise TranslationError("a range whose step depends on the state")
    width = step.obj
    gap = arithmetic(t, "Sub", stop, start) if width > 0 else arithmetic(t, "Sub", start, stop)
    if abs(width) > 1:
        gap = arithmetic(t, "FloorDiv", arithmetic(t, "Add", gap, Known(abs(width) - 1)), Known(abs(width)))
    size = extreme(t, "Gt", gap, Known(0))
    (low, high), (least, most) = bounds(start), bounds(stop)

    def number(i: Value) -> Value:
        found = arithmetic(t, "Add", start, arithmetic(t, "Mult", i, step))
        if isinstance(found, Int):
            lo, hi = (low, most - 1) if width > 0 else (least + 1, high)
            lo, hi = max(found.lo, lo), min(found.hi, hi)
            return Int(lo, max(lo, hi), found.ssa)
        return found

    return size, number


def indexed(t: "Translator", value: Value) -> sequences.Access:
    """Return length and elements of anything that can be iterated over; an iterator is stored first."""
    if isinstance(value, Lazy):
        if value.kind == "range":
            return range_access(t, value)
        if value.kind == "enumerate":
            (size, get), start = indexed(t, value.args[0]), value.args[1]
            return size, lambda i: Tuple([arithmetic(t, "Add", i, start), get(i)])
        if value.kind == "zip":
            pairs = [indexed(t, part) for part in value.args]
            size = pairs[0][0]
            for other, _ in pairs[1:]:
                size = extreme(t, "Lt", size, other)
            return size, lambda i: t.tuple_of([get(i) for _, get in pairs])
        if value.kind == "reversed":
            size, get = indexed(t, value.args[0])
            last = arithmetic(t, "Sub", size, Known(1))
            return size, lambda i: get(_within(arithmetic(t, "Sub", last, i), size))
    if isinstance(value, Maybe):
        value = t.some(value)
    if isinstance(value, Known) and isinstance(value.obj, dict | set | frozenset):
        value = Known(list(value.obj))
    found: Any = sequences.access(t, value) or sequences.access(t, t.collected(value))

    def unchanged(i: Value) -> Value:
        t.fail_if(t.compare("NotEq", t.length(value), found[0]), FUEL)  # changed in the loop
        return found[1](i)  # type: ignore[no-any-return]

    return (found[0], unchanged) if isinstance(value, Mutable) and value.cls is list else found


def _within(value: Value, size: Value) -> Value:
    """Return an index that is within a sequence, because it was made so."""
    if isinstance(value, Int):
        return Int(max(0, value.lo), max(0, min(value.hi, bounds(size)[1] - 1)), value.ssa)
    return value


def _indexed(t: "Translator", value: Lazy, body: Body) -> None:
    size, get = indexed(t, value)
    if isinstance(size, Known):
        most = t.hints.unrolled if _has_known_parts(value) else 4
        if size.obj <= most and size.obj * t.unrolled <= MAX_UNROLLED:
            unrolled(t, [get(Known(i)) for i in range(size.obj)], body)
            return
    repeat(t, size, lambda i: body(get(i)))


def _has_known_parts(value: Value) -> bool:
    """Whether the elements of an iterator are known one by one, so that unrolling it makes simpler code."""
    if isinstance(value, Lazy):
        return value.kind != "range" and any(
            _has_known_parts(arg) for arg in value.args if isinstance(arg, Value)
        )
    return isinstance(value, Tuple) or (isinstance(value, Known) and hasattr(value.obj, "__len__"))


def _enumerate(t: "Translator", value: Lazy, body: Body) -> None:
    source, start = value.args
    if not isinstance(source, Lazy | Members | Mutable):
        _indexed(t, value, body)
        return
    at = t.alloca("i64")
    t.line(f"store i64 {t.integer(start)}, ptr {at}")

    def one(element: Value) -> None:
        now = t.op(f"load i64, ptr {at}")
        t.line(f"store i64 {t.op(f'add i64 {now}, 1')}, ptr {at}")
        body(Tuple([Int(bounds(start)[0], bounds(start)[1] + (1 << 20), now), element]))

    foreach(t, source, one)


def _entries(t: "Translator", value: Lazy, body: Body) -> None:
    """`items`, `keys` and `values` of a dict that is made at run time."""
    owner, what = value.args

    def one(key: Value, number: str) -> None:
        item = mutables.value_of(t, owner, number) if what != "keys" else key
        body(Tuple([key, item]) if what == "items" else item)

    mutables.each_entry(t, owner, one)


def _generator(t: "Translator", value: Lazy, body: Body) -> None:
    function, args, kwargs = value.args
    t.inline_generator(function, args, kwargs, body)


LAZY: dict[str, Callable[["Translator", Lazy, Body], None]] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _indexed,
    "reversed": _indexed,
    "entries": _entries,
    "generator": _generator,
}
"""The kind of an iterator → what generates the body for its elements."""
