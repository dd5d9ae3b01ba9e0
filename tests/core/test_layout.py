"""Layouts: packing and unpacking are inverse, fields are disjoint and within words, and errors name what would fit."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.compiled.layout import WORD, Layout
from searchkit.errors import InvalidOptionError, MissingCapabilityError, PackingError

RANGES = st.builds(
    lambda start, count, step: range(start, start + count * step, step),
    st.integers(-50, 50),
    st.integers(1, 1 << 20),
    st.sampled_from([1, 2, 7, -1, -3]),
)
ONES = st.one_of(st.integers(1, 1 << 20), RANGES, st.frozensets(st.integers(0, 99), max_size=20))
DESCRIPTIONS = st.one_of(ONES, st.builds(lambda one, count: [one] * count, ONES, st.integers(0, 9)))


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, Any], Layout]:
    """Draw a layout with its description: as many of the drawn fields as fit."""
    fields = draw(
        st.dictionaries(st.sampled_from(["x", "y", "keys", "tiles", "who"]), DESCRIPTIONS, min_size=1)
    )
    while True:
        try:
            return fields, Layout(**fields)
        except MissingCapabilityError:
            fields.popitem()


def value_of(draw: Any, described: Any) -> Any:
    """Draw a value of a field."""
    if isinstance(described, list):
        return tuple([value_of(draw, one) for one in described])
    if isinstance(described, frozenset):
        return frozenset(member for member in described if draw(st.booleans()))
    return draw(st.sampled_from(range(described) if isinstance(described, int) else described))


def parts(layout: Layout) -> list[tuple[int, int]]:
    """Return the lowest bit of each field and its number of bits, those of the elements of arrays one by one."""
    return [
        (field.bit(index), field.bits)
        for field in layout.fields
        for index in range(1 if field.count is None else field.count)
    ]


@given(drawn=layouts(), data=st.data())
def test_unpacking_is_the_inverse_of_packing(
    drawn: tuple[dict[str, Any], Layout], data: st.DataObject
) -> None:
    """Whatever the fields, every state has a number of its own, that fits into its words."""
    described, layout = drawn
    state, other = (tuple(value_of(data.draw, one) for one in described.values()) for _ in range(2))
    packed = layout.pack(state)
    assert 0 <= packed < 1 << WORD * layout.words
    assert layout.unpack(packed) == state
    assert layout.pack(layout.unpack(packed)) == packed
    assert (layout.pack(other) == packed) == (other == state)


@given(drawn=layouts())
def test_fields_lie_apart_and_none_straddles_words(drawn: tuple[dict[str, Any], Layout]) -> None:
    """No two fields share a bit; each lies in one word; there are no more words than needed."""
    _, layout = drawn
    used = 0
    for bit, bits in parts(layout):
        assert bit % WORD + bits <= WORD
        mask = (1 << bits) - 1 << bit
        assert used & mask == 0
        used |= mask
    assert used.bit_count() == layout.bits
    assert layout.words == max(1, -(-used.bit_length() // WORD)) <= 4


VAULT = Layout(x=range(-5, 6), even=range(0, 10, 2), keys={"red", "blue"}, tiles=[range(9)] * 3, one=1)
RIGHT = (0, 4, {"red"}, (1, 2, 3), 0)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, 6, r"x=6: expected one of range\(-5, 6\)"),
        (0, 1.5, r"x=1.5: expected one of range\(-5, 6\)"),
        (0, "1", r"x='1': expected one of range\(-5, 6\)"),
        (1, 3, r"even=3: expected one of range\(0, 10, 2\)"),
        (2, {"green"}, r"keys={'green'}: expected a set of some of \('blue', 'red'\)"),
        (2, 1, r"keys=1: expected a set of some of \('blue', 'red'\)"),
        (3, (1, 9, 1), r"tiles\[1\]=9: expected one of range\(0, 9\)"),
        (3, (1, 2), r"tiles=\(1, 2\): expected 3 values, got 2"),
        (4, 1, r"one=1: expected one of range\(0, 1\)"),
    ],
)
def test_values_out_of_range(place: int, value: Any, message: str) -> None:
    """The error names the field, what was given, and what it takes."""
    assert VAULT.unpack(VAULT.pack(RIGHT)) == RIGHT
    with pytest.raises(PackingError, match=message):
        VAULT.pack([*RIGHT[:place], value, *RIGHT[place + 1 :]])


def test_what_is_no_packed_state() -> None:
    """Numbers of too many bits, bits that are not a value, too few values and too many."""
    with pytest.raises(
        PackingError, match=r"15 is not a packed state: its x would be value number 15 of one of range"
    ):
        VAULT.unpack(15)
    for number in (-1, 1 << 64):
        with pytest.raises(
            PackingError, match=f"{number} is not a packed state: expected a number of 64 bits"
        ):
            VAULT.unpack(number)
    with pytest.raises(PackingError, match=r"expected 5 values, x, even, keys, tiles, one, got 2"):
        VAULT.pack((1, 2))


@pytest.mark.parametrize("described", [0, -1, range(0), "ab", 1.5, None, [2, 3], [[2]], ["ab"]])
def test_what_describes_no_field(described: Any) -> None:
    """The error names the field and says what would do."""
    with pytest.raises(InvalidOptionError, match=r"x=.*expected a"):
        Layout(x=described)
    with pytest.raises(InvalidOptionError, match=r"the names of fields are those of a record: .*'_y'"):
        Layout(_y=2)


@pytest.mark.parametrize("fields", [{"x": 1 << 64}, {"x": [1 << 20] * 13}, {"x": [16] * 64, "y": 2}])
def test_too_many_bits(fields: dict[str, Any]) -> None:
    """What does not fit has no compiled form; the error counts the bits."""
    with pytest.raises(MissingCapabilityError, match=r"[xy] takes \d+ bits, .* at most 4 words of 64 bits"):
        Layout(**fields)
