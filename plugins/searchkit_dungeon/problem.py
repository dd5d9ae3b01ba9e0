"""The problem: paths over a grid of cells, in 4 or 8 directions, around walls and through terrain.

A step costs the weight of the cell that it enters, times √2 if it is diagonal.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from searchkit import ArrayLayout, Cost, SearchProblem
from searchkit.compiled.view import CompiledProblem, GridDistance, Stencil
from searchkit.plugin import InvalidProblemError
from searchkit_dungeon.formats.text import map_repr
from searchkit_dungeon.heuristics import (
    HEURISTICS,
    default_heuristic,
    distance_to_nearest,
    rectangles,
    steps,
)
from searchkit_dungeon.terrain import (
    CORNERS,
    HEXAGONS,
    LENGTHS,
    OFFSETS,
    OPPOSITES,
    WHOLE_LENGTHS,
    Cell,
    Terrain,
    directions,
)

REGION_SIDE = 4
"""The side length of the regions of a grid, in cells."""


class Grid(SearchProblem[Cell, str]):
    """A grid on which every step costs 1: 4 moves, no terrain. Subclasses have costs; `make_grid` chooses the class.

    Successors are returned in the order N, E, S, W, NE, SE, SW, NW. The class is `Relaxable`: its regions are blocks
    of 4 × 4 cells, and the region (2, 0) is the third from the left in the top row.

    Args:
        terrain: the map, shared between problems.
        starts: the start cells, at least one.
        goals: the goal cells, any of which ends the search; none for a distance map.
        moves: 4, or 8 with the diagonals; 6 for hexagons.
        corners: how many of the two cells beside a diagonal step have to be free: `no`: both; `one`: at least one;
            `cut`: none.
        heuristic: one of `searchkit_dungeon.heuristics.HEURISTICS`; None: the largest that is admissible.

    Raises:
        InvalidProblemError: a start or a goal is off the map or inside a wall, there is no such heuristic or corner
            rule, or the class does not have the costs of this map.

    """

    lengths = "real"
    """The lengths of steps: `real`, 1 and √2, or `whole`, 408 and 577."""
    step_lengths: Mapping[str, float] = LENGTHS
    """Direction → the length of a step."""

    def __init__(
        self,
        terrain: Terrain,
        starts: Iterable[Cell],
        goals: Iterable[Cell] = (),
        moves: int = 4,
        corners: str = "no",
        heuristic: str | None = None,
    ):
        for what, chosen, known in (
            ("corner rule", corners, CORNERS),
            ("heuristic", heuristic, (None, *HEURISTICS)),
        ):
            if chosen not in known:
                names = ", ".join(name for name in known if name)
                raise InvalidProblemError(f"there is no {what} {chosen!r}; expected one of {names}")
        if not isinstance(self, class_for(terrain, moves, self.lengths, corners)):
            raise InvalidProblemError(
                f"{type(self).__name__} does not have the costs of diagonal moves or of this terrain; "
                "create it with make_grid(…), which chooses the class"
            )
        self.terrain, self.moves, self.corners = terrain, moves, corners
        self.starts, self.goals = tuple(dict.fromkeys(starts)), tuple(dict.fromkeys(goals))
        for what, cells in (("start", self.starts), ("goal", self.goals)):
            for cell in cells:
                fault = terrain.fault(cell)
                if fault:
                    raise InvalidProblemError(f"the {what} {cell} {fault}")
        steps = terrain.steps(4 if moves == 6 else moves, corners)
        self._stride, self._cells, self._weights = terrain.stride, terrain.cells, terrain.weights
        self._masks, self._successors, self._predecessors = steps.masks, steps.successors, steps.predecessors
        self._goals = frozenset(self.goals)
        self.heuristic_name = heuristic or default_heuristic(moves)
        if (self.heuristic_name == "hexagonal") != (moves == 6) and self.heuristic_name != "zero":
            raise InvalidProblemError(
                f"heuristic={self.heuristic_name} is not one of grids with {moves} moves"
            )
        self._heuristic = distance_to_nearest(
            self.goals, moves, terrain.least_weight, self.step_lengths, self.heuristic_name
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments; everything else is computed again."""
        return type(self), (self.terrain, self.starts, self.goals, *self._rules)

    @property
    def _rules(self) -> tuple[int, str, str]:
        return self.moves, self.corners, self.heuristic_name

    def initial_states(self) -> tuple[Cell, ...]:
        """Return the starts in the order in which they were given."""
        return self.starts

    def goal_states(self) -> tuple[Cell, ...]:
        """Return the goals in the order in which they were given."""
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
        """Return (direction, cell) for each step that leads to `state`. Every step can be taken in both directions."""
        x, y = state
        here, cells = y * self._stride + x, self._cells
        return [(name, cells[here + offset]) for name, offset in self._predecessors[self._masks[here]]]

    def heuristic(self, state: Cell) -> Cost:
        """Return the distance to the nearest goal in the chosen metric, times the least weight.

        By default it is the Manhattan distance (4 moves) or the octile distance (8 moves).
        """
        return self._heuristic(state)

    def backward_heuristic(self, state: Cell) -> Cost:
        """Return the distance to the nearest start in the same metric: each step can be taken in both directions."""
        return self._distance_to_starts(state)

    @cached_property
    def _distance_to_starts(self) -> Callable[[Cell], Cost]:
        return distance_to_nearest(
            self.starts, self.moves, self.terrain.least_weight, self.step_lengths, self.heuristic_name
        )

    def region(self, state: Cell) -> Hashable:
        """Return the column and the row of the block that contains the cell."""
        return state[0] // REGION_SIDE, state[1] // REGION_SIDE

    def neighbours(self, region: Any) -> Iterable[Hashable]:
        """Return the blocks that a step leads to from a block. Takes O(cells of a block) time."""
        column, row = region
        terrain = self.terrain
        found = {
            self.region(successor): None
            for y in range(row * REGION_SIDE, min((row + 1) * REGION_SIDE, terrain.height))
            for x in range(column * REGION_SIDE, min((column + 1) * REGION_SIDE, terrain.width))
            if terrain.weight((x, y))
            for _, successor in self.successors((x, y))
        }
        found.pop(region, None)
        return list(found)

    def goal_regions(self) -> Iterable[Hashable]:
        """Return the blocks that contain goals."""
        return list(dict.fromkeys(map(self.region, self.goals)))

    def aimed(self, starts: Iterable[Cell], goals: Iterable[Cell]) -> "Grid":
        """Return the problem with other starts and goals on the same terrain.

        Raises the same errors as the constructor.
        """
        return type(self)(self.terrain, starts, goals, *self._rules)

    def with_cells(self, weights: Mapping[Cell, int]) -> "Grid":
        """Return the problem on a map on which some cells have other weights: 1 to 9, or 0 for a wall.

        Takes time linear in the size of the map. Raises `InvalidProblemError` if a cell is off the map, a weight is
        invalid, or a start or a goal would be inside a wall.
        """
        moves, corners, heuristic = self._rules
        terrain = self.terrain.with_cells(weights)
        return make_grid(terrain, self.starts, self.goals, moves, corners, self.lengths, heuristic)

    def surroundings(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return these cells and those beside them, at corners too: the states that a change of the cells concerns.

        A new wall also closes the diagonal steps past its corners.
        """
        offsets = ((0, 0), *OFFSETS.values())
        near = dict.fromkeys((x + dx, y + dy) for x, y in cells for dx, dy in offsets)
        return [cell for cell in near if cell in self.terrain]

    def number(self, cell: Cell) -> int:
        """Return the number of a cell: y · stride + x."""
        return cell[1] * self._stride + cell[0]

    def steps(self, numbers: Sequence[int], edges: Sequence[int]) -> tuple[list[Cell], list[str]]:
        """Return the cells with these numbers, and of all but the last the direction at a place in its successors."""
        cells, masks, successors = self._cells, self._masks, self._successors
        names = [successors[masks[here]][edge][0] for here, edge in zip(numbers, edges, strict=False)]
        return [cells[number] for number in numbers], names

    def compiled(self) -> CompiledProblem:
        """Return the compiled view of the problem. Raises `MissingExtraError` if Numba is not installed."""
        return self._view

    @cached_property
    def _view(self) -> CompiledProblem:
        return _compiled(self)

    def array_layout(self) -> ArrayLayout[Cell]:
        """Return the layout of an array of the cells: of the shape (height, width), indexed [y, x]."""
        shape, strides = (self.terrain.height, self.terrain.width), (self._stride, 1)
        return ArrayLayout(shape, lambda cell: (cell[1], cell[0]), whole=self._whole, strides=strides)

    @property
    def _whole(self) -> bool:
        return self.moves == 4 or self.lengths == "whole"

    def __repr__(self) -> str:
        facts = [f"{self.moves} moves"] + [f"corners {self.corners}"] * (self.corners != "no")
        facts += [f"{self.lengths} lengths"] * (self.lengths != "real")
        facts += [f"heuristic {self.heuristic_name}"] * (self.heuristic_name != default_heuristic(self.moves))
        return map_repr(type(self).__name__, self.terrain, self.starts, self.goals, facts)


class OctileGrid(Grid):
    """A grid with diagonal moves and no terrain: steps of length 1 and √2."""

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the length of the step."""
        return LENGTHS[action]

    def jumps(self) -> Any:
        """Return where straight runs over the grid stop, for jump point search."""
        from searchkit_dungeon.compiled.jumps import ground_of  # imports Numba

        key = "jumps", self.corners
        if key not in self.terrain.kept:
            self.terrain.kept[key] = ground_of(self.terrain, self.corners)
        return self.terrain.kept[key]


class WeightedGrid(Grid):
    """A grid with terrain, with or without diagonal moves; or one without terrain on which jump points don't exist."""

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the weight of the cell entered, times the length of the step."""
        x, y = successor
        return self._weights[y * self._stride + x] * LENGTHS[action]


class WholeGrid(Grid):
    """A grid with diagonal moves and integer costs: 408 for a straight step and 577 for a diagonal one.

    Both are multiplied by the weight of the cell entered. A cheapest path may differ from a cheapest path by √2 if two
    paths have the same length to 6 digits.
    """

    lengths = "whole"
    step_lengths = WHOLE_LENGTHS

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the weight of the cell entered, times the length of the step."""
        x, y = successor
        return self._weights[y * self._stride + x] * WHOLE_LENGTHS[action]


class HexGrid(Grid):
    """A grid of hexagons: rows of which every second one is shifted to the right by half a hexagon; 6 moves.

    Successors are returned in the order NE, E, SE, SW, W, NW. A step costs the weight of the cell that it enters. The
    machine code of such a grid is translated from this Python.
    """

    compiled = None  # type: ignore[assignment]

    def __init__(self, terrain: Terrain, *arguments: Any, **options: Any):
        super().__init__(terrain, *arguments, **options)
        if not terrain.weighted:
            vars(self)["cost"] = None  # every step costs 1

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step from `state`."""
        x, y = state
        weights, stride = self._weights, self._stride
        return [
            (name, (x + dx, y + dy))
            for name, (dx, dy) in HEXAGONS[y & 1].items()
            if weights[(y + dy) * stride + x + dx]
        ]

    def predecessors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step that leads to `state`."""
        return [(OPPOSITES[name], cell) for name, cell in self.successors(state)]

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the weight of the cell entered."""
        x, y = successor
        return self._weights[y * self._stride + x]

    @property
    def _whole(self) -> bool:
        return True


def class_for(terrain: Terrain, moves: int, lengths: str = "real", corners: str = "no") -> type[Grid]:
    """Return the class that has the costs of this map: the class without costs if every step costs 1.

    The class for jump point search is not used for the corner rule `one`, for which no jump points are defined, nor
    with water. Engines read from the class whether the problem has costs, and do not call `cost` if it has none.
    """
    if moves == 6:
        return HexGrid
    if moves == 8 and lengths == "whole":
        return WholeGrid
    if terrain.weighted or (moves == 8 and (corners == "one" or terrain.water)):
        return WeightedGrid
    return OctileGrid if moves == 8 else Grid


def make_grid(
    terrain: Terrain,
    starts: Iterable[Cell],
    goals: Iterable[Cell] = (),
    moves: int = 4,
    corners: str = "no",
    lengths: str = "real",
    heuristic: str | None = None,
) -> Grid:
    """Return the problem on `terrain`, an instance of the class that has its costs.

    Arguments and errors are those of `Grid`; `corners` can also be `never`: no diagonal steps, the same as 4 moves.
    With 8 moves and `lengths="whole"`, steps cost 408 and 577 instead of 1
    and √2, times the weights.
    """
    if corners == "never":
        moves, corners = 4, "no"
    return class_for(terrain, moves, lengths, corners)(terrain, starts, goals, moves, corners, heuristic)


def _compiled(grid: Grid) -> CompiledProblem:
    """Return the compiled view of a grid. Grids on one terrain with the same moves share its graph."""
    terrain = grid.terrain
    stride, cells = terrain.stride, terrain.cells
    rule = f"stencil of {grid.moves} moves, {grid.lengths} lengths", grid.corners
    if rule not in terrain.kept:
        terrain.kept[rule] = _stencil(grid)
    straight, slant = steps(grid.heuristic_name, terrain.least_weight, grid.step_lengths)
    return CompiledProblem(
        terrain.kept[rule],
        pack=lambda cell: cell[1] * stride + cell[0],
        unpack=cells.__getitem__,
        unpack_all=lambda numbers: zip(
            (numbers % stride).tolist(), (numbers // stride).tolist(), strict=True
        ),
        goals=[y * stride + x for x, y in grid.goals],
        heuristic=None
        if grid.heuristic_name == "euclidean"  # exact roots are a matter for Python
        else GridDistance(stride, straight, straight + slant, rectangles(grid.goals)),
        whole=grid._whole,
        undirected=True,
    )


def _stencil(grid: Grid) -> Stencil:
    terrain, names = grid.terrain, directions(grid.moves)
    return Stencil(
        terrain.steps(grid.moves, grid.corners).masks,
        [OFFSETS[name][1] * terrain.stride + OFFSETS[name][0] for name in names],
        [grid.step_lengths[name] for name in names],
        terrain.weights if terrain.weighted else None,
        names,
    )
