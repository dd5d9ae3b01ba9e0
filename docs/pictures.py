"""Pictures that pages show: drawn at each build, never committed.

A page has the line `<!-- picture: SOURCE NAME=VALUE … -->`: the picture of that problem with its solution stands there
in the built documentation. SOURCE is what `searchkit solve` takes; the options are those of the problem, and `engine`.
With `start` instead of `picture`, it shows the start; with `tree`, the states that were reached first.
"""

import re
from base64 import b64encode
from html import escape
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from searchkit import draw, load, record, solve
from searchkit.render.moments import Moments
from searchkit.render.scene import to_svg

MARKER = re.compile(r"^<!-- (picture|start|tree): (\S+)((?: \w+=\S+)*) -->$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the pictures in their places (called by MkDocs)."""
    return MARKER.sub(lambda found: image(*found.groups()), markdown)


SHOWN = {"picture": "solved", "start": "before the search", "tree": "the search tree"}


def image(shown: str, source: str, options: str = "") -> str:
    """Return the HTML that shows a picture of a problem; the picture is part of the page."""
    given: dict[str, Any] = {name: value for name, _, value in (o.partition("=") for o in options.split())}
    engine = given.pop("engine", "auto")
    problem = load(source, **given)
    if shown == "tree":
        moments = Moments(record(problem, engine))
        svg = to_svg(moments.go(len(moments)).scene())
    else:
        svg = draw(problem, solve(problem, engine) if shown == "picture" else None).svg()
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escape(source)}, {SHOWN[shown]}" src="data:image/svg+xml;base64,{data}">'
