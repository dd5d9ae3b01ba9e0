"""Problems and paths, drawn for the window."""

import warnings
from collections.abc import Iterable
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from searchkit.cli._comparison import Row
from searchkit.cli._numbers import readable
from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing
from searchkit.render.drawings import draw
from searchkit.render.terminal import Means, layout, legend, to_text
from searchkit.result import Result
from searchkit.search.driver import Search

GAP = 3
"""Columns between two drawings that stand side by side."""
TITLE = 32
"""Columns that a drawing's title may take."""


def drawing_of(search: Search[Any, Any], result: Result[Any, Any]) -> Drawing | None:
    """Return the drawing of the path found, or of the partial one; None if no plugin draws the problem."""
    path = result.solution or result.partial
    return draw(search.problem, path.states if path else (), search.tree.expanded_states(), result.details)


def print_drawing(console: Console, drawing: Drawing | None, height: int | None, means: Means) -> None:
    """Print a drawing and its legend, if there is one; what can't be shown is named in a `PluginWarning`."""
    if drawing is None:
        return
    try:
        text = to_text(drawing, console.width, height, means)
    except Exception as error:
        warn_of(error)
    else:
        console.print(text, no_wrap=True, crop=False)
        console.print(legend([drawing], console.width, height, means))


def gallery(rows: Iterable[Row], width: int, height: int | None, means: Means) -> list[RenderableType]:
    """Return what the engines found, drawn side by side as far as the width allows, with one legend below."""
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


def warn_of(error: Exception) -> None:
    """Warn that a drawing can't be shown: whatever a plugin put into it, the result is still to be printed."""
    warnings.warn(f"the drawing can't be shown: {type(error).__name__}: {error}", PluginWarning, stacklevel=2)


def _beside(drawings: list[Drawing], width: int, height: int | None, means: Means) -> int:
    """Return how many drawings fit side by side without being scaled down; if even one does not, two with colours."""
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
