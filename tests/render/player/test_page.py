"""The page as a file: self-contained, strict, and safe whatever labels hold."""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from searchkit import Recording, load, problem_from, record
from searchkit.errors import InvalidOptionError
from searchkit.render.player import page, part, save_html, script

HOSTILE = "</script><img src=x onerror=alert(1)><!-- ]]> &amp; {{STYLE}}"


class Elements(HTMLParser):
    """The elements of a page, with their attributes and texts."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, Any], str]] = []
        self.inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Note an element."""
        self.inside = True
        self.found.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        """Texts that follow are not the element's."""
        self.inside = False

    def handle_data(self, data: str) -> None:
        """Add to its text."""
        if self.inside:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def of(self, tag: str) -> list[tuple[dict[str, Any], str]]:
        """Return the elements of a kind."""
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def maze() -> Recording[Any, Any]:
    """Return a small recording."""
    return record(load("maze"), "astar")


def test_the_policy_allows_this_script_and_this_style_alone() -> None:
    """By their digests: no network, no inline handlers, no frames, no other script."""
    found = Elements(page(maze(), "a maze"))
    [policy] = [attributes["content"] for attributes, _ in found.of("meta") if attributes.get("http-equiv")]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules.keys() == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    [(_, style)] = found.of("style")
    [code] = [text for attributes, text in found.of("script") if not attributes]
    for kind, text in (("style", style), ("script", code)):
        assert rules[f"{kind}-src"] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    attributes = {name for _, given, _ in found.found for name in given}
    assert not {name for name in attributes if name.startswith("on")} | attributes & {"src", "href", "style"}


def test_the_script_has_nothing_that_makes_markup_of_data() -> None:
    """No `innerHTML` and the like, no `eval`, no address of any server but the name of SVG."""
    code = script()
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(", code) == []
    )
    assert set(re.findall(r"https?://[^\"']*", code + part("player.css") + part("player.html"))) <= {
        "http://www.w3.org/2000/svg"
    }


def test_labels_and_titles_cannot_end_an_element() -> None:
    """The page of a recording with hostile labels has the elements of any other page."""
    line = problem_from(
        [HOSTILE], lambda x: [(HOSTILE, x + HOSTILE)] if len(x) < 300 else [], lambda x: False
    )
    recording = record(line, "bfs")
    plain, hostile = Elements(page(maze(), "a maze")), Elements(page(recording, HOSTILE))
    assert [tag for tag, _, _ in hostile.found] == [tag for tag, _, _ in plain.found]
    assert hostile.of("title") == [({}, HOSTILE)]
    assert unescape(page(recording, HOSTILE)).count(HOSTILE) == 2


def test_a_page_is_saved(tmp_path: Path) -> None:
    """As UTF-8; a file that can't be written is one clear error."""
    recording = maze()
    save_html(recording, tmp_path / "maze.html", "Irrgärten")
    assert (tmp_path / "maze.html").read_text(encoding="utf-8") == page(recording, "Irrgärten")
    with pytest.raises(InvalidOptionError, match=r"maze\.html can't be written: .*a directory that exists"):
        save_html(recording, tmp_path / "missing" / "maze.html")
