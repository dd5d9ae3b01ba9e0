"""The documentation read as files, as on a code host: links lead to files; modules, names and paths exist."""

import re
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`(?:python -m )?(searchkit(?:\.\w+)+)")
PLACE = re.compile(r"`((?:benchmarks|docs|examples|plugins|searchkit|tests)/[\w./-]*)")
LINK = re.compile(r'\]\(([^)#\s]+)|(?:src|href)="([^"#]+)')


def on_pages(find: Callable[[Path, str], list[str]]) -> dict[str, list[str]]:
    """Return what is found on the pages that something is found on, without their examples."""
    found = {
        str(page.relative_to(ROOT)): find(page, FENCED.sub("", page.read_text(encoding="utf-8")))
        for page in PAGES
    }
    return {page: names for page, names in found.items() if names}


def test_links_lead_to_files() -> None:
    """Those to other places on the network are left alone."""

    def dead(page: Path, text: str) -> list[str]:
        links = [one or other for one, other in LINK.findall(text)]
        return [link for link in links if ":" not in link and not (page.parent / link).exists()]

    assert on_pages(dead) == {}


def test_names_exist() -> None:
    """What stands between backticks and looks like a name of a module or in one."""
    assert on_pages(lambda page, text: [name for name in NAME.findall(text) if not exists(name)]) == {}


def test_paths_exist() -> None:
    """`NAME` is for the reader to fill in."""

    def missing(page: Path, text: str) -> list[str]:
        return [place for place in PLACE.findall(text) if "NAME" not in place and not (ROOT / place).exists()]

    assert on_pages(missing) == {}


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or a name in one; `searchkit.lock` is a file of searches on disk."""
    if name == "searchkit.lock":
        return True
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True
