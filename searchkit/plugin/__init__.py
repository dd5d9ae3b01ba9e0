"""Everything that a plugin imports: hooks, specifications, what hooks take and return, errors.

from searchkit.plugin import ProblemSpec, hookimpl
"""

from searchkit.basics.files import file_in, read_bytes, write_bytes
from searchkit.errors import (
    InputFormatError,
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    MissingExtraError,
    PluginWarning,
    SearchkitError,
    UnknownNameError,
    shortened,
)
from searchkit.plugin.drawing import ContractedGraph, Drawing, GraphEdge, GraphNode, Mark
from searchkit.plugin.files import Precomputed, Query, Scenario, Source, Written
from searchkit.plugin.hookspecs import hookimpl
from searchkit.plugin.specs import (
    CommandSpec,
    EngineFunction,
    EngineSpec,
    Example,
    GeneratorSpec,
    Parameter,
    ProblemSpec,
    boolean,
    imported_late,
    parse_options,
)
from searchkit.problem import has_cost, has_heuristic

__all__ = [
    "CommandSpec",
    "ContractedGraph",
    "Drawing",
    "EngineFunction",
    "EngineSpec",
    "Example",
    "GeneratorSpec",
    "GraphEdge",
    "GraphNode",
    "InputFormatError",
    "InvalidOptionError",
    "InvalidProblemError",
    "Mark",
    "MissingCapabilityError",
    "MissingExtraError",
    "Parameter",
    "PluginWarning",
    "Precomputed",
    "ProblemSpec",
    "Query",
    "Scenario",
    "SearchkitError",
    "Source",
    "UnknownNameError",
    "Written",
    "boolean",
    "file_in",
    "has_cost",
    "has_heuristic",
    "hookimpl",
    "imported_late",
    "parse_options",
    "read_bytes",
    "shortened",
    "write_bytes",
]
