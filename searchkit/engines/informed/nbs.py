"""Near-optimal bidirectional heuristic search."""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import define, field

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.basics.rounding import exceeds
from searchkit.engines.kit import (
    check_heuristic_value,
    cost_function,
    distinct_starts,
    join,
    meet,
    warn_of_inconsistency,
)
from searchkit.problem import Action, BackwardHeuristic, Cost, Reversible, SearchProblem, State, has_heuristic
from searchkit.tree import SearchTree


def nbs(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand both states of the pair (u, v) with the least lower bound lb (Chen, Holte, Zilles and Sturtevant 2017).

    u is open in the half that grows from the starts and v in the one that grows from the goals. No path through both
    costs less than lb(u, v) = max(f(u), f(v), g(u) + g(v) + ε), where ε, the least cost of an action, is 1 for a
    problem without costs and 0 for others. Of the pairs with the least lb, the one with the least g(u), then g(v), is
    chosen. The search ends when the best meeting costs no more than the least lb.

    The forward half uses `heuristic`, the backward half `backward_heuristic` (`BackwardHeuristic`); either is 0 where
    the problem has none. Both are front-to-end: estimates to the goals and from the starts.

    For `Reversible` problems. Complete where costs are bounded away from 0; optimal for all admissible heuristics: a
    state that is reached more cheaply is opened again. Every admissible algorithm that knows nothing more has to expand
    u forwards or v backwards for each pair with lb(u, v) below the optimum. With consistent heuristics, this one makes
    at most twice as many expansions below the optimum as the fewest that do so. Memory O(states reached).

    Example:
        >>> from searchkit import SearchProblem, solve
        >>> class Line(SearchProblem[int, int]):
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [30]
        ...     def is_goal(self, x): return x == 30
        ...     def successors(self, x): return [(step, x + step) for step in (-1, 1, 3)]
        ...     def predecessors(self, x): return [(step, x - step) for step in (-1, 1, 3)]
        ...     def heuristic(self, x): return abs(30 - x) / 3
        ...     def backward_heuristic(self, x): return abs(x) / 3
        >>> result = solve(Line(), "nbs")
        >>> result.cost, result.statistics.expanded, solve(Line(), "bidirectional").statistics.expanded
        (10, 10, 32)

    """
    assert isinstance(problem, Reversible)
    cost, epsilon = cost_function(problem), 0 if cost_function(problem) else 1
    ahead = problem.heuristic if has_heuristic(problem) else _zero
    behind = problem.backward_heuristic if isinstance(problem, BackwardHeuristic) else _zero
    if tree.frontier is None:
        _enter_both_ends(problem, tree, ahead, behind)
    backward = tree.backward
    assert backward is not None
    ends = (tree, backward, problem.successors, ahead), (backward, tree, problem.predecessors, behind)
    while tree.frontier.chosen or backward.frontier.chosen or _choose_pair(tree, backward, epsilon):
        for half, other, neighbours, heuristic in ends:
            frontier, reached, closed = half.frontier, half.reached, half.closed
            assert closed is not None
            if not frontier.chosen:
                continue  # expanded before a pause
            state = frontier.chosen[0]
            g, forward = reached[state][0], half is tree
            tree.growing = half
            yield state
            generated = tree.generated
            for action, successor in neighbours(state):
                generated += 1
                before, after = (state, successor) if forward else (successor, state)
                step = 1 if cost is None else cost(before, action, after)
                if not 0 <= step < inf:
                    raise invalid_cost(before, action, after, step)
                new_g = g + step
                if successor in reached and new_g >= reached[successor][0]:
                    continue
                h = heuristic(successor)
                if not 0 <= h < inf:
                    check_heuristic_value(successor, h)
                    continue  # a dead end
                if new_g + h == inf:
                    raise cost_overflow_error(successor)
                if successor in closed:
                    if not tree.reopened:
                        _warn(problem, tree, half, state, action, successor)
                    closed.remove(successor)
                    tree.reopened += 1
                reached[successor] = (new_g, state, action)
                heappush(frontier.waiting, (new_g + h, generated, new_g, successor))
                if successor in other.reached:
                    meet(tree, successor, new_g + other.reached[successor][0])
            closed.add(state)
            frontier.chosen.clear()
            tree.generated = generated
    if tree.incumbent is not None:
        goal = join(problem, tree, backward)
        tree.lower_bound = _proved(tree, backward, goal, behind)
        tree.finish(goal)


@define(eq=False)
class Open:
    """The open states of one half: those with f above the bound wait, in order of f; the others are in order of g."""

    waiting: list[tuple[Cost, int, Cost, Any]] = field(factory=list)
    """f, a number that breaks ties, g, state."""
    ready: list[tuple[Cost, int, Any]] = field(factory=list)
    """g, the same number, state."""
    chosen: list[Any] = field(factory=list)
    """The state of the chosen pair, until it is expanded."""

    def prepare(self, half: SearchTree[Any, Any], bound: Cost) -> None:
        """Move the states with f up to the bound to `ready`; drop entries of states that are reached more cheaply."""
        waiting, ready, reached = self.waiting, self.ready, half.reached
        while waiting and (waiting[0][0] <= bound or waiting[0][2] > reached[waiting[0][3]][0]):
            _, number, g, state = heappop(waiting)
            if g == reached[state][0]:
                heappush(ready, (g, number, state))
        while ready and ready[0][0] > reached[ready[0][2]][0]:
            heappop(ready)

    def __len__(self) -> int:
        return len(self.waiting) + len(self.ready)

    def __bool__(self) -> bool:
        return bool(self.waiting or self.ready or self.chosen)


def _zero(state: object) -> Cost:
    return 0


def _enter_both_ends(problem: Any, tree: SearchTree[Any, Any], ahead: Any, behind: Any) -> None:
    """Begin the two halves. A start that is a goal is a meeting."""
    starts = {state: ahead(state) for state in distinct_starts(problem)}
    goals = {state: behind(state) for state in problem.goal_states()}
    for state in starts:
        tree.start(state)
    backward: SearchTree[Any, Any] = SearchTree()
    tree.backward = backward
    for state in goals:
        backward.start(state)
        if state in tree.reached:
            meet(tree, state, 0)
    for half, values in ((tree, starts), (backward, goals)):
        half.closed, frontier = set(), Open()
        for index, (state, h) in enumerate(values.items()):
            if not 0 <= h < inf:
                check_heuristic_value(state, h)
                continue
            heappush(frontier.waiting, (h, index - len(values), 0, state))
        half.frontier = frontier


def _choose_pair(tree: SearchTree[Any, Any], backward: SearchTree[Any, Any], epsilon: Cost) -> bool:
    """Choose the open pair with the least lb, which becomes the lower bound; return False if there is none to expand.

    A pair below the bound appears only if a heuristic is inconsistent. The bound never falls.
    """
    ahead, behind = tree.frontier, backward.frontier
    bound = tree.lower_bound
    while tree.incumbent is None or bound < tree.incumbent:
        tree.lower_bound = bound
        ahead.prepare(tree, bound)
        behind.prepare(backward, bound)
        if not (ahead and behind):
            return False
        sums = [ahead.ready[0][0] + behind.ready[0][0] + epsilon] if ahead.ready and behind.ready else []
        if sums and sums[0] <= bound:
            tree.peak_frontier = max(tree.peak_frontier, len(ahead) + len(behind))
            for frontier in (ahead, behind):
                frontier.chosen.append(heappop(frontier.ready)[2])
            return True
        bound = min([*sums, *(frontier.waiting[0][0] for frontier in (ahead, behind) if frontier.waiting)])
    return False


def _warn(problem: Any, tree: Any, half: Any, state: Any, action: Any, successor: Any) -> None:
    """Add a warning that the heuristic of one half is inconsistent."""
    if half is tree:
        warn_of_inconsistency(problem, tree, state, action, successor)
        return
    tree.warnings.append(
        f"backward_heuristic is inconsistent: a cheaper path from {successor!r} was found after it was expanded"
    )


def _proved(tree: Any, backward: Any, goal: Any, behind: Any) -> Cost:
    """Return the bound that is proved when the search ends: the cost, unless the backward heuristic overestimates."""
    cost: Cost = tree.reached[goal][0]
    for length, state in enumerate(tree.path_to(goal)[0]):
        h, g = behind(state), tree.reached[state][0]
        if exceeds(h, g, length, cost):
            tree.warnings.append(
                f"backward_heuristic is not admissible: backward_heuristic({state!r}) is {h}, but a path of cost {g} "
                "leads there from a start; a cheaper path than this one may exist"
            )
            return min(cost, sum(_least_open(half) for half in (tree, backward)))
    return cost


def _least_open(half: Any) -> Cost:
    return min((arrival[0] for state, arrival in half.reached.items() if state not in half.closed), default=0)
