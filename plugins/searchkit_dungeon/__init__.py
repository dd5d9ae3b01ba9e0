"""Grid maps for searchkit: read, generated and searched; text maps and MovingAI maps, 4 or 8 moves, terrain.

The plugin's hooks are here; what they do is in the modules beside.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import (
    Drawing,
    EngineSpec,
    Precomputed,
    ProblemSpec,
    Scenario,
    Source,
    Written,
    hookimpl,
)
from searchkit_dungeon.bank import CellBank
from searchkit_dungeon.corridors import connect
from searchkit_dungeon.errors import GenerationError
from searchkit_dungeon.farthest import any_farthest
from searchkit_dungeon.grid import Grid, make_grid
from searchkit_dungeon.guides import approach_map, flee_map, trail
from searchkit_dungeon.loading import grid, parse, read_map, read_scenario
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.precomputing import precompute
from searchkit_dungeon.render import draw
from searchkit_dungeon.rooms import Room
from searchkit_dungeon.spec import JPS, JPS_PLUS, SPEC
from searchkit_dungeon.suites import join, suites_of
from searchkit_dungeon.terrain import Terrain
from searchkit_dungeon.writing import write

__all__ = [
    "Cell",
    "CellBank",
    "GenerationError",
    "Grid",
    "Room",
    "Terrain",
    "any_farthest",
    "approach_map",
    "connect",
    "flee_map",
    "grid",
    "join",
    "make_grid",
    "suites_of",
    "trail",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the kind of problem that this plugin brings."""
    return [SPEC]


@hookimpl
def searchkit_engines() -> list[EngineSpec]:
    """Return the engines that are made for grids."""
    return [JPS, JPS_PLUS]


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> Grid | None:
    """Read a text map or a MovingAI map; None for a file that looks like neither, unless it is said to be one."""
    if format not in (None, SPEC.name):
        return None
    map_file = read_map(source, certain=format == SPEC.name)
    return None if map_file is None else map_file.problem(parse(options))


@hookimpl
def searchkit_scenario(source: Source, map: str | None, options: dict[str, object]) -> Scenario | None:
    """Read a MovingAI scenario, with the map that it names or with `map`."""
    return read_scenario(source, map, options)


@hookimpl
def searchkit_precompute(
    source: Source, format: str | None, options: dict[str, object]
) -> Precomputed | None:
    """Work out jump distances and landmarks of a map, for `jps+`; None for a file that looks like no map."""
    if format not in (None, SPEC.name):
        return None
    return precompute(source, format == SPEC.name, options)


@hookimpl
def searchkit_render(
    problem: SearchProblem[Any, Any], path: tuple[Any, ...], expanded: frozenset[Any]
) -> Drawing | None:
    """Draw a grid problem; None for any other."""
    return draw(problem, path, expanded) if isinstance(problem, Grid) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write a grid problem as a text map; None for any other, and for one with ground that costs more than 9."""
    return write(problem)
