"""The measurement of one contender on one task, and the tables of them."""

from collections.abc import Sequence
from statistics import median

from attrs import field, mutable
from rich.table import Table

from benchmarks.kit.spread import Spread
from benchmarks.peers import OURS

HEADINGS = ("contender", "build, ms", "search, ms", "× searchkit", "range", "with building", "remark")


@mutable
class Row:
    """One contender on one task. Times are CPU seconds."""

    task: str
    contender: str
    build: float = 0.0
    """Building what is searched, what the first search takes longer than the others included."""
    first: float = 0.0
    """The first search."""
    seconds: list[float] = field(factory=list)
    """Of each search after the first, or of that alone where it is a long one."""
    value: float | None = None
    """What it has found."""
    ratio: Spread | None = None
    """Its searches to ours, round by round; None where there is nothing to compare."""
    ratio_with_building: float | None = None
    easier: str = ""
    """What makes its task smaller than ours."""
    cannot: str = ""
    """What the library is for, where that is not this task."""
    problem: str = ""
    """Why there are no times, or why they don't count."""

    @property
    def median(self) -> float:
        """The median of the searches."""
        return median(self.seconds)


def cells(row: Row) -> tuple[str, ...]:
    """Return a row under `HEADINGS`."""
    if row.problem or not row.seconds:
        return (row.contender, "", "", "", "", "", row.problem)
    ratio, whole = row.ratio, row.ratio_with_building
    return (
        row.contender,
        f"{row.build * 1e3:,.0f}",
        f"{row.median * 1e3:,.1f}",
        f"{ratio.median:.2f}" if ratio else "",
        f"{ratio.low:.2f}–{ratio.high:.2f}" if ratio and len(row.seconds) > 1 else "",
        f"{whole:.2f}" if whole else "",
        row.easier,
    )


def table(title: str, rows: Sequence[Row]) -> Table:
    """Return one task for the terminal."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.cannot:
            reasons.setdefault(row.cannot, []).append(row.contender)
    caption = "; ".join(f"{', '.join(names)}: only {reason}" for reason, names in reasons.items())
    drawn = Table(title=title, title_justify="left", caption=caption, caption_justify="left")
    for heading in HEADINGS:
        drawn.add_column(heading, justify="left" if heading in ("contender", "remark") else "right")
    for row in rows:
        if row.cannot:
            continue
        ours = row.contender.startswith(OURS)
        drawn.add_row(*cells(row), style="bold" if ours else "dim" if row.problem else "")
    return drawn
