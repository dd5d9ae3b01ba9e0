"""Robots on the command line: a plan that is known before it is proved the best."""

import pytest

from searchkit.cli import main


def test_a_path_that_is_not_yet_proved_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    """After a cutoff, an engine that knows a whole path has a cost to show, and not "none found"."""
    assert main(["solve", "warehouse", "--engine", "cbs", "--max-expansions", "80", "--no-draw"]) == 3
    assert "525 at best so far; any path costs at least 390" in capsys.readouterr().out
