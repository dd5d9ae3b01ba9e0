"""Lazy constraints addition search (LaCAM)."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from attrs import define, field

from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.engines._common import distance_bound, finish
from searchkit_robots.engines._pibt import Configuration, next_configuration

Constraint = tuple[tuple[int, Location], ...]
"""The required next locations of some robots, the first ones in the order of the node."""


@define(eq=False)
class Node:
    """A configuration, and the constraints that have not been tried yet for steps from it."""

    configuration: Configuration
    parent: "Node | None"
    waited: tuple[int, ...]
    """For each robot, the number of steps since it was last at its goal; larger numbers have priority."""
    order: tuple[int, ...]
    constraints: deque[Constraint] = field(factory=lambda: deque([()]))
    steps: int = 0
    """The number of steps from the start."""

    def __str__(self) -> str:
        return " ".join(map(str, self.configuration))

    def refined(self, problem: MultiAgent, constraint: Constraint) -> list[Constraint]:
        """Return the constraint extended by one more robot, once for each location that it can move to."""
        if len(constraint) == len(self.order):
            return []
        robot = self.order[len(constraint)]
        here = self.configuration[robot]
        refined = []
        for location in (*problem.neighbours(here), here):
            conflicting = any(
                location == to or (location == self.configuration[other] and to == here)
                for other, to in constraint
            )
            if not conflicting:
                refined.append((*constraint, (robot, location)))
        return refined


@define(eq=False)
class Exploration:
    """The state of a search: the frontier of `lacam`, from which it can continue."""

    stack: list[Node]
    explored: dict[Configuration, Node]
    generated: int = 0

    @classmethod
    def of(cls, problem: MultiAgent) -> "Exploration":
        """Return the initial state with the starts; an empty one if a robot can't reach its goal."""
        if distance_bound(problem) == inf:
            return cls([], {})
        start = tuple(start for start, _ in problem.endpoints())
        waited = (0,) * len(start)
        root = Node(start, None, waited, _order(problem, start, waited))
        return cls([root], {start: root})

    def __len__(self) -> int:
        return len(self.stack)


def lazy_constraints_addition(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Node]:
    """Search configurations depth-first; generate successors one at a time, on demand (Okumura 2023).

    PIBT generates the first successor, in which each robot moves as near to its goal as earlier robots allow. Further
    successors are generated under constraints on the first robots of an order, until all steps have been tried.

    Complete: it finds a plan if one exists, and ends on finite maps if none does, in the worst case after all
    configurations. Not optimal: the lower bound of the result is the cost if robots could not conflict. Time per
    expansion O(robots · neighbours).

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "lacam")
        >>> result.cost, result.lower_bound
        (67, 60)

    """
    if tree.frontier is None:
        tree.lower_bound = distance_bound(problem)
        tree.closed = set()  # no states of the problem
        tree.frontier = Exploration.of(problem)
    exploration: Exploration = tree.frontier
    for node in explore(problem, tree, exploration):
        tree.peak_frontier = max(tree.peak_frontier, len(exploration))
        yield node
        tree.generated = exploration.generated
    if exploration.stack:
        finish(problem, tree, paths_to(exploration.stack[-1]))


def explore(problem: MultiAgent, tree: SearchTree[Any, Any], exploration: Exploration) -> Iterator[Node]:
    """Yield each node before its next successor is generated, until the goals or nothing are on top of the stack."""
    stack, explored = exploration.stack, exploration.explored
    goals = tuple(goal for _, goal in problem.endpoints())
    distances = [problem.distances_to(goal) for goal in goals]
    if stack and stack[0].parent is None:
        tree.note("node", node=stack[0], cost=0)
    while stack:
        node = stack[-1]
        if node.configuration == goals:
            return
        if not node.constraints:
            stack.pop()
            continue
        yield node
        constraint = node.constraints[0]
        refined = node.refined(problem, constraint)
        after = next_configuration(problem, node.configuration, node.order, dict(constraint), distances)
        if after is not None and after not in explored:
            waited = tuple(
                0 if location == goal else steps + 1
                for location, goal, steps in zip(after, goals, node.waited, strict=True)
            )
            explored[after] = Node(after, node, waited, _order(problem, after, waited), steps=node.steps + 1)
            tree.note("node", node=explored[after], parent=node, cost=node.steps + 1)
        exploration.generated += after is not None
        node.constraints.popleft()
        node.constraints.extend(refined)
        if after is not None:
            stack.append(
                explored[after]
            )  # also a known node: its untried steps come before those of nodes below


def paths_to(node: Node) -> list[tuple[Location, ...]]:
    """Return the path of each robot to a node."""
    configurations: list[Configuration] = []
    at: Node | None = node
    while at is not None:
        configurations.append(at.configuration)
        at = at.parent
    return list(zip(*reversed(configurations), strict=True))


def _order(problem: MultiAgent, here: Sequence[Location], waited: Sequence[int]) -> tuple[int, ...]:
    def key(robot: int) -> tuple[int, int, int]:
        distance: Mapping[Location, int] = problem.distances_to(goals[robot])
        return -waited[robot], -distance[here[robot]], robot

    goals = [goal for _, goal in problem.endpoints()]
    return tuple(sorted(range(len(here)), key=key))
