"""The comparison of engines for robots, on small maps."""

import pytest

from benchmarks.problems.robots import ENGINES, compare, main


def test_engines_with_proofs_agree_and_lacam_costs_no_less() -> None:
    """On small maps all are solved, and ratios are those of the common instances."""
    (row,) = compare([3], [0, 1], seconds=60, size=8)
    assert [row.solved(engine) for engine in ENGINES] == [2, 2, 2]
    costs = {engine: [run.cost for run in row.runs[engine]] for engine in ENGINES}
    assert costs["cbs"] == costs["odid"]
    ratios = row.ratios("lacam")
    assert ratios is not None
    assert ratios[2] >= 1


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever its times are, it prints its table."""
    assert main(["--robots", "2", "--seeds", "0", "--size", "8"]) == 0
    assert "1 of 1" in capsys.readouterr().out
