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


def load(
    source: Source, format: str | None, options: Mapping[str, object]
) -> PathToDot | Corners | Food | None:
    """Return the problem on a layout, the path to a dot if `format` names none; None if the text isn't a layout.

    Raises `InputFormatError` if the layout is faulty or has no floor in a corner to visit, and what `parse` raises.
    """
    kind = format or "pacman"
    if kind not in PROBLEMS or not (format or source.suffix == ".lay" or is_layout(source.text)):
        return None
    chosen = next(spec for spec in SPECS if spec.name == kind).parse(options)
    layout = Layout.of(source.text, source.name)
    try:
        return PROBLEMS[kind](layout, **chosen)
    except InvalidOptionError as error:
        raise InputFormatError(str(error), source=source.name) from error


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
