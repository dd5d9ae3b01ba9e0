"""Korf's hundred: the benchmark, on easy ones."""

from pathlib import Path

import pytest

from benchmarks.problems.korf import main


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It prints its page; the result of only some boards is not kept."""
    assert main(["--boards", "79", "--heuristic", "manhattan", "--results", str(tmp_path)]) == 0
    assert "1 as long as published" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
