"""States as numbers: named fields with ranges, packed into words of 64 bits.

    LAYOUT = Layout(x=range(100), y=range(80), keys=set("abc"))
    X, Y, KEYS = LAYOUT.fields

`LAYOUT.pack` and `LAYOUT.unpack` are those of a compiled view. A compiled function reads and
writes the fields of a packed state with the same words as Python: `X.get(state)`, `X.set(state, 5)`. It is as fast as
shifts and masks written by hand, as it becomes them. Needs no extra; compiled code needs `fast`.
"""

from collections import namedtuple
from collections.abc import Iterable, Sequence
from operator import index as whole
from typing import Any, TypeAlias

from attrs import frozen

from searchkit.errors import InvalidOptionError, MissingCapabilityError, PackingError

WORD = 64
MOST_WORDS = 4
MOST_BITS = 63
"""The most bits of a field: in compiled code its values are signed integers of 64 bits."""
FAR = 1 << 62
"""More elements than an array has."""
Values: TypeAlias = int | range | set[Any] | frozenset[Any]


@frozen
class Field:
    """Some bits of a packed state, or an array of fields of one kind. No field straddles words.

    Compiled code takes and gives signed integers, and checks nothing: a set is its bits there. Give the index of an
    element to `get` and `set` of an array only.
    """

    name: str
    values: range | tuple[Any, ...]
    """The possible values; for a set, the possible members, of which the first is the lowest bit."""
    word: int
    shift: int
    count: int | None = None
    """The number of elements of an array; None if it is none."""
    per_word: int = FAR
    """The number of elements in each word of an array that takes several words; they begin at the lowest bit."""

    @property
    def bits(self) -> int:
        """The number of bits of the field, or of an element."""
        return _width(self.values)

    def bit(self, index: int = 0) -> int:
        """Return the place of the lowest bit of the field, or of an element, in a packed state."""
        word, place = divmod(index, self.per_word)
        return WORD * (self.word + word) + self.shift + self.bits * place

    def get(self, state: int, index: int = 0) -> Any:
        """Return the value of the field, or of an element. Raises `PackingError` for bits that are no value."""
        number = state >> self.bit(index) & (1 << self.bits) - 1
        if isinstance(self.values, tuple):
            return frozenset([member for place, member in enumerate(self.values) if number >> place & 1])
        try:
            return self.values[number]
        except IndexError:
            raise PackingError(
                f"{state} is not a packed state: its {self.name} would be value number {number} of {self._expected}"
            ) from None

    def set(self, state: int, *value: Any) -> int:
        """Return the packed state with another value, which may come after an index.

        In compiled code, a state of several words is an array: it is changed, and nothing is returned. Raises
        `PackingError` for a value that the field can't have.
        """
        *index, changed = value
        at = self.bit(*index)
        return state & ~((1 << self.bits) - 1 << at) | self._number(changed, *index) << at

    def pack(self, value: Any) -> int:
        """Return the packed state that has this value, or these of an array, and zeros otherwise.

        Raises `PackingError`.
        """
        if self.count is None:
            return self._number(value) << self.bit()
        values = tuple(value)
        if len(values) != self.count:
            raise PackingError(f"{self.name}={value!r}: expected {self.count} values, got {len(values)}")
        return sum([self._number(one, index) << self.bit(index) for index, one in enumerate(values)])

    def unpack(self, state: int) -> Any:
        """Return the value in a packed state, or the tuple of those of an array."""
        return (
            self.get(state) if self.count is None else tuple([self.get(state, i) for i in range(self.count)])
        )

    def _number(self, value: Any, *index: int) -> int:
        try:
            if isinstance(self.values, tuple):
                return sum([1 << self.values.index(member) for member in frozenset(value)])
            return self.values.index(whole(value))
        except (TypeError, ValueError):
            raise PackingError(f"{self.name}{[*index] or ''}={value!r}: expected {self._expected}") from None

    @property
    def _expected(self) -> str:
        return f"{'a set of some' if isinstance(self.values, tuple) else 'one'} of {self.values!r}"


