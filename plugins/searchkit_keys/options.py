"""The options of a vault, and how they are read."""

from collections.abc import Mapping
from typing import Any

from searchkit.plugin import InvalidOptionError, Parameter, boolean, parse_options
from searchkit_keys.heuristics import HEURISTICS

EXPANDED_HEURISTICS = ("bounding-box", "zero")
PARAMETERS = (
    Parameter(
        "contracted",
        "true: search the graph of keys; false: search the grid, cell by cell",
        default=True,
        convert=boolean,
    ),
    Parameter(
        "split",
        "true: rebuild the 3×3 cells around the one start as walls and four starts",
        default=False,
        convert=boolean,
    ),
    Parameter(
        "heuristic",
        "contracted: "
        + "; ".join(spec.label for spec in HEURISTICS.values())
        + ". Not contracted: bounding-box (box around the missing keys, with several robots the key that is furthest "
        "from its nearest robot; admissible, consistent) or zero. By default the first of each",
        choices=(*HEURISTICS, "bounding-box"),
    ),
)


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options of a vault with defaults for those not given.

    Raises `UnknownNameError`, `InvalidOptionError`.
    """
    chosen = {parameter.name: parameter.default for parameter in PARAMETERS}
    return fitting(chosen | parse_options("problem 'keys'", PARAMETERS, options))


def fitting(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with the heuristic filled in. Raises `InvalidOptionError` if it is one of the other form."""
    names = tuple(HEURISTICS) if chosen["contracted"] else EXPANDED_HEURISTICS
    heuristic = chosen["heuristic"]
    if heuristic is not None and heuristic not in names:
        raise InvalidOptionError(
            f"heuristic={heuristic}: with contracted={str(chosen['contracted']).lower()}, expected one of "
            f"{', '.join(names)}"
        )
    return {**chosen, "heuristic": heuristic or names[0]}
