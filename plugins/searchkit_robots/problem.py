"""The problem: robots on a 4-connected grid that move simultaneously.

A joint state must determine the cost of a step (the Markov property). Under sum-of-costs the positions of the robots
are not enough: a robot on its goal costs nothing from then on *if it never leaves again*. So a robot that enters its
goal, or waits there, chooses: it rests there for good and costs nothing more, or it stays free to move and each step
costs 1. For each plan there is one choice in which every robot rests from its last arrival on, whose cost is the sum of
these times; all other choices cost more.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, ClassVar, TypeAlias, cast

from attrs import frozen

from searchkit import Cost, SearchProblem, distance_map
from searchkit.plugin import InvalidProblemError, shortened
from searchkit_dungeon import Cell, Grid, Terrain
from searchkit_robots.capability import Location, Objective

Positions: TypeAlias = tuple[Cell, ...]
"""The cell of each robot."""
Resting: TypeAlias = tuple[bool, ...]
"""Whether each robot rests at its goal for good."""
JointAction: TypeAlias = tuple[str, ...]
"""The action of each robot: `N`, `E`, `S`, `W` or `wait`; `, rest` is appended to the last one, and then it is
`rest`."""
WAIT, REST = "wait", "rest"
LAST = f", {REST}"


@frozen(slots=False, repr=False, getstate_setstate=True)
class MultiAgentGrid(SearchProblem[Any, JointAction]):
    """Robots on a map, each with a start and a goal. The two subclasses are the two objectives.

    Raises `InvalidProblemError` if there are no robots, a cell is off the map or inside a wall, two robots share a
    start or a goal, or the map has cells that cost more than 1 to enter.
    """

    objective: ClassVar[Objective]
    """The quantity to minimise."""
    terrain: Terrain
    """The map, without cells that cost more than 1 to enter."""
    robots: tuple[tuple[Cell, Cell], ...]
    """The start and the goal of each robot."""

    def __attrs_post_init__(self) -> None:
        if not self.robots:
            raise InvalidProblemError("there are no robots; expected at least one (start, goal) pair")
        if self.terrain.weighted:
            raise InvalidProblemError(
                "the map has cells that cost more than 1 to enter, and robots that move at once take one unit of "
                "time for every step; draw these cells as ."
            )
        for what, cells in (("start", self.starts), ("goal", self.goals)):
            robot_at: dict[Cell, int] = {}
            for robot, cell in enumerate(cells):
                fault = self.terrain.fault(cell)
                if fault:
                    raise InvalidProblemError(f"robot {robot}: the {what} {cell} {fault}")
                if robot_at.setdefault(cell, robot) != robot:
                    raise InvalidProblemError(
                        f"robots {robot_at[cell]} and {robot} have the same {what} {cell}; give each one its own"
                    )

    def __repr__(self) -> str:
        terrain, ends = self.terrain, "; ".join(f"{start} → {goal}" for start, goal in self.robots)
        return f"<{type(self).__name__} {terrain.width}x{terrain.height}, robots {shortened(ends, 200)}>"

    @cached_property
    def starts(self) -> Positions:
        """The start of each robot."""
        return tuple(start for start, _ in self.robots)

    @cached_property
    def goals(self) -> Positions:
        """The goal of each robot."""
        return tuple(goal for _, goal in self.robots)

    @cached_property
    def _moves(self) -> dict[Cell, tuple[tuple[str, Cell], ...]]:
        return {}

    @cached_property
    def _distances(self) -> dict[Cell, Mapping[Cell, int]]:
        return {}

    @cached_property
    def _grid(self) -> Grid:
        return Grid(self.terrain, self.starts[:1])

    def positions(self, state: Any) -> Positions:
        """Return the positions of the robots in a state."""
        return cast(Positions, state)

    def endpoints(self) -> tuple[tuple[Cell, Cell], ...]:
        """Return the start and the goal of each robot."""
        return self.robots

    def moves(self, cell: Cell) -> tuple[tuple[str, Cell], ...]:
        """Return (direction, cell) for each step from a cell, in the order N, E, S, W, and (`wait`, `cell`) last."""
        if cell not in self._moves:
            self._moves[cell] = (*self._grid.successors(cell), (WAIT, cell))
        return self._moves[cell]

    def neighbours(self, location: Location) -> tuple[Cell, ...]:
        """Return the cells one step away, in the order N, E, S, W."""
        return tuple(to for _, to in self.moves(cast(Cell, location))[:-1])

    def distances_to(self, location: Location) -> Mapping[Location, int]:
        """Return cell → steps from there to the given cell for a robot alone, computed at the first use."""
        cell = cast(Cell, location)
        if cell not in self._distances:
            self._distances[cell] = cast(Any, dict(distance_map(Grid(self.terrain, [cell])).items()))
        return cast(Mapping[Location, int], self._distances[cell])

    def distances(self, cells: Positions) -> list[Cost]:
        """Return the distance of each robot from its goal; infinity if it can't reach the goal."""
        return [self.distances_to(goal).get(cell, inf) for cell, goal in zip(cells, self.goals, strict=True)]

    def joint_moves(
        self, cells: Positions, resting: Sequence[bool]
    ) -> Iterator[tuple[JointAction, Positions]]:
        """Yield the joint moves without conflicts of the robots that do not rest."""
        choices = [
            ((REST, cell),) if rests else self.moves(cell) for cell, rests in zip(cells, resting, strict=True)
        ]
        robot_at = {cell: robot for robot, cell in enumerate(cells)}
        count = len(cells)
        names: list[str] = []
        after: list[Cell] = []

        def extend(robot: int) -> Iterator[tuple[JointAction, Positions]]:
            if robot == count:
                yield tuple(names), tuple(after)
                return
            here = cells[robot]
            for name, cell in choices[robot]:
                other = robot_at.get(cell, robot)
                if cell in after or (other < robot and after[other] == here):
                    continue
                names.append(name)
                after.append(cell)
                yield from extend(robot + 1)
                names.pop()
                after.pop()

        return extend(0)

    def joint_steps(self, paths: Sequence[Sequence[Location]]) -> Iterator[tuple[JointAction, Any]]:
        """Yield the states in which each robot follows its path and then stays at its end, up to the last arrival.

        Each with the action that leads there, () for the first one. Raises `KeyError` if a step is not possible.
        """
        end = max(map(last_arrival, paths)) + 1
        padded: Any = [(*path[:end], *[path[-1]] * (end - len(path))) for path in paths]
        names: dict[tuple[Cell, Cell], str] = {}
        before: Positions = ()
        for after in zip(*padded, strict=True):
            steps = list(zip(before, after, strict=True)) if before else []
            for here, _ in set(steps).difference(names):
                names.update(((here, to), name) for name, to in self.moves(here))
            yield tuple(map(names.__getitem__, steps)), after
            before = after


