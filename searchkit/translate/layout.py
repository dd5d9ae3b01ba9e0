"""From states that were seen to a layout: the fields of a state, their ranges, and their places in words of 64 bits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod
from operator import lshift
from typing import Any

from attrs import define, field, frozen

from searchkit.translate.source import field_names
from searchkit.translate.values import MAX_MASK, TranslationError, is_int, ordered

MAX_BITS = 256
"""The most bits of a state: kernels take four words."""
MAX_CHOICES = 4096
"""The most different values of a field that are not numbers."""
MAX_LETTERS = 64
FEW_BITS = 10
"""Integers of so few bits are looked up when they are elements of a sequence."""
Encode = Callable[[Any], int]
"""Turns a value into a number. Raises `LayoutError`."""
Decode = Callable[[int], Any]
"""Turns the number back into an equal value."""


class LayoutError(ValueError):
    """A value that the layout has no room for."""


class Field:
    """A part of a state."""

    codes: dict[Any, int] | None = None
    """The numbers of (type, value) of all values, if these are few; None if they are not."""

    @property
    def bits(self) -> int:
        """How many bits it takes."""
        return sum(self.chunks())

    def codec(self) -> tuple[Encode, Decode]:
        """Return the functions that turn a value into a number of `bits` bits, and back."""
        raise NotImplementedError

    def chunks(self) -> Iterator[int]:
        """Yield the bits of each number that machine code writes, the lowest first: up to 64 each."""
        bits = self.bits
        while bits > 64:
            yield 64
            bits -= 64
        yield bits


@define
class IntField(Field):
    """An integer of a range."""

    lo: int
    hi: int
    up: bool = False
    down: bool = False
    """Whether the greatest, or the least, value came late in the sample."""

    def widen(self) -> None:
        """Take one bit more: on the side that grew, or above and below."""
        more = (1 << (self.bits + 1)) - (self.hi - self.lo + 1)
        below = more if self.down and not self.up else more // 2
        if self.lo >= 0:  # what was never negative seldom becomes so
            below = min(below, self.lo)
        elif self.up and not self.down:
            below = 0
        self.lo, self.hi = self.lo - below, self.hi + more - below

    @property
    def bits(self) -> int:
        return (self.hi - self.lo).bit_length()

    @property
    def codes(self) -> dict[Any, int] | None:  # type: ignore[override]
        few = range(self.lo, self.hi + 1) if self.bits <= FEW_BITS else ()
        return {(int, value): number for number, value in enumerate(few)} or None

    def codec(self) -> tuple[Encode, Decode]:
        lo, hi = self.lo, self.hi

        def encode(obj: Any) -> int:
            if type(obj) is not int or not lo <= obj <= hi:
                raise LayoutError(obj)
            return obj - lo

        return encode, lambda number: lo + number

    def __str__(self) -> str:
        return f"{self.lo} to {self.hi}" if self.lo < self.hi else f"always {self.lo}"


@define
class ChoiceField(Field):
    """One of some objects: truth values, texts, members of an enum, floats, None."""

    objs: tuple[Any, ...]
    codes: dict[Any, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.codes = {(type(obj), obj): place for place, obj in enumerate(self.objs)}
        if any(isinstance(obj, complex) for obj in self.objs):  # 1 and 1 + 0j are one state, as in Python
            for place, obj in enumerate(self.objs):
                self.codes |= {(cls, obj): place for cls in (int, float, complex)}

    @property
    def bits(self) -> int:
        return (len(self.objs) - 1).bit_length()

    def codec(self) -> tuple[Encode, Decode]:
        codes, objs = self.codes, self.objs

        def encode(obj: Any) -> int:
            try:
                return codes[type(obj), obj]
            except (KeyError, TypeError):
                raise LayoutError(obj) from None

        return encode, lambda number: objs[min(number, len(objs) - 1)]

    def __str__(self) -> str:
        shown = ", ".join(repr(obj) for obj in self.objs[:4])
        return f"one of {shown}" + (f" … ({len(self.objs)})" if len(self.objs) > 4 else "")


@frozen
class MaybeField(Field):
    """A value or None: the lowest bit says whether it is None."""

    value: Field

    def chunks(self) -> Iterator[int]:
        yield 1
        yield from self.value.chunks()

    def codec(self) -> tuple[Encode, Decode]:
        encode, decode = self.value.codec()
        return (
            lambda obj: 1 if obj is None else encode(obj) << 1,
            lambda number: None if number & 1 else decode(number >> 1),
        )

    def __str__(self) -> str:
        return f"None or {self.value}"


@frozen
class TupleField(Field):
    """A tuple or an object with fields."""

    cls: Any
    names: tuple[str, ...]
    """The names of the fields; () for a plain tuple."""
    parts: tuple[Field, ...]

    def chunks(self) -> Iterator[int]:
        for part in self.parts:
            yield from part.chunks()

    def codec(self) -> tuple[Encode, Decode]:
        cls, names, count = self.cls, self.names, len(self.parts)
        encode_parts, decode_parts = _row(self.parts)

        def encode(obj: Any) -> int:
            if type(obj) is not cls or (not names and len(obj) != count):
                raise LayoutError(obj)
            return encode_parts([getattr(obj, name) for name in names] if names else obj)

        if cls is tuple:
            return encode, lambda number: tuple(decode_parts(number))
        return encode, lambda number: cls(*decode_parts(number))

    def __str__(self) -> str:
        if self.names:
            return f"{self.cls.__name__}(" + ", ".join(map("{}: {}".format, self.names, self.parts)) + ")"
        return f"({', '.join(map(str, self.parts))})"


def _row(parts: Sequence[Field]) -> tuple[Encode, Callable[[int], list[Any]]]:
    """Return the functions that put some values into one number, and take them out again."""
    places, at = [], 0
    for part in parts:
        places.append((*part.codec(), at, (1 << part.bits) - 1))
        at += part.bits

    def encode(values: Sequence[Any]) -> int:
        number = 0
        for (encode_part, _, shift, _), value in zip(places, values, strict=False):
            number |= encode_part(value) << shift
        return number

    return encode, lambda number: [decode(number >> shift & mask) for _, decode, shift, mask in places]


@frozen
class SequenceField(Field):
    """A tuple, text or bytes of equal elements, of a fixed length or up to `most`: the length, then the elements."""

    cls: Any
    element: Field
    least: int
    most: int

    @property
    def length_bits(self) -> int:
        """The bits of the length."""
        return (self.most - self.least).bit_length()

    def chunks(self) -> Iterator[int]:
        yield self.length_bits
        for _ in range(self.most):
            yield from self.element.chunks()

    def codec(self) -> tuple[Encode, Decode]:
        cls, least, most, bits = self.cls, self.least, self.most, self.length_bits
        encode_items, decode_items = _row([self.element] * most)
        width = self.element.bits
        codes = self.element.codes if width else None
        shifts = range(bits, bits + most * width, width or 1)

        def encode(obj: Any) -> int:
            if type(obj) is not cls or not least <= len(obj) <= most:
                raise LayoutError(obj)
            if codes is None:
                return len(obj) - least | encode_items(obj) << bits
            try:  # several times as fast
                numbers = map(codes.__getitem__, zip(map(type, obj), obj, strict=True))
                items: int = sum(map(lshift, numbers, shifts))
                return len(obj) - least | items
            except (KeyError, TypeError):
                raise LayoutError(obj) from None

        def decode(number: int) -> Any:
            values = decode_items(number >> bits)[: least + (number & (1 << bits) - 1)]
            return "".join(values) if cls is str else cls(values)

        return encode, decode

    def __str__(self) -> str:
        count = f"{self.most}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.cls.__name__} of {count} × ({self.element})"


@define
class SetField(Field):
    """A frozenset whose members are some objects: a bit for each."""

    objs: tuple[Any, ...]

    @property
    def bits(self) -> int:
        return len(self.objs)

    def codec(self) -> tuple[Encode, Decode]:
        objs, bit = self.objs, {obj: 1 << place for place, obj in enumerate(self.objs)}

        def encode(obj: Any) -> int:
            if type(obj) is not frozenset or not obj <= bit.keys():
                raise LayoutError(obj)
            return sum(bit[member] for member in obj)

        return encode, lambda number: frozenset(obj for place, obj in enumerate(objs) if number >> place & 1)

    def __str__(self) -> str:
        shown = ", ".join(repr(obj) for obj in self.objs[:3])
        return f"set of up to {len(self.objs)} ({shown}{' …' if len(self.objs) > 3 else ''})"


# -- from values to fields


def infer(values: Sequence[Any], early: int | None = None, path: str = "a state") -> Field:
    """Return the field that has room for values, in the order in which they were seen.

    What still grew in the second half of the sample is made wider.

    Args:
        values: all values of the field.
        early: how many of them came in the first half.
        path: what they are called in errors.

    Raises:
        TranslationError: there is no such field.

    """
    early = len(values) // 2 if early is None else early
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return ChoiceField((False, True))
    if kinds == {int}:
        return _int_field(values, early)
    if type(None) in kinds and len(kinds) == 2 and not kinds & {str}:
        some = [value for value in values if value is not None]
        return MaybeField(infer(some, sum(value is not None for value in values[:early]), path))
    if len(kinds) == 1:
        cls = next(iter(kinds))
        if cls is str and (found := _text_field(values, early)) is not None:
            return found
        if cls is bytes:
            flat = [letter for value in values for letter in value]
            return _sequence(
                bytes, values, infer(flat, None, f"{path}[i]") if flat else IntField(0, 0), early
            )
        if cls is frozenset:
            return _set_field(values, early, path)
        if issubclass(cls, tuple) or (field_names(cls) and not hasattr(cls, "_value_")):
            return _tuple_field(values, early, path, cls)
    return _choice_field(values, path)


def _int_field(values: Sequence[int], early: int) -> Field:
    lo, hi = min(values), max(values)
    if lo == hi:
        return IntField(lo, hi)
    first = values[:early] or values
    up, down = max(first) < hi, min(first) > lo
    span = hi - lo
    least = lo - span if down else lo
    return IntField(
        max(0, least) if lo >= 0 else least, hi + max(4, span) if up else hi, up, down and lo != 0
    )


def _text_field(values: Sequence[str], early: int) -> Field | None:
    """Return the field of a text that is a board of letters; None if it is one of a few words."""
    distinct = set(values)
    letters = sorted({letter for value in distinct for letter in value})
    if len(distinct) <= 40 or len(letters) > MAX_LETTERS or len(distinct) <= 4 * len(letters):
        return None
    return _sequence(str, values, ChoiceField(tuple(letters)), early)


def _sequence(cls: Any, values: Sequence[Any], element: Field, early: int) -> Field:
    lengths = [len(value) for value in values]
    least, most = min(lengths), max(lengths)
    if least < most:
        least = 0
        if max(lengths[:early] or lengths) < most:
            most += max(4, most // 2)
    return SequenceField(cls, element, least, most)


def _set_field(values: Sequence[frozenset[Any]], early: int, path: str) -> Field:
    members = {member for value in values for member in value}
    if any(isinstance(member, float) for member in members):
        raise TranslationError(f"{path}: a set of floats")
    first = {member for value in values[:early] for member in value}
    if members != first or len({len(value) for value in values}) == 1:
        members |= set(_box(members))
    if len(members) > MAX_MASK:
        raise TranslationError(
            f"{path} is a set of {len(members)} possible members, and there is room for {MAX_BITS}"
        )
    return SetField(tuple(ordered(members)))


def _box(members: set[Any], most: int = 130) -> Iterable[Any]:
    """Yield what lies between the least and the greatest members, which may come later."""
    if members and all(map(is_int, members)):
        lo, hi = min(members), max(members)
        return range(lo, hi + 1) if hi - lo < most else ()
    rows = [member for member in members if type(member) is tuple and all(map(is_int, member))]
    if not rows or len(rows) < len(members) or len({len(row) for row in rows}) != 1:
        return ()
    for margin in (1, 0):
        ranges = [range(min(column) - margin, max(column) + 1 + margin) for column in zip(*rows, strict=True)]
        if prod(map(len, ranges)) <= most:
            return product(*ranges)
    return ()


def _tuple_field(values: Sequence[Any], early: int, path: str, cls: Any) -> Field:
    names = tuple(field_names(cls)) if cls is not tuple else ()
    if cls is not tuple and cls.__eq__ is object.__eq__:
        raise TranslationError(
            f"{path}: two objects of {cls.__name__} are equal only if they are one; give it __eq__"
        )
    ignored = [
        each.name
        for each in [*getattr(cls, "__dataclass_fields__", {}).values(), *getattr(cls, "__attrs_attrs__", ())]
        if not getattr(each, "compare", getattr(each, "eq", True))
    ]
    if ignored:
        raise TranslationError(
            f"{path}: {cls.__name__}.{ignored[0]} is not compared, so different objects are equal; keep it elsewhere"
        )
    if not names:
        flat = [part for value in values for part in value]
        lengths = {len(value) for value in values}
        is_uniform = len({type(part) for part in flat}) <= 1
        if len(lengths) > 1 and not is_uniform and len({type(part) for part in flat} - {type(None)}) > 1:
            raise TranslationError(f"{path}: tuples of several lengths whose parts are of several kinds")
        if len(lengths) > 1 or (is_uniform and (min(lengths) >= 5 or max(lengths) == 0)):
            half = sum(len(value) for value in values[:early])
            element = infer(flat, half, f"{path}[i]") if flat else IntField(0, 0)
            return _sequence(tuple, values, element, early)
    rows = [[getattr(value, name) for name in names] for value in values] if names else values
    columns = list(zip(*rows, strict=True))
    labels = [f"{path}.{name}" for name in names] or [f"{path}[{place}]" for place in range(len(columns))]
    parts = [infer(column, early, label) for column, label in zip(columns, labels, strict=True)]
    return TupleField(cls, names, tuple(parts))


def _choice_field(values: Sequence[Any], path: str) -> Field:
    for value in values:
        if isinstance(value, list | dict | set | bytearray) or type(value).__hash__ is None:
            raise TranslationError(f"{path}: a {type(value).__name__} can't be part of a state")
        is_plain = isinstance(value, int | str | float | bytes | tuple | frozenset | type(None))
        if not is_plain and not hasattr(value, "_value_") and type(value).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
            raise TranslationError(
                f"{path}: objects of the class {type(value).__name__}, whose fields are not known"
            )
    distinct = list(dict.fromkeys(values))
    if len(distinct) > MAX_CHOICES or (len(values) > 200 and len(distinct) > 0.6 * len(values)):
        raise TranslationError(
            f"{path} has {len(distinct)} different values that are not numbers, such as {distinct[0]!r}"[:200]
        )
    if len({type(value) for value in distinct} & {int, bool, float}) > 1:
        raise TranslationError(f"{path} is sometimes an integer and sometimes a float or truth value")
    return ChoiceField(tuple(distinct))


# -- places in words


@define(slots=False)
class Layout:
    """A field for the whole state, and where its numbers are: first bit and bits of each, in the order of encoding."""

    root: Field
    places: list[tuple[int, int]] = field(init=False)
    bits: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._widen()
        self.places, at = [], 0
        for bits in self.root.chunks():
            self.places.append((at, bits))
            at += bits
        self.bits = at
        if at > MAX_BITS:
            raise TranslationError(f"a state takes {at} bits, and there is room for {MAX_BITS}")

    def _widen(self) -> None:
        """Use the bits that are left over in the words for integers, a bit for each in turn."""
        integers = [each for each in _fields(self.root) if isinstance(each, IntField)]
        room = self.root.bits + -self.root.bits % 64
        for round_ in range(24):
            for each in integers:
                before = each.lo, each.hi
                if round_ < 4 or each.up or each.down:
                    each.widen()
                if self.root.bits > room:
                    each.lo, each.hi = before

    @cached_property
    def codec(self) -> tuple[Encode, Decode]:
        """The functions behind `pack` and `unpack`."""
        return self.root.codec()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "codec"}

    @property
    def words(self) -> int:
        """How many words of 64 bits a state takes."""
        return max(1, -(-self.bits // 64))

    @property
    def placeholder(self) -> int | None:
        """The number that kernels take for no state, if a state could have it; None if the words have room to spare."""
        return (1 << self.bits) - 1 if self.bits % 64 == 0 and self.bits else None

    def pack(self, state: Any) -> int:
        """Return a state as a number. Raises `LayoutError`."""
        number = self.codec[0](state)
        if number == self.placeholder:
            raise LayoutError(state)
        return number

    def unpack(self, number: int) -> Any:
        """Return the state of a number."""
        return self.codec[1](number)


def _fields(root: Field) -> Iterator[Field]:
    yield root
    for part in getattr(root, "parts", ()):
        yield from _fields(part)
    for name in ("element", "value"):
        if isinstance(getattr(root, name, None), Field):
            yield from _fields(getattr(root, name))
