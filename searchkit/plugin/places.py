"""Where the states of a problem are, by its plugin or by its own `label` and `draw`, with every answer checked."""

import reprlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from math import isfinite
from operator import index
from typing import Any

from attrs import evolve

from searchkit.basics.text import readable_state
from searchkit.errors import PluginWarning, shortened
from searchkit.plugin.drawing import Cell, Mark, Places, Route, picture
from searchkit.plugin.registry import ask, registry
from searchkit.problem import SearchProblem

GLYPHS = "".join(map(chr, range(32, 127))) + "·•●○■□▲△▼▽◆◇★☆←↑→↓│─┌┐└┘├┤┬┴┼█▓▒░✓✗×"
"""The characters that pictures of a problem's own `draw` may have; others are shown as question marks."""
PALETTE = ("#ffd23f", "#7fd4ff", "#ff8c66", "#a8e05f", "#e3b7f0", "#3ddc84", "#ff5c7a", "#d7dae0")


def places_of(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem, made by `ProblemSpec.places` of its kind, or by its own `label` and `draw`.

    Without these, the places have no ground, and a state's label is its `str`. If that raises, or returns anything but
    `Places`, a `PluginWarning` names the kind.

    The functions of the places never raise. If one of them raises, or gives a cell outside the ground, a key without a
    mark or a value of a wrong type, a `PluginWarning` names the first such fault of each function, and the function
    returns a neutral value: no cells, no changes, no walks, the label "?", (0, 0).
    """
    spec = registry().problem_of(problem)
    named: set[str] = set()

    def neutral(name: str, argument: object, error: Exception, value: Any) -> Any:
        """Return the value, after a warning about the first fault of a function."""
        if name not in named:
            named.add(name)
            warnings.warn(
                f"{f'problem {spec.name!r}' if spec else 'the problem'} has faulty places: "
                f"{name}({reprlib.repr(argument)}): {type(error).__name__}: {error}",
                PluginWarning,
                stacklevel=4,
            )
        return value

    places = ask(problem, "places", Places)
    if places is None:
        try:
            places = own_places(problem)
        except Exception as error:
            places = neutral("draw", "a start", error, Places(None, lambda state: ()))
    ground, marks = places.ground, places.ground.marks if places.ground else {}
    width, height = (ground.width, ground.height) if ground else (0, 0)

    def checked(name: str, check: Callable[[Any], Any], value: object) -> Any:
        """Return a function of the places with its answers checked."""
        function = getattr(places, name)

        def call(argument: Any) -> Any:
            try:
                return check(function(argument))
            except Exception as error:
                return neutral(name, argument, error, value)

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


def own_places(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem without a plugin: by its `draw` and `label`, if it has them."""
    draw, label = (_of_one_state(getattr(problem, name, None)) for name in ("draw", "label"))
    text = label or readable_state
    if draw is None:
        return Places(None, lambda state: (), text)

    def lines(state: Any) -> list[str]:
        drawn = draw(state)
        return drawn.splitlines() if isinstance(drawn, str) else list(drawn)

    start = next(iter(problem.initial_states()))
    first = lines(start)
    width, height = max(map(len, first), default=0), len(first)

    def rows(state: Any) -> list[str]:
        drawn = lines(state)
        if len(drawn) > height or any(len(line) > width for line in drawn):
            raise ValueError(f"the picture is larger than that of the first start, {width}×{height}")
        known = ["".join(key if key in GLYPHS else "?" for key in line).ljust(width) for line in drawn]
        return known + [" " * width] * (height - len(drawn))

    marks = {key: Mark(key, _colour(key)) for key in GLYPHS}
    return picture(rows, start, marks, text if label else lambda state: "\n".join(lines(state)))


def _of_one_state(member: Any) -> Any:
    """Return a method that can be called with a state; None for others, such as a `draw()` of the user's own."""
    try:
        signature(member).bind(None)
    except TypeError:
        return None
    except ValueError:  # of a built-in function
        pass
    return member


def _colour(key: str) -> str:
    """Return the colour of a character: dark for ground, grey for walls, and one of several for others."""
    if key in " .·":
        return "#14171c"
    return "#5a6373" if key in "#█│─┌┐└┘├┤┬┴┼▓▒░" else PALETTE[ord(key) % len(PALETTE)]


def _label(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"{shortened(repr(answer), 80)} is not a text")
    return answer


def _position(answer: Any) -> tuple[float, float]:
    x, y = map(float, answer)
    if not (isfinite(x) and isfinite(y)):
        raise ValueError(f"({x}, {y}) is not a position")
    return x, y
