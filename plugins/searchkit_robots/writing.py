"""Writing robots on a map, the inverse of reading them."""

from searchkit.plugin import Written
from searchkit_dungeon import Cell
from searchkit_dungeon.map_text import map_text
from searchkit_robots.grid import OBJECTIVES, MultiAgentGrid
from searchkit_robots.options import PARAMETERS

DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}


def write(problem: object) -> Written | None:
    """Return the map and its robots as one text, with the objective; None for any other problem."""
    if not isinstance(problem, MultiAgentGrid) or type(problem) is not OBJECTIVES[problem.objective]:
        return None
    robots = "".join(f"{_cell(start)} -> {_cell(goal)}\n" for start, goal in problem.robots)
    options = {} if problem.objective == DEFAULTS["objective"] else {"objective": problem.objective}
    return Written("robots", f"map\n{map_text(problem.terrain)}\n{robots}", options)


def _cell(cell: Cell) -> str:
    return "{},{}".format(*cell)
