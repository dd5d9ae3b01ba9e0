"""Several engines on one problem: running them, the table of their results, and their drawings."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from searchkit.basics.values import readable, readable_seconds, rough, times_optimum
from searchkit.cli.console import drawing_of, warn_of
from searchkit.cli.kit import CUT_OFF, DONE, UNSOLVABLE, WRONG_USE, Task, interruptible, progress
from searchkit.cli.report import CODES, search_progress
from searchkit.errors import SearchkitError
from searchkit.plugin.drawing import Drawing
from searchkit.render.terminal import Means, layout, legend, to_text
from searchkit.result import Result, Status
from searchkit.search.driver import Search
from searchkit.search.limits import Limits

GAP = 3
"""Columns between two drawings that stand side by side."""
TITLE = 32
"""Columns that a drawing's title may take."""
NO_LIMIT = 10_000
"""Columns: more than any table needs."""


@frozen
class Row:
    """One engine: its search and the result, or the reason why there is none."""

    engine: str
    search: Search[Any, Any] | None = None
    result: Result[Any, Any] | None = None
    reason: str = ""


def run_engines(task: Task, engines: Iterable[str], backend: str, limits: Limits) -> list[Row]:
    """Run the engines one after the other. Ctrl-C cuts off the present one, and the others are not run."""
    rows = []
    with interruptible() as interruption:
        for engine in engines:
            if interruption.happened:
                rows.append(Row(engine, reason="not run: interrupted before its turn"))
                continue
            try:
                search: Search[Any, Any] = Search(
                    task.problem, engine, backend=backend, **task.options[engine]
                )
                interruption.watch(search)
                with progress(search_progress(search, limits)):
                    result = search.run(limits)
            except SearchkitError as error:
                rows.append(Row(engine, reason=str(error)))
            else:
                rows.append(Row(search.spec.name, search, result))
    return rows


def exit_code(rows: Iterable[Row]) -> int:
    """Return the exit code of the best outcome: solved, proved unsolvable, cut off, or no engine could run."""
    codes = {CODES[row.result.status] for row in rows if row.result is not None}
    return next((code for code in (DONE, UNSOLVABLE, CUT_OFF) if code in codes), WRONG_USE)


def print_comparison(console: Console, rows: Sequence[Row]) -> None:
    """Print the table of results, and below it the reasons and warnings that have no room in it.

    No number is cut. In a narrow window the columns stand closer together; if that is not enough, lines are wrapped.
    """
    table = comparison_table(rows)
    unlimited = console.options.update(max_width=NO_LIMIT)
    if Measurement.get(console, unlimited, table).maximum > console.width:
        table.padding = 0
    window = console.width
    console.width = max(window, Measurement.get(console, unlimited, table).maximum)
    console.print(table)
    console.width = window
    for line in notes(rows):
        console.print(line, soft_wrap=True)


def comparison_table(rows: Iterable[Row]) -> Table:
    """Return the table of results. Engines that did not run are left out."""
    table = Table(header_style="bold", box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("engine", style="bold", no_wrap=True)
    table.add_column("cost", justify="right", no_wrap=True)
    table.add_column("optimal?", no_wrap=True)
    for name in ("expanded", "generated", "reopened", "peak\nfrontier", "seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        if row.result is not None:
            statistics = row.result.statistics
            table.add_row(
                row.engine,
                *_outcome(row.result),
                f"{statistics.expanded:,}",
                f"{statistics.generated:,}",
                f"{statistics.reopened:,}",
                f"{statistics.peak_frontier:,}",
                readable_seconds(statistics.seconds),
            )
    return table


def notes(rows: Iterable[Row]) -> list[Text]:
    """Return a line for each engine that did not run or was cut off, with the reason, and for each warning."""
    lines = []
    for row in rows:
        if row.result is None:
            lines.append(Text(f"{row.engine}: {row.reason}", style="red"))
            continue
        if row.result.status is Status.CUTOFF:
            lines.append(Text(f"{row.engine}: cut off by {row.result.cutoff}", style="yellow"))
        lines += [Text(f"{row.engine}: {warning}", style="yellow") for warning in row.result.warnings]
    return lines


def _outcome(result: Result[Any, Any]) -> tuple[str | Text, str | Text]:
    bound = result.lower_bound
    if result.status is Status.UNSOLVABLE:
        return Text("no path", style="red"), "proved"
    if result.cost is None:
        return Text("cut off", style="yellow"), f"≥ {rough(bound)}"
    if result.optimal:
        return readable(result.cost), Text("yes", style="green")
    return readable(result.cost), times_optimum(result.cost, bound) if bound else "not known"


def gallery(rows: Iterable[Row], width: int, height: int | None, means: Means) -> list[RenderableType]:
    """Return the drawings of the results, side by side if the width allows it, with one legend below them."""
    drawn = [
        (row, drawing)
        for row in rows
        if row.search is not None and row.result is not None
        for drawing in [drawing_of(row.search, row.result)]
        if drawing is not None
    ]
    if not drawn:
        return []
    drawings = [drawing for _, drawing in drawn]
    beside = _beside(drawings, width, height, means)
    each = (width - GAP * (beside - 1)) // beside
    try:
        cells = [
            Text("\n").join([_title(row), to_text(drawing, each, height, means), Text()])
            for row, drawing in drawn
        ]
    except Exception as error:
        warn_of(error)
        return []
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for first in range(0, len(cells), beside):
        grid.add_row(*cells[first : first + beside])
    return [grid, legend(drawings, each, height, means, across=width)]


def _beside(drawings: list[Drawing], width: int, height: int | None, means: Means) -> int:
    """Return how many drawings fit side by side without scaling; if not even one does, two if there are colours."""
    for beside in range(len(drawings), 0, -1):
        each = (width - GAP * (beside - 1)) // beside
        if each >= TITLE and all(layout(d, each, height, means).columns == d.width for d in drawings):
            return beside
    return 1 if means == "glyphs" else min(2, len(drawings))


def _title(row: Row) -> Text:
    result = row.result
    assert result is not None
    found = result.status.value if result.cost is None else f"cost {readable(result.cost)}"
    return Text.assemble((row.engine, "bold"), f"\n{found}, {result.statistics.expanded:,} expanded")
