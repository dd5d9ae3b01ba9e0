"""Problems of plugins on the command line: messages about faulty vaults, the order of their keys, robots."""

import re
from pathlib import Path

import pytest

from searchkit.cli import main

WARNING = "line 2 is shorter than the longest line, of 9 cells; filled up with wall"


@pytest.fixture
def ragged(tmp_path: Path) -> str:
    """Return the path of a vault with a line that is too short."""
    path = tmp_path / "ragged.txt"
    path.write_text("#########\n#b.A.@.a\n#########\n")
    return str(path)


@pytest.mark.parametrize("settings", [[], ["--set", "ties=fifo"], ["--set", "split=false"]])
@pytest.mark.parametrize("command", [["solve"], ["compare", "--engines", "astar,bfs"]])
def test_one_warning(
    ragged: str, command: list[str], settings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Once for each command, even if the file is read several times to find out which options it has."""
    for _ in range(2):
        assert main([*command, ragged, "--problem", "keys", *settings]) == 0
        assert capsys.readouterr().err.count(WARNING) == 1


def order(report: str) -> list[str]:
    """Return the keys that the report gives in order; none where it has no such line."""
    found = re.search(r"^keys in order +(.*)$", report, re.MULTILINE)
    return found[1].strip().split(", ") if found else []


@pytest.mark.parametrize("contracted", ["true", "false"])
def test_order_of_the_keys(contracted: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a line of the report, with and without a drawing, for both forms of the problem."""
    for drawing in ("--draw", "--no-draw"):
        assert main(["solve", "vault", drawing, "--set", f"contracted={contracted}"]) == 0
        assert sorted(order(capsys.readouterr().out)) == list("abcdefghijkl")


def test_a_path_that_is_not_yet_proved_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    """After a cutoff, an engine for robots that knows a whole path has a cost to show, and not "none found"."""
    assert main(["solve", "warehouse", "--engine", "cbs", "--max-expansions", "65", "--no-draw"]) == 3
    assert "525 at best so far; any path costs at least 388" in capsys.readouterr().out
