"""Lazy constraints addition search (LaCAM), and its anytime form LaCAM*."""

from collections import deque
from collections.abc import Generator, Iterator
from math import inf
from typing import Any

from attrs import define, field

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.engines._common import combined, distance_bound, enter_plan, finish, whole
from searchkit_robots.engines._pibt import Configuration, Pibt

Constraint = tuple[tuple[int, Location], ...]
"""The required next locations of some robots, the first ones in the order of the node."""


@define
class Node:
    """A configuration, and the constraints that have not been tried yet for steps from it."""

    configuration: Configuration
    cost: Cost = field(eq=False)
    """The cost of the best known plan from the starts to here: see `Steps.cost`."""
    bound: Cost = field(eq=False)
    """A lower bound on the cost from here to the goals."""
    parent: "Node | None" = field(eq=False, repr=False)
    waited: tuple[int, ...] = field(eq=False)
    """For each robot, the number of steps since it was last at its goal; larger numbers have priority."""
    order: tuple[int, ...] = field(eq=False)
    constraints: deque[Constraint] = field(factory=lambda: deque([()]), eq=False)
    edges: "list[Node]" = field(factory=list, eq=False, repr=False)
    """The nodes to which steps from here were generated."""

    def __hash__(self) -> int:
        return hash(self.configuration)

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


class Steps:
    """What the nodes of a problem have in common: goals, costs of steps, and the order of robots.

    The cost of a step is 1 if the objective is the makespan; else it is the number of robots that are not at their
    goals both before and after it. A plan costs at least as much as the sum over its steps, and usually exactly that: a
    robot that waits at its goal before it leaves it again costs more.
    """

    def __init__(self, problem: MultiAgent):
        self.problem = problem
        self.goals = tuple(goal for _, goal in problem.endpoints())
        self._distances = [problem.distances_to(goal) for goal in self.goals]
        starts = [start for start, _ in problem.endpoints()]
        far = self._of(tuple(starts))
        self._farthest_first = sorted(range(len(far)), key=lambda robot: -far[robot])

    def _of(self, configuration: Configuration) -> list[Cost]:
        return [
            distance.get(here, inf) for distance, here in zip(self._distances, configuration, strict=True)
        ]

    def cost(self, before: Configuration, after: Configuration) -> Cost:
        """Return the cost of a step."""
        if self.problem.objective == "makespan":
            return 1
        return sum(
            not here == there == goal for here, there, goal in zip(before, after, self.goals, strict=True)
        )

    def node(self, configuration: Configuration, parent: Node | None = None) -> Node:
        """Return a new node."""
        waited = (0,) * len(configuration)
        cost: Cost = 0
        if parent is not None:
            waited = tuple(
                0 if here == goal else steps + 1
                for here, goal, steps in zip(configuration, self.goals, parent.waited, strict=True)
            )
            cost = parent.cost + self.cost(parent.configuration, configuration)
        order = tuple(sorted(self._farthest_first, key=lambda robot: -waited[robot]))
        return Node(
            configuration, cost, combined(self.problem, self._of(configuration)), parent, waited, order
        )


@define(eq=False)
class Exploration:
    """The state of a search: the frontier of `lacam`, from which it can continue."""

    stack: list[Node]
    explored: dict[Configuration, Node]
    generated: int = 0
    tried: int = 0
    """The number of constraints that were tried."""
    goal: Node | None = None
    """The node of the goals, once it was reached."""
    reported: Cost = inf
    """The cost of its node when its plan was last compared with the best one."""
    improvements: int = 0
    """The number of expansions since the first plan."""

    @classmethod
    def of(cls, problem: MultiAgent) -> "Exploration":
        """Return the initial state with the starts; an empty one if a robot can't reach its goal."""
        if distance_bound(problem) == inf:
            return cls([], {})
        root = Steps(problem).node(tuple(start for start, _ in problem.endpoints()))
        return cls([root], {root.configuration: root})

    def __len__(self) -> int:
        return len(self.stack)

    def is_worse(self, node: Node) -> bool:
        """Whether no plan through a node is better than the best one that is known."""
        return self.goal is not None and node.cost + node.bound >= self.goal.cost

    def propagate(self, node: Node, known: Node, steps: Steps) -> None:
        """Enter that a node was reached from another one, and what becomes cheaper by that."""
        node.edges.append(known)
        cheaper: deque[Node] = deque()
        self._relax(node, known, steps, cheaper)
        while cheaper:
            before = cheaper.popleft()
            for after in before.edges:
                self._relax(before, after, steps, cheaper)

    def _relax(self, before: Node, after: Node, steps: Steps, cheaper: deque[Node]) -> None:
        cost = before.cost + steps.cost(before.configuration, after.configuration)
        if cost >= after.cost:
            return
        after.cost, after.parent = cost, before
        if after not in cheaper:
            cheaper.append(after)
        if self.goal is not None and not self.is_worse(after):
            self.stack.append(after)


