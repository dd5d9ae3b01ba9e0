"""Measurements of the player."""

from pathlib import Path

import pytest

from benchmarks.kit.documents import document, keep
from benchmarks.pages import page
from benchmarks.recorded import player
from tests.render.player.chromium import CHROMIUM


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium")
def test_a_page_is_measured(tmp_path: Path) -> None:
    """Its sizes are those of its files; it plays, and jumps take time."""
    [case] = [case for case in player.cases() if case[0] == "A*, maze"]
    with player.chromium() as browser:
        row = player.measure(case, browser, tmp_path, playing=0.2, jumps=3)
    assert (row.expanded, row.events) == (311, 633)
    assert row.page_bytes == (tmp_path / "page.html").stat().st_size > row.data_bytes > 1000
    assert row.frames > 0
    assert 0 < row.jump_seconds <= row.longest_jump_seconds
    assert row.ready_seconds > 0
    keep("player", document([row]), tmp_path)
    assert "| A\\*, maze | 311 / 633 |" in page.SECTIONS["player"](tmp_path)
    assert player.table([row]).row_count == 1
