"""The documentation read as files, as on a code host: links lead to files; modules, names and paths exist."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`(?:python -m )?(searchkit(?:\.\w+)+)")
PLACE = re.compile(r"`((?:benchmarks|docs|examples|plugins|searchkit|tests)/[\w./-]*)")
LINK = re.compile(r'\]\(([^)#\s]+)|(?:src|href)="([^"#]+)')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    """Those to other places on the network are left alone."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    links = [one or other for one, other in LINK.findall(text)]
    dead = [link for link in links if ":" not in link and not (page.parent / link).exists()]
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_and_paths_exist(page: Path) -> None:
    """What stands between backticks; `NAME` is for the reader to fill in."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    assert [name for name in NAME.findall(text) if not exists(name)] == []
    places = [place for place in PLACE.findall(text) if "NAME" not in place]
    assert [place for place in places if not (ROOT / place).exists()] == []


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or a name in one."""
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True
