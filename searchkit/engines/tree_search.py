"""Tree search: engines that do not recognise a state when they meet it again, to show why the others do."""

from collections import deque
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from math import inf

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.engines.kit import (
    check_heuristic_value,
    cost_function,
    enter_starts,
    enter_starts_with_heuristic,
    warn_of_inconsistency,
)
from searchkit.plugin.specs import Parameter, boolean
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree

TREE_SEARCH = Parameter(
    "tree_search",
    "whether to expand a state on every path that leads to it, as if it were never met before; where there are cycles, "
    "give a limit too",
    default=False,
    convert=boolean,
    python_only=True,
)
"""The option `tree_search`, for `EngineSpec.options`."""


def breadth_first_tree(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action]
) -> Iterator[State]:
    """Expand every path of d actions before any of d + 1.

    `tree.reached` has the first arrival at each state, for the path of the result. The search does not look it up, so
    that it does not end where there are cycles and no goal.
    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    if tree.frontier is None:
        starts, tree.closed = enter_starts(problem, tree), set()
        for state in starts:
            if is_goal(state):
                return tree.finish(state)
        tree.frontier = deque((0, state) for state in starts)
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    assert closed is not None
    while frontier:
        depth, state = frontier[0]
        tree.lower_bound = depth + 1
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        children = []
        for action, successor in successors(state):
            generated += 1
            goal = is_goal(successor)
            reached.setdefault(successor, (depth + 1, state, action))
            if goal:
                tree.generated = generated
                return tree.finish(successor)
            children.append((depth + 1, successor))
        frontier.popleft()
        frontier.extend(children)
        closed.add(state)
        tree.generated = generated
    return None


def depth_first_tree(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action]
) -> Iterator[State]:
    """Expand the deepest state first, even if it is on the path to itself: this never ends where a cycle comes first.

    `tree.reached` has the current path. Of a state that is on it several times, it has the first arrival.
    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    if tree.frontier is None:
        starts = enter_starts(problem, tree)
        tree.frontier = [(0, state, (0, None, None)) for state in reversed(starts)]
    frontier, generated = tree.frontier, tree.generated
    while frontier:
        depth, state, arrival = frontier[-1]
        while reached and next(reversed(reached.values()))[0] >= depth:  # go back to the parent of this state
            reached.popitem()
        reached.setdefault(state, arrival)
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        depth += 1
        children = []
        for action, successor in successors(state):
            generated += 1
            children.append((depth, successor, (depth, state, action)))
        frontier.pop()
        frontier.extend(reversed(children))
        tree.generated = generated
    return None


def best_first_tree(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    ties: str,
    heuristic: Callable[[State], Cost] | None,
) -> Iterator[State]:
    """Expand the path with the least f = g + h, whether its state was expanded before or not; h is 0 if it is None.

    `tree.reached` has the cheapest arrival at each state, for the path of the result, and `tree.closed` the states that
    were expanded at that cost. The search does not look them up, so that it does not end where there are cycles and
    no goal. A state that was expanded and is reached more cheaply counts as reopened.
    """
    successors, is_goal = problem.successors, problem.is_goal
    cost, reached = cost_function(problem), tree.reached
    high_g, low_h, order = ties == "high-g", ties == "low-h", 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts = enter_starts_with_heuristic(problem, tree, heuristic)
        tree.closed = set()
        tree.frontier = [
            (h, h if low_h else 0, order * (index - len(starts)), 0, state)
            for index, (state, h) in enumerate(starts)
        ]
        heapify(tree.frontier)
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    assert closed is not None
    while frontier:
        f, _, _, g, state = frontier[0]
        tree.lower_bound = f
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        children = []
        for action, successor in successors(state):
            generated += 1
            step = 1 if cost is None else cost(state, action, successor)
            if not 0 <= step < inf:
                raise invalid_cost(state, action, successor, step)
            h = 0 if heuristic is None else heuristic(successor)
            if not 0 <= h < inf:
                check_heuristic_value(successor, h)
                continue  # a dead end
            new_g = g + step
            if new_g + h == inf:
                raise cost_overflow_error(successor)
            arrival = reached.get(successor)
            if arrival is None or new_g < arrival[0]:
                if successor in closed:
                    if not tree.reopened:
                        warn_of_inconsistency(problem, tree, state, action, successor)
                    closed.remove(successor)
                    tree.reopened += 1
                reached[successor] = (new_g, state, action)
            rank = -new_g if high_g else h if low_h else 0
            children.append((new_g + h, rank, order * generated, new_g, successor))
        heappop(frontier)
        for child in children:
            heappush(frontier, child)
        if g == reached[state][0]:
            closed.add(state)
        elif state not in closed:  # it is still to be expanded at the least cost
            tree.reopened += 1
        tree.generated = generated
    return None
