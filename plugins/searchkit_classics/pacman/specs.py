"""The specifications of Pac-Man's problems: their examples, how they look, and how they are read and written."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from searchkit.plugin import (
    Cell,
    Drawing,
    Example,
    InputFormatError,
    InvalidOptionError,
    Mark,
    Places,
    ProblemSpec,
    Route,
    Source,
)
from searchkit_classics.pacman.layout import CAPSULE, DOT, FLOOR, PACMAN, WALL, Layout, is_layout
from searchkit_classics.pacman.problems import Corners, Food, PathToDot

Problem = PathToDot | Corners | Food
LAYOUTS = Path(__file__).parent / "layouts"
SEEN, PATH, EATEN, CORNER, VISITED = "x*eCv"
MARKS = {
    WALL: Mark("█", "#93a0be", "wall"),
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


def places(problem: Problem) -> Places[Any]:
    """Return the maze, where Pac-Man is, and the dots or corners that are left."""
    layout = problem.layout
    if isinstance(problem, PathToDot):  # the dot that Pac-Man reaches vanishes
        return _places(layout, layout.dots, DOT, lambda cell: cell, lambda cell: layout.dots - {cell})
    key = CORNER if isinstance(problem, Corners) else DOT
    return _places(layout, problem.targets, key, lambda state: state[0], lambda state: state[1])


def _places(
    layout: Layout,
    targets: Iterable[Cell],
    key: str,
    where: Callable[[Any], Cell],
    left: Callable[[Any], Collection[Cell]],
) -> Places[Any]:
    """Return the places of a problem whose states have a cell and targets that are left, drawn by a key."""
    shown = dict.fromkeys(targets, key)
    marks = dict.fromkeys(layout.floor, FLOOR) | dict.fromkeys(layout.capsules, CAPSULE) | shown
    marks[layout.start] = PACMAN
    rows = ["".join(marks.get((x, y), WALL) for x in range(layout.width)) for y in range(layout.height)]
    reached = {key: EATEN if key == DOT else VISITED}

    def changes(state: Any) -> dict[Cell, str]:
        gone = shown.keys() - set(left(state))
        return {layout.start: FLOOR} | dict.fromkeys(gone, FLOOR) | {where(state): PACMAN}

    def routes(path: Sequence[Any]) -> list[Route]:
        return [Route([where(state) for state in path], {FLOOR: PATH, CAPSULE: PATH} | reached)]

    return Places(
        Drawing(rows, MARKS),
        cells=lambda state: (where(state),),
        label=lambda state: f"{where(state)}, {len(left(state))} left",
        expanded={FLOOR: SEEN},
        routes=routes,
        changes=changes,
    )


def read(kind: type[Problem], source: Source, **options: Any) -> Problem:
    """Read a layout as this kind of problem."""
    layout = Layout.of(source.text, source.name)
    try:
        return kind(layout, **options)
    except InvalidOptionError as error:
        raise InputFormatError(str(error), source=source.name) from error


def text(problem: Problem) -> str | None:
    """Return the layout of a problem as text; None if Pac-Man is on a dot, because a layout can't show both."""
    return None if problem.layout.start in problem.layout.dots else str(problem.layout)


def spec(
    name: str, summary: str, kind: type[Problem], drawn: str, *examples: Example, **more: Any
) -> ProblemSpec:
    """Return the specification of a problem, with the name of its strategy."""
    return ProblemSpec(
        name,
        summary,
        kind,
        examples=examples,
        group="Pac-Man",
        strategies={f"pacman_{drawn}": f"searchkit_classics.pacman.strategies:{drawn}"},
        read=partial(read, kind),
        places=places,
        write=text,
        **more,
    )


SPECS = [
    spec(
        "pacman",
        "Pac-Man walks to the nearest dot of a maze, in the fewest steps",
        PathToDot,
        "paths",
        Example("pacman", LAYOUTS / "pacman.lay", "a maze of 35x17 cells and one dot"),
        formats=(".lay", lambda source, options: is_layout(source.text)),
    ),
    spec(
        "corners",
        "Pac-Man visits the four corners of a maze, in the fewest steps",
        Corners,
        "corners",
        Example("corners", LAYOUTS / "corners.lay", "a maze of 21x13 cells"),
        Example("corners-small", LAYOUTS / "corners-small.lay", "a maze of 9x7 cells"),
    ),
    spec(
        "food",
        "Pac-Man eats all dots of a maze, in the fewest steps",
        Food,
        "food",
        Example("food", LAYOUTS / "food.lay", "a maze of 19x9 cells and 12 dots"),
        Example("food-small", LAYOUTS / "food-small.lay", "a maze of 9x7 cells and 5 dots"),
        Example(
            "food-open", LAYOUTS / "food-open.lay", "few walls and 11 dots, where the closest dot misleads"
        ),
        Example("food-closed", LAYOUTS / "food-closed.lay", "a dot behind walls: unsolvable"),
    ),
]
