"""Greedy best-first search."""

from collections.abc import Iterator
from heapq import heappop
from math import inf
from typing import Any

from searchkit.engines.kit import TIES, cost_function, engine, enter_starts_with_heuristic, expand, write
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "greedy",
    "greedy best-first: least heuristic (Doran and Michie 1966)",
    aliases=("gbfs", "greedy best-first", "best-first", "greedy best-first search"),
    complete=False,
    heuristic="required",
    options=(TIES,),
    kernel="searchkit.kernels.best_first:Greedy",
)
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
    is_goal, heuristic, reached, cost = (
        problem.is_goal,
        problem.heuristic,
        tree.reached,
        cost_function(problem),
    )
    high_g, order = ties == "high-g", 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts, tree.closed = enter_starts_with_heuristic(problem, tree, heuristic), set()
        tree.lower_bound = min((h for _, h in starts), default=inf)
        tree.frontier = sorted((h, 0, order * i, start) for i, (start, h) in enumerate(starts, -len(starts)))
    frontier, closed = tree.frontier, tree.closed
    while frontier:
        state = frontier[0][-1]
        if is_goal(state):
            return tree.finish(state)
        yield state
        generated, arrivals = expand(
            tree, state, reached[state][0], problem.successors, cost, heuristic, new_only=True
        )
        children: dict[State, Any] = {}  # of parallel actions, the first counts
        for number, action, child, g, h in arrivals:
            entry = h, -g if high_g else 0, order * number, child
            children.setdefault(child, (child, (g, state, action), entry))
        heappop(frontier)
        closed.add(state)
        write(tree, state, generated, children.values())
    return None
