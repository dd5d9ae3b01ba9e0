"""Several versions of Python are compared by what they do alike; this Python stands for all of them."""

import sys
from pathlib import Path

import pytest

from benchmarks.kit.documents import document, keep, kept
from benchmarks.pages.page import SECTIONS
from benchmarks.python import versions, versions_work


def test_a_python_is_measured_and_shown(tmp_path: Path) -> None:
    """By its version; the best round counts, and the page has a column for each Python."""
    rows = versions.measure([sys.executable], ["puzzles", "puzzles_by_hand"], 2, tiny=True)
    assert [row.problem for row in rows] == ["", ""]
    assert {row.python.rstrip("t") for row in rows} == {sys.version.split()[0]}
    assert all(len(row.figures) == 2 and row.best == min(row.figures) > 0 for row in rows)
    other = versions.Row("puzzles", "3.99t", problem="it is not there")
    gained = versions.Row("many_python", "3.99t", [1.4, 1.6])
    assert gained.best == 1.6
    assert versions.table([*rows, other, gained]).row_count == 3
    keep("versions", document([*rows, other, gained], rounds=2, works=versions.WORK), tmp_path)
    page = SECTIONS["versions"](tmp_path)
    assert f"| work | {rows[0].python} | 3.99t |" in page
    assert f"| ten 8-puzzles, `astar` in Python, ms | {rows[0].best:.3g} | – |" in page
    assert "faster than one, × | – | 1.6 |" in page


def test_every_work_is_a_function() -> None:
    """Of the module that runs in the other Python."""
    assert all(callable(getattr(versions_work, work)) for work in versions.WORK)


def test_a_python_that_is_not_there_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is kept."""
    with pytest.raises(SystemExit) as ended:
        versions.main([str(tmp_path / "python"), "--results", str(tmp_path)])
    assert ended.value.code == 2
    assert "a Python can't be started" in capsys.readouterr().err
    assert kept("versions", tmp_path) is None
