"""Robots that move simultaneously on a grid without colliding: multi-agent path finding for searchkit.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of `searchkit_dungeon`.
"""

from searchkit.engines.kit import SPECS
from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl
from searchkit_robots.capability import MultiAgent
from searchkit_robots.cbs import conflict_based_search
from searchkit_robots.checking import check_plan, plan_cost
from searchkit_robots.files import robots
from searchkit_robots.lacam import lazy_constraints_addition
from searchkit_robots.odid import independence_detection
from searchkit_robots.problem import Makespan, MultiAgentGrid, SumOfCosts
from searchkit_robots.spec import SPEC

__all__ = [
    "Makespan",
    "MultiAgent",
    "MultiAgentGrid",
    "SumOfCosts",
    "check_plan",
    "plan_cost",
    "robots",
]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines for robots that move simultaneously."""
    return [SPECS[run] for run in (conflict_based_search, independence_detection, lazy_constraints_addition)]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
