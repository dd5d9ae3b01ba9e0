"""The three problems of Pac-Man, without ghosts: the path to a dot, the four corners, all dots.

After the search problems of the Pac-Man projects of Berkeley's CS188 (DeNero and Klein 2010). All heuristics are
consistent.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, permutations
from math import inf, sqrt

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError, option, with_options
from searchkit_classics.pacman.layout import Cell, Layout

Targets = tuple[Cell, ...]
"""Corners that were not visited yet, or dots that were not eaten yet; sorted."""
State = tuple[Cell, Targets]
"""Pac-Man's cell, and the targets that are left."""
OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East"}


@with_options
class PathToDot(SearchProblem[Cell, str]):
    """Walk to a dot, in the fewest steps; if there are several dots, to whichever is nearest.

    A state is Pac-Man's cell, (x, y). An action is `North`, `South`, `East` or `West`, in this order; each costs 1.

    Raises `InputFormatError` if `layout` is a text that is not a layout.
    """

    layout: Layout = field(converter=Layout.of)
    heuristic_name: str = option(
        "a lower bound of the steps to the nearest dot: that of the maze is exact",
        default="manhattan",
        choices=("maze", "manhattan", "euclidean", "zero"),
        alias="heuristic",
    )

    @cached_property
    def distances(self) -> dict[Cell, dict[Cell, int]]:
        """For each dot, the steps from each cell."""
        return {dot: self.layout.distances(dot) for dot in self.layout.dots}

    def initial_states(self) -> list[Cell]:
        """Return Pac-Man's cell."""
        return [self.layout.start]

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return the cells beside this one that are not walls."""
        return self.layout.steps[state]

    def is_goal(self, state: Cell) -> bool:
        """Whether a dot is here."""
        return state in self.layout.dots

    def heuristic(self, state: Cell) -> float:
        """Return the distance of the nearest dot, as it is measured; infinity if there is no dot."""
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "maze":
            return min([steps.get(state, inf) for steps in self.distances.values()], default=inf)
        ways = [(state[0] - x, state[1] - y) for x, y in self.layout.dots]
        if self.heuristic_name == "manhattan":
            return min([abs(dx) + abs(dy) for dx, dy in ways], default=inf)
        return min([sqrt(dx * dx + dy * dy) for dx, dy in ways], default=inf)

    def goal_states(self) -> list[Cell]:
        """Return the cells of the dots."""
        return sorted(self.layout.dots)

    def predecessors(self, state: Cell) -> list[tuple[str, Cell]]:
        """Return the cells from which one step leads here."""
        return [(OPPOSITE[action], cell) for action, cell in self.layout.steps[state]]


class Round(SearchProblem[State, str]):
    """A walk to several targets, in any order, in the fewest steps.

    A state is Pac-Man's cell and the targets that are left. An action is `North`, `South`, `East` or `West`, in this
    order; each costs 1.
    """

    layout: Layout
    heuristic_name: str

    @property
    def targets(self) -> Targets:
        """All targets, sorted."""
        raise NotImplementedError

    @cached_property
    def in_maze(self) -> bool:
        """Whether the heuristic measures distances in the maze."""
        return self.heuristic_name in ("mst", "tour-maze", "farthest-maze")

    @cached_property
    def distances(self) -> dict[Cell, dict[Cell, int]]:
        """For each target, the steps from each cell: in the maze, or if there were no walls."""
        if self.in_maze:
            return {target: self.layout.distances(target) for target in self.targets}
        return {
            (tx, ty): {(x, y): abs(x - tx) + abs(y - ty) for x, y in self.layout.floor}
            for tx, ty in self.targets
        }

    def initial_states(self) -> list[State]:
        """Return the start; a target where Pac-Man starts is reached already."""
        return [(self.layout.start, without(self.layout.start, self.targets))]

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield each step; a target that Pac-Man walks on is reached."""
        cell, left = state
        for action, entered in self.layout.steps[cell]:
            yield action, (entered, without(entered, left))

    def is_goal(self, state: State) -> bool:
        """Whether no target is left."""
        return not state[1]

    def heuristic(self, state: State) -> float:
        """Return a lower bound of the steps; infinity if a target can't be reached in the maze.

        A step reaches at most one target (`count`), and a walk to all is no shorter than that to the farthest one.
        """
        cell, left = state
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "count":
            return len(left)
        away = [self.distances[target].get(cell, inf) for target in left]
        if self.heuristic_name.startswith("farthest"):
            return max(away, default=0)
        return self.rest(left, away)

    def rest(self, left: Targets, away: list[float]) -> float:
        """Return the value of the strongest heuristic, given the distances of the targets that are left."""
        raise NotImplementedError


