"""Parts of pages that are generated from the code at each build, and how pages say to install searchkit."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from griffe import Extension, Object
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from searchkit import Parameter, available_engines, available_problems
from searchkit.cli.commands.lists import ENGINE_COLUMNS, OPTION_COLUMNS, engine_row, option_rows

TEXTBOOK = Path(__file__).parent / "textbook"
INSTALL = re.compile(r"pip install (['\"]?)statespace-searchkit(\[[\w,]+\])?\1")
LISTED = re.compile(r"^\*\*Commands\*\*:\n\n(\* .*\n)+\n", re.MULTILINE)
"""Typer's lists of commands, which cut their sentences; each command has a section."""
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```)", re.MULTILINE | re.DOTALL)
GENERATED = re.compile(r"^<!-- generated: (textbook|engines|problems|commands) -->$", re.MULTILINE)


class ExampleSections(Extension):
    """Lets mkdocstrings show the section `Example:` of our docstrings as code; it knows only the plural."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rename the section before the docstring is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the generated parts in their places (called by MkDocs).

    Until `extra.published` in mkdocs.yml is true, pages say how to install the checkout.
    """
    parts = {
        "textbook": textbook_links,
        "engines": engines_page,
        "problems": problems_page,
        "commands": command_line_page,
    }
    markdown = markdown.replace("```python\n>>>", "```pycon\n>>>")  # what is printed is not Python
    markdown = CONSOLE.sub(lambda found: found[0].replace("...", "…"), markdown)  # what tests skip
    markdown = GENERATED.sub(lambda found: parts[found[1]](), markdown)
    here = "pip install .  # in a checkout"
    if not config.extra["published"]:
        markdown = INSTALL.sub(lambda found: f"pip install '.{found[2]}'" if found[2] else here, markdown)
    return markdown


def textbook_links() -> str:
    """Return the names of the engines that have a textbook page, with links."""
    names = [path.stem for path in sorted(TEXTBOOK.glob("*.txt"))]
    return ", ".join(f"[{name}](engines/{name}.md)" for name in names)


def engines_page() -> str:
    """Return the promises of all registered engines in one table, and a section for each."""
    engines = available_engines().values()
    rows = ((f"[`{spec.name}`](#{spec.name})", *engine_row(spec)[1:]) for spec in engines)
    return "\n".join(
        [
            *table(ENGINE_COLUMNS, rows),
            "",
            *(line for spec in engines for line in section(spec, spec.run, spec.options)),
        ]
    )


def section(spec: Any, documented: Any, options: Iterable[Parameter]) -> Iterator[str]:
    """Yield the lines about an engine or a kind of problem: its summary, its docstring, its options."""
    summary = re.sub(r"([*_])", r"\\\1", spec.summary)
    yield from (f"## {spec.name}", "", f"_{summary}_", "")
    yield f"::: {documented.__module__}.{documented.__qualname__}"
    yield "    options: {show_root_heading: false, show_root_toc_entry: false, show_bases: false, members: false}"
    yield ""
    rows = [
        (f"`{name}`", f"`{default}`" if default else "–", meaning)
        for name, default, meaning in option_rows(options)
    ]
    if rows:
        yield from ("**Options**", "", *table(OPTION_COLUMNS, rows), "")


def problems_page() -> str:
    """Return a section for each registered kind of problem."""
    lines: list[str] = []
    for spec in available_problems().values():
        lines += section(spec, spec.factory, spec.parameters)
        if spec.instance is not None:
            lines += [
                f"`searchkit solve {spec.name}` makes one without a file, from the options of `--set`.",
                "",
            ]
        if spec.examples:
            rows = ((f"`{example.name}`", example.summary) for example in spec.examples)
            lines += ["**Examples**, for `searchkit solve NAME`:", "", *table(("name", "what"), rows), ""]
    return "\n".join(lines)


def command_line_page() -> str:
    """Return the reference of the commands, as Typer writes it from their definitions."""
    pages = subprocess.run(
        [sys.executable, "-m", "typer", "searchkit.cli.app", "utils", "docs", "--name", "searchkit"],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "1000"},
        check=True,
    ).stdout
    pages = re.sub(r"^Example: (.*)$", r"**Example**:\n\n```console\n$ \1\n```", pages, flags=re.MULTILINE)
    return f"#{LISTED.sub('', pages)}"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(", ".join(cell.replace("|", "\\|").splitlines()) for cell in row) + " |"
