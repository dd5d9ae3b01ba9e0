"""Yen's algorithm for the k cheapest simple paths."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import accumulate
from math import inf
from typing import Any

from attrs import define, evolve, field, frozen

from searchkit.basics.checks import step_costs
from searchkit.engines.kit import (
    cost_function,
    distinct_starts,
    engine,
    expand,
    heuristic_function,
    values_of,
    warn_of_inconsistency,
    write,
)
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Solution
from searchkit.tree import SearchTree


def read_k(value: object) -> int:
    """Read a whole number ≥ 1. Raises ValueError."""
    k = int(value)  # type: ignore[call-overload]  # what it can't read raises
    if k < 1 or k != (float(value) if isinstance(value, str | float) else value):
        raise ValueError("expected a whole number ≥ 1")
    return int(k)


K = Parameter("k", "how many paths to find, a whole number ≥ 1", default=3, convert=read_k)


PATIENCE = 4096
"""After how many expansions the search of a branch is put off until its bound is the least; then it has twice as many.

In a space without end, a branch may have no path.
"""


@engine(
    "k_best",
    "the k cheapest simple paths (Yen 1971; Lawler 1972)",
    aliases=("k-best", "yen", "Yen's algorithm", "k shortest paths", "ksp"),
    optimal=True,
    heuristic="optional",
    arrivals=False,
    expands_once=False,
    options=(K,),
)
def yen(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], k: int = 3
) -> Iterator[State]:
    """Find the k cheapest simple paths, cheapest first (Yen 1971; Lawler 1972).

    A path begins in a start, ends in a goal and enters no state twice; it may lead through other starts and goals. Two
    paths differ if a state or an action differs. When a path is found, all other paths are divided by where they leave
    it: a branch has the paths that follow it up to one of its states, and then take another action, or end elsewhere.
    The cheapest path of a branch is found by A* (Dijkstra's algorithm without a heuristic) from that state; each branch
    is searched once (Lawler), and no further than k paths need. The cheapest of these candidates is the next path.

    The solution is the cheapest path, and `solutions` has all that were found. The detail `simple paths` says if there
    are no more. Paths of the same cost come in the same order in every run.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic: no simple path that is missing
    costs less than one that was found. Time O(k·l) searches for paths of l states; memory that of one search, and
    O(k·l) for the candidates.

    Example:
        >>> from searchkit import problem_from, solve
        >>> roads = {"A": {"B": 1, "C": 2}, "B": {"C": 2, "D": 4}, "C": {"B": 1, "D": 3}, "D": {}}
        >>> problem = problem_from(["A"], lambda town: [(to, to) for to in roads[town]], lambda town: town == "D",
        ...                        cost=lambda town, road, to: roads[town][to])
        >>> for path in solve(problem, "k_best", k=3).solutions:
        ...     print(path.cost, *path.states)
        5 A B D
        5 A C D
        6 A B C D

    """
    is_goal, reached, cost = problem.is_goal, tree.reached, cost_function(problem)
    heuristic = heuristic_function(problem)
    if tree.frontier is None:
        starts = [(state, h) for state, h in values_of(distinct_starts(problem), heuristic) if h < inf]
        agenda, tree.closed = Agenda(k, starts), set()
        agenda.begin_branch(tree)
        tree.frontier = agenda
    agenda = tree.frontier
    heap, push = agenda.heap, agenda.push
    while True:
        branch, goal = agenda.branches[-1], None
        while heap and goal is None and heap[0][0] < agenda.enough and agenda.spent < branch.patience:
            f, _, g, h, state = heap[0]
            if g > reached[state][0]:
                heappop(heap)
                continue
            if not tree.paths and not agenda.candidates:
                tree.lower_bound = f
            spur = state == branch.spur
            if not spur and is_goal(state):
                goal = state
                continue
            if len(heap) > tree.peak_frontier:
                tree.peak_frontier = len(heap)
            yield state
            generated, arrivals = expand(tree, state, g, problem.successors, cost, heuristic)
            children = []
            for number, action, child, new_g, h in arrivals:
                if spur and (action, child) in branch.taken:
                    continue
                if child in tree.closed and not tree.warnings:
                    warn_of_inconsistency(problem, tree, state, action, child)
                entry = new_g + h, -number, new_g, h, child
                children.append((child, (new_g, state, action), entry))
            heappop(heap)
            write(tree, state, generated, children, push)
            agenda.spent += 1
        agenda.end_branch(tree, None if goal is None else _path(problem, tree, goal))
        if len(tree.paths) == k or not agenda.branches:
            break
        agenda.begin_branch(tree)
    if tree.paths:
        if len(tree.paths) < k:
            tree.details["simple paths"] = f"{len(tree.paths)}, and there are no more"
        agenda.enter(tree, agenda.first)
        tree.finish(tree.paths[0].goal)


@frozen(eq=False)
class Found:
    """A path, with the cost so far and the heuristic value of each of its states."""

    solution: Solution[Any, Any]
    costs: tuple[Cost, ...]
    values: tuple[Cost, ...]


@frozen(eq=False)
class Branch:
    """The paths that begin with the first `length` states of a path, without those that are known."""

    path: Found | None
    length: int
    taken: tuple[Any, ...]
    """The pairs (action, successor) that they do not take next; without a path, the pairs (None, start)."""
    patience: float = PATIENCE
    """After how many expansions it is put off."""

    @property
    def spur(self) -> Any:
        """The state in which they leave the path; None, which is no state, if they only have another start.

        They do not end in it: either it is not a goal, or the path that ends in it is known.
        """
        return None if self.path is None else self.path.solution.states[self.length - 1]


@define(eq=False)
class Agenda:
    """The open states of the branch that is searched (the last one), the branches to come, and the candidates."""

    k: int
    starts: list[tuple[Any, Cost]]
    """The starts and their heuristic values."""
    heap: list[tuple[Cost, float, Cost, Cost, Any]] = field(factory=list)
    """f, a number that breaks ties (the last in is the first), g, h, state."""
    values: dict[Any, Cost] = field(factory=dict)
    """The heuristic values of the states reached."""
    branches: list[Branch] = field(factory=lambda: [Branch(None, 0, (), inf)])
    candidates: list[tuple[Cost, bool, int, Found | None, Branch]] = field(factory=list)
    """A heap: cost, whether it is the bound of a branch that was put off, a number that breaks ties, path, branch."""
    enough: Cost = inf
    """No path of this cost or more is needed: there are candidates for all that are still to be found."""
    spent: int = 0
    """The expansions in the branch that is searched."""
    number: int = 0
    first: Found | None = None
    """The cheapest path."""

    def push(self, entry: tuple[Cost, float, Cost, Cost, Any]) -> None:
        """Add an open state."""
        heappush(self.heap, entry)
        self.values[entry[-1]] = entry[3]

    def begin_branch(self, tree: SearchTree[Any, Any]) -> None:
        """Begin the search of the last branch: enter the states that its paths share, or the starts."""
        branch, wanted = self.branches[-1], self.k - len(tree.paths)
        costs = sorted(cost for cost, put_off, *_ in self.candidates if not put_off)
        self.enough = costs[wanted - 1] if len(costs) >= wanted else inf
        self.spent = 0
        self.heap.clear()
        if branch.path is None:
            self.leave(tree)
            starts = [(state, h) for state, h in self.starts if (None, state) not in branch.taken]
            for number, (state, h) in enumerate(starts):
                tree.start(state)
                self.push((h, len(starts) - number, 0, h, state))
        else:
            self.enter(tree, branch.path, branch.length)
            g, h = branch.path.costs[branch.length - 1], branch.path.values[branch.length - 1]
            heappush(self.heap, (g + h, 0, g, h, branch.spur))

    def enter(self, tree: SearchTree[Any, Any], path: Found | None, length: int | None = None) -> None:
        """Enter the first states of a path, or all of them, into the tree; nothing else stays."""
        assert path is not None
        self.leave(tree)
        states, actions = path.solution.states[:length], (None, *path.solution.actions)
        for number, state in enumerate(states):
            tree.reached[state] = path.costs[number], states[number - 1] if number else None, actions[number]
        self.values.update(zip(states, path.values, strict=False))

    def leave(self, tree: SearchTree[Any, Any]) -> None:
        """Forget the states that were reached."""
        tree.reached.clear()
        tree.closed.clear()
        self.values.clear()

    def end_branch(self, tree: SearchTree[Any, Any], path: tuple[Any, ...] | None) -> None:
        """Keep the path that was found as a candidate, or put the branch off; if no branch is left, take the best."""
        branch = self.branches.pop()
        self.number += 1
        if path is not None:
            states, actions, costs = path
            values = tuple(self.values[state] for state in states)
            found = Found(Solution(states, actions, costs[-1]), costs, values)
            heappush(self.candidates, (costs[-1], False, self.number, found, branch))
        elif self.heap and self.heap[0][0] < self.enough:
            later = evolve(branch, patience=2 * branch.patience)
            heappush(self.candidates, (self.heap[0][0], True, self.number, None, later))
        if not self.branches and self.candidates:
            _, _, _, best, branch = heappop(self.candidates)
            self.branches = [branch] if best is None else _divided(best, branch)
            if best is not None:
                tree.paths.append(best.solution)
                self.first = self.first or best
                cost = best.solution.cost
                tree.note("path", f"path {len(tree.paths)}", state=best.solution.goal, cost=cost)
                if len(tree.paths) == 1:
                    tree.lower_bound = cost


def _path(problem: Any, tree: SearchTree[Any, Any], goal: Any) -> tuple[Any, ...]:
    """Return the states and the actions of the path to a goal, and the cost so far of each state."""
    states, actions = tree.path_to(goal)
    return states, actions, tuple(accumulate(step_costs(problem, states, actions), initial=0))


def _divided(path: Found, branch: Branch) -> list[Branch]:
    """Divide the other paths of a branch by how many states they share with this one; the fewest come last."""
    states, actions = path.solution.states, (None, *path.solution.actions)
    steps = [(action, state) for action, state in zip(actions, states, strict=True)]
    first = Branch(
        branch.path and path, branch.length, (*branch.taken, steps[branch.length]), branch.patience
    )
    later = [Branch(path, length, (steps[length],)) for length in range(branch.length + 1, len(states))]
    return [Branch(path, len(states), ()), *reversed(later), first]
