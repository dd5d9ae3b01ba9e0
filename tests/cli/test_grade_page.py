"""`searchkit grade --html`: the report of a class as one page that runs nothing and is written whole."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_grade import RIGHT, RUBRIC, WRONG


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    """Return the path of a rubric."""
    (tmp_path / "small.txt").write_text("field\nS.G\n...\n...\n", encoding="utf-8")
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC, encoding="utf-8")
    return path


@pytest.fixture
def submission(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes a submission."""

    def write(name: str, code: str = RIGHT) -> Path:
        path = tmp_path / "class" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(code, encoding="utf-8")
        return path

    return write


def test_the_page_of_a_class_is_one_file_that_runs_nothing(
    run: Callable[..., Any], rubric: Path, submission: Callable[..., Path], tmp_path: Path
) -> None:
    """A row for each submission, what failed most, the drawings, and no element that a submission made."""
    evil = "<img src=x onerror=alert(1)>.py"
    submission(
        evil,
        'print("</pre><script>alert(2)</script>")\n'
        'def bfs(problem):\n    raise ValueError("<script>alert(3)</script>\\x1b[31m\\"")\n',
    )
    folder = submission("ada.py").parent
    submission("bob.py", WRONG["depth"][0])
    submission("eve.py", WRONG["syntax"][0])
    path = tmp_path / "class.html"
    path.write_text("old", encoding="utf-8")
    assert run("grade", rubric, folder, "--html", path).code == 0
    page = path.read_text(encoding="utf-8")
    assert not {tag for tag, _ in tags(page)} & {"script", "img", "iframe", "object", "link", "svg"}
    attributes = [name for _, given in tags(page) for name in given]
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")]
    assert "url(" not in page
    assert "&lt;script&gt;alert(3)&lt;/script&gt;\\x1b[31m" in page
    assert "\x1b" not in page
    text = re.sub(r"<[^>]*>", "", page)
    assert re.search(r"ada\.py +5 +2 +3", text)
    assert re.search(r"bob\.py +2 +2 +0", text)
    assert "its path costs" in text
    assert "5 of 5 points" in text
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("class.html")] == ["class.html"]


def tags(page: str) -> list[tuple[str, dict[str, str]]]:
    """Return the elements of a page, with their attributes."""
    found: list[tuple[str, dict[str, str]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, {name: value or "" for name, value in attrs}))

    Reader().feed(page)
    return found
