"""The options of a problem of robots, and how they are read."""

from collections.abc import Mapping
from operator import index
from typing import Any

from searchkit.plugin import Parameter, parse_options


def at_least_one(value: Any) -> int:
    """Read an integer ≥ 1. Raises `ValueError` or `TypeError` for anything else."""
    number = int(value) if isinstance(value, str) else index(value)
    if number < 1:
        raise ValueError("expected a whole number, at least 1")
    return number


PARAMETERS = (
    Parameter(
        "objective",
        "the quantity to minimise: sum-of-costs (the sum of the times at which the robots arrive for good) or makespan "
        "(the time at which the last one does)",
        default="sum-of-costs",
        choices=("sum-of-costs", "makespan"),
    ),
    Parameter("agents", "the number of robots to read from the file (default: all)", convert=at_least_one),
    Parameter(
        "map", "the file of the map, if not the one that the file of robots names", convert=str, file=True
    ),
)
DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options with defaults for those not given. Raises `UnknownNameError`, `InvalidOptionError`."""
    return DEFAULTS | parse_options("problem 'robots'", PARAMETERS, options)
