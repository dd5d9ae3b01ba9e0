"""Yen's algorithm for the k cheapest simple paths."""

from heapq import heappop, heappush
from itertools import accumulate
from math import inf
from typing import Any

from searchkit.basics.checks import step_costs
from searchkit.basics.rounding import SPARE, UNIT
from searchkit.engines import kit
from searchkit.plugin.options import Parameter
from searchkit.problem import Cost, Reversible
from searchkit.result import Solution
from searchkit.tree import SearchTree

K = Parameter("k", "how many paths to find", default=3, least=1)
PATIENCE = 4096
"""After how many expansions the search of a branch is put off until its bound is the least; then it has twice as many.

In a space without end, a branch may have no path.
"""
MOST_BACKWARD = 1 << 17
"""How many states the search from the goals closes at most."""


@kit.engine(
    "k_best",
    "the k cheapest simple paths (Yen 1971; Lawler 1972)",
    aliases=("k-best", "yen", "Yen's algorithm", "k shortest paths", "ksp"),
    optimal=True,
    heuristic="optional",
    arrivals=False,
    expands_once=False,
    options=(K,),
)
def yen(problem: kit.Problem, tree: kit.Tree, k: int = 3) -> kit.States:
    """Find the k cheapest simple paths, cheapest first (Yen 1971; Lawler 1972).

    A path begins in a start, ends in a goal and enters no state twice; it may lead through other starts and goals. Two
    paths differ if a state or an action differs. When a path is found, all other paths are divided by where they leave
    it: a branch has the paths that follow it up to one of its states, and then take another action, or end elsewhere.
    The cheapest path of a branch is found by A* (Dijkstra's algorithm without a heuristic) from that state; each branch
    is searched once (Lawler), and no further than k paths need. The cheapest of these candidates is the next path.

    A `Reversible` problem without a heuristic is searched from its goals first, by Dijkstra's algorithm, until a start
    is closed and as many states again: the costs from there to the goals are the heuristic.

    The solution is the cheapest path, and `solutions` has all that were found. The detail `simple paths` says if there
    are no more. Paths of the same cost come in the same order in every run.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic: no simple path that is missing
    costs less than one that was found. Time O(k·l) searches for paths of l states; memory that of one search, and
    O(k·l) for the candidates.

    Example:
        >>> from searchkit import load, solve
        >>> for path in solve(load("romania"), "k_best").solutions:
        ...     print(path.cost, *path.states)
        418 Arad Sibiu Rimnicu Pitesti Bucharest
        450 Arad Sibiu Fagaras Bucharest
        575 Arad Zerind Oradea Sibiu Rimnicu Pitesti Bucharest

    """
    is_goal, reached, cost = problem.is_goal, tree.reached, kit.cost_function(problem)
    heuristic, warns = kit.heuristic_function(problem), True
    if heuristic is None and isinstance(problem, Reversible):
        yield from _search_from_goals(problem, tree)
        heuristic, warns = _costs_to_goals(tree.backward), False

    def entry(g: Cost, h: Cost, number: int, state: Any) -> tuple[Cost, int, Cost, Cost, Any]:
        return g + h, -number, g, h, state

    if tree.frontier is None:
        starts = [
            (state, h) for state, h in kit.values_of(kit.distinct_starts(problem), heuristic) if h < inf
        ]
        tree.closed, agenda = set(), Agenda(k, starts)
        agenda.begin_branch(tree)
        tree.frontier = agenda
    agenda = tree.frontier
    while len(tree.paths) < k and agenda.branches:
        branch, heap, path = agenda.branches[-1], agenda.heap, None
        while heap and heap[0][0] < agenda.enough and agenda.spent < branch.patience:
            f, _, g, _, state = heap[0]
            if g > reached[state][0]:
                heappop(heap)
                continue
            if not tree.paths and not agenda.candidates:
                tree.lower_bound = f
            spur = state == branch.spur
            if not spur and is_goal(state):
                states, actions = tree.path_to(state)
                path = Path(states, actions, step_costs(problem, states, actions), agenda.values)
                break
            yield state
            generated, children = kit.expand(tree, state, g, problem.successors, cost, heuristic, entry)
            if spur:
                children = [one for one in children if (one[1][2], one[0]) not in branch.taken]
            if agenda.enough < inf:
                children = [one for one in children if one[2][0] < agenda.enough]
            if warns:
                kit.warn_of_reopening(problem, tree, tree.closed, children)
            heappop(heap)
            tree.closed.add(state)
            kit.write(tree, state, generated, children, Agenda.push)
            agenda.spent += 1
        agenda.end_branch(tree, path)
    if tree.paths:
        if len(tree.paths) < k:
            tree.details["simple paths"] = f"{len(tree.paths)}, and there are no more"
        agenda.enter(tree, agenda.first)
        tree.finish(tree.paths[0].goal)


