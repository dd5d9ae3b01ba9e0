"""Robots that move simultaneously on a grid without colliding: multi-agent path finding for searchkit.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of `searchkit_dungeon`.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import EngineSpec, Places, ProblemSpec, Source, Written, hookimpl
from searchkit_robots.capability import MultiAgent
from searchkit_robots.checking import check_plan, plan_cost
from searchkit_robots.engines import ENGINES
from searchkit_robots.files import load_robots, robots, write
from searchkit_robots.problem import Makespan, MultiAgentGrid, SumOfCosts
from searchkit_robots.render import places
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


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> MultiAgentGrid | None:
    """Read a file of robots, or a MovingAI scenario if `format` or the option `agents` asks for robots."""
    if format not in (None, SPEC.name):
        return None
    return load_robots(source, format == SPEC.name, options)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of robots on a map; None for any other problem."""
    return places(problem) if isinstance(problem, MultiAgentGrid) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write robots and their map as one text; return None for any other problem."""
    return write(problem)
