"""The constraint tree of `cbs` over numbered locations: the searches of single robots are machine code."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from searchkit_robots.compiled.tools import Tools
from searchkit_robots.engines._conflicts import Conflict
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines.cbs import ConstraintTree, Node


class ShownNode:
    """A node of the constraint tree as the engine in Python has it. Its locations are looked up late."""

    def __init__(self, tree: "NumberedTree", node: Node):
        self.tree, self.node = tree, node
        self.cost = node.cost

    @cached_property
    def paths(self) -> tuple[Any, ...]:
        """The paths of the robots."""
        return tuple(self.tree.plan(self.node))

    def plain(self) -> Node:
        """Return the node without its constraints, which are over numbered locations."""
        return Node(self.cost, (), self.paths, list(map(Conflict._make, self.node.conflicts)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node | ShownNode):
            return NotImplemented
        return self.cost == other.cost and self.paths == other.paths

    def __hash__(self) -> int:
        return hash((self.cost, self.paths))

    def __str__(self) -> str:
        return str(self.node)


class NumberedTree(ConstraintTree):
    """The constraint tree over numbered locations."""

    tools: Tools

    @classmethod
    def of(cls, tools: Tools, solvability: Any) -> "NumberedTree":
        """Return the tree of a problem, without nodes."""
        problem, roads = tools.numbered.problem, tools.roads
        ends = zip(roads.starts.tolist(), roads.goals.tolist(), strict=True)
        robots = tuple(Robot(problem, index, *both) for index, both in enumerate(ends))
        tree = cls(problem, robots, solvability)
        tree.tools = tools
        return tree

    def part(self, robots: tuple[Robot, ...]) -> "NumberedTree":
        """Return a constraint tree for some robots, without nodes."""
        tree = NumberedTree(self.problem, robots, (), known=self.known)
        tree.tools = self.tools
        return tree

    def best_path(self, robot: int, constraints: Constraints, others: list[Any]) -> Any:
        """Return the best path of a robot."""
        return self.tools.remembered(self.robots[robot].index, constraints, others)

    def settle(self) -> None:
        """Forget the paths that were found in an expansion or evaluation, which is done."""
        self.tools.memory.clear()

    def conflicts(self, paths: Any) -> Sequence[Any]:
        """Return the conflicts of paths, each as a list with the fields of `Conflict`."""
        return self.tools.conflicts(paths)

    def pairs_in(self, conflicts: Any) -> Iterable[tuple[int, int]]:
        """Return the pairs of robots that have conflicts."""
        return conflicts.pairs(len(self.robots))  # type: ignore[no-any-return]  # they are Clashes

    def new_diagram(self, robot: Robot, constraints: Constraints, cost: int) -> Any:
        """Return the paths of a robot with this cost."""
        return self.tools.draw(robot, constraints, cost)

    def arrays(self, node: Node) -> list[Any]:
        """Return the paths of a node, as arrays of numbers."""
        return [path.array for path in node.paths]  # type: ignore[attr-defined]

    def plan(self, node: Node) -> Any:
        """Return the paths of a node, as locations."""
        return [self.tools.numbered.locations(array) for array in self.arrays(node)]

    def shown(self, node: Node) -> "ShownNode":
        """Return a node as observers see it."""
        return ShownNode(self, node)
