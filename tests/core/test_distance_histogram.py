"""How many states there are at each depth: the same in memory and on disk, and exact after a cutoff."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import DistanceHistogram, Limits, distance_histogram, distance_map, problem_from
from searchkit.errors import (
    DirectoryError,
    InvalidLimitError,
    InvalidProblemError,
    UnknownNameError,
)
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_classics.cube2 import Cube2
from searchkit_dungeon import grid
from searchkit_tiles.problem import SlidingTiles

NUMBERS = problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: False)
"""A space without an end."""
GROWTH = (1, 1, 2, 3, 5, 8, 13, 21, 34)
BOARD = SlidingTiles(3, 2, range(6))
"""360 states, the farthest at depth 21."""


@given(weighted_digraphs(), st.one_of(st.none(), st.integers(0, 4)))
def test_counts_are_those_of_the_distances(graph: WeightedDigraph, most: int | None) -> None:
    """As of a distance map in which each action costs 1; up to a depth limit, each count is the same."""
    plain = problem_from(graph.starts, graph.successors, lambda node: False)
    counted = Counter(distance_map(plain).values())
    whole = [counted[depth] for depth in range(len(counted))]
    histogram = distance_histogram(graph, limits=Limits(cost=most))
    assert list(histogram.counts) == (whole if most is None else whole[: most + 1])
    assert histogram.complete == (most is None or len(whole) <= most)


def test_on_disk(tmp_path: Path) -> None:
    """The same counts; a search that was cut off goes on in its directory, and other problems are refused there."""
    whole = distance_histogram(BOARD)
    assert (whole.total, whole.diameter, whole.complete) == (360, 21, True)
    assert distance_histogram(BOARD, workers="serial").counts == whole.counts
    for limits in (Limits(cost=7), Limits(cost=0), Limits(expansions=0)):
        disk, memory = (distance_histogram(BOARD, limits=limits, workers=way) for way in ("serial", None))
        assert disk.counts == memory.counts == whole.counts[: len(disk.counts)]
        assert (disk.cutoff, disk.complete, memory.complete) == (memory.cutoff, False, False)
    near = distance_histogram(BOARD, directory=tmp_path / "board", limits=Limits(cost=7))
    assert (near.counts, near.complete) == (whole.counts[:8], False)
    assert distance_histogram(BOARD, directory=tmp_path / "board").counts == whole.counts
    with pytest.raises(DirectoryError):
        distance_histogram(SlidingTiles(2, 3, range(6)), directory=tmp_path / "board")


def test_costs_are_not_used() -> None:
    """And the histogram says so."""
    counted = distance_histogram(grid(["S..", "..G"], moves=8))
    assert counted.counts == (1, 3, 2)
    assert counted.warnings == ("bfs ignores costs: its path need not cost the least; dijkstra's does",)
    assert distance_histogram(BOARD).warnings == ()


def test_how_it_is_shown() -> None:
    """As text and as data."""
    growth = distance_histogram(NUMBERS, limits=Limits(cost=8))
    assert (growth.counts, growth.complete, growth.cutoff) == (GROWTH, False, "the depth limit of 8")
    growth = distance_histogram(NUMBERS, limits=Limits(cost=2))
    lines = str(growth).splitlines()
    assert lines[:4] == ["depth  states", "    0       1", "    1       1", "    2       2"]
    assert lines[4].startswith(
        "4 states at depths up to 2, and more beyond: cut off by the depth limit of 2, "
    )
    board = distance_histogram(BOARD)
    mean = sum(depth * count for depth, count in enumerate(board.counts)) / 360
    assert str(board).splitlines()[-1].startswith(f"360 states, at depths up to 21 (mean {mean:.2f}), ")
    data = growth.to_dict()
    assert (data["counts"], data["total"], data["diameter"], data["mean"]) == ((1, 1, 2), 4, 2, 1.25)
    assert (data["complete"], data["cutoff"]) == (False, "the depth limit of 2")
    nothing = DistanceHistogram((), False, cutoff="the limit of 0 seconds")
    assert (nothing.total, nothing.diameter, nothing.mean) == (0, 0, 0)
    assert "no states: cut off by the limit of 0 seconds" in str(nothing)


def test_wrong_arguments() -> None:
    """One error each, which says what is expected."""
    with pytest.raises(UnknownNameError, match="did you mean processes"):
        distance_histogram(BOARD, workers="procesess")
    with pytest.raises(InvalidLimitError, match="limits=5"):
        distance_histogram(BOARD, limits=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidProblemError):
        distance_histogram(5)  # type: ignore[arg-type]


@pytest.mark.long
def test_the_cube() -> None:
    """On 3,674,160 states."""
    found = distance_histogram(Cube2(0)).counts
    assert found == distance_histogram(Cube2(0), workers="processes:2").counts
    assert sum(found) == 3_674_160
