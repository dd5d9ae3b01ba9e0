"""Pages of the reference that are generated from the code at each build, so that they are never out of date."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from searchkit import EngineSpec, Parameter, ProblemSpec, available_engines, available_problems

TEXTBOOK = Path(__file__).parent / "textbook"

INSTALL = re.compile(r"pip install (['\"]?)statespace-searchkit(\[[\w,]+\])?\1")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Say how to install the checkout until `extra.published` in mkdocs.yml is true (called by MkDocs)."""
    if config.extra["published"]:
        return markdown
    return INSTALL.sub(
        lambda found: f"pip install '.{found[2]}'" if found[2] else "pip install .  # in a checkout", markdown
    )


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the generated pages in their places (called by MkDocs)."""
    for name, page in (
        ("engines", engines_page()),
        ("problems", problems_page()),
        ("command-line", command_line_page()),
    ):
        path = f"reference/{name}.md"
        placeholder = files.get_file_from_path(path)  # so that links work where the pages are read as files
        if placeholder is not None:
            files.remove(placeholder)
        files.append(File.generated(config, path, content=page))
    return files


def engines_page() -> str:
    """Return the reference of all registered engines: their promises in one table, then each in turn."""
    engines = available_engines().values()
    return "\n".join(
        [
            "# Engines",
            "",
            "This page is generated from the registry of engines when the documentation is built. The promises are "
            "data ([`EngineSpec`](python.md#searchkit.EngineSpec)), which `auto`, the command line and the "
            "tests read, too.",
            "",
            "- **optimal**: the path has the least cost, for the costs that the engine handles and with an "
            "admissible heuristic.",
            "- **complete**: the engine finds a path if one exists, and ends on finite problems if none does.",
            "- **costs**: `unit` engines count actions; on other problems they promise nothing, and the result has "
            "a warning.",
            "- **memory**: grows with the number of reached `states`, with the `depth` of one path, with nodes of the "
            "engine's `own`, or not beyond what an `option` allows.",
            "- **compiled**: whether the engine also exists as [machine code](../explanation/machine-code.md).",
            "",
            *table(
                ("engine", "optimal", "complete", "costs", "heuristic", "needs", "memory", "compiled"),
                (
                    (
                        f"[`{spec.name}`](#{anchor(spec.name)})",
                        yes(spec.optimal),
                        yes(spec.complete),
                        spec.costs,
                        spec.heuristic,
                        ", ".join(f"`{capability.__name__}`" for capability in spec.requires) or "–",
                        spec.memory,
                        yes(bool(spec.kernel)),
                    )
                    for spec in engines
                ),
            ),
            "",
            "The source beside its pseudocode, with the current line marked, and a slide: "
            + ", ".join(f"[{path.stem}](engines/{path.stem}.md)" for path in sorted(TEXTBOOK.glob("*.txt")))
            + ". `searchkit engines NAME --source` prints the source of any engine.",
            "",
            "`auto` chooses A\\* for a problem with a heuristic, breadth-first search without heuristic and costs, the "
            "bucket queue for integer costs, and Dijkstra's algorithm otherwise. A long search of a reversible problem "
            "is compared with `bidirectional`. The result gives the choice and the reason.",
            "",
            *(line for spec in engines for line in engine_section(spec)),
        ]
    )


def engine_section(spec: EngineSpec) -> Iterator[str]:
    """Yield the lines of one engine's section."""
    yield f"## {spec.name}"
    yield ""
    if anchor(spec.name) != spec.name:
        yield from (f'<a id="{anchor(spec.name)}"></a>', "")
    yield emphasised(spec.summary)
    yield ""
    yield from docstring(spec.run)
    yield ""
    if spec.options:
        yield from ("**Options**", "", *parameter_table(spec.options), "")


def anchor(name: str) -> str:
    """Return the anchor of an engine's section."""
    return name.replace("+", "-plus")


def problems_page() -> str:
    """Return the reference of all registered kinds of problem."""
    problems = available_problems().values()
    return "\n".join(
        [
            "# Problems",
            "",
            "This page is generated from the registry of problems when the documentation is built.",
            "",
            *(line for spec in problems for line in problem_section(spec)),
        ]
    )


