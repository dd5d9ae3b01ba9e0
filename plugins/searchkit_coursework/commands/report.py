"""The report of a check in the terminal, and pages of what the terminal shows."""

from collections.abc import Callable
from html import escape
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from searchkit.cli.kit import write_file
from searchkit.testing.reports import SIGNS, Report

COLOURS = {SIGNS["holds"]: "green", SIGNS["fails"]: "bold red", SIGNS["undecided"]: "yellow"}
PAGE_WIDTH = 110


def show_report(console: Console, report: Report) -> None:
    """Print a report: each promise, whether it holds, the smallest counterexample and how to reproduce it."""
    for line in str(report).splitlines():
        console.print(Text(line, style=COLOURS.get(line.strip()[:1], "")), soft_wrap=True)


def write_page(path: Path, title: str, show: Callable[[Console], None]) -> None:
    """Write what `show` prints as one self-contained HTML file, which runs nothing and loads nothing.

    Raises `InvalidOptionError` if it can't be written.
    """
    console = Console(
        file=StringIO(), record=True, width=PAGE_WIDTH, force_terminal=True, highlight=False, markup=False
    )
    show(console)
    page = console.export_html(inline_styles=True)
    write_file(path, page.replace("<head>", f"<head>\n<title>{escape(title)}</title>", 1))
