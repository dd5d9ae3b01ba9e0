"""searchkit: describe a search problem once, in plain Python, and solve it with any engine.

The names below are loaded when they are first used, so that a command which needs few of them starts fast. Nothing is
imported here: `searchkit.cli.main` handles Ctrl-C, and an import that takes time would come before it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from searchkit.certificates import Certificate as Certificate
    from searchkit.certificates.verdict import Verdict as Verdict
    from searchkit.certificates.verdict import certify as certify
    from searchkit.compiled.array_layout import Arrayable as Arrayable
    from searchkit.compiled.array_layout import ArrayLayout as ArrayLayout
    from searchkit.plugin.adapters import adapt as adapt
    from searchkit.plugin.hookspecs import hookimpl as hookimpl
    from searchkit.plugin.loading import load as load
    from searchkit.plugin.options import Parameter as Parameter
    from searchkit.plugin.registry import available_engines as available_engines
    from searchkit.plugin.registry import available_problems as available_problems
    from searchkit.plugin.specs import EngineSpec as EngineSpec
    from searchkit.plugin.specs import Example as Example
    from searchkit.plugin.specs import GeneratorSpec as GeneratorSpec
    from searchkit.plugin.specs import ProblemSpec as ProblemSpec
    from searchkit.problem import Aimable as Aimable
    from searchkit.problem import BackwardHeuristic as BackwardHeuristic
    from searchkit.problem import Compilable as Compilable
    from searchkit.problem import Cost as Cost
    from searchkit.problem import Identifiable as Identifiable
    from searchkit.problem import Relaxable as Relaxable
    from searchkit.problem import Reportable as Reportable
    from searchkit.problem import Reversible as Reversible
    from searchkit.problem import SearchProblem as SearchProblem
    from searchkit.problem import SupportsSearch as SupportsSearch
    from searchkit.problem import problem_from as problem_from
    from searchkit.render.draw import Picture as Picture
    from searchkit.render.draw import draw as draw
    from searchkit.result import Result as Result
    from searchkit.result import Solution as Solution
    from searchkit.result import Statistics as Statistics
    from searchkit.result import Status as Status
    from searchkit.saving.file import SavedHeader as SavedHeader
    from searchkit.saving.file import saved_header as saved_header
    from searchkit.search.comparison import compare as compare
    from searchkit.search.distances import DistanceMap as DistanceMap
    from searchkit.search.distances import distance_map as distance_map
    from searchkit.search.distances import verify_heuristic as verify_heuristic
    from searchkit.search.driver import Search as Search
    from searchkit.search.driver import per_slice as per_slice
    from searchkit.search.driver import solve as solve
    from searchkit.search.limits import Limits as Limits
    from searchkit.search.many import solve_many as solve_many
    from searchkit.search.paths import OptimalPaths as OptimalPaths
    from searchkit.search.paths import k_best as k_best
    from searchkit.search.paths import optimal_paths as optimal_paths
    from searchkit.search.replanning import Replanner as Replanner
    from searchkit.trace.recorder import record as record
    from searchkit.trace.recorder import watch as watch
    from searchkit.trace.recording import Recording as Recording
    from searchkit.trace.table import trace_table as trace_table

__version__ = "0.1.0"

_HOMES = {
    "certificates": "Certificate",
    "certificates.verdict": "Verdict certify",
    "compiled.array_layout": "ArrayLayout Arrayable",
    "plugin.adapters": "adapt",
    "plugin.hookspecs": "hookimpl",
    "plugin.loading": "load",
    "plugin.registry": "available_engines available_problems",
    "plugin.options": "Parameter",
    "plugin.specs": "EngineSpec Example GeneratorSpec ProblemSpec",
    "problem": "Aimable BackwardHeuristic Compilable Cost Identifiable Relaxable Reportable "
    "Reversible SearchProblem SupportsSearch problem_from",
    "render.draw": "Picture draw",
    "result": "Result Solution Statistics Status",
    "saving.file": "SavedHeader saved_header",
    "search.comparison": "compare",
    "search.distances": "DistanceMap distance_map verify_heuristic",
    "search.driver": "Search per_slice solve",
    "search.limits": "Limits",
    "search.many": "solve_many",
    "search.paths": "OptimalPaths k_best optimal_paths",
    "search.replanning": "Replanner",
    "trace.recorder": "record watch",
    "trace.recording": "Recording",
    "trace.table": "trace_table",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = list(_HOME)


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module 'searchkit' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"searchkit.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
