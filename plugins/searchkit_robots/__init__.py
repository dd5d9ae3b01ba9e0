"""Robots that move simultaneously on a grid without colliding: multi-agent path finding for searchkit.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of `searchkit_dungeon`.
"""

from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl
from searchkit_robots.capability import MultiAgent
from searchkit_robots.checking import check_plan, plan_cost
from searchkit_robots.engines import ENGINES
from searchkit_robots.files import robots
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
    return list(ENGINES)


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
