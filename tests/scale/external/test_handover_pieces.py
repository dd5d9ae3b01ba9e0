"""What a search in memory hands over in parts: batches of buckets, large buckets, files with several small ones."""

from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, Search
from searchkit.scale.buckets import store
from searchkit.scale.handover import buckets, layers
from searchkit.scale.spill import search_on_disk
from searchkit.testing.spaces.digraphs import Edge, digraph
from tests.kernels.views import compilable
from tests.scale.external.test_buckets import small_buckets
from tests.scale.external.test_handover import board, check, in_memory, small_pieces


@given(counts=st.lists(st.integers(1, 4), max_size=30), closed=st.integers(0, 30), most=st.integers(1, 20))
def test_batches(counts: list[int], closed: int, most: int) -> None:
    """Each bucket is in one, closed and open ones are apart, and none is too large that has several buckets."""
    made = buckets._Buckets.__new__(buckets._Buckets)
    made.counts = counts
    with patch.object(buckets, "MOST_AT_ONCE", most), patch.object(buckets, "MOST_KEYS", 4):
        batches = list(made._batches(closed))
    assert [number for first, last in batches for number in range(first, last)] == list(range(len(counts)))
    for first, last in batches:
        assert last <= closed or first >= closed
        assert last - first <= 4
        assert last - first == 1 or sum(counts[first:last]) <= most
    for (first, last), (_, after) in pairwise(batches):
        few = last - first < 4 and sum(counts[first : last + 1]) <= most
        assert not few or last == closed, after


def test_more_buckets_than_narrow_numbers(tmp_path: Path) -> None:
    """A chain whose states have 300 costs, of which 255 fit into a byte; and costs that are far apart."""
    chain = digraph([Edge(node, node + 1, 1) for node in range(300)], [0], [300])
    far = digraph([Edge(node, node + 1, 1000 * node + 1) for node in range(30)], [0], [30])
    with patch.object(buckets, "NARROW", np.uint8):
        check(compilable(chain, "rows"), "dijkstra", 280, tmp_path / "chain")
    with small_pieces(3):
        check(compilable(far, "rows"), "dijkstra", 20, tmp_path / "far")


def test_large_bucket_in_pieces(tmp_path: Path) -> None:
    """It waits in several files, each sorted, which have all of its states."""
    large, seen = buckets._Buckets._large, list[tuple[int, int]]()

    def noted(self: Any, number: int) -> Any:
        states: list[int] = []
        for some in large(self, number):
            states += (piece := some[number].tolist())
            assert piece == sorted(set(piece))
            yield some
        assert len(states) == len(set(states)) == self.counts[number]
        seen.append((len(states), len(piece)))

    with small_pieces(7), patch.object(buckets._Buckets, "_large", noted):
        check(board(), "dijkstra", 200, tmp_path)
    assert any(piece < 4 for _, piece in seen), "what is left at the end is a piece, too"


def test_directory_that_has_a_search(tmp_path: Path) -> None:
    """It stays what it is, and goes on."""
    search: Search[Any, Any] = Search(
        board(), "external_dijkstra", backend="compiled", directory=str(tmp_path)
    )
    with small_buckets(0):
        search.run(Limits(cost=8))
    search.kernel.place.close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    begun = in_memory(board(), "dijkstra", 20)
    assert buckets.write_states(begun.kernel, "external_dijkstra", tmp_path, None) == layers.HAS_A_SEARCH
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_few_states_are_held_before_they_are_written(tmp_path: Path) -> None:
    """Small buckets are in memory until they are many; a file has some of them, and not one each."""
    with patch.object(store, "MOST_HELD", 30):
        write = buckets.write_states
        search = in_memory(board(), "dijkstra", 200)
        assert write(search.kernel, "external_dijkstra", tmp_path / "work", None) == ""
    closed = len(search.tree.closed or ())
    files = list((tmp_path / "work").glob("layers-*.run"))
    assert 2 < len(files) <= closed // 30 + 1


@pytest.mark.parametrize("expansions", [0, 1, 2, 3, 4])
def test_starts_of_the_same_cost(expansions: int, tmp_path: Path) -> None:
    """Some are expanded in memory and the others wait, all at g = 0."""
    graph = digraph("0 -1→ 3, 1 -1→ 4, 2 -1→ 5, 5 -1→ 6, 4 -1→ 6", [0, 1, 2], [6])
    check(compilable(graph, "rows"), "dijkstra", expansions, tmp_path / "search")


def test_bucket_in_two_parts_is_as_large_as_both(tmp_path: Path) -> None:
    """Also for the next search, which reads the directory."""
    star = digraph(", ".join(f"0 -1→ {leaf}" for leaf in range(1, 10)), [0], [])
    search = in_memory(compilable(star, "rows"), "dijkstra", 5)
    other, _ = search_on_disk(search, Limits(memory=300), tmp_path / "search")
    other.run(Limits(expansions=1))
    other.kernel.buckets.write(everything=True)
    other.kernel.place.close()
    again: Search[Any, Any] = Search(
        compilable(star, "rows"), "external_dijkstra", backend="compiled", directory=str(tmp_path / "search")
    )
    assert again.run().statistics.peak_frontier == 9
