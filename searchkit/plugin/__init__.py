"""Everything that the author of a plugin imports: the hooks' arguments and results, specifications, errors, helpers.

    from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl

The hooks themselves are documented in `searchkit.plugin.hookspecs`. An engine also imports `searchkit.engines.kit`. A
compiled view imports `searchkit.compiled.view`, `functions` and `layout`; a compiled engine `searchkit.compiled.kit`.
"""

from searchkit.basics.files import file_in, read_bytes, read_text, replacing, write_bytes, write_text
from searchkit.errors import (
    InputFormatError,
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    MissingExtraError,
    PackingError,
    PluginError,
    PluginWarning,
    SearchkitError,
    UnknownNameError,
    shortened,
    unknown,
)
from searchkit.plugin.drawing import Cell, ContractedGraph, Drawing, GraphEdge, GraphNode, Mark, Places, Route
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
from searchkit.problem import (
    Aimable,
    BackwardHeuristic,
    Compilable,
    Cost,
    Preparable,
    Relaxable,
    Reportable,
    Reversible,
    SearchProblem,
    has_cost,
    has_heuristic,
    problem_from,
)
from searchkit.tree import Arrival, Arrivals, SearchTree, Trail

__all__ = [
    "Aimable",
    "Arrival",
    "Arrivals",
    "BackwardHeuristic",
    "Cell",
    "CommandSpec",
    "Compilable",
    "ContractedGraph",
    "Cost",
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
    "PackingError",
    "Parameter",
    "Places",
    "PluginError",
    "PluginWarning",
    "Precomputed",
    "Preparable",
    "ProblemSpec",
    "Query",
    "Relaxable",
    "Reportable",
    "Reversible",
    "Route",
    "Scenario",
    "SearchProblem",
    "SearchTree",
    "SearchkitError",
    "Source",
    "Trail",
    "UnknownNameError",
    "Written",
    "boolean",
    "file_in",
    "has_cost",
    "has_heuristic",
    "hookimpl",
    "imported_late",
    "parse_options",
    "problem_from",
    "read_bytes",
    "read_text",
    "replacing",
    "shortened",
    "unknown",
    "write_bytes",
    "write_text",
]
