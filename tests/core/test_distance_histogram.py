"""How many states there are at each depth: the same by every method, and exact after a cutoff."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import DistanceHistogram, Limits, distance_histogram, distance_map, problem_from
from searchkit.disk import search
from searchkit.errors import (
    DirectoryError,
    InvalidLimitError,
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    UnknownNameError,
)
from searchkit.search import limits as limits_module
from searchkit.search.histogram import HEAD, TAIL, HistogramSearch
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_classics.cubes.cube2 import Cube2
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


def test_the_methods_agree() -> None:
    """On a puzzle, with limits: a search on disk expands whole small layers."""
    whole = distance_histogram(BOARD, method="memory")
    assert (whole.total, whole.diameter, whole.complete) == (360, 21, True)
    assert distance_histogram(BOARD, method="external").counts == whole.counts
    for limits in (Limits(cost=7), Limits(cost=0), Limits(expansions=0)):
        disk, memory = (
            distance_histogram(BOARD, method=way, limits=limits) for way in ("external", "memory")
        )
        assert disk.counts == memory.counts == whole.counts[: len(disk.counts)]
        assert (disk.cutoff, disk.complete, memory.complete) == (memory.cutoff, False, False)
        assert disk.expanded == memory.expanded


@pytest.mark.skipif(
    sys.platform == "win32", reason="the system does not tell a process how much memory there is"
)
def test_a_space_without_an_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It ends at a depth; and without any limit, when most of the machine's memory is taken."""
    growth = distance_histogram(NUMBERS, limits=Limits(cost=8))
    assert (growth.counts, growth.complete, growth.cutoff) == (GROWTH, False, "the depth limit of 8")
    assert growth.expanded == sum(GROWTH[:-1])
    whole = limits_module.memory_limit(Limits())
    container = tmp_path / "memory.max"
    monkeypatch.setattr(limits_module, "CONTAINER", container)
    container.write_text("max\n")
    assert (limits_module.memory_limit(Limits()) or 0) >= (whole or 0)
    container.write_text("1000000\n")
    assert limits_module.memory_limit(Limits()) == 0
    assert distance_histogram(NUMBERS).cutoff == "the limit of 0 MB of memory"


def test_on_disk(tmp_path: Path) -> None:
    """The same counts; a search that was cut off goes on in its directory, and other problems are refused there."""
    whole = distance_histogram(BOARD, method="memory")
    assert distance_histogram(BOARD, method="external").counts == whole.counts
    near = distance_histogram(BOARD, directory=tmp_path / "board", limits=Limits(cost=7))
    assert (near.counts, near.complete, near.method) == (whole.counts[:8], False, "external")
    assert near.expanded == sum(near.counts[:-1])
    assert near.why == "auto chose it: directory is given"
    assert distance_histogram(BOARD, directory=tmp_path / "board").counts == whole.counts
    with pytest.raises(DirectoryError):
        distance_histogram(SlidingTiles(2, 3, range(6)), directory=tmp_path / "board")


@pytest.mark.long
def test_by_processes(tmp_path: Path) -> None:
    """A problem without goals can be sent to other processes."""
    board = SlidingTiles(4, 2, range(8))
    with patch.object(search, "SMALL", 100):
        found = distance_histogram(board, workers="processes:2", directory=tmp_path)
    assert found.why == "auto chose it: directory is given"
    assert found.counts == distance_histogram(board, method="memory").counts


def test_auto_says_why() -> None:
    """A problem that was asked for needs no reason."""
    assert distance_histogram(BOARD).why == "auto chose it: no directory and no workers are given"
    assert distance_histogram(BOARD, method="memory").why == ""
    assert distance_histogram(BOARD, workers="serial").why == "auto chose it: workers are given"


def test_costs_are_not_used() -> None:
    """And the histogram says so."""
    counted = distance_histogram(grid(["S..", "..G"], moves=8))
    assert counted.counts == (1, 3, 2)
    assert counted.warnings == ("the costs of actions are not used: a depth is a number of actions",)
    assert distance_histogram(BOARD).warnings == ()


def test_an_interruption() -> None:
    """It ends the run as a limit does, with what is known."""
    search = HistogramSearch(BOARD)
    search.interrupt()
    found = search.run()
    assert (found.counts, found.cutoff, found.complete) == ((1,), "an interruption", False)


def test_how_it_is_shown() -> None:
    """As text, as HTML, and as data."""
    growth = distance_histogram(NUMBERS, limits=Limits(cost=2))
    lines = str(growth).splitlines()
    assert lines[:4] == ["depth  states", "    0       1", "    1       1", "    2       2"]
    assert lines[4] == "4 states at depths up to 2, and more beyond: cut off by the depth limit of 2"
    assert repr(growth) == str(growth)
    assert growth._repr_html_().count("<tr>") == 4
    board = distance_histogram(BOARD)
    mean = sum(depth * count for depth, count in enumerate(board.counts)) / 360
    assert str(board).splitlines()[-2] == f"360 states, at depths up to 21 (mean {mean:.2f})"
    data = growth.to_dict()
    assert (data["counts"], data["total"], data["diameter"], data["mean"]) == ([1, 1, 2], 4, 2, 1.25)
    assert (data["complete"], data["cutoff"], data["method"]) == (False, "the depth limit of 2", "memory")
    nothing = DistanceHistogram((), False, "memory", cutoff="the limit of 0 seconds")
    assert (nothing.total, nothing.diameter, nothing.mean) == (0, 0, 0)
    assert "no states: cut off by the limit of 0 seconds" in str(nothing)


def test_a_long_table_is_cut() -> None:
    """In the middle, with the number of the depths and states that are left out."""
    row = problem_from([0], lambda x: [(1, x + 1)] if x < 200 else [], lambda x: False)
    counted = distance_histogram(row)
    lines = str(counted).splitlines()
    assert lines[HEAD + 1] == "… 81 depths with 81 states …"
    assert len(lines) == 1 + HEAD + 1 + TAIL + 2
    assert "… 81 depths" in counted._repr_html_()


WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "unknown method": ({"method": "externl"}, UnknownNameError, "did you mean external"),
    "a directory in memory": (
        {"method": "memory", "directory": "d"},
        InvalidOptionError,
        "directory='d': only",
    ),
    "workers in memory": (
        {"method": "memory", "workers": "ray"},
        InvalidOptionError,
        "workers='ray': only",
    ),
    "unknown workers": ({"workers": "procesess"}, UnknownNameError, "did you mean processes"),
    "limits of another type": ({"limits": 5}, InvalidLimitError, "limits=5"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(name: str) -> None:
    """One error each, which says what is expected."""
    arguments, kind, message = WRONG[name]
    with pytest.raises(kind, match=message):
        distance_histogram(BOARD, **arguments)


def test_problems_that_a_method_can_not_count() -> None:
    """Without a view, and what is not a problem at all."""
    with pytest.raises(MissingCapabilityError, match="method 'external' needs a compiled view"):
        distance_histogram(NUMBERS, method="external")
    with pytest.raises(InvalidProblemError):
        distance_histogram(5)  # type: ignore[arg-type]


@pytest.mark.long
def test_the_cube_in_memory() -> None:
    """The method `memory` counts what `external` counts, on 3,674,160 states."""
    cube = Cube2(0)
    found = distance_histogram(cube, method="memory").counts
    assert found == distance_histogram(cube, method="external").counts
    assert sum(found) == 3_674_160
