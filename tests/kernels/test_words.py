"""States of several words, and tables: checks before a search, and hashes that depend on all words."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from searchkit import solve
from searchkit.compiled.functions import kernel
from searchkit.compiled.kit.graph import table_of
from searchkit.compiled.kit.state import are_same, as_number, as_words, hash_of
from searchkit.errors import InvalidProblemError
from searchkit.testing import check_compiled
from searchkit.testing.spaces.digraphs import digraph
from tests.kernels.views import FORMS, as_functions, as_rows, view_of

GRAPH = digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 2, 1: 1})
NARROW, WIDE = as_functions(GRAPH), FORMS["two words"](GRAPH)
PARTS = {
    "rows of two words": (
        evolve(as_rows(GRAPH), words=2),
        "words=2: the states of a CSR have one",
    ),
    "narrow for wide": (
        evolve(NARROW, words=2),
        "words=2: .* made by searchkit.compiled.functions.wide_expand_function",
    ),
    "wide for narrow": (
        evolve(WIDE, words=1),
        "words=1: .* made by searchkit.compiled.functions.expand_function",
    ),
    "a narrow goal": (
        evolve(WIDE, graph=evolve(WIDE.graph, is_goal=NARROW.graph.is_goal)),  # type: ignore[union-attr]
        "words=2: .* made by searchkit.compiled.functions.wide_goal_function",
    ),
    "a plain function": (
        evolve(NARROW, heuristic=lambda table, state: 0),
        "words=1: .* made by searchkit.compiled.functions.heuristic_function",
    ),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("engine", ["bfs", "astar", "idastar"])
def test_functions_of_the_wrong_kind(engine: str, name: str) -> None:
    """The error names the decorator that the function needs, before anything is compiled for it."""
    view, message = PARTS[name]
    problem = view_of(GRAPH, view)
    with pytest.raises(InvalidProblemError, match=message):
        solve(problem, engine, backend="compiled")
    with pytest.raises(InvalidProblemError, match=message):
        check_compiled(problem)


@given(words=st.integers(1, 4), data=st.data())
def test_words_hold_a_number(words: int, data: st.DataObject) -> None:
    """States that are written into an array are read unchanged."""
    packed = data.draw(st.integers(0, 2 ** (64 * words) - 1))
    array = np.zeros((3, words) if words > 1 else 3, np.uint64)
    array[1] = as_words(packed, words)
    assert as_number(array[1]) == packed
    assert as_number(array[0]) == 0


@kernel
def compared(states: Any) -> Any:
    """Return the hashes of two states, and whether they are the same."""
    return hash_of(states[0]), hash_of(states[1]), are_same(states[0], states[1])


@given(words=st.integers(1, 4), data=st.data())
def test_every_word_counts(words: int, data: st.DataObject) -> None:
    """States that differ in one bit anywhere are different, and so are their hashes (except once in 2⁶⁴)."""
    packed = data.draw(st.integers(0, 2 ** (64 * words) - 1))
    other = packed ^ 1 << data.draw(st.integers(0, 64 * words - 1))
    states = np.array([as_words(packed, words), as_words(other, words)], np.uint64)
    one, two, same = compared(states)
    assert not same
    assert one != two
    assert compared(states[[0, 0]]) == (one, one, True)


def test_the_table_of_a_view_belongs_to_the_plugin() -> None:
    """Machine code can't write to it, and the plugin still can."""
    table = np.array([7, 8])
    taken = table_of(evolve(NARROW, table=table))
    assert (taken.tolist(), taken.flags.writeable, table.flags.writeable) == ([7, 8], False, True)
    assert table_of(evolve(NARROW, table=None)).tolist() == [0]
