"""The options of a graph, and how they are read."""

from collections.abc import Container, Hashable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from searchkit.plugin import Parameter, parse_options
from searchkit_graph.problem import HEURISTICS


def nodes_of(value: Any, known: Container[Any] = ()) -> tuple[Hashable, ...]:
    """Read names of nodes: one, or several in an iterable that is neither a text nor one of the `known` names.

    Raises `ValueError` for anything else.
    """
    one = isinstance(value, str) or not isinstance(value, Iterable)
    if not one and isinstance(value, Hashable):
        with suppress(TypeError):  # a tuple may hold what has no hash
            one = value in known
    names = (value,) if one else tuple(value)
    for name in names:
        try:
            hash(name)
        except TypeError as error:
            raise ValueError(f"{name!r} can't be the name of a node") from error
    return names


NAME = "graph"
"""The name of the problem and of its format."""
PARAMETERS = (
    Parameter("start", "the start node (several: a list), instead of the file's own", convert=nodes_of),
    Parameter("goal", "the goal node (several: a list), instead of the file's own", convert=nodes_of),
    Parameter(
        "heuristic",
        "straight-line (needs coordinates; admissible: scaled by the least cost of a unit of distance) or none; by "
        "default straight-line if coordinates are given and it is a lower bound other than 0",
        choices=HEURISTICS,
    ),
    Parameter(
        "weight", "the attribute of edges with the cost, in files that networkx reads", default="weight"
    ),
    Parameter(
        "coordinates",
        "the DIMACS file of coordinates, .co; by default, with heuristic=straight-line, the one beside the .gr",
        convert=lambda value: str(Path(value)),
        file=True,
    ),
)


def parse(options: Mapping[str, object]) -> dict[str, Any]:
    """Read the options of a graph, defaults filled in. Raises `UnknownNameError`, `InvalidOptionError`."""
    defaults = {parameter.name: parameter.default for parameter in PARAMETERS}
    return defaults | parse_options(f"problem {NAME!r}", PARAMETERS, options)
