"""The table of what strategies draw."""

import pytest

from benchmarks.testing import shares
from searchkit.testing.shares.measure import EXPECTED
from searchkit.testing.strategies import mazes


def test_a_share_that_is_missed_is_marked_and_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody expects of a strategy is in brackets, and not missed."""
    monkeypatch.setattr(shares, "strategies", lambda: [("tiny", lambda: mazes(2), ("long",))])
    assert shares.main(["--seeds", "2", "--draws", "20"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (row,) = (line for line in lines if "tiny" in line)
    assert "40" in row
    assert " missed" in row
    assert "(0%)" in row
    monkeypatch.setattr(shares, "strategies", lambda: [("tiny", lambda: mazes(2), tuple(EXPECTED))])
    assert shares.main(["--draws", "5", "--seeds", "1"]) == 0


def test_every_registered_strategy_is_measured_and_digraphs_in_each_mode() -> None:
    """Fewer than are named would be met by chance."""
    names = [name for name, _, _ in shares.strategies()]
    assert len(set(names)) == len(names)
    assert {"digraphs, float", "digraphs, consistent heuristic", "digraphs, no heuristic"} <= set(names)
    assert sum(name.startswith("dungeon: ") for name in names) >= 3
