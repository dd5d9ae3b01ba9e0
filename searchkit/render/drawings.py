"""Drawings of a problem with a path, and of a path state by state, made from the places that a plugin gives."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve

from searchkit.plugin.drawing import Cell, Drawing, Mark, Places, Route
from searchkit.plugin.places import places_of
from searchkit.problem import SearchProblem

FIRST_KEY = 0xF0000
"""The first of the keys of marks that are made here; plugins hardly use this range, which is for private use."""


class Canvas:
    """A ground on which cells are shown by other marks. What is shown in a cell depends on the ground below it."""

    def __init__(self, ground: Drawing):
        self.marks, self.width, self.hexagonal = dict(ground.marks), ground.width, ground.hexagonal
        self.base = list("".join(ground.rows))
        """The key of the ground in each cell, row by row."""
        self.shown = self.base.copy()
        """The key that each cell shows."""

    def add(self, mark: Mark) -> str:
        """Add a mark that may be shown; return its key."""
        key = chr(FIRST_KEY + len(self.marks))
        self.marks[key] = mark
        return key

    def change(self, changes: Mapping[Cell, str]) -> None:
        """Change the ground, before anything is shown on it."""
        for (x, y), key in changes.items():
            self.base[y * self.width + x] = self.shown[y * self.width + x] = key

    def show(self, cells: Iterable[Cell], keys: Mapping[str, str]) -> None:
        """Show cells by the key that `keys` has for their ground; leave those for which it has none."""
        width, base, shown = self.width, self.base, self.shown
        for x, y in cells:
            here = y * width + x
            key = keys.get(base[here])
            if key is not None:
                shown[here] = key

    def walk(self, routes: Iterable[Route]) -> None:
        """Show walks, each over those before it, and enter their labels in the legend."""
        labelled: set[str] = set()
        for route in routes:
            self.show(route.cells, route.keys)
            for key in set(route.keys.values()) - labelled if route.label else ():
                self.marks[key] = evolve(self.marks[key], label=route.label)
                labelled.add(key)

    def drawing(self) -> Drawing:
        """Return what is shown."""
        text, width = "".join(self.shown), self.width
        rows = (text[begin : begin + width] for begin in range(0, len(text), width or 1))
        return Drawing(rows, self.marks, self.hexagonal)


def still(
    shown: SearchProblem[Any, Any] | Places[Any],
    path: Iterable[Any] = (),
    expanded: Iterable[Any] = (),
    *,
    walks: bool = True,
) -> Drawing | None:
    """Return the drawing of a path and expanded states on the ground of a problem, or of its places; None without one.

    Expanded states are drawn over the ground, and the walks along the path over these. If the places have changes and
    no walks of their own, the ground is shown as it is in the last state of the path. A plugin whose places are faulty
    is named in a `PluginWarning`.
    """
    places, states = shown if isinstance(shown, Places) else places_of(shown), tuple(path)
    if places.ground is None:
        return None
    canvas = Canvas(places.ground)
    if states and places.changes and places.routes is None:
        canvas.change(places.changes(states[-1]))
    for state in expanded if places.expanded else ():
        canvas.show(places.cells(state), places.expanded)
    if walks:
        canvas.walk(routes_along(places, states))
    return canvas.drawing()


def frames(problem: SearchProblem[Any, Any], path: Sequence[Any]) -> Iterator[Drawing]:
    """Yield a drawing for each state of a path, all of one size; nothing if the places of the problem have no ground.

    Each shows the ground as it is in its state, and the walks up to there.
    """
    places = places_of(problem)
    for end in range(1, len(path) + 1) if places.ground else ():
        canvas = Canvas(places.ground)  # type: ignore[arg-type]  # there is one
        if places.changes:
            canvas.change(places.changes(path[end - 1]))
        canvas.walk(routes_along(places, path[:end]))
        yield canvas.drawing()


def routes_along(places: Places[Any], states: Sequence[Any]) -> Sequence[Route]:
    """Return the walks along a path; none along no states."""
    if not states:
        return ()
    if places.routes is not None:
        return places.routes(states)
    return (Route([cells[0] for cells in map(places.cells, states) if cells], places.path),)


def with_first(
    places: Places[Any], path: Sequence[Any], last: Drawing | None, width: int = 110
) -> Drawing | None:
    """Return the last drawing with that of the first state at its left, if states are boards and `width` fits both."""
    are_boards = len(path) > 1 and not places.routes and not places.cells(path[0])
    if last is None or not are_boards or not 0 < last.width <= (width - 3) // 2:
        return last
    first: Any = still(places, path[:1])
    gap, arrow = chr(FIRST_KEY - 1), chr(FIRST_KEY - 2)
    marks = {**first.marks, **last.marks, gap: Mark(" ", "#14171c"), arrow: Mark("→", "#14171c")}
    between = [gap * 3] * last.height
    between[last.height // 2] = gap + arrow + gap
    return Drawing(map("".join, zip(first.rows, between, last.rows, strict=True)), marks)
