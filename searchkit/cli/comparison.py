"""Several engines on one problem: running them, the table of their results, and their drawings."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from searchkit.basics.values import readable
from searchkit.cli.console import drawing_of, warn_of
from searchkit.cli.kit import CUT_OFF, DONE, UNSOLVABLE, WRONG_USE, Task, interruptible, progress
from searchkit.cli.report import CODES, COLOURS, search_progress
from searchkit.plugin.drawing import Drawing
from searchkit.render.terminal import Means, drawing_size, legend, to_text
from searchkit.result import Status
from searchkit.search.comparison import COLUMNS, Row, run_engine
from searchkit.search.driver import Search
from searchkit.search.limits import Limits

GAP = 3
"""Columns between two drawings that stand side by side."""
TITLE = 32
"""Columns that a drawing's title may take."""
NO_LIMIT = 10_000
"""Columns: more than any table needs."""


def run_engines(task: Task, engines: Iterable[str], backend: str, limits: Limits) -> list[Row]:
    """Run the engines one after the other. Ctrl-C cuts off the present one, and the others are not run."""

    @contextmanager
    def shown(search: Search[Any, Any]) -> Iterator[None]:
        interruption.watch(search)
        with progress(search_progress(search, limits)):
            yield

    rows = []
    with interruptible() as interruption:
        for engine in engines:
            if interruption.happened:
                rows.append(Row(engine, error="not run: interrupted before its turn"))
            else:
                rows.append(run_engine(task.problem, engine, task.options[engine], backend, limits, shown))
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
    for name in COLUMNS:
        left = name in ("engine", "optimal?")
        table.add_column(
            name.replace(" ", "\n"),
            style="bold" if name == "engine" else "",
            justify="left" if left else "right",
            no_wrap=True,
        )
    for row in rows:
        if row.result is not None:
            engine, cost, optimal, *figures = row.cells()
            colour = COLOURS[row.result.status]
            table.add_row(
                engine,
                cost if row.result.status is Status.SOLVED else Text(cost, style=colour),
                Text(optimal, style=colour if row.result.optimal else ""),
                *figures,
            )
    return table


def notes(rows: Iterable[Row]) -> list[Text]:
    """Return a line for each engine that did not run or was cut off, with the reason, and for each warning."""
    return [
        Text(note, style="red" if row.result is None else "yellow") for row in rows for note in row.notes()
    ]


def gallery(rows: Iterable[Row], width: int, height: int | None, means: Means) -> list[RenderableType]:
    """Return the drawings of the results, side by side if the width allows it, with one legend below them."""
    drawn = [
        (row, drawing)
        for row in rows
        if row.result is not None and isinstance(row.result.search, Search)
        for drawing in [drawing_of(row.result.search, row.result)]
        if drawing is not None
    ]
    if not drawn:
        return []
    drawings = [drawing for _, drawing in drawn]
    beside = _beside(drawings, width, height, means)
    each = (width - GAP * (beside - 1)) // beside
    try:
        cells = [
            Text("\n").join([title(row), to_text(drawing, each, height, means), Text()])
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
        if each >= TITLE and all(drawing_size(d, each, height, means).columns == d.width for d in drawings):
            return beside
    return 1 if means == "glyphs" else min(2, len(drawings))


def title(row: Row) -> Text:
    """Return two lines about a result: the engine, and the cost with the number of states expanded."""
    result = row.result
    assert result is not None
    found = result.status.value if result.cost is None else f"cost {readable(result.cost)}"
    return Text.assemble((row.engine, "bold"), f"\n{found}, {result.statistics.expanded:,} expanded")