def problem_section(spec: ProblemSpec) -> Iterator[str]:
    """Yield the lines of one kind of problem's section."""
    yield f"## {spec.name}"
    yield ""
    yield emphasised(spec.summary)
    yield ""
    if (TEXTBOOK / f"{spec.name}.txt").is_file():
        yield from (f"[The source beside its pseudocode, step by step](engines/{spec.name}.md)", "")
    yield from docstring(spec.factory)
    yield ""
    if spec.instance is not None:
        yield f"`searchkit solve {spec.name}` makes one without a file, from the options of `--set`."
        yield ""
    if spec.parameters:
        yield from ("**Options**", "", *parameter_table(spec.parameters), "")
    if spec.examples:
        yield "**Examples**, for `searchkit solve NAME`:"
        yield ""
        yield from table(("name", "what"), ((f"`{e.name}`", e.summary) for e in spec.examples))
        yield ""


def command_line_page() -> str:
    """Return the reference of the command line, as Typer writes it from the commands' definitions."""
    pages = subprocess.run(
        [sys.executable, "-m", "typer", "searchkit.cli.app", "utils", "docs", "--name", "searchkit"],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "1000"},
        check=True,
    ).stdout
    pages = re.sub(r"^Example: (.*)$", r"**Example**:\n\n```console\n$ \1\n```", pages, flags=re.MULTILINE)
    exit_codes = table(
        ("exit code", "meaning"),
        (
            ("0", "solved; done; all queries of a scenario agree"),
            (
                "1",
                "proved unsolvable; a query of a scenario does not agree; a check (`check`, `plugins --check`) fails; "
                "a problem is not translated",
            ),
            ("2", "wrong use or input; one message on stderr says what to do"),
            ("3", "cut off by a limit or by Ctrl-C; what is known was printed"),
        ),
    )
    return "\n".join(
        [
            "# Command line",
            "",
            "This page is generated from the definitions of the commands when the documentation is built. "
            "`searchkit COMMAND --help` prints the same text.",
            "",
            *exit_codes,
            "",
            "With `SEARCHKIT_DEBUG=1` in the environment, an error shows its traceback as well.",
            "",
            "**SOURCE** is one of the following; if several fit, the first of them is meant: the path of a file; `-`, "
            "which is standard input (`searchkit generate maze | searchkit solve -`); "
            "[`FILE.py:NAME`](../how-to/solve.md#your-own-file), a problem in your own Python file; the name of an "
            "example; the name of a kind of problem that needs no file. `searchkit problems` lists the last two. "
            "Standard input and pipes are read up to 256 MiB; limits such as `--max-seconds` hold for the search that "
            "follows.",
            "",
            "`searchkit --install-completion` lets the shell (bash, zsh, fish, PowerShell) complete commands, "
            "options, examples, problems, engines and backends.",
            "",
            re.sub(r"^# .*\n", "", pages),
        ]
    )


def parameter_table(parameters: Iterable[Parameter]) -> Iterator[str]:
    """Yield a table of the options of an engine or a problem."""
    return table(
        ("option", "default", "values", "meaning"),
        (
            (
                f"`{parameter.name}`",
                "–" if parameter.default is None else f"`{parameter.default}`",
                ", ".join(f"`{choice}`" for choice in parameter.choices) or parameter.range or "any",
                parameter.help,
            )
            for parameter in parameters
        ),
    )


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in row) + " |"


def docstring(thing: Any) -> Iterator[str]:
    """Yield the lines that make mkdocstrings write the docstring of a function or class, without its signature."""
    yield f"::: {thing.__module__}.{thing.__qualname__}"
    yield "    options:"
    for option in ("show_root_heading", "show_root_toc_entry", "show_bases"):
        yield f"      {option}: false"
    yield "      members: false"


def emphasised(summary: str) -> str:
    """Return a line of plain text in italics."""
    escaped = re.sub(r"([*_])", r"\\\1", summary)
    return f"_{escaped}_"


def yes(promise: bool) -> str:
    """Return a promise as a word."""
    return "yes" if promise else "no"
