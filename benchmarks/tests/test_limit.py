"""The comparison with C++: rows, small, next to a plain reference that lies beside this file."""

import re
import shutil
from collections.abc import Iterator
from ctypes import CDLL
from pathlib import Path

import pytest

from benchmarks.cpp import graphs as graphs_work
from benchmarks.cpp import grids as grids_work
from benchmarks.cpp import memory
from benchmarks.cpp import tiles as tiles_work
from benchmarks.cpp.limit import table
from benchmarks.cpp.reference import compiled
from benchmarks.cpp.work import LEAST, Outcome, Work, measure
from benchmarks.kit import data
from searchkit.errors import MissingCapabilityError

REFERENCE = Path(__file__).parent / "reference.cpp"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    """Return the reference, compiled."""
    return compiled(REFERENCE, tmp_path_factory.mktemp("reference"))


def small_rows(library: CDLL) -> Iterator[Work]:
    """Yield all rows of this module's own, small."""
    yield from grids_work.rows(library, 16, data.few_queries())
    yield from tiles_work.rows(library, {"easy": ((), 3.0)})
    yield tiles_work.puzzles(library, "easy", [memory.EASY, (4, 1, 2, 3, 0, *range(5, 16))], 3.0)
    yield from graphs_work.rows(library, 200)


@pytest.mark.long
@needs_compiler
def test_both_find_the_same_in_every_row(library: CDLL) -> None:
    """The answers agree at any speed, or the row gives the reason why there is no answer."""
    rows = [measure(work, 0) for work in small_rows(library)]
    assert [row.name for row in rows if not (row.agree or row.problem)] == []
    assert [row.rounds for row in rows if row.agree] == [LEAST] * sum(bool(row.agree) for row in rows)
    measured = {row.name for row in rows if row.agree}
    assert {"whole 8-puzzle, breadth-first", "3 queries, 32², 8 moves, astar"} <= measured
    assert all(re.search("has no compiled form|no engine", row.problem) for row in rows if row.problem)
    assert table(rows).row_count == len(rows)


def test_a_wrong_answer_and_a_missing_engine_are_rows() -> None:
    """Neither takes the other rows down."""

    def refuse() -> float:
        raise MissingCapabilityError("engine 'x' has no compiled form")

    wrong = measure(Work("wrong", lambda: Outcome(1, 10), lambda: Outcome(2, 5)), 0)
    assert wrong.agree is False
    assert wrong.per_expansion == pytest.approx(wrong.ratio.median * 2 if wrong.ratio else None)
    missing = measure(Work("missing", lambda: 1.0, refuse, 2.0), 0)
    assert (missing.ratio, missing.problem) == (None, "engine 'x' has no compiled form")
