"""Everything that the author of a plugin imports: the hooks' arguments and results, specifications, errors, helpers.

    from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl

The hooks themselves are documented in `searchkit.plugin.hookspecs`. An engine also imports `searchkit.engines.kit`. A
compiled view imports `searchkit.compiled.view`, `functions` and `layout`; a compiled engine `searchkit.compiled.kit`.
"""

from searchkit.basics.files import file_in as file_in
from searchkit.basics.files import read_bytes as read_bytes
from searchkit.basics.files import read_text as read_text
from searchkit.basics.files import replacing as replacing
from searchkit.basics.files import write_file as write_file
from searchkit.errors import InputFormatError as InputFormatError
from searchkit.errors import InvalidOptionError as InvalidOptionError
from searchkit.errors import InvalidProblemError as InvalidProblemError
from searchkit.errors import MissingCapabilityError as MissingCapabilityError
from searchkit.errors import MissingExtraError as MissingExtraError
from searchkit.errors import PluginWarning as PluginWarning
from searchkit.errors import SearchkitError as SearchkitError
from searchkit.errors import UnknownNameError as UnknownNameError
from searchkit.errors import WorkerError as WorkerError
from searchkit.errors import shortened as shortened
from searchkit.errors import unknown as unknown
from searchkit.plugin.drawing import Cell as Cell
from searchkit.plugin.drawing import ContractedGraph as ContractedGraph
from searchkit.plugin.drawing import Drawing as Drawing
from searchkit.plugin.drawing import GraphNode as GraphNode
from searchkit.plugin.drawing import Mark as Mark
from searchkit.plugin.drawing import Places as Places
from searchkit.plugin.drawing import Route as Route
from searchkit.plugin.drawing import picture as picture
from searchkit.plugin.files import Query as Query
from searchkit.plugin.files import Scenario as Scenario
from searchkit.plugin.files import Source as Source
from searchkit.plugin.hookspecs import hookimpl as hookimpl
from searchkit.plugin.options import Parameter as Parameter
from searchkit.plugin.options import option as option
from searchkit.plugin.options import options_of as options_of
from searchkit.plugin.options import parameters_of as parameters_of
from searchkit.plugin.options import parse_options as parse_options
from searchkit.plugin.options import with_options as with_options
from searchkit.plugin.registry import use_registry as use_registry
from searchkit.plugin.specs import CommandSpec as CommandSpec
from searchkit.plugin.specs import EngineFunction as EngineFunction
from searchkit.plugin.specs import EngineSpec as EngineSpec
from searchkit.plugin.specs import Example as Example
from searchkit.plugin.specs import ExecutorSpec as ExecutorSpec
from searchkit.plugin.specs import GeneratorSpec as GeneratorSpec
from searchkit.plugin.specs import ProblemSpec as ProblemSpec
from searchkit.problem import has_cost as has_cost
from searchkit.problem import has_heuristic as has_heuristic
from searchkit.tree import SearchTree as SearchTree
