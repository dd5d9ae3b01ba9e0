"""`cbs` as machine code: same plans and same counters as `searchkit_robots.engines.cbs`.

The constraint tree is that of the engine in Python. The searches of single robots, diagrams and conflicts are kernels,
and so is the search for any plan.
"""

from collections.abc import Generator, Iterator
from math import inf
from time import thread_time
from typing import Any

from searchkit.compiled.kit import control
from searchkit.compiled.kit.run import PATIENCE
from searchkit_robots.compiled.explorer import RobotsRun
from searchkit_robots.compiled.tools import Late, Tools
from searchkit_robots.compiled.tree import NumberedTree
from searchkit_robots.engines._common import enter_plan
from searchkit_robots.engines.cbs import Node, end_exploration, expand, look


class Cbs(RobotsRun):
    """`cbs`, compiled. Begins from the starts of the problem, with an empty tree."""

    def __init__(self, problem: Any, tree: Any):
        super().__init__(problem, tree)
        self.node: Node | None = None
        """The node of the constraint tree to be expanded next."""
        self._solved: Node | None = None
        """The node that has the plan."""

    def make_frontier(self) -> NumberedTree:
        """Return a constraint tree without nodes."""
        self.tools = Tools(self.numbered, self)
        self.frontier = NumberedTree.of(self.tools, self.explorer)
        self._planned = self.explorer.bound == inf
        return self.frontier

    @property
    def state(self) -> Any:
        """The node to be expanded next, of the constraint tree or of LaCAM; None if there is none."""
        if self.node is not None:
            return self.frontier.shown(self.node)
        return self.explorer.head if self.explorer is not None and self.explorer.counters.any() else None

    def expand(self, expansions: int) -> tuple[int, int]:
        """Expand nodes until the time is up."""
        self.tools.until, frontier, tree = thread_time() + PATIENCE, self.frontier, self.tree
        done = 0
        try:
            if not self._planned:
                frontier.begin()
                frontier.settle()
                self._planned = True
            if not frontier.solvable:
                why, done = self.explorer.slice(expansions, self.steps)
                return why, done
            while not self.tools.is_late():
                self.node = self._look()
                if self.node is None:
                    return control.EXHAUSTED, done
                if done == expansions:
                    return control.WORKED, done
                expand(tree, self.node)
                done += 1
        except Late:
            pass
        return control.PAUSED, done

    def show(self) -> None:
        """Bring the tree up to date."""
        if self.explorer is not None and not self.frontier.solvable:
            self.explorer.show(self.tree)
            self._noted.tell(self.tree)

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""
        if why == control.FULL:
            return self.grow()
        if why == control.FOUND:
            return self._take_plan()
        if self._solved is not None:
            return self._conclude(self._solved)
        self.ended = True
        return None

    def _look(self) -> Node | None:
        """Return the node to expand; None if the search has ended, or a plan is to be entered into the tree."""

        def conclude(node: Node) -> None:
            self._solved = node

        self._solved = None
        return look(self.problem, self.tree, conclude)

    def _take_plan(self) -> Iterator[None]:
        """Take over the plan of LaCAM, in pieces."""
        plan = yield from self.explorer.plan()
        yield from enter_plan(self.problem, self.tree, plan)
        self.best = plan
        end_exploration(self.tree)

    def _conclude(self, node: Node) -> Generator[None, None, None]:
        """End the search with the plan of a node, in pieces."""
        plan = yield from self.numbered.located(self.frontier.arrays(node))
        yield from enter_plan(self.problem, self.tree, plan)
        self.tree.finish(self.tree.goal)
        self.ended = True
