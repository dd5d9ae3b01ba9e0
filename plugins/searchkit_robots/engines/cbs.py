"""Conflict-based search."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush, heapreplace
from math import inf
from typing import Any

from attrs import define, evolve, field

from searchkit import Cost
from searchkit.tree import SearchTree
from searchkit_robots.capability import MultiAgent
from searchkit_robots.engines._barriers import Split, split_between
from searchkit_robots.engines._branches import at_goal, behind_barriers, disjoint
from searchkit_robots.engines._common import combined, distance_bound, finish, set_incumbent
from searchkit_robots.engines._conflicts import conflicts_between, most_costly
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines._cover import least_cover
from searchkit_robots.engines._single import Diagram, Path, Traffic, best_path
from searchkit_robots.engines.lacam import Exploration, explore, paths_to
from searchkit_robots.engines.lacam import Node as Configuration

MOST_PAIRS = 100_000
"""The number of pairs of diagrams whose excess is kept."""
PAIR_EXPANSIONS = 10
"""The largest number of nodes that are expanded to find the excess of two robots."""

MOST_PLACES = 1 << 20
"""The sum of the sizes of the diagrams that are kept."""


@define(eq=False)
class Node:
    """A node of the constraint tree: the constraints of each robot and its best path under them."""

    cost: Cost
    constraints: tuple[Constraints, ...]
    paths: tuple[Path, ...]
    conflicts: Sequence[Any]
    """Each a `Conflict`, or in machine code a list with its fields."""
    diagrams: dict[int, Any] = field(factory=dict, repr=False)
    """Robot → the diagram of its cheapest paths, as far as it is known."""
    evaluated: bool = False
    """Whether its place in the frontier takes the heuristic into account."""

    def __str__(self) -> str:
        return f"cost {self.cost}, {len(self.conflicts)} conflicts"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return (self.cost, self.paths) == (other.cost, other.paths)

    def __hash__(self) -> int:
        return hash((self.cost, self.paths))


@define(eq=False)
class Known:
    """Diagrams, and what was found out about pairs of them. All of it can be computed again."""

    diagrams: dict[tuple[int, Constraints], Any] = field(factory=dict)
    """A robot and its constraints → the diagram of its cheapest paths."""
    drawn: int = 0
    """The number of diagrams so far."""
    size: int = 0
    """The sum of the sizes of the diagrams."""
    excesses: dict[tuple[int, int], Cost] = field(factory=dict)
    """The numbers of two diagrams → how much the two robots cost more together, at least: see `excess`."""
    splits: dict[tuple[int, int], Split | None] = field(factory=dict)
    """The numbers of two diagrams → the barriers between them; None if not all of their paths conflict."""


@define(eq=False)
class ConstraintTree:
    """The state of a search: the frontier of `cbs`, from which it can continue."""

    problem: MultiAgent
    robots: tuple[Robot, ...]
    solvability: Any
    """The search for any plan, which comes first."""
    solvable: bool = False
    nodes: list[tuple[Cost, int, int, Node]] = field(factory=list)
    """A heap: lower bound on the cost of plans below, conflicts, order of generation, node."""
    expanded: int = 0
    generated: int = 0
    tried: int = 0
    """The configurations that were generated in the search for any plan."""
    known: Known = field(factory=Known, repr=False)
    """What is known about diagrams. The trees of pairs share it."""
    pair: "tuple[tuple[int, int], ConstraintTree, Cost] | None" = None
    """The resumable search for the excess of two robots: their diagrams, its tree, and the cost of its root."""

    def __len__(self) -> int:
        return len(self.nodes) or len(self.solvability)

    def begin(self) -> None:
        """Plan each robot without constraints."""
        plain = [Constraints()] * len(self.robots)
        paths = self.replanned(((),) * len(plain), plain, list(range(len(plain))))
        assert paths is not None
        node = self.node(tuple(plain), paths)
        self.add(node, node.cost)
        self.solvable = not node.conflicts

    def best_path(self, robot: int, constraints: Constraints, others: list[Path]) -> Path | None:
        """Return the best path of a robot, which avoids the paths of others if that costs nothing."""
        return best_path(self.robots[robot], constraints, Traffic(others))

    def conflicts(self, paths: tuple[Path, ...]) -> Sequence[Any]:
        """Return the conflicts of paths."""
        return conflicts_between(paths)

    def pairs_in(self, conflicts: Any) -> Iterable[tuple[int, int]]:
        """Return the pairs of robots that have conflicts, each once, in the order of these."""
        return dict.fromkeys([(conflict.first, conflict.second) for conflict in conflicts])

    def diagram(self, node: Node, robot: int) -> Any:
        """Return the cheapest paths of a robot in a node."""
        if robot not in node.diagrams:
            cost = len(node.paths[robot]) - 1
            node.diagrams[robot] = self.drawn(self.robots[robot], node.constraints[robot], cost)
        return node.diagrams[robot]

    def drawn(self, robot: Robot, constraints: Constraints, cost: int) -> Any:
        """Return the diagram of the cheapest paths of a robot, which have this cost."""
        known, key = self.known, (robot.index, constraints)
        if key not in known.diagrams:
            diagram = self.new_diagram(robot, constraints, cost)
            known.size += diagram.size
            if known.size > MOST_PLACES:
                known.diagrams.clear()
                known.size = diagram.size
            known.drawn += 1
            diagram.number, known.diagrams[key] = known.drawn, diagram
        return known.diagrams[key]

    def new_diagram(self, robot: Robot, constraints: Constraints, cost: int) -> Any:
        """Return the paths of a robot with this cost."""
        return Diagram(robot, constraints, cost)

    def node(self, constraints: tuple[Constraints, ...], paths: tuple[Path, ...]) -> Node:
        """Return the node with these paths."""
        cost = combined(self.problem, [len(path) - 1 for path in paths])
        return Node(cost, constraints, paths, self.conflicts(paths))

    def add(self, node: Node, least: Cost) -> None:
        """Enter a node, below which plans cost at least `least`."""
        self.generated += 1
        heappush(self.nodes, (max(least, node.cost), len(node.conflicts), self.generated, node))

    def heuristic(self, node: Node) -> Cost:
        """Return how much plans below a node cost more than its paths, at least.

        It is the least sum of additional costs, one of each robot, in which every two robots that conflict have their
        `excess` (a weighted vertex cover; Felner et al. 2018; Li et al. 2019b). For the makespan it is 0.
        """
        if self.problem.objective == "makespan":
            return 0
        weights = {}
        for pair, one, other in self.pairs(node):
            weight = self.known.excesses.get((one.number, other.number))
            weights[pair] = self.excess(one, other) if weight is None else weight
        return least_cover({pair: weight for pair, weight in weights.items() if weight})

    def pairs(self, node: Node) -> list[tuple[tuple[int, int], Any, Any]]:
        """Return the pairs of robots that conflict in a node, with their diagrams."""
        pairs = self.pairs_in(node.conflicts)
        return [(pair, self.diagram(node, pair[0]), self.diagram(node, pair[1])) for pair in pairs]

    def excess(self, one: Any, other: Any) -> Cost:
        """Return how much two robots cost more together than apart, at least.

        0 if paths of their diagrams have no conflict; else it is found by a search for a plan of these two, under the
        constraints with which the diagrams were drawn, which is given up after some nodes.
        """
        key, excesses = (one.number, other.number), self.known.excesses
        if key not in excesses:
            if len(excesses) >= MOST_PAIRS:
                excesses.clear()
            excesses[key] = self.excess_of_pair(one, other) if self.split(one, other) else 0
            self.settle()
        return excesses[key]

    def excess_of_pair(self, one: Any, other: Any) -> Cost:
        """Return the excess of two robots whose cheapest paths all conflict."""
        key = one.number, other.number
        if self.pair is None or self.pair[0] != key:
            pair = self.part((one.robot, other.robot))
            root = pair.node((one.constraints, other.constraints), (one.path, other.path))
            root.diagrams = {0: one, 1: other}
            pair.add(root, root.cost + 1)
            self.pair = key, pair, root.cost
        _, pair, cost = self.pair
        while pair.nodes and pair.nodes[0][-1].conflicts and pair.expanded < PAIR_EXPANSIONS:
            pair.replace(pair.nodes[0][-1])
            pair.settle()
        self.pair = None
        return pair.nodes[0][0] - cost if pair.nodes else inf

    def part(self, robots: tuple[Robot, ...]) -> "ConstraintTree":
        """Return a constraint tree for some robots, without nodes."""
        return ConstraintTree(self.problem, robots, (), known=self.known)

    def replace(self, node: Node) -> list[Node]:
        """Replace the first node of the frontier by its children; return them."""
        children = self.expand(node)
        least = heappop(self.nodes)[0]
        self.expanded += 1
        for child in children:
            self.add(child, least)
        return children

    def settle(self) -> None:
        """Do nothing: called after an expansion or the evaluation of a pair, which other forms may break off."""

    def next_node(self) -> tuple[Cost, Node] | None:
        """Return the node to expand, and the lower bound on the cost of all plans; None if nothing is left."""
        while self.nodes:
            least, conflicts, turn, node = self.nodes[0]
            if node.evaluated or not node.conflicts:
                return least, node
            bound = max(least, node.cost + self.heuristic(node))
            node.evaluated = True
            heapreplace(self.nodes, (bound, conflicts, turn, node))
            self.settle()
        return None

    def expand(self, node: Node) -> list[Node]:
        """Return the children.

        If all cheapest paths of two robots conflict, one child has a barrier for one of them, the other child has one
        for the other robot. If not, a conflict is resolved: in one child a robot must not do what it did in the
        conflict, in the other it must, and other robots must not conflict with it (disjoint splitting). If the robot is
        at its goal in the conflict, it arrives later in one child, and stays there in the other one. If a child has
        paths of the same lengths with fewer conflicts, the only child is the node itself with these paths (bypass).
        Children without paths are left out.
        """
        split = self.best_split(node)
        if split is not None:
            branches = behind_barriers(node, split)
        else:
            conflict, side, arrived = most_costly(node.conflicts, lambda robot: self.diagram(node, robot))
            branches = (at_goal if arrived else disjoint)(node, self.robots, conflict, side)
        children = []
        for constraints, robots, kept in branches:
            paths = self.replanned(node.paths, constraints, robots)
            if paths is None:
                continue
            child = self.node(tuple(constraints), paths)
            if len(child.conflicts) < len(node.conflicts) and _same_lengths(paths, node.paths):
                return [evolve(child, constraints=node.constraints, diagrams=node.diagrams)]
            child.diagrams = {robot: node.diagrams[robot] for robot in kept}
            children.append(child)
        return children

    def split(self, one: Any, other: Any) -> Split | None:
        """Return the barriers between two diagrams; None if paths of them have no conflict."""
        key, splits = (one.number, other.number), self.known.splits
        if key not in splits:
            if len(splits) >= MOST_PAIRS:
                splits.clear()
            splits[key] = split_between(one, other, self.new_diagram)
        return splits[key]

    def best_split(self, node: Node) -> Split | None:
        """Return barriers for two robots whose cheapest paths all conflict; None if there are no such robots."""
        if self.problem.objective == "makespan":
            return None
        best: Split | None = None
        for pair, one, other in self.pairs(node):
            split = self.split(one, other)
            if split is not None and (best is None or split.gain > best.gain):
                best = split._replace(robots=pair)
        return best

    def plan(self, node: Node) -> Sequence[Path]:
        """Return the paths of a node."""
        return node.paths

    def shown(self, node: Node) -> Any:
        """Return a node as observers see it."""
        return node

    def replanned(
        self, paths: tuple[Path, ...], constraints: list[Constraints], robots: list[int]
    ) -> tuple[Path, ...] | None:
        """Return the paths with new ones for these robots; None if one of them has none."""
        new = list(paths)
        for robot in robots:
            others = [path for path in new[:robot] + new[robot + 1 :] if path]
            path = self.best_path(robot, constraints[robot], others)
            if path is None:
                return None
            new[robot] = path
        return tuple(new)


def conflict_based_search(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Node | Configuration]:
    """Plan each robot alone; if two paths conflict, branch on constraints of one of the robots (Sharon et al. 2015).

    Nodes of the constraint tree are expanded in order of their cost and what it will increase by at least, because
    pairs of robots cost more together than apart (Felner et al. 2018; Li et al. 2019b). Conflicts that increase the
    cost for both robots are resolved first, and a node is not split if its paths can be replaced by equally long ones
    with fewer conflicts (Boyarski et al. 2015). The two branches have no plan in common: in one the robot must be where
    the conflict was, in the other it must not be there (disjoint splitting; Li et al. 2019), or it arrives at its goal
    later, or no other robot enters that goal any more (target reasoning; Li et al. 2020).

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
        begun = ConstraintTree(problem, Robot.all_of(problem), Exploration.of(problem))
        if tree.lower_bound < inf:
            begun.begin()
        tree.frontier = begun
    frontier: ConstraintTree = tree.frontier
    if not frontier.solvable:
        yield from explore(problem, tree, frontier.solvability)
        plan = frontier.solvability.goal
        if plan is None:
            return
        set_incumbent(problem, tree, paths_to(plan))
        end_exploration(tree)
    while (node := look(problem, tree)) is not None:
        yield node
        expand(tree, node)


