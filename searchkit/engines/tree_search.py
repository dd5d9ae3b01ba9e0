"""Tree search: it does not recognise a state that it has reached before, to show why the engines do."""

from heapq import heappop, heappush
from typing import Any

from searchkit.engines import kit
from searchkit.errors import InvalidOptionError
from searchkit.tree import SearchTree

NONE_REACHED = SearchTree[Any, Any]()
ORDERS = ("breadth-first", "depth-first", "uniform-cost", "astar")


def tree_search(problem: kit.Problem, tree: kit.Tree, order: str = "astar") -> kit.States:
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
    cost, reached = kit.cost_function(problem), tree.reached
    heuristic = kit.heuristic_function(problem) if order == "astar" else None
    best_first = order in ("uniform-cost", "astar")
    if tree.frontier is None:
        starts = kit.enter_starts_with_heuristic(problem, tree, heuristic)
        tree.frontier = sorted((h, i, 0, 0, start) for i, (start, h) in enumerate(starts, -len(starts)))
    frontier = tree.frontier
    while frontier:
        f, _, depth, g, state = frontier[0]
        if best_first:
            tree.lower_bound = f
        if problem.is_goal(state):
            return tree.finish(state)
        tree.peak_frontier = max(tree.peak_frontier, len(frontier))
        yield state
        generated, children = kit.expand(
            tree, state, g, problem.successors, cost, heuristic, half=NONE_REACHED
        )
        heappop(frontier)
        tree.generated = generated
        for child, arrival, (number, h) in children:
            new_g = arrival[0]
            if child not in reached or new_g < reached[child][0]:
                reached[child] = arrival
            key = new_g + h if best_first else depth + 1 if order == "breadth-first" else -depth - 1
            heappush(frontier, (key, -number if best_first else number, depth + 1, new_g, child))
    return None
