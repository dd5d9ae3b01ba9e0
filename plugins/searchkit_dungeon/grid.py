"""The problem: ways over a grid of cells, in 4 or 8 directions, around walls and through terrain.

A step costs the weight of the cell that it enters, times √2 if it is diagonal.
"""

from collections.abc import Iterable

from searchkit import Cost, SearchProblem
from searchkit.errors import InvalidProblemError
from searchkit_dungeon.estimate import distance_to_nearest
from searchkit_dungeon.moves import LENGTHS, Cell
from searchkit_dungeon.terrain import Terrain


class Grid(SearchProblem[Cell, str]):
    """A grid on which every step costs 1: 4 moves, no terrain. Its two subclasses have costs; `make_grid` chooses.

    Successors come in the order N, E, S, W, NE, SE, SW, NW.

    Args:
        terrain: the map, shared between problems.
        starts: cells to start in, at least one.
        goals: cells to reach, any of them; none for a distance map.
        moves: 4, or 8 with the diagonals.
        corners: `no`: a diagonal step needs both cells beside it to be free; `cut`: it needs neither.

    Raises:
        InvalidProblemError: where a start or a goal is off the map or inside a wall, or where the class
            has not the costs of this map.

    """

    def __init__(
        self,
        terrain: Terrain,
        starts: Iterable[Cell],
        goals: Iterable[Cell] = (),
        moves: int = 4,
        corners: str = "no",
    ):
        if not isinstance(self, class_for(terrain, moves)):
            raise InvalidProblemError(
                f"{type(self).__name__} has not the costs of diagonal moves or of this terrain; "
                "make it with make_grid(…), which chooses the class"
            )
        self.terrain, self.moves, self.corners = terrain, moves, corners
        self.starts, self.goals = tuple(dict.fromkeys(starts)), tuple(dict.fromkeys(goals))
        for what, cells in (("start", self.starts), ("goal", self.goals)):
            for cell in cells:
                fault = terrain.fault(cell)
                if fault:
                    raise InvalidProblemError(f"the {what} {cell} {fault}")
        steps = terrain.steps(moves, corners)
        self._stride, self._cells, self._weights = terrain.stride, terrain.cells, terrain.weights
        self._masks, self._successors, self._predecessors = steps.masks, steps.successors, steps.predecessors
        self._goals = frozenset(self.goals)
        self._estimate = distance_to_nearest(self.goals, moves, terrain.least_weight)

    def initial_states(self) -> tuple[Cell, ...]:
        """Return the starts, in the order given."""
        return self.starts

    def goal_states(self) -> tuple[Cell, ...]:
        """Return the goals, in the order given."""
        return self.goals

    def is_goal(self, state: Cell) -> bool:
        """Whether the cell is one of the goals."""
        return state in self._goals

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step from `state`, in the order N, E, S, W, NE, SE, SW, NW."""
        x, y = state
        here, cells = y * self._stride + x, self._cells
        return [(name, cells[here + offset]) for name, offset in self._successors[self._masks[here]]]

    def predecessors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step that leads to `state`: what is open one way is open both ways."""
        x, y = state
        here, cells = y * self._stride + x, self._cells
        return [(name, cells[here + offset]) for name, offset in self._predecessors[self._masks[here]]]

    def heuristic(self, state: Cell) -> Cost:
        """Return the Manhattan (4 moves) or octile (8 moves) distance to the nearest goal, times the least weight."""
        return self._estimate(state)

    def __repr__(self) -> str:
        terrain = self.terrain
        return (
            f"<{type(self).__name__} {terrain.width}x{terrain.height}, {self.moves} moves, "
            f"{len(self.starts)} starts, {len(self.goals)} goals>"
        )


class OctileGrid(Grid):
    """A grid with diagonal moves and no terrain: steps of length 1 and √2."""

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the length of the step."""
        return LENGTHS[action]


class WeightedGrid(Grid):
    """A grid with terrain, with or without diagonal moves."""

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the weight of the cell entered, times the length of the step."""
        x, y = successor
        return self._weights[y * self._stride + x] * LENGTHS[action]


def class_for(terrain: Terrain, moves: int) -> type[Grid]:
    """Return the class that has the costs of this map; the one without costs wherever every step costs 1.

    Engines look at the class to see whether there are costs at all, and never ask where there are none.
    """
    if terrain.weighted:
        return WeightedGrid
    return OctileGrid if moves == 8 else Grid


def make_grid(
    terrain: Terrain, starts: Iterable[Cell], goals: Iterable[Cell] = (), moves: int = 4, corners: str = "no"
) -> Grid:
    """Return the problem on `terrain`, of the class that has its costs. Arguments and errors are those of `Grid`."""
    return class_for(terrain, moves)(terrain, starts, goals, moves, corners)
