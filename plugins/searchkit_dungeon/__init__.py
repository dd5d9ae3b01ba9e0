"""Grid maps for searchkit: reading, generating and searching them. Text maps and MovingAI maps, 4 or 8 moves, terrain.

This module defines the hooks of the plugin; the other modules implement them. Plugins that build on grid maps import
from here.
"""

from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl
from searchkit_dungeon.formats.map_file import MapFile
from searchkit_dungeon.formats.scenarios import (
    find_scenario_map,
    is_scenario,
    read_scenario_lines,
    read_scenario_queries,
)
from searchkit_dungeon.formats.text import (
    GROUND,
    TALLEST,
    WIDEST,
    map_repr,
    map_text,
    read_text_map,
    written_map,
)
from searchkit_dungeon.generators.bank import CellBank, GenerationError
from searchkit_dungeon.generators.corridors import connect
from searchkit_dungeon.generators.rooms import Room
from searchkit_dungeon.generators.suites import join, suites_of
from searchkit_dungeon.guides import any_farthest, approach_map, flee_map, trail
from searchkit_dungeon.jps import JPS
from searchkit_dungeon.options import ENDS, cells
from searchkit_dungeon.problem import REGION_SIDE, Grid
from searchkit_dungeon.rasters import grid_from_array
from searchkit_dungeon.spec import SPEC, ends, grid, is_map, read_map
from searchkit_dungeon.terrain import OFFSETS, PASSABLE, WALL, Cell, Terrain, directions

__all__ = [
    "ENDS",
    "GROUND",
    "OFFSETS",
    "PASSABLE",
    "REGION_SIDE",
    "TALLEST",
    "WALL",
    "WIDEST",
    "Cell",
    "CellBank",
    "GenerationError",
    "Grid",
    "MapFile",
    "Room",
    "Terrain",
    "any_farthest",
    "approach_map",
    "cells",
    "connect",
    "directions",
    "ends",
    "find_scenario_map",
    "flee_map",
    "grid",
    "grid_from_array",
    "is_map",
    "is_scenario",
    "join",
    "map_repr",
    "map_text",
    "read_map",
    "read_scenario_lines",
    "read_scenario_queries",
    "read_text_map",
    "suites_of",
    "trail",
    "written_map",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines for grids."""
    return [JPS]
