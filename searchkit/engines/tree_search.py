"""Tree search: it does not recognise a state that it has reached before, to show why the engines do."""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

from searchkit.engines.kit import (
    POLL_EVERY,
    checked_cost,
    cost_function,
    distinct_starts,
    heuristic_function,
    values_of,
)
from searchkit.errors import InvalidOptionError
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree

ORDERS = ("breadth-first", "depth-first", "uniform-cost", "astar")


def tree_search(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], order: str = "astar"
) -> Iterator[State]:
    """Expand every path, whether its last state was expanded before or not (Russell and Norvig, ch. 3).

    Of the paths in the frontier, the next is the shortest (`order="breadth-first"`), the longest (`depth-first`), the
    cheapest (`uniform-cost`) or the one with the least f = g + h (`astar`; h is 0 without a heuristic).

    It is not registered by name, because it does not end where there are cycles and no goal: pass the function itself,
    and a limit. `tree.reached` has the cheapest arrival at each state, for the path of the result; the search does not
    look it up to decide what to expand.

    Optimal as `uniform-cost`, and as `astar` for every admissible heuristic. Time and memory O(number of paths).

    Example:
        >>> from searchkit import problem_from, solve
        >>> from searchkit.engines.tree_search import tree_search
        >>> ring = problem_from([0], lambda n: [("+1", (n + 1) % 9), ("-1", (n - 1) % 9)], lambda n: n == 4)
        >>> [solve(ring, engine).statistics.expanded for engine in ("dijkstra", tree_search)]
        [7, 20]

    """
    if order not in ORDERS:
        raise InvalidOptionError(f"order={order!r}: expected one of {', '.join(ORDERS)}")
    cost, reached = cost_function(problem), tree.reached
    heuristic = heuristic_function(problem) if order == "astar" else None
    best_first = order in ("uniform-cost", "astar")
    if tree.frontier is None:
        starts = values_of(distinct_starts(problem), heuristic)
        tree.start(*(state for state, _ in starts))
        tree.frontier = sorted(
            (h, place - len(starts), 0, 0, state) for place, (state, h) in enumerate(starts) if h < inf
        )
    frontier = tree.frontier
    while frontier:
        f, _, depth, g, state = frontier[0]
        if best_first:
            tree.lower_bound = f
        if problem.is_goal(state):
            return tree.finish(state)
        tree.peak_frontier = max(tree.peak_frontier, len(frontier))
        yield state
        children, generated = [], tree.generated
        for action, child in problem.successors(state):
            generated += 1
            if not generated % POLL_EVERY:
                tree.poll()
            step: Cost = 1 if cost is None else checked_cost(state, action, child, cost(state, action, child))
            children.append((generated, action, child, g + step))
        values = values_of((child for _, _, child, _ in children), heuristic)
        heappop(frontier)
        tree.generated = generated
        for (number, action, child, new_g), (_, h) in zip(children, values, strict=True):
            if h == inf:
                continue  # a dead end
            if child not in reached or new_g < reached[child][0]:
                reached[child] = (new_g, state, action)
            key = new_g + h if best_first else depth + 1 if order == "breadth-first" else -depth - 1
            heappush(frontier, (key, -number if best_first else number, depth + 1, new_g, child))
    return None
