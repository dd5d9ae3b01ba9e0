"""Packed states in machine code: taken apart into values, and put together again."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from searchkit.translate.arithmetic import kind_of_number
from searchkit.translate.emitter import LAYOUT
from searchkit.translate.layout import (
    ChoiceField,
    Field,
    IntField,
    Layout,
    MaybeField,
    SequenceField,
    SetField,
    TupleField,
)
from searchkit.translate.lookups import key_index, mask
from searchkit.translate.sequences import sequence
from searchkit.translate.values import (
    Array,
    Bool,
    Int,
    Known,
    Maybe,
    Members,
    OneOf,
    TranslationError,
    Tuple,
    Value,
    bounds,
    described,
    general,
    join_all,
    type_of,
    width_of,
)

if TYPE_CHECKING:
    from searchkit.translate.translator import Translator


def unpacked(t: "Translator", layout: Layout, words: list[str]) -> Value:
    """Return the state that the words of a packed state stand for."""
    places = iter(layout.places)

    def take() -> str:
        at, bits = next(places)
        if not bits:
            return "0"
        number, shift = divmod(at, 64)
        found = t.op(f"lshr i64 {words[number]}, {shift}") if shift else words[number]
        if shift + bits > 64:
            rest = t.op(f"shl i64 {words[number + 1]}, {64 - shift}")
            found = t.op(f"or i64 {found}, {rest}")
        elif shift + bits == 64:
            return found
        return t.op(f"and i64 {found}, {(1 << bits) - 1}") if bits < 64 else found

    def make(part: Field) -> Value:
        if isinstance(part, IntField):
            return _unpacked_integer(t, part, take)
        if isinstance(part, ChoiceField):
            place = take()
            return Known(part.objs[0]) if len(part.objs) == 1 else t.value_at(part.objs, place)
        if isinstance(part, MaybeField):
            none = t.op(f"trunc i64 {take()} to i1")
            value = make(part.value)
            kind = general(type_of(value))
            return Maybe(kind.rebuilt(iter(t.converted(value, kind))), none)
        if isinstance(part, TupleField):
            return Tuple([make(each) for each in part.parts], part.cls)
        if isinstance(part, SetField):
            masks = [take() for _ in part.chunks()]
            return Members(part.objs, masks) if part.objs else Known(frozenset())
        assert isinstance(part, SequenceField)
        length = take()
        items = [make(part.element) for _ in range(part.most)]
        if not items:
            return Known(part.cls())
        found = _board(t, items, part.cls)
        if part.length_bits:
            size = t.op(f"add i64 {length}, {part.least}")
            size = t.op(f"call i64 @llvm.umin.i64(i64 {size}, i64 {part.most})")
            return Array(found.element, found.capacity, Int(part.least, part.most, size), part.cls, found.ptr)
        return found

    return make(layout.root)


def _board(t: "Translator", items: list[Value], cls: type) -> Array:
    """Put the elements into memory, with room for a power of two of them."""
    element = general(join_all(map(type_of, items)) or Int(0, 0))
    words = t.words(element)
    capacity = 1 << (len(items) - 1).bit_length()
    ptr = t.memory(capacity * words)
    for place, item in enumerate(items):
        t.store(t.word(ptr, place * words), element, item)
    return Array(element, capacity, Known(len(items)), cls, ptr)


def _unpacked_integer(t: "Translator", part: IntField, take: Callable[[], str]) -> Value:
    chunks = [take() for _ in part.chunks()]
    top = part.lo + (1 << part.bits) - 1
    if part.lo == part.hi:
        return Known(part.lo)
    if len(chunks) == 1 and part.bits < 64:
        ssa = t.op(f"add i64 {chunks[0]}, {part.lo}") if part.lo else chunks[0]
        return Int(part.lo, top, ssa)
    lo, hi, total = min(0, part.lo), max(top, top - part.lo), "0"
    width = width_of(lo, hi)
    for place, chunk in enumerate(chunks):
        wide = t.op(f"zext i64 {chunk} to i{width}")
        shifted = t.op(f"shl i{width} {wide}, {64 * place}") if place else wide
        total = t.op(f"or i{width} {total}, {shifted}")
    if part.lo:
        total = t.op(f"add i{width} {total}, {part.lo}")
    return Int(lo, hi, total)


def packed_words(t: "Translator", layout: Layout, state: Value) -> list[str]:
    """Return the words of a state. What the layout has no room for sets the flag."""
    packer = _Packer(t, layout)
    packer.write(layout.root, state, "true")
    return packer.words


class _Packer:
    """Writes the parts of a state into words, in the order of the layout.

    `there` is a register that says whether a part is there; if it is not, zeros are written, and nothing is checked.
    """

    def __init__(self, t: "Translator", layout: Layout):
        self.t, self.words, self._places = t, ["0"] * layout.words, iter(layout.places)

    def write(self, part: Field, value: Value, there: str) -> None:
        """Write a part."""
        t = self.t
        if isinstance(value, Maybe) and value.unbound:
            value = t.bound(value)
        if isinstance(value, Maybe) and not isinstance(part, MaybeField | ChoiceField):
            self._stop_if(value.none, there)
            value = value.value
        if isinstance(part, IntField):
            self._write_integer(part, value, there)
        elif isinstance(part, ChoiceField):
            self._write_choice(part, value, there)
        elif isinstance(part, MaybeField):
            self._write_maybe(part, value, there)
        elif isinstance(part, TupleField):
            for each, item in zip(part.parts, _parts(t, part, value), strict=True):
                self.write(each, item, there)
        elif isinstance(part, SetField):
            for word, _ in zip(mask(t, value, part.objs), part.chunks(), strict=False):
                self._put(word, there)
        else:
            assert isinstance(part, SequenceField)
            self._write_sequence(part, value, there)

    def _put(self, ssa: str, there: str) -> None:
        """Write the next number."""
        t, words = self.t, self.words
        at, bits = next(self._places)
        if not bits or ssa == "0":
            return
        if there != "true":
            ssa = t.op(f"select i1 {there}, i64 {ssa}, i64 0")
        number, shift = divmod(at, 64)
        parts = [(number, t.op(f"shl i64 {ssa}, {shift}") if shift else ssa)]
        if shift + bits > 64:
            parts.append((number + 1, t.op(f"lshr i64 {ssa}, {64 - shift}")))
        for place, part in parts:
            words[place] = part if words[place] == "0" else t.op(f"or i64 {words[place]}, {part}")

    def _skip(self, part: Field) -> None:
        """Write zeros."""
        for _ in part.chunks():
            self._put("0", "true")

    def _stop_if(self, bad: str, there: str) -> None:
        """Set the flag if a part is there and bad."""
        bad = self._both(there, bad)
        self.t.fail_if(Known(True) if bad == "true" else Bool(bad), LAYOUT)

    def _both(self, one: str, other: str) -> str:
        if "true" in (one, other):
            return other if one == "true" else one
        return self.t.op(f"and i1 {one}, {other}")

    def _write_integer(self, part: IntField, value: Value, there: str) -> None:
        t = self.t
        if (
            kind_of_number(value) != "int"
            or isinstance(value, Bool)
            or type(getattr(value, "obj", 0)) is bool
        ):
            raise TranslationError(f"{described(value)} where states had an integer")
        low, high = bounds(value)
        if isinstance(value, Known) and not part.lo <= value.obj <= part.hi:
            self._stop_if("true", there)
            value, low, high = Known(part.lo), part.lo, part.lo
        width = width_of(min(low, part.lo), max(high, part.hi + 1))
        ssa = t.resized(value, width)
        if low < part.lo or high > part.hi:
            below = t.op(f"icmp slt i{width} {ssa}, {part.lo}")
            above = t.op(f"icmp sgt i{width} {ssa}, {part.hi}")
            self._stop_if(t.op(f"or i1 {below}, {above}"), there)
        number = t.op(f"sub i{width} {ssa}, {part.lo}") if part.lo else ssa
        for place, _ in enumerate(part.chunks()):
            if width > 64:
                shifted = t.op(f"lshr i{width} {number}, {64 * place}") if place else number
                self._put(t.op(f"trunc i{width} {shifted} to i64"), there)
            else:
                self._put(number, there)

    def _write_choice(self, part: ChoiceField, value: Value, there: str) -> None:
        if isinstance(value, Known | OneOf):
            objs = value.objs if isinstance(value, OneOf) else (value.obj,)
            where = [part.codes.get((type(obj), obj), -1) for obj in objs]
            place = self.t.table_or_line(where, value.ssa) if isinstance(value, OneOf) else str(where[0])
            may_miss = -1 in where
        else:
            place, may_miss = key_index(self.t, part.objs, value)
        if may_miss:
            self._stop_if("true" if place == "-1" else self.t.op(f"icmp slt i64 {place}, 0"), there)
        self._put(place, there)

    def _write_maybe(self, part: MaybeField, value: Value, there: str) -> None:
        t = self.t
        if isinstance(value, Known) and value.obj is None:
            self._put("1", there)
            self._skip(part.value)
            return
        kind = Maybe(general(type_of(value.value if isinstance(value, Maybe) else value)))
        if isinstance(value, OneOf) and None in value.objs:
            kind = Maybe(general(type_of(t.maybe_parts(value, kind)[1])))
        none, inner = t.maybe_parts(value, kind)
        self._put(t.op(f"zext i1 {none} to i64"), there)
        self.write(part.value, inner, self._both(there, t.op(f"xor i1 {none}, true")))

    def _write_sequence(self, part: SequenceField, value: Value, there: str) -> None:
        t = self.t
        if isinstance(value, OneOf):
            value = sequence(t, value)
        if getattr(value, "cls", type(getattr(value, "obj", None))) is not part.cls:
            raise TranslationError(f"{described(value)} where states had a {part.cls.__name__}")
        found = sequence(t, value)
        size = found.length
        low, high = bounds(size)
        if low < part.least or high > part.most:
            ssa = t.integer(size)
            below = t.op(f"icmp slt i64 {ssa}, {part.least}")
            above = t.op(f"icmp sgt i64 {ssa}, {part.most}")
            self._stop_if(t.op(f"or i1 {below}, {above}"), there)
        self._put(t.op(f"sub i64 {t.integer(size)}, {part.least}") if part.length_bits else "0", there)
        for place in range(part.most):
            if place >= min(found.capacity, high):
                self._skip(part.element)
                continue
            within = there
            if not isinstance(size, Known) and place >= part.least:
                within = self._both(there, t.op(f"icmp sgt i64 {t.integer(size)}, {place}"))
            self.write(part.element, t.element_at(found, Known(place)), within)


def _parts(t: "Translator", part: TupleField, value: Value) -> list[Value]:
    objs = value.objs if isinstance(value, OneOf) else (getattr(value, "obj", None),)
    classes = {value.cls} if isinstance(value, Array | Tuple) else set(map(type, objs))
    if classes != {part.cls}:
        raise TranslationError(f"{described(value)} where states had a {part.cls.__name__}")
    if isinstance(value, Array) or part.cls is tuple:
        return t.items_of(value, len(part.parts))
    return t.parts_of(value)
