"""The options of a board, and how they are read."""

from collections.abc import Mapping
from typing import Any

from searchkit.plugin import Parameter, parse_options
from searchkit_tiles.board import GOALS
from searchkit_tiles.heuristics import DEFAULT, HEURISTICS

PARAMETERS = (
    Parameter(
        "heuristic",
        "; ".join(spec.label for spec in HEURISTICS.values()),
        default=DEFAULT,
        choices=tuple(HEURISTICS),
    ),
    Parameter(
        "goal",
        "the order to slide the tiles into: blank-first (0 1 2 …) or blank-last (1 2 … 0)",
        default=GOALS[0],
        choices=GOALS,
    ),
    Parameter("instance", "which board of a file of many, counted from 1", default=1, convert=int),
)


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options of a board with defaults for those not given.

    Raises `UnknownNameError`, `InvalidOptionError`.
    """
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'tiles'", PARAMETERS, options)
