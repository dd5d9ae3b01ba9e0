"""Several engines on one problem."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from searchkit.cli._codes import CUT_OFF, DONE, OF_STATUS, UNSOLVABLE, WRONG_USE
from searchkit.cli._interruption import interruptible
from searchkit.cli._numbers import readable, readable_seconds, rough, times_optimum
from searchkit.cli._progress import progress, search_status
from searchkit.cli._request import Task
from searchkit.errors import SearchkitError
from searchkit.result import Result, Status
from searchkit.search.driver import Search
from searchkit.search.limits import Limits

NO_LIMIT = 10_000
"""Columns, more than any table needs."""


@frozen
class Row:
    """What became of one engine: a search and its result, or the reason why there is none."""

    engine: str
    search: Search[Any, Any] | None = None
    result: Result[Any, Any] | None = None
    reason: str = ""


def run_engines(task: Task, engines: Iterable[str], backend: str, limits: Limits) -> list[Row]:
    """Run the engines one after the other; after Ctrl-C, the present one is cut off and the rest are left out."""
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
                with progress(search_status(search, limits)):
                    result = search.run(limits)
            except SearchkitError as error:
                rows.append(Row(engine, reason=str(error)))
            else:
                rows.append(Row(search.spec.name, search, result))
    return rows


def exit_code(rows: Iterable[Row]) -> int:
    """Return the code of the best outcome: solved, proved unsolvable, cut off, or that no engine could run."""
    codes = {OF_STATUS[row.result.status.value] for row in rows if row.result is not None}
    return next((code for code in (DONE, UNSOLVABLE, CUT_OFF) if code in codes), WRONG_USE)


def print_comparison(console: Console, rows: Sequence[Row]) -> None:
    """Print the table of what the engines found and what it took them, and below it what it has no room for.

    No number is cut: in a narrow window the columns stand closer, and then the lines run over.
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
    """Return the table of what the engines found and what it took them; engines that did not run are left out."""
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
    """Return what the table has no room for: why an engine did not run or was cut off, and the warnings."""
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
