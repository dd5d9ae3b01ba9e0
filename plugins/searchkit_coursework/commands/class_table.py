"""Printing grades: the table of a class, or the details of one submission."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from searchkit_coursework.grading.grader import Grade
from searchkit_coursework.grading.rubric import Rubric
from searchkit_coursework.sandbox.container import BWRAP
from searchkit_coursework.sandbox.wording import shown
from searchkit_coursework.student.containment import CALLS, FILES

PROTECTIONS = {
    "files": {BWRAP, FILES},
    "network": {BWRAP, CALLS},
    "other processes": {BWRAP, CALLS},
    "totals of memory and processes": {CALLS},
}
"""What is protected, and by which of the protections."""


def show_grades(console: Console, rubric: Rubric, grades: Sequence[Grade], *, several: bool) -> None:
    """Print the table of a class and the reasons for lost points; for one submission, all details."""
    if several:
        _show_class(console, rubric, grades)
    else:
        for grade in grades:
            _show_one(console, rubric, grade)
    text = protections(grades)
    if text:
        console.print(Text(f"\n{text}", style="dim"), soft_wrap=True)


def show_page(console: Console, rubric: Rubric, grades: Sequence[Grade]) -> None:
    """Print the table of a class, and all details of each submission."""
    show_grades(console, rubric, grades, several=True)
    for grade in grades:
        console.rule(grade.name)
        _show_one(console, rubric, grade)


def _show_class(console: Console, rubric: Rubric, grades: Sequence[Grade]) -> None:
    table = Table(
        title=rubric.title, header_style="bold", title_style="bold", box=SIMPLE_HEAD, pad_edge=False
    )
    table.add_column("submission", overflow="fold")
    table.add_column(f"of {shown(rubric.points)}", justify="right")
    for number in range(1, len(rubric.criteria) + 1):
        table.add_column(str(number), justify="right")
    for grade in grades:
        points = [
            Text("–")
            if grade.trouble
            else Text(shown(mark.score), style="green" if mark.passed else "bold red")
            for mark in grade.marks
        ]
        table.add_row(grade.name, shown(grade.score), *points)
    if grades:
        right = [sum(marks) for marks in zip(*([m.passed for m in g.marks] for g in grades), strict=True)]
        table.add_section()
        table.add_row(f"right, of {len(grades)}", "", *map(str, right), style="dim")
    console.print(table)
    for number, criterion in enumerate(rubric.criteria, 1):
        console.print(f"{number:>3}  {criterion.name} ({shown(criterion.points)})", soft_wrap=True)
    for grade in grades:
        _show_losses(console, grade)


def _show_losses(console: Console, grade: Grade) -> None:
    """Print the reasons why a submission lost points, each reason once."""
    lost: dict[str, list[str]] = {grade.trouble: []} if grade.trouble else {}
    for mark in () if grade.trouble else grade.marks:
        if not mark.passed:
            lost.setdefault(first_line(mark.message), []).append(mark.criterion.name)
    if lost:
        console.print(Text(f"\n{grade.name}", style="bold"), soft_wrap=True)
    for reason, names in lost.items():
        console.print(f"  {', '.join(names)}{': ' * bool(names)}{reason}", soft_wrap=True)


def _show_one(console: Console, rubric: Rubric, grade: Grade) -> None:
    console.print(Text.assemble((rubric.title, "bold"), f": {grade.name}"), soft_wrap=True)
    if grade.trouble:
        console.print(Text(grade.trouble, style="bold red"), soft_wrap=True)
    told: dict[str, str] = {}
    for mark in grade.marks:
        sign, style = ("✓", "green") if mark.passed else ("✗", "bold red")
        points = f"{shown(mark.score)} of {shown(mark.criterion.points)}"
        console.print(Text.assemble((f"{sign} {mark.criterion.name}", style), f"  {points}"), soft_wrap=True)
        if mark.passed or grade.trouble:
            continue
        before = told.setdefault(mark.message, mark.criterion.name)
        message = mark.message if before == mark.criterion.name else f"the same as for {before!r}"
        for line in message.splitlines():
            console.print(f"    {line}", soft_wrap=True)
    console.print(Text(f"{shown(grade.score)} of {shown(grade.most)} points", style="bold"))
    if grade.printed:
        console.print(f"\nIt printed:\n{grade.printed.rstrip()}", soft_wrap=True)


def protections(grades: Sequence[Grade]) -> str:
    """Return a sentence about the protections that were active while the submissions ran; "" if none ran."""
    ran = [set(grade.protections) for grade in grades if not (grade.missing or grade.ungraded)]
    if not ran:
        return ""
    held = set.intersection(*ran)
    text = f"protected by {', '.join(sorted(held)) or 'limits of time, memory and output only'}"
    lacking = [what for what, by in PROTECTIONS.items() if not held & by]
    return f"{text}; not protected: {', '.join(lacking)}" if lacking else text


def first_line(message: str) -> str:
    """Return the beginning of a message: the first reason, with the number of maps if there are several."""
    lines = message.splitlines()
    partly = lines[0].startswith("right on ") and len(lines) > 1
    return f"{lines[0]}; {lines[1]}" if partly else lines[0]
