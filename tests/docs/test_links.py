"""The documentation read as files, as on a code host: every link leads to a file."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r'\]\(([^)#\s]+)|(?:src|href)="([^"#]+)')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    """Those to other places on the network are left alone."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    links = [one or other for one, other in LINK.findall(text)]
    dead = [link for link in links if ":" not in link and not (page.parent / link).exists()]
    assert dead == []
