"""Asking the plugins for a drawing."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from searchkit.drawing import Drawing
from searchkit.errors import PluginWarning
from searchkit.plugins import registry
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
    calls = registry().calls(
        "searchkit_render",
        problem=problem,
        path=tuple(path),
        expanded=frozenset(expanded),
        details=dict(details or {}),
    )
    for plugin, call in calls:
        try:
            drawing = call()
        except Exception as error:
            reason = f"raised {type(error).__name__}: {error}"
        else:
            if isinstance(drawing, Drawing):
                return drawing
            if drawing is None:
                continue
            reason = f"returned {drawing!r}, expected a searchkit.drawing.Drawing or None"
        warnings.warn(f"plugin {plugin!r} could not draw: it {reason}", PluginWarning, stacklevel=2)
    return None
