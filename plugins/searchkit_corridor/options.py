"""The options of a grid with regions, and how they are read."""

from collections.abc import Mapping
from typing import Any

from searchkit.plugin import Parameter, parse_options
from searchkit_dungeon import cells

PARAMETERS = (
    Parameter("cell", "the side length of the blocks that are the regions, in cells", default=4, least=1),
    Parameter(
        "depth",
        "the depth whose minimum a path maximises: none, clearance (steps from the nearest wall or edge) "
        "or digits (1 to 9 on the map are depths, not costs)",
        default="none",
        choices=("none", "clearance", "digits"),
    ),
    Parameter("start", "the start cell, X,Y (several: X,Y;X,Y); instead of the map's own", convert=cells),
    Parameter("goal", "the goal cell, X,Y (several: X,Y;X,Y); instead of the map's own", convert=cells),
)
OWN = ("cell", "depth")
"""Options of this plugin only: giving one asks for a grid with regions."""


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options with defaults for those not given. Raises `UnknownNameError`, `InvalidOptionError`."""
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options("problem 'corridor'", PARAMETERS, options)