def lazy_constraints_addition(problem: Any, tree: SearchTree[Any, Any], improve: int = 0) -> Iterator[Node]:
    """Search configurations depth-first; generate successors one at a time, on demand (Okumura 2023).

    PIBT generates the first successor, in which each robot moves as near to its goal as earlier robots allow. Further
    successors are generated under constraints on the first robots of an order, until all steps have been tried.

    After the first plan, the search continues for `improve` expansions (LaCAM*; Okumura 2023b): it keeps all steps that
    it generates, so a cheaper way to a configuration makes all plans through it cheaper. It leaves out configurations
    that can't be part of a better plan, and begins again at the starts when it has come to one. The best plan is the
    incumbent meanwhile. If nothing is left to expand, no plan has smaller step costs (see `Steps`), and the lower bound
    says so.

    Complete: it finds a plan if one exists, and ends on finite maps if none does, in the worst case after all
    configurations. Not optimal: the lower bound of the result is the cost if robots could not conflict. Time per
    expansion O(robots · neighbours).

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "lacam")
        >>> result.cost, result.lower_bound
        (69, 60)
        >>> solve(load("crossing"), "lacam", improve=200).cost
        62

    """
    if tree.frontier is None:
        tree.lower_bound = distance_bound(problem)
        tree.closed = set()  # no states of the problem
        tree.frontier = Exploration.of(problem)
    exploration: Exploration = tree.frontier
    yield from explore(problem, tree, exploration, improve)
    if exploration.goal is None:
        return
    if not exploration.stack:
        tree.lower_bound = max(tree.lower_bound, exploration.goal.cost)
    if not improve:
        finish(problem, tree, paths_to(exploration.goal))
    else:
        tree.finish(tree.goal)


def explore(
    problem: MultiAgent, tree: SearchTree[Any, Any], exploration: Exploration, improve: int = 0
) -> Iterator[Node]:
    """Yield each node before its next successor is generated, until there is a plan or nothing is left."""
    stack, explored = exploration.stack, exploration.explored
    steps, pibt = Steps(problem), Pibt(problem)
    if stack and not exploration.tried:
        tree.note("node", node=stack[0], cost=0)
    while stack:
        node = stack[-1]
        if node.configuration == steps.goals and exploration.goal is None:
            exploration.goal = node
        goal = exploration.goal
        if goal is not None:
            if not improve:
                return
            if goal.cost < exploration.reported:
                exploration.reported = goal.cost
                report(problem, tree, paths_to(goal))
            if exploration.improvements == improve or tree.incumbent == tree.lower_bound:
                return
        if not node.constraints or exploration.is_worse(node):
            stack.pop()
            continue
        tree.peak_frontier = max(tree.peak_frontier, len(stack))
        yield node
        constraint = node.constraints[0]
        refined = node.refined(problem, constraint)
        after = pibt.step(node.configuration, node.order, dict(constraint), exploration.tried)
        node.constraints.popleft()
        node.constraints.extend(refined)
        exploration.tried += 1
        exploration.improvements += goal is not None
        if after is None:
            continue
        exploration.generated += 1
        tree.generated = exploration.generated
        if after not in explored:
            explored[after] = steps.node(after, node)
            tree.note("node", node=explored[after], parent=node, cost=explored[after].cost)
        known = explored[after]
        exploration.propagate(node, known, steps)
        if not exploration.is_worse(known):
            stack.append(known)  # also a known node: its untried steps come before those of nodes below
        else:
            stack.append(stack[0])  # begin again, with other random choices


def report(problem: Any, tree: SearchTree[Any, Any], paths: list[tuple[Location, ...]]) -> bool:
    """Make a plan the incumbent if it is the best one so far; return whether it is."""
    return whole(report_in_pieces(problem, tree, paths))


def report_in_pieces(
    problem: Any, tree: SearchTree[Any, Any], paths: list[tuple[Location, ...]]
) -> Generator[None, None, bool]:
    """Do the same in pieces."""
    known = tree.incumbent
    cost = yield from enter_plan(problem, tree, paths, only_better=True)
    if known is None:
        tree.details["first plan"] = f"cost {cost}"
    return known is None or cost < known


def paths_to(node: Node) -> list[tuple[Location, ...]]:
    """Return the path of each robot to a node."""
    configurations: list[Configuration] = []
    at: Node | None = node
    while at is not None:
        configurations.append(at.configuration)
        at = at.parent
    return list(zip(*reversed(configurations), strict=True))
