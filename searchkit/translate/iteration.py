"""Iteration: over what is known (unrolled if it is short), over memory, and over iterators that are never stored.

`foreach(value, body)` generates the body once for each element that is known by itself, or once within a loop. A
generator is not stored either: its own code is generated, with the body at each `yield`.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from searchkit.translate import mutables, prelude, sequences
from searchkit.translate.arithmetic import arithmetic, extreme, negative
from searchkit.translate.emitter import FUEL, RAISED
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
FEW = 4
"""A loop over so many elements in memory is unrolled."""
Body = Callable[[Value], None]


def foreach(t: "Translator", value: Value, body: Body) -> None:
    """Generate the body for each element, in Python's order."""
    match value:
        case Maybe():
            foreach(t, t.some(value), body)
        case Lazy("generator", (called, args, kwargs)):
            t.inline(called, args, kwargs, body)
        case Lazy("entries", (owner, what)):
            _each_entry(t, owner, what, body)
        case Lazy("enumerate", (source, start)) if _is_streamed(source):
            foreach(t, t.call(Known(prelude.numbered), [source, start], {}), body)
        case Members():
            _each_member(t, value, body)
        case Mutable(cls) if cls is list:
            _each_of_list(t, value, body)
        case Mutable():
            mutables.each_entry(t, value, lambda key, _: body(key))
        case _:
            size, get = indexed(t, value)
            if isinstance(size, Known) and _is_unrolled(t, value, size.obj):
                unrolled(t, [get(Known(i)) for i in range(size.obj)], body)
            else:
                repeat(t, size, lambda i: body(get(i)))


def _is_streamed(value: Value) -> bool:
    """Whether elements have no indices, or may change meanwhile."""
    is_lazy = isinstance(value, Lazy) and value.kind in ("generator", "entries")
    return is_lazy or isinstance(value, Members | Mutable)


def _is_unrolled(t: "Translator", value: Value, size: int) -> bool:
    """Whether a body is generated for each of some elements by itself: each is known, or they are few."""
    if isinstance(value, Tuple) and not all(isinstance(item, Int | Known) for item in value.items):
        return True
    return (
        size <= (t.hints.unrolled if _has_known_parts(value) else FEW) and t.unrolled * size <= MAX_UNROLLED
    )


def _has_known_parts(value: Value) -> bool:
    """Whether the elements are known one by one, so that unrolling makes simpler code."""
    if isinstance(value, Lazy):
        parts = [arg for arg in value.args if isinstance(arg, Value)]
        return value.kind == "range" or any(map(_has_known_parts, parts))
    return isinstance(value, Tuple) or (isinstance(value, Known) and hasattr(value.obj, "__iter__"))


def unrolled(t: "Translator", items: Sequence[Value], body: Body) -> None:
    """Generate the body for each of some values."""
    before = t.unrolled
    t.unrolled *= max(1, len(items))
    for item in items:
        body(item)
    t.unrolled = before


def _each_member(t: "Translator", value: Members, body: Body) -> None:
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


def _each_of_list(t: "Translator", value: Mutable, body: Body) -> None:
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


# -- by index


def range_access(t: "Translator", value: Lazy) -> sequences.Access:
    """Return the length and the numbers of a range."""
    start, stop, step = value.args
    t.fail_if(t.compare("Eq", step, Known(0)), RAISED, ValueError)
    steps = arithmetic(t, "FloorDiv", arithmetic(t, "Sub", start, stop), step)
    size = extreme(t, "Gt", negative(t, steps), Known(0))
    (low, high), (least, most) = bounds(start), bounds(stop)
    ends = [low, most - 1] if bounds(step)[1] > 0 else []
    ends += [least + 1, high] if bounds(step)[0] < 0 else []

    def number(i: Value) -> Value:
        found = arithmetic(t, "Add", start, arithmetic(t, "Mult", i, step))
        if isinstance(found, Int):
            lo, hi = max(found.lo, min(ends)), min(found.hi, max(ends))
            return Int(lo, max(lo, hi), found.ssa)
        return found

    return size, number


def indexed(t: "Translator", value: Value) -> sequences.Access:
    """Return length and elements of what can be iterated over; what has no indices is stored first."""
    match value:
        case Maybe():
            return indexed(t, t.some(value))
        case Lazy("range"):
            return range_access(t, value)
        case Lazy("enumerate", (source, start)):
            size, get = indexed(t, source)
            return size, lambda i: Tuple([arithmetic(t, "Add", i, start), get(i)])
        case Lazy("zip", sources):
            pairs = [indexed(t, part) for part in sources]
            size = functools.reduce(
                lambda one, other: extreme(t, "Lt", one, other), [size for size, _ in pairs]
            )
            return size, lambda i: t.tuple_of([get(i) for _, get in pairs])
        case Lazy("reversed", (source,)):
            size, get = indexed(t, source)
            last = arithmetic(t, "Sub", size, Known(1))
            return size, lambda i: get(_within(arithmetic(t, "Sub", last, i), size))
        case Known(obj) if hasattr(obj, "__iter__") and not hasattr(obj, "__next__"):
            value = value if isinstance(obj, range) or sequences.is_sequence(value) else Known(list(obj))
        case OneOf(objs, ssa) if all(isinstance(obj, frozenset | set | dict) for obj in objs):
            value = t.value_at([tuple(obj) for obj in objs], ssa)
        case _ if _is_streamed(value) and not sequences.is_sequence(value):
            value = t.collected(value)
    found = sequences.access(t, value)
    if found is None:
        raise TranslationError(f"iteration over {described(value)}")
    before, get = found

    def unchanged(i: Value) -> Value:
        t.fail_if(t.compare("NotEq", t.length(value), before), FUEL)  # changed in the loop
        return get(i)

    return (before, unchanged) if isinstance(value, Mutable) else found


def _within(value: Value, size: Value) -> Value:
    """Return an index that is within a sequence, because it was made so."""
    if isinstance(value, Int):
        return Int(max(0, value.lo), max(0, min(value.hi, bounds(size)[1] - 1)), value.ssa)
    return value


def _each_entry(t: "Translator", owner: Mutable, what: str, body: Body) -> None:
    """`items`, `keys` and `values` of a dict that is made at run time."""

    def one(key: Value, number: str) -> None:
        item = mutables.value_of(t, owner, number) if what != "keys" else key
        body(Tuple([key, item]) if what == "items" else item)

    mutables.each_entry(t, owner, one)
