"""Conflict-based search. Paths of single robots, diagrams and conflicts are found by machine code."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from heapq import heappop, heappush, heapreplace
from importlib.util import find_spec
from math import inf
from typing import Any, NamedTuple

from attrs import define, field

from searchkit import Cost
from searchkit.engines.kit import engine
from searchkit.tree import SearchTree
from searchkit_robots.capability import MultiAgent
from searchkit_robots.constraints import CLOSING, VERTEX, Constraints, row
from searchkit_robots.lacam import Exploration
from searchkit_robots.plans import combined, enter_plan, import_in_thread

MAX_DIAGRAMS, MAX_PAIRS = 5_000, 20_000
"""The number of diagrams that are kept, and of pairs of them whose barriers are kept."""
MAX_RAISES = 40
"""The number of steps by which the costs of two robots are raised together at most."""
MAX_COMPARED = 1 << 17
"""Diagrams are not compared if the product of their sizes, divided by their length, is larger."""


class Split(NamedTuple):
    """Barriers of two robots: in each plan, one of them is outside its barrier, and arrives late."""

    robots: tuple[int, int]
    barriers: tuple[bytes, bytes]
    raises: tuple[int, int]
    """By how much each robot costs more then."""


@define(eq=False, slots=False)
class Node:
    """A node of the constraint tree: the constraints of each robot and its best path under them."""

    cost: Cost
    constraints: tuple[Constraints, ...]
    paths: tuple[Any, ...]
    conflicts: Any
    """Each a row: time, first robot, second robot, from, to; see `searchkit_robots.compiled.single.compare`."""
    splits: list[Split] | None = field(default=None, repr=False)
    """The barriers of its pairs, if its place in the frontier takes them into account."""

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "splits": None}

    def __str__(self) -> str:
        return f"cost {self.cost}, {len(self.conflicts)} conflicts"


def split_between(finder: Any, one: Any, other: Any) -> Split | None:
    """Return the barriers between two diagrams; None if paths of them have no conflict.

    Diagrams of larger costs have more paths and so forbid more. So the cost of one robot and of the other is raised in
    turns, as long as all paths conflict. That covers conflicts that paths which wait somewhat longer have too: in a
    corridor, where one robot has to let the other one out first, or at the goal of a robot where another one passes
    later.
    """
    met = finder.met(one, other)
    if met is None:
        return None
    pair, least, raises = [one, other], (one.cost, other.cost), [True, True]
    while any(raises) and sum(each.cost for each in pair) - sum(least) < MAX_RAISES:
        for side in (0, 1):
            if not raises[side]:
                continue
            longer, old, found = list(pair), pair[side], None
            longer[side] = finder.diagram(old.robot, old.constraints, old.cost + 1)
            if longer[0].size * longer[1].size < MAX_COMPARED * max(each.cost for each in longer):
                found = finder.met(*longer)
            if found is None:
                raises[side] = False
            else:
                pair, met = longer, found
    barriers = pair[0].barrier(met[0]), pair[1].barrier(met[1])
    return Split((0, 1), barriers, (pair[0].cost + 1 - least[0], pair[1].cost + 1 - least[1]))


def least_raises(splits: Iterable[Split]) -> int:
    """Return by how much more than the paths of a node, at least, each plan below it costs (Felner et al. 2018).

    It is the sum of the smaller raises of pairs without a robot in common, which are chosen greedily.
    """
    total, robots = 0, set[int]()
    for split in sorted(splits, key=lambda split: -min(split.raises)):
        if robots.isdisjoint(split.robots):
            robots.update(split.robots)
            total += min(split.raises)
    return total


class ConstraintTree:
    """The frontier of a search, with which it can be saved and continued."""

    def __init__(self, problem: MultiAgent):
        self.problem = problem
        self.exploration = Exploration(problem)
        """The search for any plan, which comes second."""
        self.root: list[Any] = []
        """The paths of the first robots without constraints; of all, if the tree has begun."""
        self.planned = 0
        """How many were planned: each robot twice, so that it avoids later ones, too."""
        self.nodes: list[tuple[Cost, int, int, Node]] = []
        """A heap: lower bound on the cost of plans below, conflicts, order of generation, node."""
        self.expanded = self.generated = 0
        self.solvable = False
        self.finder: Any = None
        """What finds paths, diagrams and conflicts."""
        self.draw: Any = None
        """Returns the diagram of a robot with its constraints for a cost …"""
        self.split: Any = None
        """… and the barriers between two diagrams. What they return is kept, and not saved."""

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "finder": None, "draw": None, "split": None}

    def __len__(self) -> int:
        return len(self.nodes) or len(self.exploration)

    def begin(self, tree: SearchTree[Any, Any]) -> None:
        """Make what is not saved, and plan each robot without constraints."""
        exploration = self.exploration
        exploration.begin(tree)
        if self.finder is None:
            module = import_in_thread("searchkit_robots.compiled.finder", tree.poll)
            self.finder = module.Finder(exploration.numbered)
            self.draw = lru_cache(MAX_DIAGRAMS)(self.finder.diagram)
            self.split = lru_cache(MAX_PAIRS)(partial(split_between, self.finder))
        self.finder.poll = tree.poll
        if self.generated or exploration.explorer.bound == inf:
            return
        plain = [Constraints()] * len(self.problem.endpoints())
        while self.planned < 2 * len(plain):
            robot = self.planned % len(plain)
            self.root[robot : robot + 1] = [self.finder.best_path(robot, plain[robot], self.root)]
            self.planned += 1
        node = self.node(plain, self.root)
        self.add(node, node.cost)
        self.solvable = not len(node.conflicts)

    def node(self, constraints: Sequence[Constraints], paths: Sequence[Any]) -> Node:
        """Return the node with these paths."""
        cost = combined(self.problem, [len(path) - 1 for path in paths])
        return Node(cost, tuple(constraints), tuple(paths), self.finder.conflicts(paths))

    def add(self, node: Node, least: Cost) -> None:
        """Enter a node, below which plans cost at least `least`."""
        self.generated += 1
        heappush(self.nodes, (max(least, node.cost), len(node.conflicts), self.generated, node))

    def diagram(self, node: Node, robot: int) -> Any:
        """Return the cheapest paths of a robot in a node."""
        return self.draw(robot, node.constraints[robot], len(node.paths[robot]) - 1)

    def next_node(self) -> tuple[Cost, Node] | None:
        """Return the lower bound on the cost of all plans, and the node to expand; None if nothing is left."""
        while self.nodes:
            least, conflicts, turn, node = self.nodes[0]
            if node.splits is not None or not len(node.conflicts):
                return least, node
            node.splits = self.splits(node)
            bound = max(least, node.cost + least_raises(node.splits))
            heapreplace(self.nodes, (bound, conflicts, turn, node))
        return None

    def expand(self, node: Node) -> Iterator[Node]:
        """Yield the children. Those without paths are left out."""
        for constraints, robots in self.branches(node):
            paths = list(node.paths)
            for robot in robots:
                paths[robot] = self.finder.best_path(robot, constraints[robot], paths)
                if paths[robot] is None:
                    break
            else:
                yield self.node(constraints, paths)

    def branches(self, node: Node) -> Iterator[tuple[list[Constraints], list[int]]]:
        """Yield the constraints of the children, and the robots whose paths break them.

        Of the pairs of robots whose cheapest paths all conflict, the one that raises the cost most is split. If a robot
        is at its goal in a conflict, it arrives later in one child; in the other one it stays, and no other robot may
        be there at that time or later (target reasoning: Li et al. 2020). Otherwise each child has a barrier for one of
        the two. If there is no such pair, each child forbids one of the robots what it does in a conflict.
        """
        split = max(node.splits or [], key=lambda split: (min(split.raises), sum(split.raises)), default=None)
        (time, first, second, here, there), resting = self.most_costly(node, split)
        if resting is not None:
            yield self._without(node, resting, b"", time + 1), [resting]
            closed = row(time, CLOSING, there)
            staying = [constraints.without(closed) for constraints in node.constraints]
            staying[resting] = node.constraints[resting].arrived(time)
            yield (
                staying,
                [robot for robot, path in enumerate(node.paths) if robot != resting and there in path[time:]],
            )
        elif split is not None:
            for robot, barrier, raised in zip(*split, strict=True):
                yield self._without(node, robot, barrier, len(node.paths[robot]) - 1 + raised), [robot]
        else:
            yield self._without(node, first, row(time, VERTEX if here == there else there, here)), [first]
            yield self._without(node, second, row(time, VERTEX if here == there else here, there)), [second]

    def _without(self, node: Node, robot: int, rows: bytes, earliest: int = 0) -> list[Constraints]:
        constraints = list(node.constraints)
        constraints[robot] = constraints[robot].without(rows, earliest)
        return constraints

    def splits(self, node: Node) -> list[Split]:
        """Return the barriers of all pairs of robots that conflict and whose cheapest paths all conflict."""
        if self.problem.objective == "makespan":
            return []
        found = []
        for pair in dict.fromkeys(map(tuple, node.conflicts[:, 1:3].tolist())):
            split = self.split(*(self.diagram(node, robot) for robot in pair))
            if split is not None:
                found.append(split._replace(robots=pair))
        return found

    def most_costly(self, node: Node, split: Split | None) -> tuple[list[int], int | None]:
        """Return the conflict to resolve (Boyarski et al. 2015), and the robot that is at its goal there, or None.

        It is one of the pair that is split, if there is one. Conflicts with a robot at its goal come first. A conflict
        is cardinal for a robot if all its cheapest paths have it, so that avoiding it costs more. Of the others, those
        that are cardinal for both robots come first, then those cardinal for one. Then comes the one around which the
        diagrams of the two robots have the fewest locations: a constraint removes most paths there, so that other
        conflicts become cardinal. Ties go to the earliest.
        """
        best: tuple[tuple[int, ...], list[int], int | None] | None = None
        for conflict in node.conflicts.tolist():
            time, first, second, here, there = conflict
            if split is not None and split.robots != (first, second):
                continue
            levels, levels_too = self.diagram(node, first).widths, self.diagram(node, second).widths
            end, end_too = len(levels) - 1, len(levels_too) - 1
            one, other = levels[min(time, end)], levels_too[min(time, end_too)]
            resting = None
            if here != there:
                one = max(one, levels[min(time - 1, end)])
                other = max(other, levels_too[min(time - 1, end_too)])
            elif time >= min(end, end_too):
                resting = second if end_too < end else first
            rank = resting is None, (one > 1) + (other > 1), one + other
            if best is None or rank < best[0]:
                best = rank, conflict, resting
        assert best is not None
        return best[1], best[2]


@engine(
    "cbs",
    "conflict-based search for robots: least cost (Sharon et al. 2015; Zhang et al. 2022)",
    optimal=True,
    requires=(MultiAgent,),
    preferred=find_spec("numba") is not None,
    memory="own",
    arrivals=False,
)
def conflict_based_search(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Plan each robot alone; if two paths conflict, branch on constraints of one of the robots (Sharon et al. 2015).

    Nodes of the constraint tree are expanded in order of their cost. If all cheapest paths of two robots conflict, each
    child has a barrier for one of them (mutex propagation; Zhang et al. 2022), unless one of them is at its goal in a
    conflict: it arrives later in one child, and its goal is closed in the other one (Li et al. 2020). Otherwise a
    conflict is resolved, first those that increase the cost (Boyarski et al. 2015).

    If there is no plan, the constraint tree is infinite. So, unless the first paths have no conflicts, LaCAM first
    searches for any plan; its expansions are counted as well, and it detects that there is none. The plan that it finds
    is the incumbent: the result of a search that is cut off, and the solution once no node costs less.

    Complete and optimal, for both objectives. Time exponential in the conflicts that have to be resolved, but not
    in the number of robots. Raises `MissingExtraError` without the extra `fast`.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "cbs")
        >>> result.cost, result.optimal
        (62, True)

    """
    if tree.frontier is None:
        tree.closed = set()  # no states of the problem
        tree.frontier = ConstraintTree(problem)
    frontier: ConstraintTree = tree.frontier
    frontier.begin(tree)
    exploration = frontier.exploration
    if not frontier.solvable:
        yield from exploration.run(tree)
        if exploration.explorer.goal_cost is None:
            return
        enter_plan(problem, tree, exploration.explorer.plan())
        frontier.solvable = True
    while (found := frontier.next_node()) is not None:
        tree.lower_bound, node = found
        tree.generated = frontier.generated + exploration.generated
        tree.peak_frontier = max(tree.peak_frontier, len(frontier))
        tree.details["constraint tree"] = f"{frontier.expanded:,} nodes expanded"
        if tree.incumbent is not None:
            tree.details["gap"] = tree.incumbent - tree.lower_bound
            if tree.incumbent <= tree.lower_bound:
                return tree.finish(tree.goal)
        if not len(node.conflicts):
            enter_plan(problem, tree, [exploration.numbered.locations(path) for path in node.paths])
            tree.details["gap"] = 0
            return tree.finish(tree.goal)
        if not frontier.expanded:
            tree.note("node", node=node, cost=node.cost)
        yield node
        children = list(frontier.expand(node))
        heappop(frontier.nodes)
        frontier.expanded += 1
        for child in children:
            frontier.add(child, tree.lower_bound)
            tree.note("node", node=child, parent=node, cost=child.cost)
