"""Distance maps that guide monsters: towards a target, or away from a danger; and farthest cells."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random

from searchkit import Cost, DistanceMap, distance_map, problem_from
from searchkit.plugin import InvalidProblemError, has_cost
from searchkit_dungeon.generators.chance import choice
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell

COURAGE = Fraction(6, 5)
"""How much the distance to a danger counts against the length of the way there; see `flee_map`."""
NOWHERE: Cell = (-1, -1)
"""The cell off the map that every way of a flee map begins in."""


def approach_map(problem: Grid, targets: Iterable[Cell]) -> DistanceMap[Cell, str]:
    """Return the cost of the cheapest way *to* the nearest of `targets` from each cell it can be reached from.

    One search serves any number of walkers: `descend(cell)` is the next step, `trail` the whole way. The map grows
    over the problem's predecessors, because on terrain the way there does not cost what the way back does.

    Args:
        problem: the map, its moves and its costs; its own starts and goals play no part.
        targets: cells that can be entered, at least one.

    Raises:
        InvalidProblemError: there is no target, or one is off the map or inside a wall.

    """
    places = _places(problem, "target", targets)
    cost = (lambda state, action, before: problem.cost(before, action, state)) if has_cost(problem) else None
    return distance_map(problem_from(places, problem.predecessors, lambda cell: False, cost))


def trail(distances: DistanceMap[Cell, str], cell: Cell) -> Iterator[Cell]:
    """Yield the cells that a walker at `cell` enters, step by step, until it is there.

    Raises `KeyError` at the first step where no way leads from `cell` to a target.
    """
    step = distances.descend(cell)
    while step is not None:
        yield step
        step = distances.descend(step)


def any_farthest(distances: DistanceMap[Cell, str], rng: Random) -> Cell:
    """Return one of the cells at the largest distance, at random. Cells that can't be reached are never among them."""
    return choice(rng, distances.farthest())


class FleeMap:
    """Where to go from each cell to get away; see `flee_map`."""

    def __init__(self, values: DistanceMap[Cell, str]):
        self._values = values

    def descend(self, cell: Cell) -> Cell | None:
        """Return the next step from `cell`; None if it is best to stay. O(1).

        Raises `KeyError` for a cell that the danger has no way to: nobody has to flee there.
        """
        step = self._values.descend(cell)
        return None if step == NOWHERE else step

    def refuges(self) -> list[Cell]:
        """Return the cells in which it is best to stay."""
        return [cell for cell in self._values if cell != NOWHERE and self.descend(cell) is None]


def flee_map(problem: Grid, dangers: Iterable[Cell], courage: Fraction | int = COURAGE) -> FleeMap:
    """Return the map that leads away from the nearest of `dangers`, and not into dead ends.

    Who only ever increases the distance runs into the next dead end. So each cell is first worth what the way of the
    danger to it costs, times `courage`, and then the map is searched again: from each cell, the way leads to where
    this worth less the length of the way is largest. (The scaled and rescanned map of "The Incredible Power of
    Dijkstra Maps", RogueBasin, where the factor is −1.2.) Nobody flees through a danger.

    Args:
        problem: the map, its moves and its costs; its own starts and goals play no part.
        dangers: cells that can be entered, at least one.
        courage: at least 1; the larger, the longer the ways that are taken for a far refuge.

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
    # Multiplied by the denominator, whole costs stay whole, and rounding can't make anybody hesitate.
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
