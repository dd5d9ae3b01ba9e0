"""Textbook pages: the source of an engine beside its pseudocode, with the current line marked on a small graph.

`textbook/ENGINE.txt` has a line `pseudocode ¦ beginning of a line of the source` for each step, in the order of the
source; a line that is not found there is an error of the build.
"""

import ast
import inspect
import json
import re
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
LENGTHS = ("SA2", "SB1", "AC2", "AG6", "BD3", "BC5", "CG3", "DG4")
ROADS = {town: {to: int(length) for start, to, length in LENGTHS if start == town} for town in PLACES}
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
        body, name = textbook(spec, path.read_text(encoding="utf-8")), f"reference/engines/{spec.name}"
        facts = f"{escape(spec.summary)}. {guarantees(spec)} "
        facts += f"[Options](../engines.md#{spec.name}); [a slide]({spec.name}/slide.html); "
        facts += "[other engines](../engines.md#textbook-pages)."
        text = f"---\nhide: [navigation, toc]\n---\n\n# {spec.name}\n\n{facts}\n\n{body}\n"
        page = File.generated(config, f"{name}.md", content=text)
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
        files.append(File.generated(config, f"{name}/slide.html", content=slide(spec, body)))
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
        place = next((line[:2] for line in remaining if line[2].strip().startswith(start)), None)
        if place is None:
            raise SystemExit(f"docs/textbook/{spec.name}.txt: no line of the source begins with {start!r}")
        beside[place] = step
    text = "\n".join(line for _, _, line in source)
    code = highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)).splitlines()
    rows = {line[:2]: row for row, line in enumerate(source)}
    shown = ""
    for row, (file, number, line) in enumerate(source):
        step = escape(beside.get((file, number), ""))
        kinds = ("step" if step else "aside") + " first" * line.startswith("def ")
        shown += f'<tr id="row{row}" class="{kinds}"><td><pre>{code[row]}</pre></td><td><pre>{step}</pre></td></tr>'
    steps = json.dumps(stepped(spec, {place: rows[place] for place in beside}), ensure_ascii=False)
    guess = GUESS if spec.heuristic != "unused" else {}
    graph = json.dumps({"places": PLACES, "roads": ROADS, "guess": guess})
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
        if event == "line" and place in rows and frame.f_code.co_name[0] != "<":  # no comprehension
            state, child = map(frame.f_locals.get, ("state", "child"))
            if child not in ROADS.get(state, ()) and state not in ROADS.get(child, ()):
                child = None  # that of the state before
            halves = tree, tree.backward
            found = state, child, *map(costs, halves), list(expanded)
            waiting = "; ".join(queue(half.frontier) for half in halves if half is not None)
            if steps[-1:] != [step := [rows[place], *found, waiting]]:  # the end of a longer statement
                steps.append(step)
        return look

    search, before = Search(PROBLEM, spec.name, backend="python"), sys.gettrace()
    tree = search.tree
    sys.settrace(look)
    for state in search:
        expanded.append(state)
    sys.settrace(before)
    return [*steps, [-1, None, None, {}, {}, list(search.run().states), "", str(search.run())]]


def queue(frontier: Any) -> str:
    """Return the states that wait, the next one first; those of a heap or of buckets with their priorities."""
    if hasattr(frontier, "buckets"):
        buckets = sorted(frontier.buckets.items())
        frontier = [(priority, None, state) for priority, states in buckets for state in reversed(states)]
    elif frontier and isinstance(frontier, list):  # a stack of (depth, state, …), or a heap
        frontier = [one[1] for one in reversed(frontier)] if frontier[0][1] in PLACES else sorted(frontier)
    return ", ".join(one if one in PLACES else f"{one[-1]} {one[0]}" for one in frontier or ())


def costs(tree: Any) -> dict[str, Any]:
    """Return what the states cost that one half of a search has reached; none before it has a frontier."""
    reached = tree.reached if tree and tree.frontier is not None else {}
    return {state: arrival[0] for state, arrival in reached.items()}


def guarantees(spec: EngineSpec) -> str:
    """Return the paragraph of an engine's docstring that says what it finds, and what that costs."""
    parts = (inspect.getdoc(spec.run) or "").split("\n\n")
    return " ".join(next(part for part in parts if "omplete" in part).replace("`", "").split())


def slide(spec: EngineSpec, body: str) -> str:
    """Return a page to project or to print: the pseudocode and the graph."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{spec.name}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="../../../site.css">'
        '<link rel="icon" href="../../../images/logo.svg">'
        f'<body class="slide" style="--lines:{len(re.findall("class=.step", body))}"><h1>{spec.name}</h1>'
        f"<p>{escape(spec.summary)}</p>{body}<footer>{escape(guarantees(spec))}</footer></body></html>"
    )