def without(cell: Cell, targets: Targets) -> Targets:
    """Return the targets that are left once `cell` was entered; the same tuple if it is not one of them."""
    return tuple([target for target in targets if target != cell]) if cell in targets else targets


@with_options
class Corners(Round):
    """Visit the four corners of a maze, in any order, in the fewest steps.

    A corner is the cell that is one column and one row away from a corner of the layout, whether a dot is there or
    not.

    Raises `InputFormatError` if `layout` is a text that is not a layout, and `InvalidOptionError` if a corner is a
    wall.
    """

    layout: Layout = field(converter=Layout.of)
    heuristic_name: str = option(
        "the longest distance to a corner left, or the shortest tour of all of them; without walls, or in the maze, "
        "which is exact for the tour",
        default="tour",
        choices=("tour-maze", "tour", "farthest-maze", "farthest", "count", "zero"),
        alias="heuristic",
    )

    def __attrs_post_init__(self) -> None:
        for cell in sorted({*self.targets} - self.layout.floor):
            raise InvalidOptionError(f"the corner {cell} is a wall; expected floor at each of {self.targets}")

    @cached_property
    def targets(self) -> Targets:
        """The four corners."""
        right, bottom = self.layout.width - 2, self.layout.height - 2
        return tuple(sorted({(1, 1), (right, 1), (1, bottom), (right, bottom)}))

    @cached_property
    def tours(self) -> dict[Targets, list[float]]:
        """For each set of corners, the lengths of the shortest walks that begin at each of them."""
        return {
            some: [self.shortest(first, some) for first in some]
            for size in range(len(self.targets) + 1)
            for some in combinations(self.targets, size)
        }

    def shortest(self, first: Cell, some: Targets) -> float:
        """Return the length of the shortest walk through some corners from the first one, by trying all orders."""
        return min(
            sum(self.distances[to].get(cell, inf) for cell, to in zip((first, *order), order, strict=False))
            for order in permutations([other for other in some if other != first])
        )

    def rest(self, left: Targets, away: list[float]) -> float:
        """Return the length of the shortest walk."""
        return min([far + tour for far, tour in zip(away, self.tours[left], strict=True)], default=0)


@with_options
class Food(Round):
    r"""Eat all dots of a maze, in any order, in the fewest steps.

    The number of states grows as 2 to the number of dots. Raises `InputFormatError` if `layout` is a text that is not a
    layout.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.pacman import Food
        >>> solve(Food("%%%%%%%\n%. P .%\n%%%%%%%")).cost
        6

    """

    layout: Layout = field(converter=Layout.of)
    heuristic_name: str = option(
        "the number of dots left, the distance of the farthest one, or a minimum spanning tree of them and the "
        "distance of the nearest one; in the maze or without walls",
        default="mst",
        choices=("mst", "mst-manhattan", "farthest-maze", "farthest", "count", "zero"),
        alias="heuristic",
    )

    @cached_property
    def targets(self) -> Targets:
        """The dots."""
        return tuple(sorted(self.layout.dots))

    @cached_property
    def trees(self) -> dict[Targets, float]:
        """The weights of the spanning trees that were needed."""
        return {}

    def rest(self, left: Targets, away: list[float]) -> float:
        """Return the weight of a minimum spanning tree, and the distance of the nearest dot.

        A walk to all dots is such a tree and a way to it, or more.
        """
        if left not in self.trees:
            self.trees[left] = self.spanning_tree(left)
        return self.trees[left] + min(away, default=0)

    def spanning_tree(self, dots: Targets) -> float:
        """Return the weight of a minimum spanning tree (Prim 1957)."""
        weight: float = 0
        outside = list(dots[1:])
        near = [self.distances[dot].get(dots[0], inf) for dot in outside]
        while outside:
            least = min(near)
            weight += least
            place = near.index(least)
            newest = outside.pop(place)
            near.pop(place)
            near = [
                min(far, self.distances[dot].get(newest, inf)) for far, dot in zip(near, outside, strict=True)
            ]
        return weight
