"""Where the states of a problem are, with every answer of its plugin checked."""

import reprlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from operator import index
from typing import Any

from attrs import evolve

from searchkit.errors import PluginWarning, shortened
from searchkit.plugin.drawing import Cell, Places, Route
from searchkit.plugin.registry import ask, registry
from searchkit.problem import SearchProblem


def places_of(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem, made by `ProblemSpec.places` of its kind.

    Without these, the places have no ground, and a state's label is its `str`. If that raises, or returns anything but
    `Places`, a `PluginWarning` names the kind.

    The functions of the places never raise. If one of the plugin's functions raises, or gives a cell outside the
    ground, a key without a mark or a value of a wrong type, a `PluginWarning` names the first such fault of each
    function, and the function returns a neutral value: no cells, no changes, no walks, the label "?", (0, 0).
    """
    places = ask(problem, "places", Places) or Places(None, lambda state: ())
    ground, marks = places.ground, places.ground.marks if places.ground else {}
    width, height = (ground.width, ground.height) if ground else (0, 0)
    named: set[str] = set()
    spec = registry().problem_of(problem)

    def checked(name: str, check: Callable[[Any], Any], neutral: object) -> Any:
        """Return a function of the places with its answers checked."""
        function = getattr(places, name)

        def call(argument: Any) -> Any:
            try:
                return check(function(argument))
            except Exception as error:
                if name not in named:
                    named.add(name)
                    warnings.warn(
                        f"{f'problem {spec.name!r}' if spec else 'the problem'} has faulty places: "
                        f"{name}({reprlib.repr(argument)}): {type(error).__name__}: {error}",
                        PluginWarning,
                        stacklevel=3,
                    )
                return neutral

        return function and call

    def cells(answer: Iterable[Any]) -> tuple[Cell, ...]:
        found = tuple([(index(x), index(y)) for x, y in answer])
        for x, y in found:
            if not (0 <= x < width and 0 <= y < height):
                raise ValueError(f"cell ({x}, {y}) is outside the ground of {width}×{height} cells")
        return found

    def keys(*given: str) -> None:
        if not marks.keys() >= {*given}:
            raise ValueError(f"keys without a mark in the ground: {sorted({*given} - marks.keys())}")

    def routes(answer: Iterable[Any]) -> tuple[Route, ...]:
        made = []
        for route in answer:
            if not isinstance(route, Route):
                raise TypeError(f"{shortened(repr(route), 80)} is not a Route")
            keys(*route.keys, *route.keys.values())
            made.append(evolve(route, cells=cells(route.cells)))
        return tuple(made)

    def changes(answer: Mapping[Cell, str]) -> Mapping[Cell, str]:
        keys(*answer.values())
        return dict(zip(cells(answer), answer.values(), strict=True))

    return evolve(
        places,
        cells=checked("cells", cells, ()),
        label=checked("label", _label, "?"),
        routes=checked("routes", routes, ()),
        changes=checked("changes", changes, {}),
        regions=checked("regions", cells, ()),
        position=checked("position", _position, (0.0, 0.0)),
    )


def _label(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"{shortened(repr(answer), 80)} is not a text")
    return answer


def _position(answer: Any) -> tuple[float, float]:
    x, y = map(float, answer)
    if not (isfinite(x) and isfinite(y)):
        raise ValueError(f"({x}, {y}) is not a position")
    return x, y