def _search_from_goals(problem: Any, tree: kit.Tree) -> kit.States:
    """Search backwards from the goals, into `tree.backward`, whose `threshold` is how many states it closes."""
    turned, starts = kit.reverse(problem), kit.distinct_starts(problem)
    if tree.backward is None:
        goals = list(dict.fromkeys(turned.initial_states()))
        tree.backward = backward = SearchTree[Any, Any]()
        backward.start(*goals)
        backward.closed, backward.threshold = set(), MOST_BACKWARD
        backward.frontier = [(0, i, 0, goal) for i, goal in enumerate(goals)]
    half, cost = tree.backward, kit.cost_function(turned)
    while half.frontier and len(half.closed) < half.threshold:
        g, _, _, state = half.frontier[0]
        if state in half.closed:
            heappop(half.frontier)
            continue
        tree.growing = half
        yield state
        generated, children = kit.expand(tree, state, g, turned.successors, cost, None, kit.by_f, half=half)
        heappop(half.frontier)
        half.closed.add(state)
        if state in starts:
            half.threshold = min(half.threshold, 2 * len(half.closed))
        kit.write(tree, state, generated, children, half=half)
    half.lower_bound = half.frontier[0][0] if half.frontier else inf
    tree.growing = None


def _costs_to_goals(half: Any) -> kit.Heuristic:
    """Return a heuristic: the cost to a goal of a closed state, for others what those not closed cost at least."""
    reached, closed, least = half.reached, half.closed, half.lower_bound

    def heuristic(state: Any) -> Cost:
        h: Cost = reached[state][0] if state in closed else least
        is_rounded = isinstance(h, float) and h < inf  # by the sums forwards
        return h * (1 - 2 * SPARE * UNIT) if is_rounded else h

    return heuristic


class Path:
    """A path that was found, with the cost so far and the heuristic value of each of its states."""

    def __init__(self, states: Any, actions: Any, costs: Any, values: dict[Any, Cost]):
        self.steps = list(zip((None, *actions), states, strict=True))
        """For each state, the action that leads to it, and the state."""
        self.costs = list(accumulate(costs, initial=0))
        self.values = [values[state] for state in states]
        self.solution = Solution(states, actions, self.costs[-1])


class Branch:
    """The paths that begin with the first `length` states of a path, or in a start, without those that are known.

    They do not take the pairs (action, successor), or (None, start), that are `taken`. After `patience` expansions, the
    search is put off.
    """

    def __init__(self, path: Path | None, length: int, taken: tuple[Any, ...], patience: float = PATIENCE):
        self.path, self.length, self.taken, self.patience = path, length, taken, patience
        self.spur: Any = None if path is None else path.steps[length - 1][1]
        """The state in which they leave the path. They do not end in it: it is not a goal, or that path is known."""

    def divided(self, path: Path) -> "list[Branch]":
        """Return the other paths of this branch, by how many states they share with a path; the fewest come last."""
        first = Branch(self.path and path, self.length, (*self.taken, path.steps[self.length]), self.patience)
        later = [
            Branch(path, n, tuple(path.steps[n : n + 1])) for n in range(self.length + 1, len(path.steps) + 1)
        ]
        return [*reversed(later), first]


