"""searchkit: describe a search problem once, in plain Python, and solve it with any engine.

The names below are loaded when they are first used, so that a command which needs few of them starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from searchkit.certificates import Certificate as Certificate
    from searchkit.certification import Verdict as Verdict
    from searchkit.certification import certify as certify
    from searchkit.distances import DistanceMap as DistanceMap
    from searchkit.distances import distance_map as distance_map
    from searchkit.functions import problem_from as problem_from
    from searchkit.hookspecs import hookimpl as hookimpl
    from searchkit.limits import Limits as Limits
    from searchkit.loading import load as load
    from searchkit.many import solve_many as solve_many
    from searchkit.observers import per_slice as per_slice
    from searchkit.plugins import available_engines as available_engines
    from searchkit.plugins import available_problems as available_problems
    from searchkit.problem import Aimable as Aimable
    from searchkit.problem import Compilable as Compilable
    from searchkit.problem import Cost as Cost
    from searchkit.problem import Relaxable as Relaxable
    from searchkit.problem import Reportable as Reportable
    from searchkit.problem import Reversible as Reversible
    from searchkit.problem import SearchProblem as SearchProblem
    from searchkit.problem import SupportsSearch as SupportsSearch
    from searchkit.result import Result as Result
    from searchkit.result import Solution as Solution
    from searchkit.result import Statistics as Statistics
    from searchkit.result import Status as Status
    from searchkit.search import Search as Search
    from searchkit.search import solve as solve
    from searchkit.specs import EngineSpec as EngineSpec
    from searchkit.specs import Example as Example
    from searchkit.specs import GeneratorSpec as GeneratorSpec
    from searchkit.specs import Parameter as Parameter
    from searchkit.specs import ProblemSpec as ProblemSpec

__version__ = "0.1.0"

_HOMES = {
    "certificates": ("Certificate",),
    "certification": ("Verdict", "certify"),
    "distances": ("DistanceMap", "distance_map"),
    "functions": ("problem_from",),
    "hookspecs": ("hookimpl",),
    "limits": ("Limits",),
    "loading": ("load",),
    "many": ("solve_many",),
    "observers": ("per_slice",),
    "plugins": ("available_engines", "available_problems"),
    "problem": (
        "Aimable",
        "Compilable",
        "Cost",
        "Relaxable",
        "Reportable",
        "Reversible",
        "SearchProblem",
        "SupportsSearch",
    ),
    "result": ("Result", "Solution", "Statistics", "Status"),
    "search": ("Search", "solve"),
    "specs": ("EngineSpec", "Example", "GeneratorSpec", "Parameter", "ProblemSpec"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'searchkit' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"searchkit.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
