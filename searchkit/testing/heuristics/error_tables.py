"""The errors of a heuristic, h* − h: their statistics, a table by distance, and a map."""

from collections.abc import Iterator, Mapping
from math import inf
from textwrap import indent
from typing import Any

from attrs import frozen

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.problem import Cost
from searchkit.render.terminal import to_text
from searchkit.testing.heuristics.audit import Audit
from searchkit.testing.reports import WIDTH

ROWS = 12
"""The largest number of rows of a table; more distances are grouped."""
OVER, NO_PATH, NOT_NUMBER, NO_STATE = "!", "x", "?", " "
COLOUR = "#9aa3b2"
AREA = 1_000_000
"""The largest number of cells of a map of errors."""


@frozen
class ByDistance:
    """Errors by h*: rows of (h*, states, mean error, largest error)."""

    rows: tuple[tuple[str, int, str, str], ...]

    def __iter__(self) -> Iterator[Mapping[str, object]]:
        names = ("h*", "states", "mean error", "largest error")
        return (dict(zip(names, row, strict=True)) for row in self.rows)

    def __str__(self) -> str:
        cells = [("h*", "states", "mean", "largest"), *((a, str(b), c, d) for a, b, c, d in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = (
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
        )
        return "\n" + indent("\n".join(lines), "    ")


def facts(audit: Audit) -> dict[str, Any]:
    """Return the facts about the errors; only the number of states if a part of the space was checked."""
    space = audit.space
    known: dict[str, Any] = {
        "states": len(space.edges) if space.whole else f"{len(space.edges)}, the bound; there are more",
    }
    errors = errors_of(audit)
    if not space.whole or not errors:
        return known
    values = list(errors.values())
    known["states from which a goal can be reached"] = len(values)
    known["h = h*"] = f"{sum(error == 0 for error in values) / len(values):.0%} of these"
    known["mean error h* − h"] = number(sum(values) / len(values))
    known["largest error h* − h"] = number(max(values))
    if min(values) < 0:
        known["largest overestimate h − h*"] = number(-min(values))
    known["errors by distance"] = by_distance(audit.exact, errors)
    chart = heat_map(audit, errors)
    if chart:
        known["errors on the map"] = "\n" + indent(chart, "    ")
    return known


def errors_of(audit: Audit) -> dict[Any, Cost]:
    """Return h* − h for each state for which both are finite."""
    return {
        state: audit.exact[state] - h
        for state, h in audit.values.items()
        if state in audit.exact and h < inf and state in audit.space.edges
    }


def by_distance(exact: Mapping[Any, Cost], errors: Mapping[Any, Cost]) -> ByDistance:
    """Return the table of errors: a row for each h*, or for each range of h* if there are many."""
    distances = sorted({exact[state] for state in errors})
    groups: dict[str, list[Cost]] = {}
    if len(distances) <= ROWS:
        for state, error in sorted(errors.items(), key=lambda pair: exact[pair[0]]):
            groups.setdefault(number(exact[state]), []).append(error)
    else:
        width = float(distances[-1]) / ROWS
        for state, error in sorted(errors.items(), key=lambda pair: exact[pair[0]]):
            row = min(int(float(exact[state]) / width), ROWS - 1)
            groups.setdefault(f"{number(row * width)} to {number((row + 1) * width)}", []).append(error)
    return ByDistance(
        tuple(
            (label, len(group), number(sum(group) / len(group)), number(max(group)))
            for label, group in groups.items()
        )
    )


def heat_map(audit: Audit, errors: Mapping[Any, Cost]) -> str:
    """Return a map of the errors, one digit for each, with a legend; "" if states are not cells (x, y)."""
    states = list(audit.space.edges)
    if not all(isinstance(s, tuple) and len(s) == 2 and all(type(n) is int for n in s) for s in states):
        return ""
    left, top = min(x for x, _ in states), min(y for _, y in states)
    columns, rows = max(x for x, _ in states) - left + 1, max(y for _, y in states) - top + 1
    if columns * rows > AREA:
        return ""
    largest = max([*errors.values(), 0])
    unit: Cost = 1 if largest <= 9 and all(error == int(error) for error in errors.values()) else largest / 9
    cells = [[NO_STATE] * columns for _ in range(rows)]
    for x, y in states:
        cells[y - top][x - left] = _glyph(audit, errors, (x, y), unit)
    marks = {glyph: Mark(glyph, COLOUR, rank=rank) for rank, glyph in enumerate(" x0123456789?!")}
    drawing = Drawing(("".join(row) for row in cells), marks)
    meaning = "h* − h" if unit == 1 else f"(h* − h) / {number(unit)}, rounded"
    others = {OVER: "h > h*", NO_PATH: "no goal can be reached", NOT_NUMBER: "h is not a number ≥ 0"}
    shown = set().union(*drawing.rows)
    explained = [f"0–9: {meaning}", *(f"{glyph}: {text}" for glyph, text in others.items() if glyph in shown)]
    lines = [line.rstrip() for line in to_text(drawing, WIDTH, means="glyphs").plain.split("\n")]
    return "\n".join([*lines, "  ".join(explained)])


def _glyph(audit: Audit, errors: Mapping[Any, Cost], state: Any, unit: Cost) -> str:
    if state not in audit.values:
        return NOT_NUMBER
    if state not in audit.exact:
        return NO_PATH
    error = errors.get(state, -inf)
    return OVER if error < -1e-9 else str(round(max(error, 0) / unit) if unit else 0)


def number(value: Any) -> str:
    """Return a number as short text: integers exactly, other numbers with four digits."""
    return str(int(value)) if value == int(value) else f"{float(value):.4g}"
