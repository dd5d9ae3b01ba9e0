"""Asking the plugins for drawings of a path, state by state."""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from searchkit.errors import PluginWarning
from searchkit.plugin.drawing import Drawing
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.render.drawings import draw


def frames(problem: SearchProblem[Any, Any], path: Sequence[Any]) -> Iterator[Drawing]:
    """Yield a drawing for each state of a path; none where no plugin can draw the problem.

    They are those of the first plugin, by name, that has frames for the problem; otherwise each is the drawing of the
    path up to its state. A plugin that fails is named in a `PluginWarning`.
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
