"""Dijkstra's algorithm, also called uniform-cost search."""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from math import inf

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.engines.kit import cost_function, enter_starts, put_back
from searchkit.engines.tree_search import best_first_tree
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


def dijkstra(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    ties: str = "high-g",
    tree_search: bool = False,
) -> Iterator[State]:
    """Expand the state with the least cost so far, g (Dijkstra 1959).

    A state may be in the queue several times. Only its cheapest entry is expanded; the others are dropped when they
    come first. Each state is expanded once, so that the closed set can be a list. With
    `tree_search` no entry is dropped, and a state is expanded on every path to it.

    Complete where costs are bounded away from 0; optimal for all costs ≥ 0. Time O(m log m) for m
    actions from the states no further than the goal; memory O(m).

    Example:
        >>> from searchkit import problem_from, solve
        >>> roads = {"A": {"B": 7, "C": 2}, "C": {"B": 3}, "B": {}}
        >>> problem = problem_from(
        ...     "A".split(), lambda town: [(to, to) for to in roads[town]],
        ...     lambda town: town == "B", cost=lambda town, road, to: roads[town][to])
        >>> result = solve(problem, "dijkstra")
        >>> result.cost, result.solution.states
        (5, ('A', 'C', 'B'))

    """
    if tree_search:
        yield from best_first_tree(problem, tree, ties, None)
        return None
    successors, is_goal, cost = problem.successors, problem.is_goal, cost_function(problem)
    reached, order = tree.reached, 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts = enter_starts(problem, tree)
        tree.closed = []
        tree.frontier = [(0, order * (index - len(starts)), state) for index, state in enumerate(starts)]
        heapify(tree.frontier)
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    while frontier:
        entry = g, _, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        tree.lower_bound = g
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        try:
            heappop(frontier)
            for action, successor in successors(state):
                generated += 1
                if cost is None:
                    new_g = g + 1
                else:
                    step = cost(state, action, successor)
                    if not 0 <= step < inf:
                        raise invalid_cost(state, action, successor, step)
                    new_g = g + step
                arrival = reached.get(successor)
                if arrival is None or new_g < arrival[0]:
                    if new_g == inf:
                        raise cost_overflow_error(successor)
                    reached[successor] = (new_g, state, action)
                    heappush(frontier, (new_g, order * generated, successor))
        except BaseException:
            put_back(frontier, entry)
            raise
        closed.append(state)
        tree.generated = generated
    return None
