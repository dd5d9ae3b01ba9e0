"""Packed states in machine code: taken apart into values, and put together again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from searchkit.translate.arithmetic import arithmetic, compare_numbers, is_truth_value, kind_of_number
from searchkit.translate.emitter import LAYOUT
from searchkit.translate.layout import Layout, chunks, codes_of
from searchkit.translate.lookups import key_index, mask
from searchkit.translate.operators import both, invert
from searchkit.translate.sequences import element_at, new, put, sequence
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

    def make(kind: Value) -> Value:
        match kind:
            case Int():
                return _unpacked_integer(t, kind, [take() for _ in chunks(kind)])
            case Bool():
                return Bool(t.op(f"trunc i64 {take()} to i1"))
            case OneOf(objs):
                place = take()
                return Known(objs[0]) if len(objs) == 1 else t.value_at(objs, place)
            case Maybe(inner):
                none = t.op(f"trunc i64 {take()} to i1")
                value = make(inner)
                there = general(type_of(value))
                return Maybe(t.converted_to(value, there), none)
            case Tuple(items, cls):
                return Tuple([make(item) for item in items], cls)
            case Members(objs):
                masks = [take() for _ in chunks(kind)]
                return Members(objs, masks) if objs else Known(frozenset())
        assert isinstance(kind, Array)
        return _unpacked_sequence(t, kind, take(), [make(kind.element) for _ in range(kind.capacity)])

    return make(layout.root)


def _unpacked_sequence(t: "Translator", kind: Array, above: str, items: list[Value]) -> Value:
    """Return a sequence in memory, with room for a power of two of elements."""
    if not items:
        return Known(kind.cls())
    length = kind.length
    if isinstance(length, Int):
        size = t.op(f"add i64 {above}, {length.lo}")
        length = Int(length.lo, length.hi, t.op(f"call i64 @llvm.umin.i64(i64 {size}, i64 {length.hi})"))
    element = general(join_all(map(type_of, items)) or Int(0, 0))
    made = new(t, element, 1 << (len(items) - 1).bit_length(), length, kind.cls)
    for place, item in enumerate(items):
        put(t, made, Known(place), item)
    return made


def _unpacked_integer(t: "Translator", kind: Int, numbers: list[str]) -> Value:
    if kind.lo == kind.hi:
        return Known(kind.lo)
    span = (1 << (kind.hi - kind.lo).bit_length()) - 1
    width, total = width_of(0, span), "0"
    for place, number in enumerate(numbers):
        number = number if width == 64 else t.op(f"zext i64 {number} to i{width}")
        number = t.op(f"shl i{width} {number}, {64 * place}") if place else number
        total = t.op(f"or i{width} {total}, {number}") if place else number
    return arithmetic(t, "Add", Int(0, span, total), Known(kind.lo))


def packed_words(t: "Translator", layout: Layout, state: Value) -> list[str]:
    """Return the words of a state. What the layout has no room for sets the flag."""
    packer = _Packer(t, layout)
    packer.write(layout.root, state, Known(True))
    return packer.words


class _Packer:
    """Writes the parts of a state into words, in the order of the layout.

    `there` says whether a part is there; if it is not, zeros are written, and nothing is checked.
    """

    def __init__(self, t: "Translator", layout: Layout):
        self.t, self.words, self._places = t, ["0"] * layout.words, iter(layout.places)

    def write(self, kind: Value, value: Value, there: Value) -> None:
        """Write a part."""
        t = self.t
        if isinstance(value, Maybe) and value.unbound:
            value = t.bound(value)
        if isinstance(value, Maybe) and not isinstance(kind, Maybe | OneOf):
            t.fail_if(both(t, Bool(value.none), there), LAYOUT)
            value = value.value
        match kind:
            case Int():
                self._write_integer(kind, value, there)
            case Bool():
                self._write_choice((False, True), value, there)
            case OneOf(objs):
                self._write_choice(objs, value, there)
            case Maybe():
                self._write_maybe(kind, value, there)
            case Tuple(items):
                for each, item in zip(items, _parts(t, kind, value), strict=True):
                    self.write(each, item, there)
            case Members(objs):
                for word, _ in zip(mask(t, value, objs), chunks(kind), strict=False):
                    self._put(word, there)
            case Array():
                self._write_sequence(kind, value, there)

    def _put(self, ssa: str, there: Value) -> None:
        """Write the next number."""
        t, words = self.t, self.words
        at, bits = next(self._places)
        if not bits or ssa == "0":
            return
        if isinstance(there, Bool):
            ssa = t.op(f"select i1 {there.ssa}, i64 {ssa}, i64 0")
        number, shift = divmod(at, 64)
        parts = [(number, t.op(f"shl i64 {ssa}, {shift}") if shift else ssa)]
        if shift + bits > 64:
            parts.append((number + 1, t.op(f"lshr i64 {ssa}, {64 - shift}")))
        for place, part in parts:
            words[place] = part if words[place] == "0" else t.op(f"or i64 {words[place]}, {part}")

    def _skip(self, kind: Value) -> None:
        """Write zeros."""
        for _ in chunks(kind):
            self._put("0", Known(True))

    def _above(self, value: Value, lo: int, hi: int, there: Value) -> tuple[str, int]:
        """Return how much an integer is above `lo`, and the width of the register; above `hi`, the flag is set."""
        low, high = bounds(value)
        width = width_of(min(low, lo), max(high, hi))
        number = self.t.resized(value, width)
        number = self.t.op(f"sub i{width} {number}, {lo}") if lo else number
        if low < lo or high > hi:
            above = Bool(self.t.op(f"icmp ugt i{width} {number}, {hi - lo}"))
            self.t.fail_if(both(self.t, above, there), LAYOUT)
        return number, width

    def _write_integer(self, kind: Int, value: Value, there: Value) -> None:
        t = self.t
        if kind_of_number(value) != "int" or is_truth_value(value):
            raise TranslationError(f"{described(value)} where states had an integer")
        number, width = self._above(value, kind.lo, kind.hi, there)
        for place, _ in enumerate(chunks(kind)):
            part = t.op(f"lshr i{width} {number}, {64 * place}") if place else number
            self._put(part if width == 64 else t.op(f"trunc i{width} {part} to i64"), there)

    def _write_choice(self, objs: Sequence[Any], value: Value, there: Value) -> None:
        if isinstance(value, Known | OneOf):
            codes = codes_of(objs)
            mine = value.objs if isinstance(value, OneOf) else (value.obj,)
            where = [codes.get((type(obj), obj), -1) for obj in mine]
            place = self.t.table_or_line(where, value.ssa) if isinstance(value, OneOf) else str(where[0])
            may_miss = -1 in where
        else:
            place, may_miss = key_index(self.t, objs, value)
        if may_miss:
            missing = Known(True) if place == "-1" else Bool(self.t.op(f"icmp slt i64 {place}, 0"))
            self.t.fail_if(both(self.t, missing, there), LAYOUT)
        self._put(place, there)

    def _write_maybe(self, kind: Maybe, value: Value, there: Value) -> None:
        t = self.t
        if isinstance(value, Known) and value.obj is None:
            self._put("1", there)
            self._skip(kind.value)
            return
        mine = Maybe(general(type_of(value.value if isinstance(value, Maybe) else value)))
        if isinstance(value, OneOf) and None in value.objs:
            mine = Maybe(general(type_of(t.maybe_parts(value, mine)[1])))
        none, inner = t.maybe_parts(value, mine)
        self._put(t.op(f"zext i1 {none} to i64"), there)
        self.write(kind.value, inner, both(t, there, invert(t, Bool(none))))

    def _write_sequence(self, kind: Array, value: Value, there: Value) -> None:
        t = self.t
        if isinstance(value, OneOf):
            value = sequence(t, value)
        if getattr(value, "cls", type(getattr(value, "obj", None))) is not kind.cls:
            raise TranslationError(f"{described(value)} where states had a {kind.cls.__name__}")
        found = sequence(t, value)
        size, (least, most) = found.length, bounds(kind.length)
        self._put(self._above(size, least, most, there)[0], there)
        for place in range(most):
            if place >= min(found.capacity, bounds(size)[1]):
                self._skip(kind.element)
                continue
            within = there
            if not isinstance(size, Known) and place >= least:
                within = both(t, there, compare_numbers(t, "Gt", size, Known(place)))
            self.write(kind.element, element_at(t, found, Known(place)), within)


def _parts(t: "Translator", kind: Tuple, value: Value) -> list[Value]:
    objs = value.objs if isinstance(value, OneOf) else (getattr(value, "obj", None),)
    classes = {value.cls} if isinstance(value, Array | Tuple) else set(map(type, objs))
    if classes != {kind.cls}:
        raise TranslationError(f"{described(value)} where states had a {kind.cls.__name__}")
    if isinstance(value, Array) or kind.cls is tuple:
        return t.items_of(value, len(kind.items))
    return t.parts_of(value)
