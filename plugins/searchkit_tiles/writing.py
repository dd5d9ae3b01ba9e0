"""Writing a board, the inverse of reading it."""

from searchkit.plugin import Written
from searchkit_tiles.board import GOALS
from searchkit_tiles.bounds import BOUNDS, DEFAULT
from searchkit_tiles.problem import SlidingTiles, rows_of


def write(problem: object) -> Written | None:
    """Return a board as its text, with options; None for any other problem."""
    if type(problem) is not SlidingTiles:
        return None
    options: dict[str, object] = {}
    if problem.goal_name != GOALS[0]:
        options["goal"] = problem.goal_name
    if problem.bound is not BOUNDS[DEFAULT]:
        options["heuristic"] = problem.bound.name
    return Written("tiles", "".join(f"{row}\n" for row in rows_of(problem.width, problem.tiles)), options)
