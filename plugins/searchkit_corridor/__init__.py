"""Coarse-to-fine search in a mask of regions that widens, for searchkit: the engine `corridor`, and grids with regions.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of the plugin `dungeon`.
"""

from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.engine import PhaseReport, corridor
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.regions import relax
from searchkit_corridor.spec import ENGINE, SPEC, corridor_grid

__all__ = ["Blocks", "CorridorGrid", "PhaseReport", "corridor", "corridor_grid", "relax"]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engine of this plugin."""
    return [ENGINE]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
