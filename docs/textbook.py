"""Textbook pages: the source of an engine beside its pseudocode, with the current line marked on a small graph.

`textbook/ENGINE.txt` has a line `pseudocode ¦ beginning of a line of the source` for each step, in the order of the
source; a line that is not found there is an error of the build.
"""

import ast
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from searchkit import EngineSpec, Search, available_engines, problem_from

PSEUDOCODE = Path(__file__).parent / "textbook"
PLACES = {"S": (0, 1), "A": (1, 0), "B": (1, 2), "C": (1.8, 1.1), "D": (2.2, 2), "G": (3, 1)}
ROADS: dict[str, dict[str, int]] = {town: {} for town in PLACES}
for start, end, length in ["SA2", "SB1", "AC2", "AG6", "BD3", "BC5", "CG3", "DG4"]:
    ROADS[start][end] = int(length)
GUESS = {"S": 6, "A": 4, "B": 6, "C": 3, "D": 4, "G": 0}
PROBLEM = problem_from(  # the cheapest way costs 7, the shortest one 8
    ["S"],
    lambda town: [(to, to) for to in ROADS[town]],
    "G".__eq__,
    cost=lambda town, road, to: ROADS[town][to],
    heuristic=GUESS.__getitem__,
    predecessors=lambda town: [(town, come) for come in ROADS if town in ROADS[come]],
    goals=["G"],
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put a page and a slide of each engine with pseudocode in their places (called by MkDocs)."""
    for path in sorted(PSEUDOCODE.glob("*.txt")):
        spec = available_engines()[path.stem]
        body = textbook(spec, path.read_text(encoding="utf-8"))
        links = f"[Guarantees and options](../engines.md#{spec.name}); [a slide]({spec.name}/slide.html)."
        text = f"---\nhide: [navigation, toc]\n---\n\n# {spec.name}\n\n{escape(spec.summary)}. {links}\n"
        page = File.generated(config, f"reference/engines/{spec.name}.md", content=f"{text}\n{body}\n")
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
        files.append(
            File.generated(config, f"reference/engines/{spec.name}/slide.html", content=slide(spec, body))
        )
    return files


def textbook(spec: EngineSpec, pseudocode: str) -> str:
    """Return the source beside the pseudocode, and a graph on which the search is stepped through."""
    first, _, rest = pseudocode.partition("\n")
    named, pairs = (first.split()[1:], rest) if first.startswith("functions:") else ([], pseudocode)
    functions = [resolve_name(name) for name in named] or [spec.run]
    source = [line for function in functions for line in body_of(function)]
    beside: dict[tuple[str, int], str] = {}
    remaining = iter(source)
    for step, start in (line.split(" ¦ ") for line in pairs.splitlines()):
        file, number, _ = next(
            (line for line in remaining if line[2].strip().startswith(start)), (None, 0, "")
        )
        if file is None:
            raise SystemExit(f"docs/textbook/{spec.name}.txt: no line of the source begins with {start!r}")
        beside[file, number] = step
    text = highlight(
        "\n".join(line for _, _, line in source), PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)
    )
    rows = {(file, number): row for row, (file, number, _) in enumerate(source)}
    shown = "".join(
        f'<tr id="row{row}"><td><pre>{code}</pre></td><td><pre>{escape(beside.get((file, number), ""))}</pre></td></tr>'
        for row, ((file, number, _), code) in enumerate(zip(source, text.splitlines(), strict=False))
    )
    steps = json.dumps(stepped(spec, {place: rows[place] for place in beside}), ensure_ascii=False)
    graph = json.dumps({"places": PLACES, "roads": ROADS, "guess": GUESS})
    return (
        f'<div class="textbook" data-graph="{escape(graph)}" data-steps="{escape(steps)}"><div class="stage"></div>'
        f'<table class="highlight"><tbody>{shown}</tbody></table></div>\n<script src="../../../textbook.js"></script>'
    )


def body_of(function: Callable[..., Any]) -> Iterator[tuple[str, int, str]]:
    """Yield file, number and text of each line of a function, without decorators and docstring."""
    lines, first = inspect.getsourcelines(function)
    tree: Any = ast.parse("".join(lines)).body[0]
    doc = range(tree.body[0].lineno, tree.body[0].end_lineno + 1) if ast.get_docstring(tree) else range(0)
    for number, line in enumerate(lines, 1):
        if number >= tree.lineno and number not in doc:
            yield inspect.getfile(function), first + number - 1, line.rstrip()


def stepped(spec: EngineSpec, rows: dict[tuple[str, int], int]) -> list[list[Any]]:
    """Return for each line that runs and has pseudocode: its row, state, child, what is reached, what is expanded."""
    steps: list[list[Any]] = []
    expanded: list[str] = []

    def look(frame: FrameType, event: str, _: Any) -> Any:
        place = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and place in rows:
            known = frame.f_locals
            reached, back = (costs(half) for half in (tree, tree.backward))
            steps.append([rows[place], known.get("state"), known.get("child"), reached, back, list(expanded)])
        return look

    search, before = Search(PROBLEM, spec.name, backend="python"), sys.gettrace()
    tree = search.tree
    sys.settrace(look)
    for state in search:
        expanded.append(state)
    sys.settrace(before)
    return [*steps, [-1, None, None, {}, {}, list(search.run().states), str(search.run())]]


def costs(tree: Any) -> dict[str, Any]:
    """Return what the states cost that one half of a search has reached."""
    return {} if tree is None else {state: arrival[0] for state, arrival in tree.reached.items()}


def slide(spec: EngineSpec, body: str) -> str:
    """Return a page to project or to print."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{spec.name}</title>'
        f'<link rel="stylesheet" href="../../../site.css"><style>{HtmlFormatter().get_style_defs(".highlight")}</style>'
        f'<body class="slide"><h1>{spec.name}</h1><p>{escape(spec.summary)}</p>'
        f"{body}</body></html>"
    )
