"""The report of a check in the terminal, and as a page."""

from collections.abc import Callable
from html import escape
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from searchkit.cli.kit import write_file
from searchkit.testing.reports import SIGNS, Check, Counterexample, Report

COLOURS = {"holds": "green", "fails": "bold red", "skipped": "dim", "undecided": "yellow"}
PAGE_WIDTH = 110


def show_report(console: Console, report: Report) -> None:
    """Print a report: each promise, whether it holds, the smallest counterexample and how to reproduce it."""
    fails = len(report.failures)
    verdict = "holds" if report.holds else f"{fails} of {len(report.checks)} promises fail"
    head = Text.assemble(
        (report.subject, "bold"), ": ", (verdict, COLOURS["holds" if report.holds else "fails"])
    )
    if report.examples:
        head.append(f" ({report.examples} example{'' if report.examples == 1 else 's'})", style="dim")
    console.print(head)
    for check in report.checks:
        _show_check(console, check)
    for name, value in report.facts.items():
        console.print(Text(f"  {name}: {value}", style="dim"), soft_wrap="\n" in str(value))


def write_page(path: Path, title: str, show: Callable[[Console], None], width: int = PAGE_WIDTH) -> None:
    """Write what `show` prints as one self-contained HTML file, which runs nothing and loads nothing.

    Raises `InvalidOptionError` if it can't be written.
    """
    console = Console(
        file=StringIO(),
        record=True,
        width=width,
        force_terminal=True,
        highlight=False,
        markup=False,
        emoji=False,
    )
    show(console)
    page = console.export_html(inline_styles=True)
    write_file(path, page.replace("<head>", f"<head>\n<title>{escape(title)}</title>", 1))


def _show_check(console: Console, check: Check) -> None:
    style = COLOURS[check.outcome]
    line = Text.assemble((f"{SIGNS[check.outcome]} {check.name}", style), f": {check.promise}")
    console.print(Padding(line, (0, 0, 0, 2)))
    if check.outcome != "holds" and check.detail:
        console.print(Padding(Text(f"{check.outcome}: {check.detail}", style=style), (0, 0, 0, 4)))
    if check.counterexample is not None:
        _show_case(console, check.counterexample)


def _show_case(console: Console, case: Counterexample) -> None:
    def show(text: str, indent: int = 4) -> None:
        # A drawing that is wider than the window is not wrapped.
        for line in text.splitlines():
            console.print(" " * indent + line, soft_wrap=True)

    if not any("\n" in drawing for _, drawing in case.paths):  # a path on a map shows the map, too
        console.print()
        show(case.drawing)
    for name, drawing in case.paths:
        console.print()
        show(f"{name}:")
        show(drawing)
    if case.numbers:
        console.print()
        show("\n".join(f"{name} = {value}" for name, value in case.numbers))
    if case.reproduce:
        console.print()
        show("to see it again:")
        show("\n".join(case.reproduce), 6)
    console.print()
