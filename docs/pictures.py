"""Pictures that pages show: drawn at each build, never committed.

A page has the line `<!-- picture: SOURCE NAME=VALUE … -->`: the picture of that problem with its solution stands there
in the built documentation. SOURCE is what `searchkit solve` takes; the options are those of the problem.
"""

import re
from base64 import b64encode
from html import escape
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from searchkit import draw, load, solve

MARKER = re.compile(r"^<!-- picture: (\S+)((?: \w+=\S+)*) -->$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the pictures in their places (called by MkDocs)."""
    return MARKER.sub(lambda found: image(found[1], found[2]), markdown)


def image(source: str, options: str = "") -> str:
    """Return the HTML that shows the picture of a problem with its solution; the picture is part of the page."""
    given: dict[str, Any] = {name: value for name, _, value in (o.partition("=") for o in options.split())}
    problem = load(source, **given)
    svg = draw(problem, solve(problem)).svg()
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escape(source)}, solved" src="data:image/svg+xml;base64,{data}">'
