"""Where the states of a problem are, by its plugin or by its own `label` and `draw`."""

import re
from collections.abc import Mapping
from string import ascii_letters
from typing import Any

from attrs import evolve

from searchkit.basics.text import state_text
from searchkit.plugin.drawing import Mark, Places, picture
from searchkit.plugin.options import takes
from searchkit.plugin.registry import ask, guarded, registry
from searchkit.problem import SearchProblem

GLYPHS = "".join(map(chr, range(32, 127))) + "·•●○■□▲△▼▽◆◇★☆←↑→↓│─┌┐└┘├┤┬┴┼█▓▒░✓✗×"
"""The characters that pictures of a problem's own `draw` may have; others are shown as question marks."""
NEUTRAL: Mapping[str, Any] = dict.fromkeys(("cells", "routes", "regions"), ()) | {
    "label": "?",
    "changes": {},
    "position": (0.0, 0.0),
}
"""Function of the places → what is returned in place of an exception."""
PALETTE = ("#ffd23f", "#7fd4ff", "#ff8c66", "#a8e05f", "#e3b7f0", "#3ddc84", "#ff5c7a", "#d7dae0")


def places_of(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem, made by `ProblemSpec.places` of its kind, or by its own `label` and `draw`.

    Without these, the places have no ground, and a state's label is its `str`. The functions of the places never raise:
    the first exception of each becomes a `PluginWarning`, and a neutral value is returned, such as no cells.
    """
    spec = registry().problem_of(problem)
    owner = f" of problem {spec.name!r}" if spec else ""
    empty: Places[Any] = Places(None, lambda state: ())
    places = ask(problem, "places") or guarded("draw", own_places, empty)(problem)
    functions = {n: getattr(places, n) for n in NEUTRAL} | {"label": lambda state: str(places.label(state))}
    return evolve(
        places, **{n: guarded(n + owner, call, NEUTRAL[n]) for n, call in functions.items() if call}
    )


def own_places(problem: SearchProblem[Any, Any]) -> Places[Any]:
    """Return the places of a problem without a plugin: by its `draw` and `label`, if it has them."""
    members = (getattr(problem, name, None) for name in ("draw", "label"))
    draw, label = (member if takes(member, 1) else None for member in members)  # others are the user's own

    def text(state: Any) -> str:
        own: Any = type(state).__str__
        return str(state) if own is not object.__str__ else state_text(state)

    if draw is None:
        return Places(None, lambda state: (), label or text)

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

    words = ascii_letters if re.search("[a-z]{3}", "\n".join(first)) else ""
    kinds = {"#14171c": " .·", "#5a6373": "#█│─┌┐└┘├┤┬┴┼▓▒░", "#0072b2": "~", "#d7dae0": words}
    fixed = {key: colour for colour, keys in kinds.items() for key in keys}
    marks = {key: Mark(key, fixed.get(key, PALETTE[ord(key) % len(PALETTE)])) for key in GLYPHS}
    return picture(rows, start, marks, label or (lambda state: "\n".join(lines(state))))
