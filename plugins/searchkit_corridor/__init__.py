"""Coarse-to-fine search in a mask of regions that widens, for searchkit: the engine `corridor`, and grids with regions.

This module defines the hooks of the plugin; the other modules implement them. Maps are those of the plugin `dungeon`.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import EngineSpec, Places, ProblemSpec, Source, Written, hookimpl
from searchkit_corridor.blocks import Blocks
from searchkit_corridor.files import corridor_grid, load, write
from searchkit_corridor.problem import CorridorGrid
from searchkit_corridor.regions import RelaxedProblem, relax
from searchkit_corridor.render import places
from searchkit_corridor.search.engine import corridor
from searchkit_corridor.search.frontier import PhaseReport
from searchkit_corridor.spec import ENGINE, SPEC

__all__ = ["Blocks", "CorridorGrid", "PhaseReport", "RelaxedProblem", "corridor", "corridor_grid", "relax"]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engine of this plugin."""
    return [ENGINE]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> CorridorGrid | None:
    """Read a map as a grid with regions if `format` or the options `cell` and `depth` ask for it."""
    return load(source, format, options)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a grid with regions; None for any other problem."""
    return places(problem) if isinstance(problem, CorridorGrid) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write a grid with regions as a text map.

    Returns None for other problems and for depths that no map can express.
    """
    return write(problem)
