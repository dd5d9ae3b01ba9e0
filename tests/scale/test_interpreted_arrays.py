"""Machine code for sorted arrays of states, run by Python: what it does to arrays is what sets do."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.testing.spaces.digraphs import Edge, digraph
from tests.kernels.interpreted import Interpreted, interpreted
from tests.kernels.views import compilable, tabled

pytestmark = interpreted
ARRAYS = Interpreted(
    {
        "searchkit.scale.arrays.sorting": {"STEP": "5"},
        "searchkit.scale.arrays.expanding": {"PIECE": "9"},
        "searchkit.scale.arrays.keyed": {"KEYS": "2"},
    }
)
EXPANDING, KEYED, PACKING, SORTING = (
    ARRAYS.module(f"searchkit.scale.arrays.{name}") for name in ("expanding", "keyed", "packing", "sorting")
)
SEEDS = st.integers(0, 2**32).map(Random)
WORDS = pytest.mark.parametrize("words", [1, 2])


def array_of(states: Any, words: int) -> Any:
    """Return states as an array, in the order in which they are given."""
    numbers = [[state >> 64 * word & 2**64 - 1 for word in range(words)] for state in states]
    array = np.array(numbers, np.uint64).reshape(-1, words)
    return array[:, 0].copy() if words == 1 else array


def states_of(array: Any) -> list[int]:
    """Return the states of an array."""
    rows = (array[:, None] if array.ndim == 1 else array).tolist()
    return [sum(number << 64 * word for word, number in enumerate(row)) for row in rows]


def drawn(rng: Random, count: int, words: int) -> list[int]:
    """Return states, many of which are there several times, and neighbours in both words."""
    most = rng.choice((3, count + 1, 2 * count + 1))
    return [rng.randrange(most) << 64 * rng.randrange(words) for _ in range(count)]


@WORDS
@given(SEEDS)
@settings(max_examples=400)
def test_sorting(words: int, rng: Random) -> None:
    """Runs of any length are merged, and duplicates removed; a place is found if the state is there."""
    states = drawn(rng, rng.choice((0, 1, 2, 16, 17, 33, 48, 70, 130)), words)
    array = array_of(states, words)
    SORTING.sort(array)
    assert states_of(array) == sorted(states)
    array = SORTING.unique(array)
    assert states_of(array) == sorted(set(states))
    assert SORTING.ascends(array)
    for state in drawn(rng, 5, words):
        place = SORTING.place_in(array, array_of([state], words)[0])
        assert place == (sorted(set(states)).index(state) if state in states else None)


@WORDS
@given(SEEDS)
@settings(max_examples=800)
def test_subtracting(words: int, rng: Random) -> None:
    """Few states from many, many from few; the others come in one array after the other."""
    few, many = (sorted(set(drawn(rng, count, words))) for count in (rng.randint(1, 6), 150))
    states, others = rng.choice(((few, many), (many, few), (many, many[::3])))
    subtraction = SORTING.Subtraction(array_of(states, words))
    cut = rng.randint(0, len(others))
    for part in (others[:cut], others[cut:]):
        SORTING.Subtraction.take(subtraction, array_of(part, words))
    assert states_of(subtraction.result()) == sorted(set(states) - set(others))
    array = array_of(states, words)
    with np.errstate(over="ignore"):
        read, write = SORTING._subtract(array, 0, 0, len(states), array_of(others, words))
    left = [*states_of(array[: int(write)]), *states[int(read) :]]
    assert left == sorted(set(states) - set(others))


@WORDS
def test_arrays_that_do_not_ascend(words: int) -> None:
    """Equal neighbours, and larger states before smaller ones, are found at each place."""
    states = [3, 5, 7 << 64 * (words - 1), 9 << 64 * (words - 1)]
    assert SORTING.ascends(array_of(states, words))
    for place in range(3):
        for state in (states[place + 1], states[place + 1] + 1):
            assert not SORTING.ascends(array_of([*states[:place], state, *states[place + 1 :]], words))


@WORDS
@given(SEEDS)
@settings(max_examples=400)
def test_packing(words: int, rng: Random) -> None:
    """All widths, whole frames and parts of them; words too few, too many or changed are refused or states."""
    count = rng.choice((1, 2, 127, 128, 129, 256, 300))
    bits = rng.choice((1, 9, 31, 33, 63, 64))
    step = (1 << bits) if rng.random() < 0.7 else 2
    most = min(2**64, count * step + 1)
    states = {rng.randrange(most) for _ in range(count)} if words == 1 else set()
    if words == 2:
        states = {
            rng.randrange(1 << rng.choice((1, 30, 64))) << 64 | rng.randrange(1 << bits) for _ in range(count)
        }
    array = array_of(sorted(states), words)
    with np.errstate(over="ignore"):
        packed = PACKING.pack(array)
        out = np.zeros_like(array)
        assert PACKING.unpack(packed, len(array), words, out)
        assert np.array_equal(out, array)
        assert not PACKING.unpack(packed[: rng.randrange(1, len(packed))], len(array), words, out)
        assert not PACKING.unpack(np.append(packed, packed[:1]), len(array), words, out)
        wrong = packed.copy()
        wrong[rng.randrange(len(wrong))] = rng.getrandbits(64)
        if PACKING.unpack(wrong, len(array), words, out):
            assert states_of(out) == sorted(set(states_of(out)))


def test_a_number_of_more_bits_than_a_word_has() -> None:
    """It is refused, even if as many words follow as it would take."""
    for width in (64, 65, 128, 255):
        words = np.array([7, width, *[0] * -(-width // 64)], np.uint64)
        with np.errstate(over="ignore"):
            assert PACKING.unpack(words, 1, 1, np.zeros(1, np.uint64)) == (width == 64)


@given(SEEDS)
@settings(max_examples=400)
def test_more_buckets_than_a_piece_tells_apart(rng: Random) -> None:
    """Each successor comes into its bucket, and each piece ends before there are too many buckets or successors."""
    size, dearest, most = rng.choice((5, 20)), rng.choice((1, 3, 40)), rng.choice((0, 3))
    edges = [
        Edge(tail, rng.randrange(size), rng.randint(1, dearest))
        for tail in range(size)
        for _ in range(rng.randint(0, 4))
    ]
    h = {node: rng.randint(0, most) for node in range(size)}
    ARRAYS.know(tabled)
    problem = compilable(digraph(edges, [0], [], h), "rows")
    expander = KEYED.KeyedExpander(EXPANDING.Expander(problem.compiled()), True)
    expected: dict[tuple[int, int], set[int]] = {}
    for edge in edges:
        g = 7 + int(edge.cost)
        expected.setdefault((g + h[edge.head], g), set()).add(edge.head)
    found: dict[tuple[int, int], set[int]] = {}
    generated = 0
    with np.errstate(over="ignore"):
        for count, buckets in expander.pieces(np.arange(size, dtype=np.uint64), (7, 7)):
            generated += count
            for key, states in buckets.items():
                assert states.tolist() == sorted(set(states.tolist()))
                found.setdefault(key, set()).update(states.tolist())
    assert generated == len(edges)
    assert found == expected
