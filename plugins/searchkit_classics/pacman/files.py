"""Reading Pac-Man's problems from layouts, and writing them."""

from collections.abc import Callable, Mapping
from typing import Any

from searchkit.plugin import InputFormatError, InvalidOptionError, Source, Written
from searchkit_classics.pacman.corners import Corners
from searchkit_classics.pacman.food import Food
from searchkit_classics.pacman.layout import Layout, is_layout
from searchkit_classics.pacman.path import PathToDot
from searchkit_classics.pacman.specs import SPECS

PROBLEMS: Mapping[str, Callable[..., PathToDot | Corners | Food]] = {
    "pacman": PathToDot,
    "corners": Corners,
    "food": Food,
}


def reader(kind: str) -> Callable[..., PathToDot | Corners | Food]:
    """Return the function that reads a layout as this kind of problem."""

    def read(source: Source, **options: Any) -> PathToDot | Corners | Food:
        layout = Layout.of(source.text, source.name)
        try:
            return PROBLEMS[kind](layout, **options)
        except InvalidOptionError as error:
            raise InputFormatError(str(error), source=source.name) from error

    return read


def write(problem: Any) -> Written | None:
    """Return a problem of Pac-Man as the text of a layout, with its heuristic; None for any other problem."""
    kind = next((name for name, made in PROBLEMS.items() if type(problem) is made), None)
    if kind is None:
        return None
    start, dots = problem.layout.start, problem.layout.dots
    if isinstance(problem, PathToDot):
        start, dots = problem.start, problem.dots
    if start in dots:  # a layout can't show both
        return None
    spec = next(spec for spec in SPECS if spec.name == kind)
    given = problem.heuristic_name
    options = {} if given == spec.parse({})["heuristic"] else {"heuristic": given}
    return Written(kind, problem.layout.text(start, dots), options)


FILES: Mapping[str, Mapping[str, Any]] = {
    "pacman": {
        "read": reader("pacman"),
        "suffixes": (".lay",),
        "recognise": lambda source, options: is_layout(source.text),
        "write": write,
    },
    "corners": {"read": reader("corners"), "write": write},
    "food": {"read": reader("food"), "write": write},
}
