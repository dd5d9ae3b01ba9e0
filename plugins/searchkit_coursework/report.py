"""What a class gets: tables in the terminal, a page, and the files for spreadsheets and Gradescope.

Gradescope reads `/autograder/results/results.json`: https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import csv
from collections.abc import Sequence
from html import escape
from io import StringIO
from json import dumps
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from searchkit.basics.values import readable
from searchkit_coursework.grader import Grade
from searchkit_coursework.rubric import Rubric
from searchkit_coursework.sandbox import BWRAP
from searchkit_coursework.student.containment import CALLS, FILES

PAGE_WIDTH = 110
PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    '</head><body style="color: {foreground}; background: {background}"><pre style="max-width: 70rem; margin: auto; '
    "white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.25 'DejaVu Sans Mono', monospace\">{code}</pre>\n"
)
"""Rich puts the text of the page into it."""
STDOUT_SHOWN = 2_000
FORMULAS = tuple("=+-@")
"""The first characters of what a spreadsheet takes for a formula."""


def show_grades(console: Console, rubric: Rubric, grades: Sequence[Grade], *, several: bool) -> None:
    """Print the table of a class and the reasons for lost points; for one submission, all details."""
    if several:
        _show_class(console, rubric, grades)
    else:
        for grade in grades:
            _show_one(console, rubric, grade)
    if text := protections(grades):
        console.print(Text(f"\n{text}", style="dim"), soft_wrap=True)


def page(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return one HTML page with the table of a class and all details. It runs nothing and loads nothing."""
    console = Console(
        file=StringIO(), record=True, width=PAGE_WIDTH, force_terminal=True, highlight=False, markup=False
    )
    show_grades(console, rubric, grades, several=True)
    for grade in grades:
        console.rule(Text(grade.name, style="bold"), style="dim")
        _show_one(console, rubric, grade)
    text = console.export_html(inline_styles=True, code_format=PAGE)
    return text.replace("<head>", f"<head>\n<title>{escape(rubric.title)}</title>", 1)


def _show_class(console: Console, rubric: Rubric, grades: Sequence[Grade]) -> None:
    look: dict[str, Any] = {"header_style": "bold", "title_style": "bold", "box": SIMPLE_HEAD, "padding": 0}
    table = Table(title=rubric.title, **look)
    table.add_column("submission", overflow="fold")
    for head in (f"of {readable(rubric.points)}", *map(str, range(1, len(rubric.criteria) + 1))):
        table.add_column(head, justify="right")
    for grade in grades:
        styled = [(mark, "green" if mark.passed else "bold red") for mark in grade.marks]
        points = [Text("–") if grade.trouble else Text(readable(mark.score), style) for mark, style in styled]
        table.add_row(grade.name, readable(grade.score), *points)
    if grades:
        right = [sum(marks) for marks in zip(*([m.passed for m in g.marks] for g in grades), strict=True)]
        table.add_section()
        table.add_row(f"right, of {len(grades)}", "", *map(str, right), style="dim")
    console.print(table)
    for number, criterion in enumerate(rubric.criteria, 1):
        console.print(f"{number:>3}  {criterion.name} ({readable(criterion.points)})", soft_wrap=True)
    for grade in grades:
        lost = [f"{mark.criterion.name}: {mark.reason}" for mark in grade.marks if not mark.passed]
        if grade.trouble or lost:
            console.print(Text(f"\n{grade.name}", style="bold"), soft_wrap=True)
        for line in [grade.trouble] if grade.trouble else lost:
            console.print(f"  {line}", soft_wrap=True)


def _show_one(console: Console, rubric: Rubric, grade: Grade) -> None:
    console.print(Text.assemble((rubric.title, "bold"), f": {grade.name}"), soft_wrap=True)
    if grade.trouble:
        console.print(Text(grade.trouble, style="bold red"), soft_wrap=True)
    for mark in grade.marks:
        sign, style = ("✓", "green") if mark.passed else ("✗", "bold red")
        points = f"{readable(mark.score)} of {readable(mark.criterion.points)}"
        console.print(Text.assemble((f"{sign} {mark.criterion.name}", style), f"  {points}"), soft_wrap=True)
        if mark.passed or grade.trouble:
            continue
        for line in mark.message.splitlines():
            console.print(f"    {line}", soft_wrap=True)
    console.print(Text(f"{readable(grade.score)} of {readable(rubric.points)} points", style="bold"))
    if grade.printed:
        console.print(f"\nIt printed:\n{grade.printed.rstrip()}", soft_wrap=True)


def protections(grades: Sequence[Grade]) -> str:
    """Return a sentence about the protections that were active while the submissions ran; "" if none ran."""
    ran = [set(grade.protections) for grade in grades if not grade.ungraded]
    if not ran:
        return ""
    held = set.intersection(*ran)
    text = f"protected by {', '.join(sorted(held)) or 'limits of time and memory only'}"
    whole = CALLS in held and held & {BWRAP, FILES}
    return text if whole else f"{text}; grade hostile code in a container"


def gradescope(grade: Grade) -> dict[str, Any]:
    """Return a grade in Gradescope's format: the score, and one test for each criterion."""
    output = [grade.trouble] if grade.trouble else []
    if grade.printed:
        output.append(f"Your code printed:\n{grade.printed[:STDOUT_SHOWN]}")
    return {
        "score": grade.score,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": mark.criterion.name,
                "score": mark.score,
                "max_score": mark.criterion.points,
                "status": "passed" if mark.passed else "failed",
                "output": mark.message,
                "output_format": "text",
                "visibility": mark.criterion.visibility,
            }
            for mark in grade.marks
        ],
        **({"output": "\n\n".join(output)} if output else {}),
        "extra_data": {"protections": list(grade.protections)},
    }


def results_json(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return the text of Gradescope's `results.json` for the only grade."""
    return dumps(gradescope(grades[0]), indent=2, ensure_ascii=False) + "\n"


def csv_table(rubric: Rubric, grades: Sequence[Grade]) -> str:
    """Return a table with a column for each criterion, in which no text is read as a formula."""
    rows = [["submission", "points", *(criterion.name for criterion in rubric.criteria), "note"]]
    for grade in grades:
        scores = [f"{mark.score:g}" for mark in grade.marks]
        rows.append([grade.name, f"{grade.score:g}", *scores, grade.trouble])
    lines = StringIO()
    csv.writer(lines).writerows(
        [f"'{cell}" if cell.startswith(FORMULAS) else cell for cell in row] for row in rows
    )
    return lines.getvalue()
