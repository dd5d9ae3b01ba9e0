"""Robots that move simultaneously on a grid without colliding: multi-agent path finding for searchkit.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of `searchkit_dungeon`.
"""

from pathlib import Path

from searchkit.engines.kit import SPECS
from searchkit.plugin import EngineSpec, Example, ProblemSpec, hookimpl
from searchkit_robots.capability import MultiAgent
from searchkit_robots.cbs import conflict_based_search
from searchkit_robots.checking import check_plan, plan_cost
from searchkit_robots.files import OPTIONS, is_list_of_robots, read, robots, write
from searchkit_robots.lacam import lazy_constraints_addition
from searchkit_robots.odid import independence_detection
from searchkit_robots.problem import Makespan, MultiAgentGrid, SumOfCosts
from searchkit_robots.render import places

__all__ = [
    "Makespan",
    "MultiAgent",
    "MultiAgentGrid",
    "SumOfCosts",
    "check_plan",
    "plan_cost",
    "robots",
]


MAPS = Path(__file__).parent / "maps"
SPEC = ProblemSpec(
    name="robots",
    summary="robots that move simultaneously on a grid without colliding: multi-agent path finding",
    group="Maps",
    factory=robots,
    parameters=OPTIONS,
    examples=(
        Example("siding", MAPS / "siding.agents", "two robots in a corridor with one place to pass"),
        Example("crossing", MAPS / "crossing.agents", "six robots that cross one another in a square"),
        Example("deadlock", MAPS / "deadlock.agents", "two robots that can't change places: unsolvable"),
        Example(
            "warehouse", MAPS / "warehouse.agents", "twenty robots between shelves, in aisles one robot wide"
        ),
        Example(
            "random32",
            MAPS / "random32.scen",
            "32x32, a fifth of it walls at random: 60 robots, in MovingAI's form",
            {"agents": 20},
        ),
    ),
    strategies={"agents": "searchkit_robots.strategies:agents"},
    read=read,
    formats=(".agents", is_list_of_robots),
    classes=(MultiAgentGrid,),
    places=places,
    write=write,
)


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines for robots that move simultaneously."""
    return [SPECS[run] for run in (conflict_based_search, independence_detection, lazy_constraints_addition)]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
