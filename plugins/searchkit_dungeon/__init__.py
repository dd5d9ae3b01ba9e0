"""Grid maps for searchkit: reading, generating and searching them. Text maps and MovingAI maps, 4 or 8 moves, terrain.

This module defines the hooks of the plugin; the other modules implement them. Plugins that build on grid maps import
from here.
"""

from searchkit.plugin import EngineSpec, ProblemSpec, hookimpl
from searchkit_dungeon.formats.map_file import MapFile as MapFile
from searchkit_dungeon.formats.scenarios import find_scenario_map as find_scenario_map
from searchkit_dungeon.formats.scenarios import is_scenario as is_scenario
from searchkit_dungeon.formats.scenarios import read_scenario_lines as read_scenario_lines
from searchkit_dungeon.formats.scenarios import read_scenario_queries as read_scenario_queries
from searchkit_dungeon.formats.text import GROUND as GROUND
from searchkit_dungeon.formats.text import map_repr as map_repr
from searchkit_dungeon.formats.text import map_text as map_text
from searchkit_dungeon.formats.text import read_rows as read_rows
from searchkit_dungeon.formats.text import read_text_map as read_text_map
from searchkit_dungeon.formats.text import written_map as written_map
from searchkit_dungeon.generators.bank import CellBank as CellBank
from searchkit_dungeon.generators.bank import GenerationError as GenerationError
from searchkit_dungeon.generators.corridors import connect as connect
from searchkit_dungeon.generators.rooms import Room as Room
from searchkit_dungeon.generators.suites import join as join
from searchkit_dungeon.generators.suites import suites_of as suites_of
from searchkit_dungeon.guides import approach_map as approach_map
from searchkit_dungeon.guides import flee_map as flee_map
from searchkit_dungeon.guides import trail as trail
from searchkit_dungeon.jps import JPS
from searchkit_dungeon.options import ENDS as ENDS
from searchkit_dungeon.options import cells as cells
from searchkit_dungeon.problem import REGION_SIDE as REGION_SIDE
from searchkit_dungeon.problem import Grid as Grid
from searchkit_dungeon.rasters import grid_from_array as grid_from_array
from searchkit_dungeon.spec import SPEC
from searchkit_dungeon.spec import ends as ends
from searchkit_dungeon.spec import grid as grid
from searchkit_dungeon.spec import is_map as is_map
from searchkit_dungeon.spec import read_map as read_map
from searchkit_dungeon.terrain import PASSABLE as PASSABLE
from searchkit_dungeon.terrain import WALL as WALL
from searchkit_dungeon.terrain import Cell as Cell
from searchkit_dungeon.terrain import Terrain as Terrain


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines for grids."""
    return [JPS]