class Layout:
    """Where in a packed state the fields are.

    A field goes into the first word that still has room for it, in the order in which they are given, from the lowest
    bit on; an array of more than one word into words of its own.

    Args:
        fields: by name, what values each may have: a `range`, or a number n for 0 to n − 1; a set, for a field that is
            a set of some of its members; a list of equal ones of these, for an array of fields.

    Raises:
        InvalidOptionError: that is no description of a field.
        MissingCapabilityError: the fields take more than four words, or one of them more than 63 bits.

    Example:
        >>> from searchkit.compiled.layout import Layout
        >>> layout = Layout(x=range(-5, 6), keys=set("abc"), tiles=[range(9)] * 9)
        >>> packed = layout.pack((-2, {"a", "c"}, (1, 4, 2, 3, 0, 5, 6, 7, 8)))
        >>> packed
        4652122317011
        >>> layout.unpack(packed).tiles
        (1, 4, 2, 3, 0, 5, 6, 7, 8)
        >>> layout["x"].get(packed)
        -2
        >>> layout.bits, layout.words
        (43, 1)

    """

    def __init__(self, **fields: Values | Sequence[Values]):
        self._room = [WORD] * MOST_WORDS
        try:
            self.record: Any = namedtuple("State", fields)  # type: ignore[misc]  # names are data
        except ValueError as error:
            raise InvalidOptionError(f"the names of fields are those of a record: {error}") from None
        self.fields = tuple(self._placed(name, values) for name, values in fields.items())
        """The field of each name, in their order."""
        used = [number for number, room in enumerate(self._room, 1) if room < WORD]
        self.words = max(used, default=1)
        """The number of words of a state: 1 to 4."""

    @property
    def bits(self) -> int:
        """The number of bits of all fields together; there may be gaps between them."""
        return sum(WORD - room for room in self._room)

    def __getitem__(self, name: str) -> Field:
        """Return the field of that name. Raises `KeyError`."""
        of: dict[str, Field] = dict(zip(self.record._fields, self.fields, strict=True))
        return of[name]

    def pack(self, values: Iterable[Any]) -> int:
        """Return the number of a state.

        Args:
            values: what each field is, in their order: a tuple, or `record(x=…, …)`, a named tuple.

        Raises:
            PackingError: a value that its field can't have, or too few or too many of them.

        """
        given = tuple(values)
        if len(given) != len(self.fields):
            raise PackingError(
                f"{given!r}: expected {len(self.fields)} values, {', '.join(self.record._fields)}, got {len(given)}"
            )
        return sum([field.pack(value) for field, value in zip(self.fields, given, strict=True)])

    def unpack(self, state: int) -> Any:
        """Return the `record` of a number: the inverse of `pack`. Raises `PackingError` if it is not a state's."""
        if state < 0 or state >> WORD * self.words:
            raise PackingError(
                f"{state} is not a packed state: expected a number of {self.words * WORD} bits"
            )
        return self.record._make([field.unpack(state) for field in self.fields])

    def _placed(self, name: str, described: Any) -> Field:
        """Allocate the bits of a field."""
        is_array = isinstance(described, list | tuple)
        if is_array and any(one != described[0] for one in described):
            raise InvalidOptionError(f"{name}={described!r}: expected a list of equal descriptions of fields")
        count = len(described) if is_array else 1
        values = _values(name, (described or [1])[0] if is_array else described)
        width = _width(values)
        per_word = max(1, WORD // max(width, 1))
        words = max(1, -(-count // per_word)) if width else 1
        needed = min(count, per_word) * width
        free = [number for number, room in enumerate(self._room) if room >= (WORD if words > 1 else needed)]
        if width > MOST_BITS or len(free) < words:
            raise MissingCapabilityError(
                f"{name} takes {count * width} bits, for which there is no room: states of compiled engines have at "
                f"most {MOST_WORDS} words of {WORD} bits, and a field has at most {MOST_BITS}; use backend='python'"
            )
        word = free[0] if needed else 0
        shift = WORD - self._room[word] if needed else 0
        for number in range(words):
            self._room[word + number] -= width * min(per_word, count - per_word * number)
        return Field(name, values, word, shift, count if is_array else None, per_word if words > 1 else FAR)


def _values(name: str, described: Any) -> range | tuple[Any, ...]:
    if isinstance(described, range) and described:
        return described
    if isinstance(described, int) and described > 0:
        return range(described)
    if isinstance(described, set | frozenset):
        try:
            return tuple(sorted(described))
        except TypeError:
            return tuple(sorted(described, key=repr))
    raise InvalidOptionError(
        f"{name}={described!r}: expected a range that is not empty, a number of values, a set, or a list of equal ones "
        "of these"
    )


def _width(values: range | tuple[Any, ...]) -> int:
    if isinstance(values, tuple):
        return len(values)
    return int((values[-1] - values[0]) // values.step).bit_length()
