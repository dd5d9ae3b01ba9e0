import pytest

from benchmarks.machine_code.many import main


@pytest.mark.long  # it compiles on maps of 512x512; `tests/search/many` compares the ways
def test_all_ways_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for `solve` and one for each number of threads; all find the same costs, or it fails."""
    assert main(["--queries", "3", "--rounds", "1", "--threads", "2"]) == 0
    out = capsys.readouterr().out
    for line in ("│ solve ", "│ solve_many, 1 thread ", "│ solve_many, 2 threads "):
        assert out.count(line) == 2
