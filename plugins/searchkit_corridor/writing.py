"""Writing a grid with regions, the inverse of reading it."""

from searchkit.plugin import Written
from searchkit_corridor.depths import MOST, clearance
from searchkit_corridor.grid import CorridorGrid
from searchkit_dungeon.grid import BLOCK
from searchkit_dungeon.map_text import map_text, written_map


def write(problem: object) -> Written | None:
    """Return the problem as a text map with options; None for any other problem, and for depths that no map can say.

    A map says depths of 1 to 9, or that they are the clearance.
    """
    if type(problem) is not CorridorGrid or not problem.starts:
        return None
    plain = problem.depths is None or bytes(problem.depths) == clearance(problem.terrain)
    written = (
        written_map(problem.terrain, problem.starts, problem.goals) if plain else _written_depths(problem)
    )
    if written is None:
        return None
    text, options = written
    if problem.depths is not None:
        options["depth"] = "clearance" if plain else "digits"
    if problem.blocks.cell != BLOCK:
        options["cell"] = problem.blocks.cell
    return Written("corridor", text, options)


def _written_depths(problem: CorridorGrid) -> tuple[str, dict[str, object]] | None:
    depths, terrain = problem.depth_map(), problem.terrain
    if depths is None or problem.depths is None:
        return None
    ends = (*problem.starts, *problem.goals)
    hidden = [problem.depths[y * terrain.stride + x] == MOST for x, y in ends]
    if not any(hidden):
        return map_text(depths), {"start": problem.starts, "goal": problem.goals}
    written = written_map(terrain, problem.starts, problem.goals)
    if not all(hidden) or written is None or written[1]:
        return None  # depths that only a drawn start or goal can have, and not all of them can be drawn
    return map_text(depths, problem.starts, problem.goals), {}
