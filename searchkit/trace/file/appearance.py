"""How the nodes of a recording look, from the columns of a `.trace` file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from searchkit.plugin.drawing import Drawing, Mark
from searchkit.trace.file.reading import Columns, count, member
from searchkit.trace.log import FORWARD, OWN
from searchkit.trace.looks import StoredLooks
from searchkit.trace.recording import Note

MOST_CELLS = 1 << 25
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def looks_of(
    header: Mapping[str, Any],
    columns: Columns,
    nodes: int,
    halves: bytearray,
    parents: Sequence[int],
    notes: Sequence[Note],
) -> StoredLooks:
    """Return the looks of the nodes. Raises ValueError."""
    looks = StoredLooks(nodes)
    if "labels" in columns:
        looks.labels = columns.texts("labels", nodes)
    if "x" in columns:
        xs, ys = columns.numbers("x", nodes), columns.numbers("y", nodes)
        looks.positions = [
            None if half == OWN else (float(x), float(y)) for x, y, half in zip(xs, ys, halves, strict=True)
        ]
    if "edges" in columns:
        ends = columns.whole("edges", None, 0, nodes)
        looks.pairs = list(zip(ends[::2], ends[1::2], strict=True))
    inside = [node for node, half in enumerate(halves) if half == FORWARD]
    if any(name in columns for name in ("h", "h_step", "h_at")):
        values = columns.exact(("h", "h_step", "h_at"), len(inside))
        for node in inside:
            looks.values[node] = values.next(looks.values.get(parents[node]))
    if header.get("map") is not None:
        _map(member(dict, header, "map"), columns, nodes, parents, looks)
    size = len(looks.ground.rows) * looks.ground.width if looks.ground else 0
    if any(cell >= size for note in notes for cell in note.cells):
        raise ValueError("a note has a cell outside the ground")
    if "labels" not in columns and looks.ground is None and nodes:
        raise ValueError("it should have a column labels")
    return looks


def _map(
    described: Mapping[str, Any], columns: Columns, nodes: int, parents: Sequence[int], looks: StoredLooks
) -> None:
    """Enter the ground, and where nodes are on it."""
    width, height = count(described, "width", MOST_CELLS), count(described, "height", MOST_CELLS)
    size = width * height
    marks = [_mark(mark) for mark in member(list, described, "marks")]
    ground = columns.whole("ground", size, 0, len(marks))
    keys = "".join(key for key, _ in marks)
    if len(set(keys)) != len(marks):
        raise ValueError("two of its marks have one key")
    drawn = "".join(map(keys.__getitem__, ground))
    rows = [drawn[at : at + width] for at in range(0, size, width)] if width else []
    looks.ground = Drawing(rows, dict(marks))
    looks.expanded = _between(member(dict, described, "expanded"), keys)
    looks.path = _between(member(dict, described, "path"), keys)
    looks.phases = [_between(phase, keys) for phase in member(list, described, "phases")]
    places: list[int] = []
    for step, parent in zip(columns.whole("place", nodes), parents, strict=True):
        places.append(step + (places[parent] if parent >= 0 else 0))
    if places and not (min(places) >= -1 and max(places) < size):
        raise ValueError("a node is outside the ground")
    cells = [[place] if place >= 0 else [] for place in places]
    if "more_counts" in columns:
        _more_places(columns, size, parents, cells)
    looks.places = cells
    if "change_counts" in columns:
        _changes(columns, size, keys, parents, looks)


def _more_places(columns: Columns, size: int, parents: Sequence[int], places: list[list[int]]) -> None:
    counts = columns.whole("more_counts", len(places), 0)
    steps = iter(columns.whole("more_places", sum(counts)))
    for node, most in enumerate(counts):
        like = places[parents[node]] if parents[node] >= 0 else []
        for index in range(1, most + 1):
            cell = next(steps) + (like[index] if index < len(like) else 0)
            if not (0 <= cell < size and places[node]):
                raise ValueError("a node is outside the ground")
            places[node].append(cell)


def _changes(columns: Columns, size: int, keys: str, parents: Sequence[int], looks: StoredLooks) -> None:
    counts = columns.whole("change_counts", len(parents), 0)
    cells = columns.whole("change_cells", sum(counts), 0, size)
    shown = columns.whole("change_marks", len(cells), -1, len(keys))
    at = 0
    looks.has_changes = True
    for node, most in enumerate(counts):
        looks.differences.append(
            [
                (cell, keys[mark] if mark >= 0 else "")
                for cell, mark in zip(cells[at : at + most], shown[at : at + most], strict=True)
            ]
        )
        looks.parents.append(parents[node])
        at += most


def _mark(described: Any) -> tuple[str, Mark]:
    if not isinstance(described, dict):
        raise ValueError("a mark should be an object")
    key, glyph, colour = (member(str, described, name) for name in ("key", "glyph", "colour"))
    if len(key) != 1 or not 1 <= len(glyph) <= 8 or not COLOUR.fullmatch(colour):
        raise ValueError("a mark should have a key of one character, a glyph, and a colour #rrggbb")
    return key, Mark(glyph, colour, member(str, described, "label"), member(int, described, "rank"))


def _between(described: Any, keys: str) -> dict[str, str]:
    if not isinstance(described, dict):
        raise ValueError("what marks become should be an object")
    found = {}
    for one, other in described.items():
        if (
            not one.isascii()
            or not one.isdecimal()
            or len(one) > 3
            or int(one) >= len(keys)
            or type(other) is not int
            or not 0 <= other < len(keys)
        ):
            raise ValueError("what marks become should name marks by their numbers")
        found[keys[int(one)]] = keys[other]
    return found
