"""From states that were seen to a layout: the type of a state, and where its numbers are in words of 64 bits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import accumulate, chain, product
from math import prod
from operator import lshift
from typing import Any

from attrs import define, field, frozen

from searchkit.translate.source import field_names
from searchkit.translate.values import (
    MAX_MASK,
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
    is_int,
    ordered,
)

MAX_BITS = 256
"""The most bits of a state: kernels take four words."""
MAX_CHOICES = 4096
"""The most different values of a part that are not numbers."""
MAX_LETTERS = 64
FEW_BITS = 10
"""Integers of so few bits are looked up when they are elements of a sequence."""
Encode = Callable[[Any], int]
"""Turns a value into a number. Raises `LayoutError`."""
Decode = Callable[[int], Any]
"""Turns the number back into an equal value."""


class LayoutError(ValueError):
    """A value that the layout has no room for."""


@frozen(eq=False)
class Range(Int):
    """An integer that is part of a state."""

    up: bool = False
    down: bool = False
    """Whether the greatest, or the least, value came late in the sample."""

    def widened(self) -> "Range":
        """Return a range of one bit more: on the side that grew, or above and below."""
        more = (2 << bits_of(self)) - (self.hi - self.lo + 1)
        below = more if self.down and not self.up else more // 2
        if self.lo >= 0:  # what was never negative seldom becomes so
            below = min(below, self.lo)
        elif self.up and not self.down:
            below = 0
        return Range(self.lo - below, self.hi + more - below, "", self.up, self.down)


# -- the numbers that a value of a type is


def chunks(kind: Value) -> Iterator[int]:
    """Yield the bits of each number that machine code writes for a value, the lowest first: up to 64 each."""
    match kind:
        case Tuple(items):
            for item in items:
                yield from chunks(item)
        case Maybe(value):  # the lowest bit says whether it is None
            yield 1
            yield from chunks(value)
        case Array(element, capacity, length):
            yield _span(length)
            yield from [*chunks(element)] * capacity
        case _:
            bits = _span(kind)
            while bits > 64:
                yield 64
                bits -= 64
            yield bits


def _span(kind: Value) -> int:
    """Return the bits of a number, of the place of an object among some, or of a set of some objects."""
    match kind:
        case OneOf(objs):
            return (len(objs) - 1).bit_length()
        case Members(objs):
            return len(objs)
    lo, hi = bounds(kind)
    return (hi - lo).bit_length()


def bits_of(kind: Value) -> int:
    """Return how many bits a value takes."""
    return sum(chunks(kind))


def codes_of(objs: Sequence[Any]) -> dict[Any, int]:
    """Return the places of some objects by their types and values."""
    codes = {(type(obj), obj): place for place, obj in enumerate(objs)}
    if any(isinstance(obj, complex) for obj in objs):  # 1 and 1 + 0j are one state, as in Python
        for place, obj in enumerate(objs):
            codes |= {(cls, obj): place for cls in (int, float, complex)}
    return codes


def _few(kind: Value) -> Sequence[Any]:
    """Return all values of a type, if these are few and no parts of others; else nothing."""
    match kind:
        case OneOf(objs):
            return objs
        case Bool():
            return (False, True)
        case Int(lo, hi) if bits_of(kind) <= FEW_BITS:
            return range(lo, hi + 1)
    return ()


def codec(kind: Value) -> tuple[Encode, Decode]:
    """Return the functions that turn a value into a number, and back."""
    match kind:
        case Int(lo, hi):
            return _codec_of_integer(lo, hi)
        case Maybe(value):
            encode, decode = codec(value)
            return (
                lambda obj: 1 if obj is None else encode(obj) << 1,
                lambda number: None if number & 1 else decode(number >> 1),
            )
        case Tuple(items, cls):
            return _codec_of_parts(items, cls)
        case Array(element, capacity, length, cls):
            return _codec_of_sequence(element, bounds(length)[0], capacity, cls)
        case Members(objs):
            return _codec_of_set(objs)
    return _codec_of_choice(_few(kind))


def _codec_of_integer(lo: int, hi: int) -> tuple[Encode, Decode]:
    def encode(obj: Any) -> int:
        if type(obj) is not int or not lo <= obj <= hi:
            raise LayoutError(obj)
        return obj - lo

    return encode, lambda number: lo + number


def _codec_of_choice(objs: Sequence[Any]) -> tuple[Encode, Decode]:
    codes = codes_of(objs)

    def encode(obj: Any) -> int:
        try:
            return codes[type(obj), obj]
        except (KeyError, TypeError):
            raise LayoutError(obj) from None

    return encode, lambda number: objs[min(number, len(objs) - 1)]


def _codec_of_parts(items: Sequence[Value], cls: Any) -> tuple[Encode, Decode]:
    names = field_names(cls) if cls is not tuple else []
    encode_parts, decode_parts = _row(items)

    def encode(obj: Any) -> int:
        if type(obj) is not cls or (not names and len(obj) != len(items)):
            raise LayoutError(obj)
        return encode_parts([getattr(obj, name) for name in names] if names else obj)

    if cls is tuple:
        return encode, lambda number: tuple(decode_parts(number))
    return encode, lambda number: cls(*decode_parts(number))


def _row(parts: Sequence[Value]) -> tuple[Encode, Callable[[int], list[Any]]]:
    """Return the functions that put some values into one number, and take them out again."""
    places, at = [], 0
    for part in parts:
        places.append((*codec(part), at, (1 << bits_of(part)) - 1))
        at += bits_of(part)

    def encode(values: Sequence[Any]) -> int:
        number = 0
        for (encode_part, _, shift, _), value in zip(places, values, strict=False):
            number |= encode_part(value) << shift
        return number

    return encode, lambda number: [decode(number >> shift & mask) for _, decode, shift, mask in places]


def _codec_of_sequence(element: Value, least: int, most: int, cls: Any) -> tuple[Encode, Decode]:
    encode_items, decode_items = _row([element] * most)
    bits, width = (most - least).bit_length(), bits_of(element)
    codes = codes_of(_few(element)) if width else {}
    shifts = range(bits, bits + most * width, width or 1)

    def encode(obj: Any) -> int:
        if type(obj) is not cls or not least <= len(obj) <= most:
            raise LayoutError(obj)
        if not codes:
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


def _codec_of_set(objs: Sequence[Any]) -> tuple[Encode, Decode]:
    bit = {obj: 1 << place for place, obj in enumerate(objs)}

    def encode(obj: Any) -> int:
        if type(obj) is not frozenset or not obj <= bit.keys():
            raise LayoutError(obj)
        return sum(bit[member] for member in obj)

    return encode, lambda number: frozenset(obj for place, obj in enumerate(objs) if number >> place & 1)


def shown(kind: Value) -> str:
    """Return a type as it is printed."""
    match kind:
        case Int(lo, hi):
            return f"{lo} to {hi}" if lo < hi else f"always {lo}"
        case Maybe(value):
            return f"None or {shown(value)}"
        case Tuple(items, cls):
            if cls is tuple:
                return f"({', '.join(map(shown, items))})"
            pairs = zip(field_names(cls), map(shown, items), strict=True)
            return f"{cls.__name__}({', '.join(map(': '.join, pairs))})"
        case Array(element, most, length, cls):
            least = bounds(length)[0]
            count = f"{most}" if least == most else f"{least} to {most}"
            return f"{cls.__name__} of {count} × ({shown(element)})"
        case Members(objs):
            return f"set of up to {len(objs)} ({', '.join(map(repr, objs[:3]))}{' …' * (len(objs) > 3)})"
    few = _few(kind)
    return f"one of {', '.join(map(repr, few[:4]))}" + (f" … ({len(few)})" if len(few) > 4 else "")


# -- from values to types


def infer(values: Sequence[Any], early: int | None = None, path: str = "a state") -> Value:
    """Return the type that has room for values, in the order in which they were seen.

    What still grew in the second half of the sample is made wider.

    Args:
        values: all values of the part of a state.
        early: how many of them came in the first half.
        path: what they are called in errors.

    Raises:
        TranslationError: there is no such type.

    """
    early = len(values) // 2 if early is None else early
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return Bool()
    if kinds == {int}:
        return _range(values, early)
    if type(None) in kinds and len(kinds) == 2 and not kinds & {str}:
        some = [value for value in values if value is not None]
        return Maybe(infer(some, sum(value is not None for value in values[:early]), path))
    if len(kinds) == 1:
        cls = next(iter(kinds))
        if cls is str and (found := _text(values, early)) is not None:
            return found
        if cls is bytes:
            flat = [letter for value in values for letter in value]
            return _sequence(bytes, values, infer(flat, None, f"{path}[i]") if flat else Range(0, 0), early)
        if cls is frozenset:
            return _set(values, early, path)
        if issubclass(cls, tuple) or (field_names(cls) and not hasattr(cls, "_value_")):
            return _parts(values, early, path, cls)
    return _choice(values, path)


def _range(values: Sequence[int], early: int) -> Value:
    lo, hi = min(values), max(values)
    if lo == hi:
        return Range(lo, hi)
    first = values[:early] or values
    up, down = max(first) < hi, min(first) > lo
    span = hi - lo
    least = lo - span if down else lo
    most = hi + max(4, span) if up else hi
    return Range(max(0, least) if lo >= 0 else least, most, "", up, down and lo != 0)


def _text(values: Sequence[str], early: int) -> Value | None:
    """Return the type of a text that is a board of letters; None if it is one of a few words."""
    distinct = set(values)
    letters = sorted({letter for value in distinct for letter in value})
    if len(distinct) <= 40 or len(letters) > MAX_LETTERS or len(distinct) <= 4 * len(letters):
        return None
    return _sequence(str, values, OneOf(tuple(letters)), early)


def _sequence(cls: Any, values: Sequence[Any], element: Value, early: int) -> Value:
    lengths = [len(value) for value in values]
    least, most = min(lengths), max(lengths)
    if least < most:
        least = 0
        if max(lengths[:early] or lengths) < most:
            most += max(4, most // 2)
    return Array(element, most, Known(most) if least == most else Int(least, most), cls)


def _set(values: Sequence[frozenset[Any]], early: int, path: str) -> Value:
    members = {member for value in values for member in value}
    if any(isinstance(member, float) for member in members):
        raise TranslationError(f"{path}: a set of floats")
    first = {member for value in values[:early] for member in value}
    if members != first or len({len(value) for value in values}) == 1:
        members |= set(_box(members))
    if len(members) > MAX_MASK:
        raise TranslationError(
            f"{path} is a set of {len(members)} possible members, and there is room for {MAX_BITS}; "
            "a tuple that says where each thing is may take less"
        )
    return Members(tuple(ordered(members)))


def _box(members: set[Any], most: int = 130) -> Iterable[Any]:
    """Return what may come later: what lies between the least and the greatest members, or has parts that they have.

    Tuples that begin with the same text, such as the name of a relation, are of one kind.
    """
    if members and all(map(is_int, members)):
        lo, hi = min(members), max(members)
        return range(lo, hi + 1) if hi - lo < most else ()
    kinds: dict[Any, list[Any]] = {}
    for member in members:
        if type(member) is not tuple:
            return ()
        relation = member[:1] if member and isinstance(member[0], str) else ()
        kinds.setdefault((len(member), relation), []).append(member)
    for margin in (1, 0):
        boxes = [[_column(column, margin) for column in zip(*rows, strict=True)] for rows in kinds.values()]
        if sum(prod(map(len, box)) for box in boxes) <= most:
            return chain.from_iterable(product(*box) for box in boxes)
    return ()


def _column(values: Sequence[Any], margin: int) -> Sequence[Any]:
    """Return what may stand in a column: numbers in an interval, or one of the values."""
    if all(map(is_int, values)):
        return range(min(values) - margin, max(values) + 1 + margin)
    return list(dict.fromkeys(values))


def _parts(values: Sequence[Any], early: int, path: str, cls: Any) -> Value:
    names = field_names(cls) if cls is not tuple else []
    if cls is not tuple and not names:
        raise TranslationError(f"{path}: {cls.__name__} is a subclass of tuple; write a NamedTuple")
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
            element = infer(flat, half, f"{path}[i]") if flat else Range(0, 0)
            return _sequence(tuple, values, element, early)
    rows = [[getattr(value, name) for name in names] for value in values] if names else values
    columns = list(zip(*rows, strict=True))
    labels = [f"{path}.{name}" for name in names] or [f"{path}[{place}]" for place in range(len(columns))]
    parts = [infer(column, early, label) for column, label in zip(columns, labels, strict=True)]
    return Tuple(parts, cls)


def _choice(values: Sequence[Any], path: str) -> Value:
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
        if hasattr(distinct[0], "__dict__"):
            raise TranslationError(
                f"{path}: objects of the class {type(distinct[0]).__name__}, whose __init__ does more than store its "
                "arguments; a frozen dataclass can be translated"
            )
        raise TranslationError(
            f"{path} has {len(distinct)} different values that are not numbers, such as {distinct[0]!r}"[:200]
        )
    if len({type(value) for value in distinct} & {int, bool, float}) > 1:
        raise TranslationError(f"{path} is sometimes an integer and sometimes a float or truth value")
    return OneOf(tuple(distinct))


# -- places in words


def _widened(root: Value) -> Value:
    """Use the bits that are left over in the words for integers, a bit for each in turn."""
    spare = -bits_of(root) % 64

    def wider(is_early: bool, each: Range, count: int) -> Range:
        nonlocal spare
        if count > spare or not (is_early or each.up or each.down):
            return each
        spare -= count
        return each.widened()

    for round_ in range(24):
        root = _changed(root, partial(wider, round_ < 4))
    return root


def _changed(kind: Value, change: Callable[[Range, int], Range], count: int = 1) -> Value:
    """Return a type with other ranges; `change` gets each, and how many there are of it."""
    match kind:
        case Range():
            return change(kind, count)
        case Tuple(items, cls):
            return Tuple([_changed(item, change, count) for item in items], cls)
        case Maybe(value):
            return Maybe(_changed(value, change, count))
        case Array(element, most, length, cls):
            return Array(_changed(element, change, count * most), most, length, cls)
    return kind


@define(slots=False)
class Layout:
    """The type of a state, and where its numbers are: first bit and bits of each, in the order of `chunks`."""

    root: Value = field(converter=_widened)
    unused: int = 0
    """Bits that no state has."""
    places: list[tuple[int, int]] = field(init=False)
    bits: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        sizes = [*chunks(self.root)]
        self.places = [*zip(accumulate(sizes, initial=0), sizes, strict=False)]
        self.bits = sum(sizes) + self.unused
        if self.bits > MAX_BITS:
            raise TranslationError(f"a state takes {self.bits} bits, and there is room for {MAX_BITS}")

    @cached_property
    def codec(self) -> tuple[Encode, Decode]:
        """The functions behind `pack` and `unpack`."""
        return codec(self.root)

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

    def needs_room(self, states: Iterable[Any]) -> bool:
        """Whether one of some states is the placeholder, so that a bit more is needed."""
        with suppress(LayoutError):
            return self.placeholder is not None and self.placeholder in map(self.codec[0], states)
        return False

    def pack(self, state: Any) -> int:
        """Return a state as a number. Raises `LayoutError`."""
        number = self.codec[0](state)
        if number == self.placeholder:
            raise LayoutError(state)
        return number

    def unpack(self, number: int) -> Any:
        """Return the state of a number."""
        return self.codec[1](number)
