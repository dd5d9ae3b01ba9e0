"""The comparison as a table for the terminal, as Markdown, and as data."""

from collections.abc import Iterator
from typing import Any

from attrs import asdict, frozen
from rich.table import Table

from benchmarks.kit.machine import Machine
from benchmarks.python.contenders import BASELINE, OURS, PEERS
from benchmarks.python.runner import Comparison, Row
from benchmarks.python.workloads import WORKLOADS

LIMITS = {"bfs": 1.4, "dijkstra": 1.3, "astar": 1.3}
"""Algorithm → how much of the hand-written loop's time searchkit may take: its engines are there to be read."""
HEADINGS = ("contender", "CPU seconds", "× hand-written", "range", "× searchkit", "expanded", "remark")


@frozen
class Verdict:
    """Whether searchkit keeps what it promises on one workload; None where nothing could be compared."""

    overhead: bool | None
    """At most `LIMITS` of the hand-written loop's time."""
    fastest: bool | None
    """Less time than every peer with the same task."""
    fastest_of_all: bool | None
    """Less time than every peer, those with an easier task included."""
    same_cost: bool | None
    """The hand-written loop's cost."""
    fewest_expansions: bool | None
    """No more expansions than any peer with the same task."""

    def __str__(self) -> str:
        names = {
            "within the limit over the hand-written loop": self.overhead,
            "faster than every peer with the same task": self.fastest,
            "and than those with an easier one": self.fastest_of_all,
            "same cost": self.same_cost,
            "no more expansions than any peer with the same task": self.fewest_expansions,
        }
        words = {True: "yes", False: "NO", None: "not compared"}
        return "; ".join(f"{name}: {words[kept]}" for name, kept in names.items())


def verdict(comparison: Comparison) -> Verdict:
    """Judge searchkit on one workload. See `Row.easier` for what makes a task easier than ours."""
    ours, overhead = comparison.row(OURS), comparison.ratio(OURS)
    peers = [row for row in comparison.rows if row.contender in PEERS and not row.problem]
    equals = [row for row in peers if not row.easier]
    all_ratios = [ratio.median for row in peers if (ratio := comparison.ratio(row.contender, OURS))]
    ratios = [ratio.median for row in equals if (ratio := comparison.ratio(row.contender, OURS))]
    expansions = [row.expanded for row in equals if row.expanded is not None]
    if ours is None or ours.expanded is None:
        return Verdict(None, None, None, None, None)
    return Verdict(
        overhead=overhead.median <= LIMITS[WORKLOADS[comparison.workload](True).algorithm]
        if overhead
        else None,
        fastest=min(ratios) > 1 if ratios else None,
        fastest_of_all=min(all_ratios) > 1 if all_ratios else None,
        same_cost=not ours.problem,
        fewest_expansions=ours.expanded <= min(expansions) if expansions else None,
    )


def cells(comparison: Comparison, row: Row) -> tuple[str, ...]:
    """Return a row's cells under `HEADINGS`."""
    to_baseline, to_ours = comparison.ratio(row.contender), comparison.ratio(row.contender, OURS)
    timed = sorted(row.seconds) if not row.problem else []
    return (
        row.contender,
        f"{timed[len(timed) // 2]:.3f}" if timed else "",
        f"{to_baseline.median:.2f}" if to_baseline else "",
        f"{to_baseline.low:.2f}–{to_baseline.high:.2f}" if to_baseline and len(timed) > 1 else "",
        f"{to_ours.median:.2f}" if to_ours else "",
        f"{row.expanded:,}" if row.expanded is not None else "",
        row.problem or row.easier,
    )


def table(comparison: Comparison) -> Table:
    """Return the comparison for the terminal."""
    drawn = Table(title=comparison.title, title_justify="left", caption=str(verdict(comparison)))
    drawn.caption_justify = "left"
    for heading in HEADINGS:
        drawn.add_column(heading, justify="left" if heading in ("contender", "remark") else "right")
    for row in comparison.rows:
        style = "bold" if row.contender == OURS else "dim" if row.problem else ""
        drawn.add_row(*cells(comparison, row), style=style)
    return drawn


def markdown(comparisons: list[Comparison], machine: Machine) -> str:
    """Return all comparisons for the documentation: a summary and one table for each workload."""
    return "\n".join(markdown_lines(comparisons, machine)) + "\n"


def markdown_lines(comparisons: list[Comparison], machine: Machine) -> Iterator[str]:
    """Yield the lines of `markdown`."""
    contenders = [
        f"{row.contender} \\*" if row.easier else row.contender
        for row in comparisons[0].rows
        if row.contender != BASELINE
    ]
    yield f"Measured {machine}."
    yield ""
    yield (
        "CPU time as a multiple of the hand-written loop's (median of the rounds' ratios). A \\* marks a contender "
        "whose task is easier: it gives no actions, or its graph was built beforehand and that time left out."
    )
    yield ""
    yield from markdown_row("search", *contenders)
    yield from markdown_row("---", *("--:" for _ in contenders))
    for comparison in comparisons:
        entries = (summary(comparison, row) for row in comparison.rows if row.contender != BASELINE)
        yield from markdown_row(comparison.title, *entries)
    for comparison in comparisons:
        yield ""
        yield f"**{comparison.title}**"
        yield ""
        yield from markdown_row(*HEADINGS)
        yield from markdown_row("---", *("--:" for _ in HEADINGS[1:-1]), "---")
        for row in comparison.rows:
            yield from markdown_row(*cells(comparison, row))
        yield ""
        yield f"{verdict(comparison)}."


def markdown_row(*entries: str) -> Iterator[str]:
    """Yield one row of a Markdown table."""
    yield f"| {' | '.join(entries)} |"


def summary(comparison: Comparison, row: Row) -> str:
    """Return one entry of the summary: the ratio to the hand-written loop, or why it is missing."""
    ratio = comparison.ratio(row.contender)
    text = f"{ratio.median:.2f}" if ratio else row.problem
    return f"**{text}**" if row.contender == OURS else text


def data(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as JSON data: everything measured, and what follows from it."""
    rows = []
    for row in comparison.rows:
        ratios = {
            f"ratio_to_{name}": asdict(ratio)
            for name, to in (("hand_written", BASELINE), ("searchkit", OURS))
            if (ratio := comparison.ratio(row.contender, to))
        }
        rows.append(asdict(row) | ratios)
    return {
        "workload": comparison.workload,
        "title": comparison.title,
        "rows": rows,
        "verdict": asdict(verdict(comparison)),
    }
