"""The comparison with C++: rows, small, next to a plain reference that lies beside this file."""

import re
import shutil
from collections.abc import Iterator
from ctypes import CDLL
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.cpp import graphs as graphs_work
from benchmarks.cpp import grids as grids_work
from benchmarks.cpp import memory
from benchmarks.cpp import tiles as tiles_work
from benchmarks.cpp.limit import MODULES, main, table, works
from benchmarks.cpp.reference import compiled
from benchmarks.cpp.work import LEAST, Outcome, Row, Work, measure
from benchmarks.kit import data
from benchmarks.kit.documents import document, keep, kept
from benchmarks.pages import page
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


@pytest.mark.long  # it measures a search of 181,440 states
@needs_compiler
def test_what_is_kept_can_be_read_and_shown(library: CDLL, tmp_path: Path) -> None:
    """JSON has everything that the page shows."""
    work = tiles_work.whole_puzzle(library)
    keep("limit", document([measure(work, 0), Row("other", None, "", problem="no form")]), tmp_path)
    read = kept("limit", tmp_path)
    assert read is not None
    assert read["rows"][0]["agree"] is True
    shown = page.SECTIONS["limit"](tmp_path)
    assert "| whole 8-puzzle, breadth-first |" in shown
    assert "Not measured (–): other: no form." in shown
    assert "whole 8-puzzle" in " ".join(page.SECTIONS["readme"](tmp_path).split())


@pytest.mark.long
@needs_compiler
def test_memory_is_measured_in_fresh_processes() -> None:
    """A row for C++, which tells no states reached, and two for us."""
    if not memory.STATUS.exists():
        pytest.skip("no /proc")
    rows = memory.measure(REFERENCE, (4, 1, 2, 3, 0, *range(5, 16)), 1_000)
    assert [row.name for row in rows] == ["C++, A*", "searchkit, astar", "searchkit, bfs"]
    assert [row.reached > 0 for row in rows] == [False, True, True]
    assert memory.table(rows).row_count == 3


def test_a_wrong_answer_and_a_missing_engine_are_rows() -> None:
    """Neither takes the other rows down."""

    def refuse() -> float:
        raise MissingCapabilityError("engine 'x' has no compiled form")

    wrong = measure(Work("wrong", lambda: Outcome(1, 10), lambda: Outcome(2, 5)), 0)
    assert wrong.agree is False
    assert wrong.per_expansion == pytest.approx(wrong.ratio.median * 2 if wrong.ratio else None)
    missing = measure(Work("missing", lambda: 1.0, refuse, 2.0), 0)
    assert (missing.ratio, missing.problem) == (None, "engine 'x' has no compiled form")


def test_each_module_has_rows() -> None:
    """One that is not there is an error, and never a table without its rows."""
    for name in MODULES:
        assert callable(import_module(f"benchmarks.cpp.{name}").rows)
    with pytest.raises(ModuleNotFoundError, match="absent"):
        list(works(None, ["absent"]))  # type: ignore[arg-type]


def test_a_reference_that_is_not_there_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    """The one argument is a C++ source; anything else is exit code 2 and one line."""
    assert main(["nowhere.cpp"]) == 2
    assert capsys.readouterr().err.startswith("error: nowhere.cpp is not a file; expected the C++ source")


def test_a_reference_that_can_not_be_compiled_is_said_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file that is not C++ is an error too, and so is a missing compiler."""
    source = tmp_path / "reference.cpp"
    source.write_text("this is not C++")
    assert main([str(source)]) == 2
    assert "can't be compiled with g++" in capfd.readouterr().err
