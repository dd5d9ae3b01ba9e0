"""From states that were seen to a layout: the fields of a state, their ranges, and their places in words of 64 bits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from attrs import define, field, frozen

from searchkit.translate.source import field_names
from searchkit.translate.values import MAX_MASK, TranslationError, is_int, ordered

MAX_BITS = 256
"""The most bits of a state: kernels take four words."""
MAX_CHOICES = 4096
"""The most different values of a field that are no numbers."""
MAX_LETTERS = 64
Put = Callable[[int, int], None]
"""Takes a number and its bits."""
Get = Callable[[int], int]


class LayoutError(ValueError):
    """A value that the layout has no room for."""


class Field:
    """A part of a state."""

    @property
    def bits(self) -> int:
        """How many bits it takes."""
        raise NotImplementedError

    def encode(self, obj: Any, put: Put) -> None:
        """Write a value; raises `LayoutError`."""
        raise NotImplementedError

    def decode(self, get: Get) -> Any:
        """Read a value."""
        raise NotImplementedError

    def chunks(self) -> Iterator[int]:
        """Yield the bits of each number that is written."""
        yield self.bits

    def zero(self, put: Put) -> None:
        """Write what stands for nothing."""
        for bits in self.chunks():
            put(0, bits)


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

    def chunks(self) -> Iterator[int]:
        bits = self.bits
        while bits > 64:
            yield 64
            bits -= 64
        yield bits

    def encode(self, obj: Any, put: Put) -> None:
        if type(obj) is not int or not self.lo <= obj <= self.hi:
            raise LayoutError(obj)
        number = obj - self.lo
        for bits in self.chunks():
            put(number & (1 << bits) - 1, bits)
            number >>= bits

    def decode(self, get: Get) -> Any:
        number = shift = 0
        for bits in self.chunks():
            number |= get(bits) << shift
            shift += bits
        return self.lo + number

    def __str__(self) -> str:
        return f"{self.lo} to {self.hi}" if self.lo < self.hi else f"always {self.lo}"


@frozen
class BoolField(Field):
    """A truth value."""

    bits = 1

    def encode(self, obj: Any, put: Put) -> None:
        if type(obj) is not bool:
            raise LayoutError(obj)
        put(int(obj), 1)

    def decode(self, get: Get) -> Any:
        return bool(get(1))

    def __str__(self) -> str:
        return "true or false"


@define
class ChoiceField(Field):
    """One of some objects: texts, members of an enum, floats, None."""

    objs: tuple[Any, ...]
    places: dict[Any, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = {(type(obj), obj): place for place, obj in enumerate(self.objs)}

    @property
    def bits(self) -> int:
        return (len(self.objs) - 1).bit_length()

    def encode(self, obj: Any, put: Put) -> None:
        try:
            put(self.places[type(obj), obj], self.bits)
        except (KeyError, TypeError):
            raise LayoutError(obj) from None

    def decode(self, get: Get) -> Any:
        return self.objs[min(get(self.bits), len(self.objs) - 1)]

    def __str__(self) -> str:
        shown = ", ".join(repr(obj) for obj in self.objs[:4])
        return f"one of {shown}" + (f" … ({len(self.objs)})" if len(self.objs) > 4 else "")


@frozen
class MaybeField(Field):
    """A value or None."""

    value: Field

    @property
    def bits(self) -> int:
        return 1 + self.value.bits

    def chunks(self) -> Iterator[int]:
        yield 1
        yield from self.value.chunks()

    def encode(self, obj: Any, put: Put) -> None:
        put(int(obj is None), 1)
        if obj is None:
            self.value.zero(put)
        else:
            self.value.encode(obj, put)

    def decode(self, get: Get) -> Any:
        none = get(1)
        value = self.value.decode(get)
        return None if none else value

    def __str__(self) -> str:
        return f"None or {self.value}"


@frozen
class TupleField(Field):
    """A tuple or an object with fields."""

    cls: Any
    names: tuple[str, ...]
    """The names of the fields; () for a plain tuple."""
    parts: tuple[Field, ...]

    @property
    def bits(self) -> int:
        return sum(part.bits for part in self.parts)

    def chunks(self) -> Iterator[int]:
        for part in self.parts:
            yield from part.chunks()

    def encode(self, obj: Any, put: Put) -> None:
        if type(obj) is not self.cls or (not self.names and len(obj) != len(self.parts)):
            raise LayoutError(obj)
        values = [getattr(obj, name) for name in self.names] if self.names else obj
        for part, value in zip(self.parts, values, strict=True):
            part.encode(value, put)

    def decode(self, get: Get) -> Any:
        values = [part.decode(get) for part in self.parts]
        return tuple(values) if self.cls is tuple else self.cls(*values)

    def __str__(self) -> str:
        if self.names:
            return f"{self.cls.__name__}(" + ", ".join(map("{}: {}".format, self.names, self.parts)) + ")"
        return f"({', '.join(map(str, self.parts))})"


@frozen
class SequenceField(Field):
    """A tuple, text or bytes of equal elements, of a fixed length or up to `most`."""

    cls: Any
    element: Field
    least: int
    most: int

    @property
    def length_bits(self) -> int:
        """The bits of the length."""
        return (self.most - self.least).bit_length()

    @property
    def bits(self) -> int:
        return self.length_bits + self.most * self.element.bits

    def chunks(self) -> Iterator[int]:
        yield self.length_bits
        for _ in range(self.most):
            yield from self.element.chunks()

    def encode(self, obj: Any, put: Put) -> None:
        if type(obj) is not self.cls or not self.least <= len(obj) <= self.most:
            raise LayoutError(obj)
        put(len(obj) - self.least, self.length_bits)
        for value in obj:
            self.element.encode(value, put)
        for _ in range(self.most - len(obj)):
            self.element.zero(put)

    def decode(self, get: Get) -> Any:
        length = get(self.length_bits) + self.least
        values = [self.element.decode(get) for _ in range(self.most)][:length]
        return "".join(values) if self.cls is str else self.cls(values)

    def __str__(self) -> str:
        count = f"{self.most}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.cls.__name__} of {count} × ({self.element})"


@define
class SetField(Field):
    """A frozenset whose members are some objects: a bit for each."""

    objs: tuple[Any, ...]
    places: dict[Any, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = {obj: place for place, obj in enumerate(self.objs)}

    @property
    def bits(self) -> int:
        return len(self.objs)

    def chunks(self) -> Iterator[int]:
        for start in range(0, len(self.objs), 64):
            yield min(64, len(self.objs) - start)

    def encode(self, obj: Any, put: Put) -> None:
        if type(obj) is not frozenset or not obj <= self.places.keys():
            raise LayoutError(obj)
        mask = sum(1 << self.places[member] for member in obj)
        for bits in self.chunks():
            put(mask & (1 << bits) - 1, bits)
            mask >>= bits

    def decode(self, get: Get) -> Any:
        mask = shift = 0
        for bits in self.chunks():
            mask |= get(bits) << shift
            shift += bits
        return frozenset(obj for place, obj in enumerate(self.objs) if mask >> place & 1)

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
        return BoolField()
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
            f"{path} has {len(distinct)} different values that are no numbers, such as {distinct[0]!r}"[:200]
        )
    if len({type(value) for value in distinct} & {int, bool, float}) > 1:
        raise TranslationError(f"{path} is sometimes an integer and sometimes a float or truth value")
    return ChoiceField(tuple(distinct))


# -- places in words


@define
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
        for round_ in range(24):
            for each in integers:
                left = -self.root.bits % 64
                if _copies(self.root, each) <= left and (round_ < 4 or each.up or each.down):
                    each.widen()

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
        number, at = 0, 0

        def put(value: int, bits: int) -> None:
            nonlocal number, at
            number |= value << at
            at += bits

        self.root.encode(state, put)
        if number == self.placeholder:
            raise LayoutError(state)
        return number

    def unpack(self, number: int) -> Any:
        """Return the state of a number."""

        def get(bits: int) -> int:
            nonlocal number
            value = number & (1 << bits) - 1
            number >>= bits
            return value

        return self.root.decode(get)


def _fields(root: Field) -> Iterator[Field]:
    yield root
    for part in getattr(root, "parts", ()):
        yield from _fields(part)
    for name in ("element", "value"):
        if isinstance(getattr(root, name, None), Field):
            yield from _fields(getattr(root, name))


def _copies(root: Field, wanted: Field) -> int:
    """Return how often a field is written."""
    if root is wanted:
        return 1
    if isinstance(root, TupleField):
        return sum(_copies(part, wanted) for part in root.parts)
    if isinstance(root, SequenceField):
        return root.most * _copies(root.element, wanted)
    return _copies(root.value, wanted) if isinstance(root, MaybeField) else 0
