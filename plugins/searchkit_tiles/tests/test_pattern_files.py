"""Pattern databases kept on disk."""

from pathlib import Path
from typing import Any

import pytest

from searchkit_tiles import SlidingTiles, patterns
from searchkit_tiles.board import goal_board
from searchkit_tiles.patterns import patterns_of


def test_tables_are_kept_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of large boards; here a small one counts as large. A second process builds nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    goal = goal_board(6, "blank-first")
    small = patterns_of(3, goal)
    monkeypatch.setattr(patterns, "KEPT_FROM", 0)
    for building in (True, False):
        patterns_of.cache_clear()
        if not building:
            monkeypatch.setattr(patterns, "build", None)
        assert patterns_of(3, goal) == small
        assert (tmp_path / "searchkit" / "patterns" / "tiles-3x2-0.bin").exists()
    patterns_of.cache_clear()
    board: Any = SlidingTiles(3, 2, (3, 1, 2, 0, 4, 5), heuristic="pattern-database")
    assert board.compiled().table.tobytes().rstrip(b"\0").endswith(small.entries.rstrip(b"\0"))
    patterns_of.cache_clear()