def end_exploration(tree: SearchTree[Any, Any]) -> None:
    """End the search for any plan, which has become the incumbent."""
    tree.frontier.solvable = True
    tree.frontier.solvability, tree.frontier.tried = (), tree.generated


def look(
    problem: Any, tree: SearchTree[Any, Any], conclude: Callable[[Node], None] | None = None
) -> Node | None:
    """Return the node to expand; None if the search has ended, with the plan in the tree if there is one.

    With `conclude`, that is called with the node that has the plan instead, and enters it into the tree later.
    """
    frontier: ConstraintTree = tree.frontier
    found = frontier.next_node()
    if found is None:
        return None
    tree.lower_bound, node = found
    tree.generated = frontier.generated + frontier.tried
    tree.peak_frontier = max(tree.peak_frontier, len(frontier))
    tree.details["constraint tree"] = f"{frontier.expanded:,} nodes expanded"
    if tree.incumbent is not None:
        tree.details["gap"] = tree.incumbent - tree.lower_bound
    if tree.incumbent is not None and tree.incumbent <= tree.lower_bound:
        tree.finish(tree.goal)
        return None
    if not node.conflicts:
        tree.details["gap"] = 0
        if conclude is None:
            finish(problem, tree, frontier.plan(node))
        else:
            conclude(node)
        return None
    if not frontier.expanded:
        tree.note("node", node=frontier.shown(node), cost=node.cost)
    return node


def expand(tree: SearchTree[Any, Any], node: Node) -> None:
    """Replace the first node of the frontier by its children."""
    frontier: ConstraintTree = tree.frontier
    children = frontier.replace(node)
    frontier.settle()
    for child in children:
        tree.note("node", node=frontier.shown(child), parent=frontier.shown(node), cost=child.cost)


def _same_lengths(paths: tuple[Path, ...], others: tuple[Path, ...]) -> bool:
    return all(len(path) == len(other) for path, other in zip(paths, others, strict=True))
