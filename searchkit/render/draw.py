"""Pictures of problems and results: as text, as SVG, as PNG, and in notebooks."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from searchkit.basics.text import visible
from searchkit.errors import PluginWarning
from searchkit.plugin.places import places_of
from searchkit.problem import SearchProblem, check_members
from searchkit.render.drawings import routes_along, still, with_first
from searchkit.render.graphs import Explored, explored, graph_scene, tree_scene, tree_text
from searchkit.render.image import to_png
from searchkit.render.maps import captioned, map_scene
from searchkit.render.scene import Scene, svg_image, to_svg
from searchkit.render.terminal import legend, to_text
from searchkit.result import Result
from searchkit.tree import SearchTree

WIDTH = 110
"""Columns of a picture as text."""


def draw(problem: SearchProblem[Any, Any], result: Result[Any, Any] | None = None) -> "Picture":
    """Return a picture of a problem; with a result, of the path found (or the partial path) and the expanded states.

    A problem whose plugin says where its states are is shown as a map, or as a graph at its coordinates
    (`ProblemSpec.places`). Any other problem is shown as the tree of the states that were reached first. What can't
    be drawn is a sentence that says why. Raises `InvalidProblemError` only for what is not a problem.

    Args:
        problem: what to show.
        result: what `solve` returned for it. A result that was copied has no search, and only its path is shown.

    Example:
        >>> from searchkit import draw, solve
        >>> from searchkit_dungeon import grid
        >>> problem = grid(["S.#", "..G"])
        >>> print(draw(problem, solve(problem)))
        S·█
        ●●G
        S start  G goal  ● path  █ wall  · floor

    """
    if result is None:
        return Picture(check_members(problem))
    solution = result.solution or result.partial
    tree = getattr(result.search, "tree", None) if result.search else None
    captions = (str(result).splitlines()[0],)
    return Picture(problem, solution.states if solution else (), captions, tree)


class Picture:
    """A picture of a problem: what `draw` returns.

    `print` shows it as text. A notebook shows it as SVG, in a form that is also shown in notebooks that are not
    trusted.
    """

    def __init__(
        self,
        problem: SearchProblem[Any, Any],
        path: Iterable[Any] = (),
        captions: Sequence[str] = (),
        tree: SearchTree[Any, Any] | None = None,
    ):
        self._problem, self._places = problem, places_of(problem)
        self._path, self._captions = tuple(path), captions
        self._arrivals = None if tree is None else tree.reached
        self._expanded = set() if tree is None else tree.expanded_states()

    def __str__(self) -> str:
        """Return the picture as plain text of at most 110 columns."""
        try:
            drawing = with_first(self._places, self._path, still(self._places, self._path, self._expanded))
            if drawing is None:
                return visible(tree_text(self._places, self._explored()))
            shown = to_text(drawing, WIDTH, means="glyphs").plain
            below = legend([drawing], WIDTH, means="glyphs").plain
            return visible("\n".join(line.rstrip() for line in f"{shown}\n{below}".split("\n")).rstrip("\n"))
        except Exception as error:
            return _failure(error)

    def __repr__(self) -> str:
        return f"<Picture of {type(self._problem).__name__}>"

    @cached_property
    def _scene(self) -> Scene:
        places = self._places
        name = type(self._problem).__name__
        try:
            if places.position is not None:
                shown = self._explored(as_graph=True)
                return graph_scene(places.label, places.position, shown, self._captions)
            last = still(places, self._path, self._expanded, walks=False)
            drawing = with_first(places, self._path, last)
            if drawing is not None:
                return map_scene(drawing, routes_along(places, self._path), self._captions, name)
            return tree_scene(places.label, self._explored(), self._captions)
        except Exception as error:
            return captioned([], 0, 0, [*self._captions, _failure(error)], [], name)

    def _explored(self, *, as_graph: bool = False) -> Explored:
        return explored(self._problem, self._arrivals, self._expanded, self._path, as_graph)

    def svg(self) -> str:
        """Return the picture as an SVG document. It needs no other file and runs no code."""
        return to_svg(self._scene)

    def png(self) -> bytes:
        """Return the picture as a PNG image. Raises `MissingExtraError` without the extra `viz`."""
        return to_png(self._scene)

    def html(self) -> str:
        """Return the picture as an image in HTML."""
        return svg_image(self.svg(), self._scene.title)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the picture in the forms that notebooks choose from."""
        return {"text/plain": str(self), "image/svg+xml": self.svg(), "text/html": self.html()}


def _failure(error: Exception) -> str:
    reason = str(error) if isinstance(error, PluginWarning) else f"{type(error).__name__}: {error}"
    return f"This problem can't be drawn: {visible(reason)}".replace("\n", " ")