class Agenda:
    """The open states of the branch that is searched (the last one), the branches to come, and the candidates."""

    def __init__(self, k: int, starts: list[tuple[Any, Cost]]):
        self.k, self.starts = k, starts
        self.heap: list[tuple[Cost, float, Cost, Cost, Any]] = []
        """f, a number that breaks ties (the last in is the first), g, h, state."""
        self.values: dict[Any, Cost] = {}
        """The heuristic values of the states reached."""
        self.branches = [Branch(None, 0, (), inf)]
        self.candidates: list[tuple[Cost, bool, int, Path | None, Branch]] = []
        """A heap: cost, whether it is the bound of a branch that was put off, a number, path, branch."""
        self.enough: Cost = inf
        """No path of this cost or more is needed: there are candidates for all that are still to be found."""
        self.spent = 0
        """The expansions in the branch that is searched."""
        self.number = 0
        self.first: Path | None = None
        """The cheapest path."""

    def __len__(self) -> int:
        return len(self.heap)

    def push(self, entry: tuple[Cost, float, Cost, Cost, Any]) -> None:
        """Add an open state."""
        heappush(self.heap, entry)
        self.values[entry[-1]] = entry[3]

    def begin_branch(self, tree: kit.Tree) -> None:
        """Begin the search of the last branch: enter the states that its paths share, or the starts."""
        branch, wanted = self.branches[-1], self.k - len(tree.paths)
        costs = sorted(cost for cost, put_off, *_ in self.candidates if not put_off)
        self.enough = costs[wanted - 1] if len(costs) >= wanted else inf
        self.spent = 0
        self.heap.clear()
        self.enter(tree, branch.path, branch.length)
        if branch.path is not None:
            g, h = branch.path.costs[branch.length - 1], branch.path.values[branch.length - 1]
            self.push((g + h, 0, g, h, branch.spur))
            return
        starts = [(state, h) for state, h in self.starts if (None, state) not in branch.taken]
        tree.start(*(state for state, _ in starts))
        for i, (state, h) in enumerate(starts, -len(starts)):
            self.push((h, -i, 0, h, state))

    def enter(self, tree: kit.Tree, path: Path | None, length: int | None = None) -> None:
        """Enter the first states of a path, or all of them, into the tree; nothing else stays."""
        tree.reached.clear()
        tree.closed.clear()
        self.values.clear()
        parent = None
        for (action, state), g, h in (
            zip(path.steps[:length], path.costs, path.values, strict=False) if path else ()
        ):
            tree.reached[state], self.values[state] = (g, parent, action), h
            parent = state

    def end_branch(self, tree: kit.Tree, path: Path | None) -> None:
        """Keep the path that was found as a candidate, or put the branch off; then begin the next branch.

        If none is left, the best candidate is the next path: the others of its branch are divided.
        """
        branch = self.branches.pop()
        self.number += 1
        if path is not None:
            heappush(self.candidates, (path.solution.cost, False, self.number, path, branch))
        elif self.heap and self.heap[0][0] < self.enough:
            later = Branch(branch.path, branch.length, branch.taken, 2 * branch.patience)
            heappush(self.candidates, (self.heap[0][0], True, self.number, None, later))
        if not self.branches and self.candidates:
            _, _, _, best, branch = heappop(self.candidates)
            self.branches = [branch] if best is None else branch.divided(best)
            if best is not None:
                tree.paths.append(best.solution)
                self.first = self.first or best
                cost = best.solution.cost
                tree.note("path", f"path {len(tree.paths)}", state=best.solution.goal, cost=cost)
                if len(tree.paths) == 1:
                    tree.lower_bound = cost
        if self.branches and len(tree.paths) < self.k:
            self.begin_branch(tree)
