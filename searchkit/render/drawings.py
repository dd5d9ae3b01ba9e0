"""Asking the plugins for a drawing."""

from collections.abc import Iterable, Mapping
from typing import Any

from searchkit.plugin.drawing import Drawing
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem


def draw(
    problem: SearchProblem[Any, Any],
    path: Iterable[Any] = (),
    expanded: Iterable[Any] = (),
    details: Mapping[str, object] | None = None,
) -> Drawing | None:
    """Return the drawing of the first plugin, by name, that can draw the problem; None where none can.

    A plugin that raises, or returns anything but a drawing, is named in a `PluginWarning`, and the next one
    is asked: a faulty drawing never costs the result.
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
