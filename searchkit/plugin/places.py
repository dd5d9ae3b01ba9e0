"""Asking the plugins where the states of a problem are, with every answer checked."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from operator import index
from typing import Any

from attrs import define, evolve, field

from searchkit.basics.text import kind_of
from searchkit.errors import PluginWarning, shortened
from searchkit.plugin.drawing import Cell, Places, Route
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem


def places_of(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem from the first plugin, by name, that has them (hook `searchkit_places`).

    If no plugin has them, the places have no ground, and a state's label is its `str`. A plugin that raises, or returns
    anything but `Places`, is named in a `PluginWarning`, and the next plugin is asked.

    The functions of the places never raise. If one of the plugin's functions raises, or gives a cell outside the
    ground, a key without a mark or a value of a wrong type, a `PluginWarning` names the first such fault of each
    function, and the function returns a neutral value: no cells, no changes, no walks, the label "?", (0, 0).
    """
    found = registry().first_named("searchkit_places", Places, "draw", problem=problem)
    plugin, places = found or ("", Places(None, _nowhere))
    check = _Check(plugin, places)
    return evolve(
        places,
        cells=check.function("cells", places.cells, check.cells, ()),
        label=check.function("label", places.label, _text, "?"),
        routes=places.routes and check.function("routes", places.routes, check.routes, ()),
        changes=places.changes and check.function("changes", places.changes, check.changes, {}),
        regions=places.regions and check.function("regions", places.regions, check.cells, ()),
        position=places.position and check.function("position", places.position, _position, (0.0, 0.0)),
    )


def _nowhere(state: object) -> Sequence[Cell]:
    return ()


@define
class _Check:
    """The checks of what the functions of a plugin's places return."""

    plugin: str
    places: Places[Any]
    named: set[str] = field(factory=set, init=False)
    """The functions whose faults were named."""

    def function(
        self, name: str, given: Callable[[Any], Any], checked: Callable[[Any], Any], instead: Any
    ) -> Callable[[Any], Any]:
        """Return the function `given` with its answers checked; `instead` stands for faulty ones."""

        def ask(argument: Any) -> Any:
            try:
                return checked(given(argument))
            except Exception as error:
                self.warn(name, argument, error)
                return instead

        return ask

    def warn(self, name: str, argument: object, error: Exception) -> None:
        """Name the first fault of a function."""
        if name in self.named:
            return
        self.named.add(name)
        try:
            shown = shortened(repr(argument), 80)
        except Exception:
            shown = kind_of(argument)
        brought = f"plugin {self.plugin!r}" if self.plugin else "the problem"
        warnings.warn(
            f"{brought} has faulty places: {name}({shown}): {type(error).__name__}: {error}",
            PluginWarning,
            stacklevel=4,
        )

    def cells(self, answer: Any) -> tuple[Cell, ...]:
        """Return cells. Raises `ValueError` for cells outside the ground."""
        cells = tuple(answer)
        ground = self.places.ground
        width, height = (ground.width, ground.height) if ground else (0, 0)
        for x, y in cells:
            if not (type(x) is type(y) is int):
                return self.cells([(int(index(x)), int(index(y))) for x, y in cells])
            if not (0 <= x < width and 0 <= y < height):
                raise ValueError(f"cell ({x}, {y}) is outside the ground of {width}×{height} cells")
        return cells

    def routes(self, answer: Any) -> tuple[Route, ...]:
        """Return routes. Raises `TypeError` or `ValueError` if one is faulty."""
        routes = []
        for route in answer:
            if not isinstance(route, Route):
                raise TypeError(f"{shortened(repr(route), 80)} is not a Route")
            self.keys({**route.keys, **{key: key for key in route.keys.values()}})
            routes.append(Route(self.cells(route.cells), route.keys, _text(route.label)))
        return tuple(routes)

    def changes(self, answer: Any) -> Mapping[Cell, str]:
        """Return the changes. Raises `ValueError` for cells outside the ground and keys without a mark."""
        changes: Mapping[Cell, str] = dict(answer)
        self.keys({key: key for key in changes.values()})
        return dict(zip(self.cells(changes), changes.values(), strict=True))

    def keys(self, keys: Mapping[str, str]) -> None:
        """Raise `ValueError` for keys without a mark."""
        ground = self.places.ground
        unknown = keys.keys() - (ground.marks.keys() if ground else set())
        if unknown:
            raise ValueError(f"keys without a mark in the ground: {sorted(unknown)}")


def _text(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"{shortened(repr(answer), 80)} is not a text")
    return answer


def _position(answer: Any) -> tuple[float, float]:
    x, y = map(float, answer)
    if not (isfinite(x) and isfinite(y)):
        raise ValueError(f"({x}, {y}) is not a position")
    return x, y
