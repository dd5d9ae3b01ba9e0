"""The fields of a layout in compiled code: the same values as in Python, and the machine code of shifts and masks."""

import re
import sys
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import TypingError

from searchkit.compiled.functions import digest_of
from searchkit.compiled.layout import Layout
from searchkit.compiled.variants import INLINED

NARROW = Layout(x=range(-50, 50), y=range(80, 0, -2), keys=set(range(20)), tiles=[range(10, 20)] * 7)
X, Y, KEYS, TILES = NARROW.fields
WIDE = Layout(number=1 << 60, small=range(-3, 4), cells=[range(32)] * 24)
NUMBER, SMALL, CELLS = WIDE.fields


@numba.njit
def read_narrow(state: Any, index: Any) -> Any:
    """Return the value of each field, and of one of the array."""
    return X.get(state), Y.get(state), KEYS.get(state), TILES.get(state, index)


@numba.njit
def write_narrow(state: Any, x: Any, y: Any, keys: Any, index: Any, tile: Any) -> Any:
    """Return the state with other values."""
    return TILES.set(KEYS.set(Y.set(X.set(state, x), y), keys), index, tile)


@numba.njit
def read_wide(state: Any, index: Any) -> Any:
    """Return the value of each field, and of one of the array."""
    return NUMBER.get(state), SMALL.get(state), CELLS.get(state, index)


@numba.njit
def write_wide(state: Any, number: Any, small: Any, index: Any, cell: Any) -> None:
    """Change the state."""
    NUMBER.set(state, number)
    SMALL.set(state, small)
    CELLS.set(state, index, cell)


def states(layout: Layout) -> Any:
    """Draw states of these layouts, as tuples."""
    parts = []
    for field in layout.fields:
        of_one: Any = (
            st.frozensets(st.sampled_from(field.values))
            if isinstance(field.values, tuple)
            else st.integers(0, len(field.values) - 1).map(field.values.__getitem__)
        )
        parts.append(of_one if field.count is None else st.tuples(*[of_one] * field.count))
    return st.tuples(*parts)


def bits(keys: frozenset[int]) -> int:
    """Return a set of keys as compiled code has it."""
    return sum(1 << key for key in keys)


def words(packed: int) -> Any:
    """Return a packed state of several words as compiled code has it."""
    return np.array([packed >> 64 * word & 2**64 - 1 for word in range(WIDE.words)], np.uint64)


@given(state=states(NARROW), other=states(NARROW), index=st.integers(0, 6))
def test_states_of_one_word(state: Any, other: Any, index: int) -> None:
    """`get` and `set` have the same results as in Python; a set is its bits."""
    packed = NARROW.pack(state)
    x, y, keys, tiles = state
    assert read_narrow(np.uint64(packed), index) == (x, y, bits(keys), tiles[index])
    changed = (*other[:3], (*tiles[:index], other[3][index], *tiles[index + 1 :]))
    x, y, keys, _ = other
    found = write_narrow(np.uint64(packed), x, y, bits(keys), index, other[3][index])
    assert int(found) == NARROW.pack(changed)


@given(state=states(WIDE), other=states(WIDE), index=st.integers(0, 23))
def test_states_of_several_words(state: Any, other: Any, index: int) -> None:
    """In compiled code, `set` changes the array."""
    packed = words(WIDE.pack(state))
    number, small, cells = state
    assert read_wide(packed, index) == (number, small, cells[index])
    changed = (*other[:2], (*cells[:index], other[2][index], *cells[index + 1 :]))
    write_wide(packed, *other[:2], index, other[2][index])
    assert packed.tolist() == words(WIDE.pack(changed)).tolist()


def test_what_is_no_state() -> None:
    """A number is not a state of a layout of several words, and a float is not a state of any layout."""
    with pytest.raises(TypingError, match="layout of several words: its states are arrays"):
        read_wide(np.uint64(0), 0)
    with pytest.raises(TypingError, match="an integer or an array of words; this is float64"):
        read_narrow(0.5, 0)


def by_fields(table: Any, state: Any, index: Any) -> Any:
    """Do something with fields."""
    x, y = PLAIN_X.get(state), PLAIN_Y.get(state)
    after = PLAIN_Y.set(PLAIN_X.set(state, x + 1), y - 1)
    return after + np.uint64(table[y * 100 + x + PLAIN_TILES.get(state, index)])


def by_hand(table: Any, state: Any, index: Any) -> Any:
    """Do the same with shifts and masks."""
    x, y = np.int64(state & LOW), np.int64((state >> SEVEN) & LOW)
    after = (((state & ~LOW) | np.uint64(x + 1)) & ~(LOW << SEVEN)) | (np.uint64(y - 1) << SEVEN)
    tile = np.int64((state >> (FOURTEEN + FOUR * np.uint64(index))) & FIFTEEN)
    return after + np.uint64(table[y * 100 + x + tile])


PLAIN_X, PLAIN_Y, PLAIN_TILES = Layout(x=100, y=80, tiles=[16] * 12).fields
LOW, SEVEN, FOURTEEN, FOUR, FIFTEEN = map(np.uint64, (127, 7, 14, 4, 15))


def instructions(function: Any) -> list[str]:
    """Return the operations of a function's machine code, sorted: which registers they use may differ."""
    table = numba.types.Array(numba.types.int64, 1, "C", readonly=True)
    signature = numba.types.uint64(table, numba.types.uint64, numba.types.int64)
    compiled = numba.njit(signature, **INLINED)(function)
    text = next(iter(compiled.inspect_asm().values()))
    body = text[text.index("@function") :]
    lines = body[: body.index(".Lfunc_end0")].splitlines()
    return sorted(line.split()[0] for line in lines if re.match(r"\t[a-z]", line))


def test_fields_cost_nothing() -> None:
    """The machine code is that of shifts and masks, without a branch and without a call."""
    found = instructions(by_fields)
    assert found == instructions(by_hand)
    assert not any(operation.startswith(("j", "call")) for operation in found)


SCALE = 2


@numba.njit
def scaled(number: Any) -> Any:
    """Read a constant."""
    return SCALE * number


def calling(number: Any) -> Any:
    """Call a function that reads a constant."""
    return scaled(number)


def test_the_digest_sees_constants_through_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes with a constant, and is the same in every process otherwise."""
    before = digest_of(calling)
    assert digest_of(calling) == before
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 3)
    assert digest_of(calling) != before
