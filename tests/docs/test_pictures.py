"""Pictures on pages: each can be drawn when the documentation is built."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pictures() -> Iterator[ModuleType]:
    """Return the module that makes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield import_module("pictures")


def test_each_picture_can_be_drawn(pictures: ModuleType) -> None:
    """It is part of the page, and says what it shows."""
    marked = {
        found for page in DOCS.rglob("*.md") for found in pictures.MARKER.findall(page.read_text("utf-8"))
    }
    assert marked
    for shown, source, options in marked:
        start = f'<img alt="{source}, {pictures.SHOWN[shown]}" src="data:image/svg+xml;base64,'
        assert pictures.image(shown, source, options).startswith(start)


def test_a_picture_stands_where_its_line_was(pictures: ModuleType) -> None:
    """With the options of the line."""
    page = "above\n\n<!-- picture: corners-small heuristic=tour-maze -->\n\nbelow"
    above, picture, below = pictures.on_page_markdown(page, None, None, None).split("\n\n")
    assert (above, below) == ("above", "below")
    assert picture == pictures.image("picture", "corners-small", "heuristic=tour-maze")
    assert picture != pictures.image("picture", "corners-small")


def test_lines_of_pictures_are_valid(pictures: ModuleType) -> None:
    """A line that only looks like one would be lost without a message."""
    lines = [line for page in DOCS.rglob("*.md") for line in page.read_text("utf-8").splitlines()]
    marked = [line for line in lines if line.startswith(tuple(f"<!-- {shown}" for shown in pictures.SHOWN))]
    assert [line for line in marked if not pictures.MARKER.fullmatch(line)] == []
