"""searchkit: describe a search problem once, in plain Python, and solve it with any engine."""

from searchkit.certification import Verdict, certify
from searchkit.distances import DistanceMap, distance_map
from searchkit.functions import problem_from
from searchkit.hookspecs import hookimpl
from searchkit.limits import Limits
from searchkit.loading import load
from searchkit.plugins import available_engines, available_problems
from searchkit.problem import Compilable, Cost, Relaxable, Reversible, SearchProblem
from searchkit.result import Result, Solution, Statistics, Status
from searchkit.search import Search, solve
from searchkit.specs import EngineSpec, Example, Parameter, ProblemSpec

__version__ = "0.1.0"

__all__ = [
    "Compilable",
    "Cost",
    "DistanceMap",
    "EngineSpec",
    "Example",
    "Limits",
    "Parameter",
    "ProblemSpec",
    "Relaxable",
    "Result",
    "Reversible",
    "Search",
    "SearchProblem",
    "Solution",
    "Statistics",
    "Status",
    "Verdict",
    "available_engines",
    "available_problems",
    "certify",
    "distance_map",
    "hookimpl",
    "load",
    "problem_from",
    "solve",
]