class SumOfCosts(MultiAgentGrid):
    """Minimise the sum of the times at which the robots reach their goals for the last time.

    A state is (positions, resting). A step costs 1 for each robot that does not rest.
    """

    objective = "sum-of-costs"

    def positions(self, state: tuple[Positions, Resting]) -> Positions:
        """Return the positions of the robots."""
        return state[0]

    def initial_states(self) -> Iterator[tuple[Positions, Resting]]:
        """Yield a start state for each choice of the robots that start on their goals: to rest or to stay free."""
        for resting in product(
            *((True, False) if start == goal else (False,) for start, goal in self.robots)
        ):
            yield self.starts, resting

    def successors(
        self, state: tuple[Positions, Resting]
    ) -> Iterator[tuple[JointAction, tuple[Positions, Resting]]]:
        """Yield each joint move, with both choices for robots that arrive at their goals: to rest or to stay free."""
        cells, resting = state
        for names, after in self.joint_moves(cells, resting):
            choices = [
                ((name, rests),) if rests or cell != goal else ((name + LAST, True), (name, False))
                for name, rests, cell, goal in zip(names, resting, after, self.goals, strict=True)
            ]
            for choice in product(*choices):
                yield tuple(name for name, _ in choice), (after, tuple(rests for _, rests in choice))

    def is_goal(self, state: tuple[Positions, Resting]) -> bool:
        """Whether every robot rests."""
        return all(state[1])

    def cost(self, state: tuple[Positions, Resting], action: JointAction, successor: object) -> int:
        """Return the number of robots that did not rest before the step."""
        return state[1].count(False)

    def heuristic(self, state: tuple[Positions, Resting]) -> Cost:
        """Return the sum of the distances to the goals over robots that do not rest, each at least 1.

        A free robot on its goal needs another step, such as waiting. Admissible and consistent.
        """
        cells, resting = state
        distances = self.distances(cells)
        return sum(max(distance, 1) for distance, rests in zip(distances, resting, strict=True) if not rests)

    def joint_steps(
        self, paths: Sequence[Sequence[Location]]
    ) -> Iterator[tuple[JointAction, tuple[Positions, Resting]]]:
        """Yield the actions and states in which each robot follows its path and rests from its last arrival on."""
        arrivals = [last_arrival(path) for path in paths]
        rested: Resting = ()
        for time, (names, positions) in enumerate(super().joint_steps(paths)):
            resting = tuple(time >= arrival for arrival in arrivals)
            moves = zip(names, rested, resting, strict=True) if names else ()
            yield (
                tuple(REST if before else name + LAST * now for name, before, now in moves),
                (positions, resting),
            )
            rested = resting


class Makespan(MultiAgentGrid):
    """Minimise the time at which all robots are at their goals. A state is their positions; every step costs 1."""

    objective = "makespan"

    def initial_states(self) -> list[Positions]:
        """Return the start state."""
        return [self.starts]

    def successors(self, state: Positions) -> Iterator[tuple[JointAction, Positions]]:
        """Yield each joint move."""
        return self.joint_moves(state, [False] * len(state))

    def is_goal(self, state: Positions) -> bool:
        """Whether every robot is at its goal."""
        return state == self.goals

    def heuristic(self, state: Positions) -> Cost:
        """Return the largest distance of a robot from its goal. Admissible and consistent."""
        return max(self.distances(state))


def last_arrival(path: Sequence[Location]) -> int:
    """Return the time from which a path stays at its end."""
    time = len(path) - 1
    while time and path[time - 1] == path[-1]:
        time -= 1
    return time


OBJECTIVES: dict[str, type[MultiAgentGrid]] = {"sum-of-costs": SumOfCosts, "makespan": Makespan}
