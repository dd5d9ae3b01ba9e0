"""The places of Pac-Man's problems: the maze, where Pac-Man is, and the dots or corners that are left."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places, Route
from searchkit_classics.pacman.corners import Corners
from searchkit_classics.pacman.food import Food
from searchkit_classics.pacman.layout import CAPSULE, DOT, FLOOR, PACMAN, WALL, Layout
from searchkit_classics.pacman.path import PathToDot

SEEN, PATH, EATEN, CORNER, VISITED = "x*eCv"
MARKS = {
    WALL: Mark("█", "#93a0cc", "wall"),
    FLOOR: Mark(" ", "#1b1f27", "floor"),
    SEEN: Mark("░", "#4a5568", "expanded", rank=1),
    PATH: Mark("•", "#ffd23f", "path", rank=2),
    CAPSULE: Mark("o", "#f5e6d3", "capsule", rank=2),
    DOT: Mark("·", "#ff8fab", "dot", rank=3),
    EATEN: Mark("◦", "#ff8fab", "dot on the path", rank=3),
    CORNER: Mark("◇", "#ff8fab", "corner", rank=3),
    VISITED: Mark("◆", "#ff8fab", "corner on the path", rank=3),
    PACMAN: Mark("P", "#ffe66d", "Pac-Man", rank=4),
}


def _places(
    layout: Layout,
    start: Cell,
    targets: Iterable[Cell],
    key: str,
    where: Callable[[Any], Cell],
    left: Callable[[Any], Collection[Cell]],
) -> Places[Any]:
    """Return the places of a problem whose states have a cell and targets that are left, drawn by a key."""
    shown = dict.fromkeys(targets, key)
    marks = dict.fromkeys(layout.floor, FLOOR) | dict.fromkeys(layout.capsules, CAPSULE) | shown
    marks[start] = PACMAN
    rows = ["".join(marks.get((x, y), WALL) for x in range(layout.width)) for y in range(layout.height)]
    reached = {key: EATEN if key == DOT else VISITED}

    def changes(state: Any) -> dict[Cell, str]:
        gone = shown.keys() - set(left(state))
        return {start: FLOOR} | dict.fromkeys(gone, FLOOR) | {where(state): PACMAN}

    def routes(path: Sequence[Any]) -> list[Route]:
        return [Route([where(state) for state in path], {FLOOR: PATH, CAPSULE: PATH} | reached)]

    def label(state: Any) -> str:
        return f"{where(state)}, {len(left(state))} left"

    return Places(
        Drawing(rows, MARKS),
        cells=lambda state: (where(state),),
        label=label,
        expanded={FLOOR: SEEN},
        routes=routes,
        changes=changes,
    )


def _path(problem: PathToDot) -> Places[Any]:
    """Return the places of the path to a dot: the dot that Pac-Man reaches vanishes."""
    return _places(
        problem.layout,
        problem.start,
        problem.dots,
        DOT,
        lambda cell: cell,
        lambda cell: problem.dots - {cell},
    )


def _corners(problem: Corners) -> Places[Any]:
    return _places(
        problem.layout,
        problem.layout.start,
        problem.corners,
        CORNER,
        lambda state: state[0],
        lambda state: state[1],
    )


def _food(problem: Food) -> Places[Any]:
    layout = problem.layout
    return _places(layout, layout.start, layout.dots, DOT, lambda state: state[0], lambda state: state[1])


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {PathToDot: _path, Corners: _corners, Food: _food}
