"""The problem: paths over a grid of cells, in 4 or 8 directions or over hexagons, around walls and through terrain."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MethodType
from typing import Any, Self

from attrs import field

from searchkit import ArrayLayout, Cost, SearchProblem
from searchkit.compiled.view import CompiledProblem, GridDistance, Stencil
from searchkit.plugin import InvalidOptionError, InvalidProblemError, option, with_options
from searchkit_dungeon.formats.text import map_repr
from searchkit_dungeon.heuristics import (
    HEURISTICS,
    default_heuristic,
    distance_to_nearest,
    rectangles,
    steps,
)
from searchkit_dungeon.terrain import (
    LENGTHS,
    OFFSETS,
    UNIT_LENGTHS,
    WHOLE_LENGTHS,
    Cell,
    StepsOfSets,
    Terrain,
    directions,
)

REGION_SIDE = 4
"""The side length of the regions of a grid, in cells."""


UNIT_COST = MethodType(SearchProblem.cost, object())
"""In place of `Grid.cost` where every step costs 1: by this, engines see that the problem has no costs."""


def _distinct(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(dict.fromkeys(cells))


@with_options
class Grid(SearchProblem[Cell, str]):
    """A path over the cells of a map. A step costs the weight of the cell that it enters, times its length.

    Successors are returned in the order N, E, S, W, NE, SE, SW, NW; on hexagons, in rows of which every second one is
    shifted to the right by half a hexagon, in the order NE, E, SE, SW, W, NW.
    The class is `Relaxable`: its regions are blocks of 4 × 4 cells, and the region (2, 0) is the third from the left in
    the top row.

    Raises:
        InvalidProblemError: a start or a goal is off the map or inside a wall.
        InvalidOptionError: an option is invalid, or the heuristic is not one for these moves.

    """

    terrain: Terrain = field()
    """The map, shared between problems."""
    starts: Sequence[Cell] = field(converter=_distinct)
    """The start cells, at least one."""
    goals: Sequence[Cell] = field(default=(), converter=_distinct)
    """The goal cells, any of which ends the search; none for a distance map."""
    moves: int = option(
        "the number of directions (default: 4 on text maps, 8 on MovingAI maps); 6: hexagons in shifted rows",
        default=4,
        choices=(4, 6, 8),
    )
    corners: str = option(
        "how many of the two cells beside a diagonal step must be free: no (both), one (at least one), cut (none)",
        default="no",
        choices=("no", "one", "cut"),
    )
    lengths: str = option(
        "the lengths of steps with 8 moves: real (1 and √2) or whole (408 and 577: costs are integers; 577/408 is √2 "
        "to 6 digits)",
        default="real",
        choices=("real", "whole"),
    )
    heuristic_name: str | None = option(
        "the distance to the nearest goal, were there no walls (default: manhattan with 4 moves, hexagonal with 6, "
        "octile with 8)",
        default=None,
        choices=HEURISTICS,
        alias="heuristic",
    )

    _steps: tuple[int, list[Cell], bytes, StepsOfSets, StepsOfSets] = field(init=False, eq=False)
    _costs: tuple[int, Sequence[float], Mapping[str, float]] = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        terrain, moves = self.terrain, self.moves
        for what, cells in (("start", self.starts), ("goal", self.goals)):
            for cell in cells:
                fault = terrain.fault(cell)
                if fault:
                    raise InvalidProblemError(f"the {what} {cell} {fault}")
        if (self.metric == "hexagonal") != (moves == 6) and self.metric != "zero":
            raise InvalidOptionError(f"heuristic={self.metric} is not one of grids with {moves} moves")
        uniform = not (terrain.weighted or terrain.water)
        jumps = uniform and moves == 8 and self.lengths == "real" and self.corners != "one"
        found = terrain.steps(moves, self.corners)
        vars(self).update(
            _steps=(terrain.stride, terrain.cells, found.masks, found.successors, found.predecessors),
            _costs=(terrain.stride, terrain.costs, self.step_lengths),
        )
        if moves != 8 and not terrain.weighted:
            vars(self)["cost"] = UNIT_COST
        vars(self).update(dict.fromkeys(["compiled"] * (moves == 6) + ["jumps"] * (not jumps)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments; everything else is computed again."""
        return type(self), (self.terrain, self.starts, self.goals, *self._options)

    @property
    def _options(self) -> tuple[Any, ...]:
        return self.moves, self.corners, self.lengths, self.heuristic_name

    @property
    def metric(self) -> str:
        """The name of the heuristic: the one that was chosen, or the largest that is admissible."""
        return self.heuristic_name or default_heuristic(self.moves)

    @property
    def step_lengths(self) -> Mapping[str, float]:
        """Direction → the length of a step."""
        return {6: UNIT_LENGTHS, 8: WHOLE_LENGTHS if self.lengths == "whole" else LENGTHS}.get(
            self.moves, LENGTHS
        )

    def initial_states(self) -> Sequence[Cell]:
        """Return the starts in the order in which they were given."""
        return self.starts

    def goal_states(self) -> Sequence[Cell]:
        """Return the goals in the order in which they were given."""
        return self.goals

    def is_goal(self, state: Cell) -> bool:
        """Whether the cell is one of the goals."""
        return state in self._goals

    @cached_property
    def _goals(self) -> frozenset[Cell]:
        return frozenset(self.goals)

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step from `state`."""
        x, y = state
        stride, cells, masks, successors, _ = self._steps
        here = y * stride + x
        return [(name, cells[here + offset]) for name, offset in successors[masks[here]]]

    def predecessors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return (direction, cell) for each step that leads to `state`. Every step can be taken in both directions."""
        x, y = state
        stride, cells, masks, _, predecessors = self._steps
        here = y * stride + x
        return [(name, cells[here + offset]) for name, offset in predecessors[masks[here]]]

    def cost(self, state: Cell, action: str, successor: Cell) -> Cost:
        """Return the weight of the cell entered, times the length of the step."""
        x, y = successor
        stride, costs, lengths = self._costs
        return costs[y * stride + x] * lengths[action]

    def heuristic(self, state: Cell) -> Cost:
        """Return the distance to the nearest goal in the chosen metric, times the least weight.

        By default it is the Manhattan distance (4 moves) or the octile distance (8 moves).
        """
        return self._distance_to_goals(state)

    def backward_heuristic(self, state: Cell) -> Cost:
        """Return the distance to the nearest start in the same metric: each step can be taken in both directions."""
        return self._distance_to_starts(state)

    @cached_property
    def _distance_to_goals(self) -> Callable[[Cell], Cost]:
        return self._distance_to(self.goals)

    @cached_property
    def _distance_to_starts(self) -> Callable[[Cell], Cost]:
        return self._distance_to(self.starts)

    def _distance_to(self, cells: Sequence[Cell]) -> Callable[[Cell], Cost]:
        return distance_to_nearest(
            cells, self.moves, self.terrain.least_weight, self.step_lengths, self.metric
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

    def aimed(self, starts: Iterable[Cell], goals: Iterable[Cell]) -> Self:
        """Return the problem with other starts and goals on the same terrain.

        Raises the same errors as the constructor.
        """
        return type(self)(self.terrain, tuple(starts), tuple(goals), *self._options)

    def with_cells(self, weights: Mapping[Cell, int]) -> Self:
        """Return the problem on a map on which some cells have other weights: 1 to 9, or 0 for a wall.

        Takes time linear in the size of the map. Raises `InvalidProblemError` if a cell is off the map, a weight is
        invalid, or a start or a goal would be inside a wall.
        """
        return type(self)(self.terrain.with_cells(weights), self.starts, self.goals, *self._options)

    def surroundings(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return these cells and those beside them, at corners too: the states that a change of the cells concerns.

        A new wall also closes the diagonal steps past its corners.
        """
        offsets = ((0, 0), *OFFSETS.values())
        near = dict.fromkeys((x + dx, y + dy) for x, y in cells for dx, dy in offsets)
        return [cell for cell in near if cell in self.terrain]

    def jumps(self) -> Any:
        """Return where straight runs over the grid stop, for jump point search. None on grids without jump points."""
        from searchkit_dungeon.compiled.jumps import ground_of  # imports Numba

        key = "jumps", self.corners
        if key not in self.terrain.kept:
            self.terrain.kept[key] = ground_of(self.terrain, self.corners)
        return self.terrain.kept[key]

    def compiled(self) -> CompiledProblem:
        """Return the compiled view of the problem. Raises `MissingExtraError` if Numba is not installed.

        None for hexagons, of which machine code is made from this Python.
        """
        return self._view

    @cached_property
    def _view(self) -> CompiledProblem:
        """The compiled view. Grids on one terrain with the same moves share its graph."""
        terrain = self.terrain
        stride, cells = terrain.stride, terrain.cells
        rule = f"stencil of {self.moves} moves, {self.lengths} lengths", self.corners
        if rule not in terrain.kept:
            terrain.kept[rule] = self._stencil()
        straight, slant = steps(self.metric, terrain.least_weight, self.step_lengths)
        return CompiledProblem(
            terrain.kept[rule],
            pack=lambda cell: cell[1] * stride + cell[0],
            unpack=cells.__getitem__,
            unpack_all=lambda numbers: zip(
                (numbers % stride).tolist(), (numbers // stride).tolist(), strict=True
            ),
            goals=[y * stride + x for x, y in self.goals],
            heuristic=None
            if self.metric == "euclidean"  # exact roots are a matter for Python
            else GridDistance(stride, straight, straight + slant, rectangles(self.goals)),
            whole=self._whole,
            undirected=True,
        )

    def _stencil(self) -> Stencil:
        terrain, names = self.terrain, directions(self.moves)
        return Stencil(
            terrain.steps(self.moves, self.corners).masks,
            [OFFSETS[name][1] * terrain.stride + OFFSETS[name][0] for name in names],
            [self.step_lengths[name] * terrain.unit for name in names],
            terrain.costs if terrain.weighted else None,
            names,
        )

    def array_layout(self) -> ArrayLayout[Cell]:
        """Return the layout of an array of the cells: of the shape (height, width), indexed [y, x]."""
        terrain = self.terrain
        shape, strides = (terrain.height, terrain.width), (terrain.stride, 1)
        return ArrayLayout(shape, lambda cell: (cell[1], cell[0]), whole=self._whole, strides=strides)

    @property
    def _whole(self) -> bool:
        return (self.moves != 8 or self.lengths == "whole") and isinstance(self.terrain.unit, int)

    def __repr__(self) -> str:
        facts = [f"{self.moves} moves"] + [f"corners {self.corners}"] * (self.corners != "no")
        facts += [f"{self.lengths} lengths"] * (self.lengths != "real")
        facts += [f"heuristic {self.metric}"] * (self.metric != default_heuristic(self.moves))
        return map_repr(type(self).__name__, self.terrain, self.starts, self.goals, facts)
