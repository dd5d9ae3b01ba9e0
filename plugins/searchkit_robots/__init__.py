"""Robots that move simultaneously on a grid without colliding: multi-agent path finding for searchkit.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of `searchkit_dungeon`.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import Drawing, EngineSpec, ProblemSpec, Source, Written, hookimpl
from searchkit_robots.capability import MultiAgent
from searchkit_robots.checking import check_plan, plan_cost
from searchkit_robots.engines import ENGINES
from searchkit_robots.files import load_robots, robots, write
from searchkit_robots.problem import Makespan, MultiAgentGrid, SumOfCosts
from searchkit_robots.render import draw, frames
from searchkit_robots.spec import SPEC

__all__ = [
    "Makespan",
    "MultiAgent",
    "MultiAgentGrid",
    "SumOfCosts",
    "check_plan",
    "frames",
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
def searchkit_render(
    problem: SearchProblem[Any, Any], path: tuple[Any, ...], expanded: frozenset[Any]
) -> Drawing | None:
    """Draw robots and their paths; return None for any other problem."""
    return draw(problem, path) if isinstance(problem, MultiAgentGrid) else None


@hookimpl
def searchkit_frames(problem: SearchProblem[Any, Any], path: tuple[Any, ...]) -> list[Drawing] | None:
    """Draw the positions of the robots at each time; return None for any other problem."""
    return frames(problem, path) if isinstance(problem, MultiAgentGrid) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write robots and their map as one text; return None for any other problem."""
    return write(problem)
