"""Asking the plugins for drawings: of a problem with a path, and of a path state by state."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem


def draw(
    problem: SearchProblem[Any, Any],
    path: Iterable[Any] = (),
    expanded: Iterable[Any] = (),
    details: Mapping[str, object] | None = None,
) -> Drawing | None:
    """Return the drawing of the first plugin, by name, that can draw the problem; None if no plugin can.

    A plugin that raises, or returns anything but a drawing, is named in a `PluginWarning`, and the next plugin is
    asked, so that a faulty drawing never prevents a result from being printed.
    """
    return registry().first(
        "searchkit_render",
        Drawing,
        "draw",
        problem=problem,
        path=tuple(path),
        expanded=frozenset(expanded),
        details=dict(details or {}),
    )


def frames(problem: SearchProblem[Any, Any], path: Sequence[Any]) -> Iterator[Drawing]:
    """Yield a drawing for each state of a path; nothing if no plugin can draw the problem.

    The first plugin, by name, that has frames for the problem makes them (hook `searchkit_frames`). Otherwise each
    frame is the drawing of the path up to its state. A plugin that fails is named in a `PluginWarning`.
    """
    for plugin, call in registry().calls("searchkit_frames", problem=problem, path=tuple(path)):
        try:
            drawings = call()
        except Exception as error:
            reason = f"raised {type(error).__name__}: {error}"
        else:
            if drawings is None:
                continue
            if isinstance(drawings, list) and all(isinstance(drawing, Drawing) for drawing in drawings):
                yield from drawings
                return
            reason = "returned something else than a list of searchkit.plugin.drawing.Drawing, or None"
        warnings.warn(f"plugin {plugin!r} could not draw: it {reason}", PluginWarning, stacklevel=2)
    for end in range(1, len(path) + 1):
        drawing = draw(problem, path[:end])
        if drawing is None:
            return
        yield drawing
