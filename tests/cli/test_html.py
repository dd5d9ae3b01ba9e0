"""Pages that play searches, written by commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIELD = ("field", "S..#", ".#..", "...G")


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("watch", "problem.txt", "--engine", "astar", "--engine", "dijkstra"), 2),
        (("watch", "bfs.trace"), 1),
    ],
)
def test_commands_write_pages(
    run: Callable[..., Any],
    file: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    count: int,
) -> None:
    """With the searches of the engines, or with the recording of a file; the size of the page is printed."""
    monkeypatch.chdir(tmp_path)
    file(*FIELD)
    assert run("watch", "problem.txt", "--engine", "bfs", "-o", "bfs.trace").code == 0
    outcome = run(*words, "-o", "page.html")
    assert outcome.code == 0
    size = (tmp_path / "page.html").stat().st_size
    assert f"written: page.html, {size:,} bytes" in outcome.out
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"<title>{words[1]}</title>" in text
    assert text.count('class="recording"') == count
