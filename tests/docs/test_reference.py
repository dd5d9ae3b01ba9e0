"""The documentation covers what there is: every engine, every fence that should run."""

import importlib
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import ModuleType

import pytest

from searchkit import __all__ as public_names
from searchkit import available_engines, available_problems, errors, plugin

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^[ ]*```(.+)$", re.MULTILINE)
SHOWN = {"text", "sh", "json"}
"""Blocks that nobody runs. Commands that need a package index or take long are in `sh`."""
RUN = re.compile(r'python|console|\w+ title="[^"]+"')
"""Blocks that are run, or written to a file for those after them."""


@pytest.fixture(scope="module")
def generated() -> Iterator[ModuleType]:
    """Return the module that writes the generated pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs"))
        yield importlib.import_module("hooks")


@pytest.mark.parametrize(
    "name",
    ["bfs", "dfs", "iddfs", "dijkstra", "greedy", "astar", "wastar", "idastar", "bidirectional", "bucket"],
)
def test_pseudocode_follows_the_source(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its order; most of its lines run on the graph of the page, and the search ends with a path."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("textbook")
    text = (page.PSEUDOCODE / f"{name}.txt").read_text(encoding="utf-8")
    body = page.textbook(available_engines()[name], text)
    steps = json.loads(unescape(re.findall(r'data-steps="([^"]*)"', body)[0]))
    assert "solved: cost" in steps[-1][-1]
    beside = {int(row) for row in re.findall(r'<tr id="row(\d+)" class="step', body)}
    assert len(beside & {step[0] for step in steps}) >= 0.7 * len(beside)


def section(page: str, title: str) -> str:
    """Return one section of a page."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert match is not None, f"no section {title}"
    return match[1]


def test_engines_are_documented(generated: ModuleType) -> None:
    """Each has a row with its promises, and a section with definition, guarantees, example and options."""
    page = generated.engines_page()
    for spec in available_engines().values():
        link = rf"\[`{spec.name}`\]\(#{spec.name}\)"
        row = re.search(rf"^\| {link} \|(.*)$", page, re.MULTILINE)
        assert row, spec.name
        assert [promise in row[1] for promise in ("optimal", "complete")] == [spec.optimal, spec.complete]
        text, docstring = section(page, spec.name), spec.run.__doc__ or ""
        assert f"::: {spec.run.__module__}.{spec.run.__qualname__}\n" in text
        assert ">>> " in docstring
        assert re.search(r"[Cc]omplete.*[Oo]ptimal|[Cc]omplete.*cost ≤", docstring, re.DOTALL), spec.name
        assert re.search(r"\b(1[89]|20)\d\d\)", docstring + spec.summary), spec.name
        assert all(f"| `{option.name}` |" in text for option in spec.options)


def test_problems_are_documented(generated: ModuleType) -> None:
    """Each kind has a section with its options and examples."""
    page = generated.problems_page()
    for spec in available_problems().values():
        for named in (*spec.parameters, *spec.examples):
            assert f"| `{named.name}` |" in section(page, spec.name)


def test_commands_are_documented(generated: ModuleType) -> None:
    """Each command has a section with an example that begins with the command."""
    page = generated.command_line_page()
    commands = re.findall(r"^## `searchkit (\S+)`$", page, re.MULTILINE)
    assert {"solve", "compare", "watch", "demo", "new"} <= set(commands)
    for command in commands:
        assert f"$ searchkit {command}" in section(page, f"`searchkit {command}`")


def shown_names(package: str) -> set[str]:
    """Return the names of a package that the page of the Python reference shows by themselves."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    return set(re.findall(rf"^::: {re.escape(package)}\.([A-Za-z_]\w*)$", page, re.MULTILINE))


def test_public_names_are_documented() -> None:
    """The page shows what `searchkit` exports, and nothing that it does not export."""
    assert shown_names("searchkit") == {*public_names, "errors"}


def test_what_plugins_import_is_documented() -> None:
    """Every name of `searchkit.plugin` is shown under it, or as a name of `searchkit`, or among the errors."""
    shown = shown_names("searchkit.plugin") - {"hookspecs"}
    names = {
        name for name, value in vars(plugin).items() if name[0] != "_" and not isinstance(value, ModuleType)
    }
    assert shown <= names
    assert names <= shown | set(public_names) | set(vars(errors))


def test_every_block_is_run_or_known_not_to_be() -> None:
    """A misspelt or forgotten language would leave an example untested without anybody noticing."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        infos = FENCE.findall(text)
        assert [info for info in infos if info not in SHOWN and not RUN.fullmatch(info)] == [], page
        assert text.count("```") == 2 * len(infos), page
