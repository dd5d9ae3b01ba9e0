"""Lazy constraints addition search (LaCAM), and its anytime form LaCAM*. The search itself is machine code."""

from collections.abc import Iterator
from math import inf
from typing import Any

from searchkit.engines.kit import engine
from searchkit.plugin import Parameter
from searchkit.tree import SearchTree
from searchkit_robots.capability import Location, MultiAgent
from searchkit_robots.plans import enter_plan, import_in_thread


class Exploration:
    """A search for a plan, which can be saved: as the number of expansions, which are repeated when it is loaded."""

    def __init__(self, problem: MultiAgent, improve: int = 0):
        self.problem, self.improve = problem, improve
        self.expanded = self._repeated = 0
        """The expansions that were made, and those of them that are in the arrays."""
        self.explorer: Any = None
        """The arrays; None until the distances to the goals are known."""
        self.numbered: Any = None
        self._state: Any = None
        """The node that is being expanded."""
        self._noted = 0

    def __getstate__(self) -> dict[str, Any]:
        return {"problem": self.problem, "improve": self.improve, "expanded": self.expanded}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["problem"], int(state["improve"]))  # type: ignore[misc]  # all else is made again
        self.expanded = int(state["expanded"])

    def __len__(self) -> int:
        return 0 if self.explorer is None else int(self.explorer.counters[self.kernel.SIZE])

    def begin(self, tree: SearchTree[Any, Any]) -> None:
        """Compute the distances to the goals, and repeat the expansions of a search that was saved."""
        if self.explorer is None:
            module = import_in_thread("searchkit_robots.compiled.explorer", tree.poll)
            self.kernel, self.control = module.lacam, module.control
            self.numbered = self.numbered or module.Numbered(self.problem)
            self.numbered.flood(tree.poll)
            self.explorer = module.Explorer(self.numbered, self.improve)
        tree.lower_bound = max(tree.lower_bound, self.explorer.bound)
        while self._repeated < self.expanded:
            while self.explorer.advance(tree.poll) == self.control.FOUND:
                self.explorer.counters[self.kernel.REPORTED] = self.explorer.goal_cost
            self.explorer.left = True
            self.explorer.advance(bool)  # which does not break off
            self._repeated += 1

    @property
    def generated(self) -> int:
        """The number of steps that were generated."""
        return int(self.explorer.counters[self.kernel.GENERATED])

    def run(self, tree: SearchTree[Any, Any]) -> Iterator[tuple[Location, ...]]:
        """Yield each node before its next successor is generated, until there is a plan or nothing is left.

        With `improve`, the best plan is the incumbent of the tree meanwhile.
        """
        self.begin(tree)
        explorer, counters = self.explorer, self.explorer.counters
        while explorer.bound < inf:
            if self._state is None:  # or an expansion was broken off
                why = explorer.advance(tree.poll)
                self._show(tree)
                if why == self.control.FOUND:
                    if not self.improve:
                        return
                    enter_plan(self.problem, tree, explorer.plan(), only_better=True)
                    tree.details.setdefault("first plan", f"cost {tree.incumbent}")
                    counters[self.kernel.REPORTED] = explorer.goal_cost
                    if tree.incumbent == tree.lower_bound:
                        return
                    continue
                if why != self.control.WORKED:
                    return
                self._state = explorer.configuration(int(counters[self.kernel.HEAD]))
                explorer.left = True
            yield self._state
            explorer.advance(tree.poll)
            self._state = None
            self.expanded = self._repeated = self.expanded + 1
            self._show(tree)

    def _show(self, tree: SearchTree[Any, Any]) -> None:
        """Write the counters into the tree, and tell a recording of the nodes that were entered, each one once."""
        explorer, kernel, counters = self.explorer, self.kernel, self.explorer.counters
        tree.generated, tree.peak_frontier = self.generated, int(counters[kernel.PEAK])
        while tree.listener is not None and self._noted < counters[kernel.NODES]:
            number, parent = self._noted, int(explorer.nodes.links[self._noted, kernel.PARENT])
            above: dict[str, Any] = {} if parent < 0 else {"parent": explorer.configuration(parent)}
            node = explorer.configuration(number)
            tree.note("node", node=node, cost=int(explorer.nodes.costs[number, 0]), **above)
            self._noted += 1


@engine(
    "lacam",
    "lazy constraints addition for many robots: some plan, fast, and better ones (LaCAM*; Okumura 2023)",
    requires=(MultiAgent,),
    memory="own",
    arrivals=False,
    options=(
        Parameter(
            "improve",
            "the number of expansions after the first plan, in which LaCAM* looks for better plans; 0 for none",
            default=0,
            least=0,
            most=10**9,
        ),
    ),
)
def lazy_constraints_addition(
    problem: Any, tree: SearchTree[Any, Any], improve: int = 0
) -> Iterator[tuple[Location, ...]]:
    """Search configurations depth-first; generate successors one at a time, on demand (Okumura 2023).

    PIBT generates the first successor, in which each robot moves as near to its goal as earlier robots allow. Further
    successors are generated under constraints on the first robots of an order, until all steps have been tried.

    After the first plan, the search continues for `improve` expansions (LaCAM*; Okumura 2023b): it keeps all steps that
    it generates, so a cheaper way to a configuration makes all plans through it cheaper. It leaves out configurations
    that can't be part of a better plan, and begins again at the starts when it has come to one. The best plan is the
    incumbent meanwhile. If nothing is left to expand, no plan has smaller step costs, and the lower bound says so: a
    step costs 1 for each robot that is not at its goal both before and after it, or 1 if the objective is the makespan.

    Complete: it finds a plan if one exists, and ends on finite maps if none does, in the worst case after all
    configurations. Not optimal: the lower bound of the result is the cost if robots could not conflict. Time per
    expansion O(robots · neighbours).

    Raises `MissingExtraError` without the extra `fast`.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("crossing"), "lacam")
        >>> result.cost, result.lower_bound
        (69, 60)
        >>> solve(load("crossing"), "lacam", improve=200).cost
        62

    """
    if tree.frontier is None:
        tree.closed = set()  # no states of the problem
        tree.frontier = Exploration(problem, improve)
    exploration: Exploration = tree.frontier
    yield from exploration.run(tree)
    explorer = exploration.explorer
    if explorer.goal_cost is None:
        return
    if not improve:
        enter_plan(problem, tree, explorer.plan())
    elif not len(exploration):
        tree.lower_bound = max(tree.lower_bound, explorer.goal_cost)
    tree.finish(tree.goal)
