"""Distance maps that lead monsters towards a target or away from a danger."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from searchkit import Cost, DistanceMap, distance_map, problem_from
from searchkit.plugin import InvalidProblemError, has_cost
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell

COURAGE = Fraction(6, 5)
"""The factor by which `flee_map` multiplies the distance to a danger."""
NOWHERE: Cell = (-1, -1)
"""The cell off the map where every path of a flee map begins."""


def approach_map(problem: Grid, targets: Iterable[Cell]) -> DistanceMap[Cell, str]:
    """Return a distance map: the cost of a cheapest path from each cell *to* the nearest of `targets`.

    One search serves any number of walkers: `descend(cell)` returns the next step, `trail` the whole path. The search
    runs over predecessors, because with terrain a path and its reverse may differ in cost.

    Args:
        problem: the map, its moves and its costs; its starts and goals are ignored.
        targets: cells that can be entered, at least one.

    Raises:
        InvalidProblemError: there is no target, or one is off the map or inside a wall.

    """
    places = _places(problem, "target", targets)
    cost = (lambda state, action, before: problem.cost(before, action, state)) if has_cost(problem) else None
    return distance_map(problem_from(places, problem.predecessors, lambda cell: False, cost))


def trail(distances: DistanceMap[Cell, str], cell: Cell) -> Iterator[Cell]:
    """Yield the cells that a walker at `cell` enters on its path to a target.

    Raises `KeyError` at the first step if there is no path from `cell` to a target.
    """
    step = distances.descend(cell)
    while step is not None:
        yield step
        step = distances.descend(step)


class FleeMap:
    """The next step from each cell away from a danger; see `flee_map`."""

    def __init__(self, values: DistanceMap[Cell, str]):
        self._values = values

    def descend(self, cell: Cell) -> Cell | None:
        """Return the next step from `cell`, or None if the best choice is to stay. O(1).

        Raises `KeyError` for a cell that the danger can't reach.
        """
        step = self._values.descend(cell)
        return None if step == NOWHERE else step


def flee_map(problem: Grid, dangers: Iterable[Cell], courage: Fraction | int = COURAGE) -> FleeMap:
    """Return the map that leads away from the nearest of `dangers`, and not into dead ends.

    A walker that always increases its distance runs into the next dead end. So the value of a cell is its distance from
    the danger times `courage`, and a second search finds, for each cell, the path to the cell for which value minus
    path length is largest. (This is the scaled and rescanned map of "The Incredible Power of Dijkstra Maps",
    RogueBasin, where the factor is −1.2.) No path leads through a danger.

    Args:
        problem: the map, its moves and its costs; its starts and goals are ignored.
        dangers: cells that can be entered, at least one.
        courage: at least 1; the larger it is, the longer the paths to a refuge.

    Raises:
        InvalidProblemError: there is no danger, or one is off the map or inside a wall, or `courage` is below 1.

    """
    if courage < 1:
        raise InvalidProblemError(
            f"courage is {courage}; expected a whole number or a Fraction of at least 1"
        )
    places = frozenset(_places(problem, "danger", dangers))
    costly = has_cost(problem)
    distances = distance_map(
        problem_from(places, problem.successors, lambda cell: False, problem.cost if costly else None)
    )
    # Multiplied by the denominator, integer costs stay integers, so that rounding can't change a step.
    weight, scale = Fraction(courage).numerator, Fraction(courage).denominator
    largest = max(distances.values())
    entries = [("", cell) for cell in distances]

    def predecessors(cell: Cell) -> list[tuple[str, Cell]]:
        if cell == NOWHERE:
            return entries
        return [] if cell in places else problem.predecessors(cell)

    def cost(cell: Cell, action: str, before: Cell) -> Cost:
        if cell == NOWHERE:
            return weight * (largest - distances[before])
        return scale * problem.cost(before, action, cell) if costly else scale

    return FleeMap(distance_map(problem_from([NOWHERE], predecessors, lambda cell: False, cost)))


def _places(problem: Grid, what: str, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    places = tuple(dict.fromkeys(cells))
    if not places:
        raise InvalidProblemError(f"there is no {what}; expected at least one cell")
    for cell in places:
        fault = problem.terrain.fault(cell)
        if fault:
            raise InvalidProblemError(f"the {what} {cell} {fault}")
    return places
