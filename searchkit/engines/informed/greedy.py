"""Greedy best-first search."""

from heapq import heappop
from math import inf
from typing import Any

from searchkit.engines import kit


@kit.engine(
    "greedy",
    "greedy best-first: least heuristic (Doran and Michie 1966)",
    aliases=("gbfs", "greedy best-first", "best-first", "greedy best-first search"),
    complete=False,
    heuristic="required",
    options=(kit.TIES,),
    kernel="greedy",
)
def greedy(problem: kit.Problem, tree: kit.Tree, ties: str = "high-g") -> kit.States:
    """Expand the state with the least h, whatever it cost to reach it (Doran and Michie 1966).

    Every state keeps its first arrival. Often fast; the path may cost any multiple of the optimum.

    Complete on finite spaces; not optimal. Time and memory O(states).

    Example:
        >>> from searchkit import load, solve
        >>> [solve(load("romania"), engine).cost for engine in ("greedy", "astar")]
        [450, 418]

    """
    is_goal, heuristic, cost = problem.is_goal, problem.heuristic, kit.cost_function(problem)
    reached = tree.reached
    high_g, order = ties == "high-g", 1 if ties == "fifo" else -1

    def entry(g: Any, h: Any, number: int, state: Any) -> tuple[Any, ...]:
        return h, -g if high_g else 0, order * number, state

    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts_with_heuristic(problem, tree, heuristic), set()
        tree.lower_bound = min((h for _, h in starts), default=inf)
        tree.frontier = sorted(entry(0, h, i, start) for i, (start, h) in enumerate(starts, -len(starts)))
    frontier, closed = tree.frontier, tree.closed
    while frontier:
        state = frontier[0][-1]
        if is_goal(state):
            return tree.finish(state)
        yield state
        generated, children = kit.expand(
            tree, state, reached[state][0], problem.successors, cost, heuristic, entry, new_only=True
        )
        first = {one[0]: one for one in reversed(children)}  # of parallel actions, the first counts
        heappop(frontier)
        closed.add(state)
        kit.write(tree, state, generated, reversed(first.values()))
    return None
