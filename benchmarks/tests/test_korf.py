"""Korf's hundred: the benchmark, on easy ones."""

from pathlib import Path

import pytest

from benchmarks.problems.korf import main, measure, wrong


def test_lengths_are_compared_with_the_published_ones() -> None:
    """A row of another length is named, and those that agree are not."""
    rows = list(measure([79, 12], "manhattan"))
    assert [row.instance for row in rows] == [79, 12]
    assert [row.length for row in rows] == [42, 45]
    assert wrong(rows) == []
    assert rows[0].estimate == 28
    assert rows[0].expanded > 0


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It prints its page; the result of only some boards is not kept."""
    assert main(["--boards", "79", "--heuristic", "manhattan", "--results", str(tmp_path)]) == 0
    assert "1 as long as published" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
