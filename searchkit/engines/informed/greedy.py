"""Greedy best-first search."""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from math import inf

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.engines.kit import check_heuristic_value, cost_function, enter_starts_with_heuristic, put_back
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


def greedy(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], ties: str = "high-g"
) -> Iterator[State]:
    """Expand the state with the least h, whatever it cost to reach it (Doran and Michie 1966).

    Every state keeps its first arrival. Often fast; the path may cost any multiple of the optimum.

    Complete on finite spaces; not optimal. Time and memory O(states).

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     heuristic=lambda x: abs(4 - x))
        >>> solve(line, "greedy").solution.actions
        ('right', 'right', 'right', 'right')

    """
    successors, is_goal, heuristic = problem.successors, problem.is_goal, problem.heuristic
    cost, reached = cost_function(problem), tree.reached
    high_g, order = ties == "high-g", 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts = enter_starts_with_heuristic(problem, tree, heuristic)
        tree.closed = set()
        tree.frontier = [
            (h, 0, order * (index - len(starts)), state) for index, (state, h) in enumerate(starts)
        ]
        heapify(tree.frontier)
        tree.lower_bound = tree.frontier[0][0] if tree.frontier else inf
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    assert closed is not None
    while frontier:
        entry = _, _, _, state = frontier[0]
        if state in closed:
            heappop(frontier)
            continue
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        g = reached[state][0]
        try:
            for action, successor in successors(state):
                generated += 1
                if successor not in reached:
                    step = 1 if cost is None else cost(state, action, successor)
                    if not 0 <= step < inf:
                        raise invalid_cost(state, action, successor, step)
                    h = heuristic(successor)
                    if not 0 <= h < inf:
                        check_heuristic_value(successor, h)
                        continue  # a dead end
                    if g + step == inf:
                        raise cost_overflow_error(successor)
                    reached[successor] = (g + step, state, action)
                    rank = -(g + step) if high_g else 0
                    heappush(frontier, (h, rank, order * generated, successor))
        except BaseException:
            put_back(frontier, entry)
            raise
        closed.add(state)
        tree.generated = generated
    return None
