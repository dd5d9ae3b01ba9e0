"""`python -m benchmarks threads`, with a small part of its work."""

import pytest

from benchmarks.machine_code import threads
from benchmarks.machine_code.threads import main


@pytest.mark.long  # it compiles
def test_all_ways_are_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its line; counters are compared."""
    monkeypatch.setattr(threads, "SIDE", 20)
    assert main(["--rounds=1", "--threads=2", "--part=1000"]) == 0
    out = capsys.readouterr().out
    for name in threads.WORK:
        assert out.count(f"│ {name} ") == 3
    assert "one thread searches a layer of a grid" in out
