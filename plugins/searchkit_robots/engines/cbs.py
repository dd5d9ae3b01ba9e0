"""Conflict-based search."""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import define, evolve, field

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.engines._common import combined, distance_bound, finish, set_incumbent
from searchkit_robots.engines._conflicts import Conflict, Levels, conflicts_between, most_costly
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines._single import Path, Traffic, at, best_path, levels
from searchkit_robots.engines.lacam import Exploration, explore, paths_to
from searchkit_robots.engines.lacam import Node as Configuration


@define(eq=False)
class Node:
    """A node of the constraint tree: the constraints of each robot and its best path under them."""

    cost: Cost
    constraints: tuple[Constraints, ...]
    paths: tuple[Path, ...]
    conflicts: list[Conflict]

    def __str__(self) -> str:
        return f"cost {self.cost}, {len(self.conflicts)} conflicts"


@define(eq=False)
class ConstraintTree:
    """The state of a search: the frontier of `cbs`, from which it can continue."""

    problem: MultiAgent
    robots: tuple[Robot, ...]
    solvability: Exploration
    """The search for any plan, which comes first."""
    solvable: bool = False
    nodes: list[tuple[Cost, int, int, Node]] = field(factory=list)
    """A heap: cost, conflicts, order of generation, node."""
    expanded: int = 0
    generated: int = 0
    diagrams: dict[tuple[int, Constraints], Levels] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.nodes) or len(self.solvability)

    def node(self, constraints: tuple[Constraints, ...], paths: tuple[Path, ...]) -> Node:
        """Return the node with these paths."""
        cost = combined(self.problem, [len(path) - 1 for path in paths])
        return Node(cost, constraints, paths, conflicts_between(paths))

    def add(self, node: Node) -> None:
        """Enter a node."""
        self.generated += 1
        heappush(self.nodes, (node.cost, len(node.conflicts), self.generated, node))

    def choose(self, node: Node) -> tuple[Conflict, int]:
        """Return the conflict of a node to resolve, and the side whose robot is constrained."""

        def levels_of(robot: int) -> Levels:
            key = robot, node.constraints[robot]
            if key not in self.diagrams:
                self.diagrams[key] = levels(self.robots[robot], key[1], len(node.paths[robot]) - 1)
            return self.diagrams[key]

        return most_costly(node.conflicts, levels_of)

    def expand(self, node: Node) -> list[Node]:
        """Return the children: in one a robot must not do what it did in the conflict, in the other it must.

        If it must, other robots must not conflict with it (disjoint splitting). If a child has paths of the same
        lengths with fewer conflicts, the only child is the node itself with these paths (bypass). Children without
        paths are left out.
        """
        conflict, side = self.choose(node)
        told, time, way = (conflict.first, conflict.second)[side], conflict.time, conflict.ways[side]
        forbidden = list(node.constraints)
        forbidden[told] = forbidden[told].without(time, *way)
        demanded = [
            constraints.through(time, *way) if robot == told else constraints.out_of_the_way_of(time, *way)
            for robot, constraints in enumerate(node.constraints)
        ]
        in_the_way = [
            robot
            for robot, path in enumerate(node.paths)
            if robot != told and _is_in_the_way(path, time, way)
        ]
        children = []
        for constraints, robots in ((forbidden, [told]), (demanded, in_the_way)):
            paths = self.replanned(node.paths, constraints, robots)
            if paths is None:
                continue
            child = self.node(tuple(constraints), paths)
            if len(child.conflicts) < len(node.conflicts) and _same_lengths(paths, node.paths):
                return [evolve(child, constraints=node.constraints)]
            children.append(child)
        return children

    def replanned(
        self, paths: tuple[Path, ...], constraints: list[Constraints], robots: list[int]
    ) -> tuple[Path, ...] | None:
        """Return the paths with new ones for these robots; None if one of them has none."""
        new = list(paths)
        for robot in robots:
            traffic = Traffic(path for other, path in enumerate(new) if other != robot)
            path = best_path(self.robots[robot], constraints[robot], traffic)
            if path is None:
                return None
            new[robot] = path
        return tuple(new)


def conflict_based_search(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Node | Configuration]:
    """Plan each robot alone; if two paths conflict, branch on constraints of one of the robots (Sharon et al. 2015).

    Nodes of the constraint tree are expanded in order of cost. Conflicts that increase the cost for both robots are
    resolved first, and a node is not split if its paths can be replaced by equally long ones with fewer conflicts
    (Boyarski et al. 2015). The two branches have no plan in common: in one the robot must be where the conflict was, in
    the other it must not be there (disjoint splitting; Li et al. 2019).

    If there is no plan, the constraint tree is infinite. So, unless the first paths have no conflicts, LaCAM first
    searches for any plan; its expansions are counted as well, and it detects that there is none. The plan that it finds
    is the incumbent: the result of a search that is cut off, and the solution once no node costs less.

    Complete and optimal, for both objectives. Time exponential in the conflicts that have to be resolved, but not
    in the number of robots.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "cbs")
        >>> result.cost, result.optimal
        (62, True)

    """
    if tree.frontier is None:
        tree.lower_bound = distance_bound(problem)
        tree.closed = set()  # no states of the problem
        tree.frontier = ConstraintTree(problem, Robot.all_of(problem), Exploration.of(problem))
        if tree.lower_bound < inf:
            plain = [Constraints()] * len(tree.frontier.robots)
            paths = tree.frontier.replanned(((),) * len(plain), plain, list(range(len(plain))))
            tree.frontier.add(tree.frontier.node(tuple(plain), paths))
            tree.frontier.solvable = not tree.frontier.nodes[0][-1].conflicts
    frontier: ConstraintTree = tree.frontier
    if not frontier.solvable:
        yield from explore(problem, tree, frontier.solvability)
        plan = frontier.solvability.goal
        frontier.solvable = plan is not None
        if plan is None:
            return
        set_incumbent(problem, tree, paths_to(plan))
        frontier.solvability.stack.clear()
        frontier.solvability.explored.clear()
    while frontier.nodes:
        tree.lower_bound, _, _, node = frontier.nodes[0]
        tree.generated = frontier.generated + frontier.solvability.generated
        tree.peak_frontier = max(tree.peak_frontier, len(frontier))
        tree.details["constraint tree"] = f"{frontier.expanded:,} nodes expanded"
        if tree.incumbent is not None:
            tree.details["gap"] = tree.incumbent - tree.lower_bound
        if tree.incumbent is not None and tree.incumbent <= tree.lower_bound:
            return tree.finish(tree.goal)
        if not node.conflicts:
            tree.details["gap"] = 0
            return finish(problem, tree, node.paths)
        if not frontier.expanded:
            tree.note("node", node=node, cost=node.cost)
        yield node
        children = frontier.expand(node)
        heappop(frontier.nodes)
        frontier.expanded += 1
        for child in children:
            frontier.add(child)
            tree.note("node", node=child, parent=node, cost=child.cost)


def _is_in_the_way(path: Path, time: int, way: tuple[Location, ...]) -> bool:
    first = time - len(way) + 1
    if any(at(path, moment) == location for moment, location in enumerate(way, first)):
        return True
    return len(way) == 2 and (at(path, time - 1), at(path, time)) == (way[1], way[0])


def _same_lengths(paths: tuple[Path, ...], others: tuple[Path, ...]) -> bool:
    return all(len(path) == len(other) for path, other in zip(paths, others, strict=True))
