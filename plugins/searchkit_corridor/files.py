"""Reading grids with regions from files and text, and writing them. `searchkit_dungeon` reads the maps."""

from collections.abc import Mapping
from typing import Any

from searchkit.plugin import InputFormatError
from searchkit_corridor.problem import MAX_CLEARANCE, CorridorGrid, clearance, flat
from searchkit_dungeon import (
    REGION_SIDE,
    MapFile,
    ends,
    map_text,
    written_map,
)


def with_regions(map_file: MapFile, options: Mapping[str, Any]) -> CorridorGrid:
    """Return the problem on a map."""
    starts, goals = ends(map_file, options)
    terrain, depth, depths = map_file.terrain, options["depth"], None
    if depth == "digits":
        digits = bytearray(terrain.weights)
        for x, y in (*map_file.starts, *map_file.goals):
            digits[y * terrain.stride + x] = (
                MAX_CLEARANCE  # a cell drawn as S or G has no digit and does not limit the depth
            )
        depths, terrain = bytes(digits), flat(terrain) if terrain.weighted else terrain
    elif terrain.weighted:
        raise InputFormatError(
            "this map has floor that costs more than 1, and a corridor counts steps; "
            "read the digits as depths with depth=digits, or solve it with another engine as problem dungeon",
            source=map_file.source,
        )
    elif depth == "clearance":
        depths = clearance(terrain)
    return CorridorGrid(terrain, starts, goals, options["cell"], depths)


def write(problem: object) -> tuple[str, dict[str, object]] | None:
    """Return the problem as a text map with options; None for other problems, and for depths that no map can express.

    A map can express depths from 1 to 9, and the option depth=clearance.
    """
    if type(problem) is not CorridorGrid or not problem.starts:
        return None
    plain = problem.depths is None or problem.depths == clearance(problem.terrain)
    written = (
        written_map(problem.terrain, problem.starts, problem.goals) if plain else _written_depths(problem)
    )
    if written is None:
        return None
    text, options = written
    if problem.depths is not None:
        options["depth"] = "clearance" if plain else "digits"
    if problem.cell != REGION_SIDE:
        options["cell"] = problem.cell
    return text, options


def _written_depths(problem: CorridorGrid) -> tuple[str, dict[str, object]] | None:
    depths, terrain = problem.depth_map(), problem.terrain
    if depths is None or problem.depths is None:
        return None
    ends = (*problem.starts, *problem.goals)
    hidden = [problem.depths[y * terrain.stride + x] == MAX_CLEARANCE for x, y in ends]
    if not any(hidden):
        return map_text(depths), {"start": problem.starts, "goal": problem.goals}
    written = written_map(terrain, problem.starts, problem.goals)
    if not all(hidden) or written is None or written[1]:
        return None  # only drawn starts and goals can have these depths, and not all can be drawn
    return map_text(depths, problem.starts, problem.goals), {}
