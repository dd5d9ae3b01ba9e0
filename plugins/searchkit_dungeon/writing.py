"""Writing a grid problem, the inverse of reading it."""

from searchkit.plugin import Written
from searchkit_dungeon.grid import Grid, class_for
from searchkit_dungeon.map_text import written_map


def write(problem: object) -> Written | None:
    """Return the problem as a text map with options.

    None where it is no grid of this plugin's own classes (another may move otherwise), has no start, or has ground
    that costs more than 9.
    """
    if not isinstance(problem, Grid) or type(problem) is not class_for(
        problem.terrain, problem.moves, problem.lengths
    ):
        return None
    written = written_map(problem.terrain, problem.starts, problem.goals)
    if written is None or not problem.starts:
        return None
    text, options = written
    if problem.moves != 4:
        options["moves"] = problem.moves
    if problem.corners != "no":
        options["corners"] = problem.corners
    if problem.lengths != "real":
        options["lengths"] = problem.lengths
    return Written("dungeon", text, options)
