"""Recursive best-first search."""

from math import inf
from operator import itemgetter
from typing import Any

from searchkit.engines import kit

VALUE = 0
"""A child is a list: its value, its number, its state, the arrival there, and g + h."""
by_value = itemgetter(0, 1)


@kit.engine(
    "rbfs",
    "recursive best-first search: least cost in memory linear in the depth (Korf 1993)",
    aliases=("recursive best-first", "recursive best-first search"),
    optimal=True,
    heuristic="required",
    memory="depth",
    arrivals=False,
)
def recursive_best_first(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Expand the state with the least f = g + h, and keep only the current path with its siblings (Korf 1993).

    Once the least value below a state exceeds that of the best alternative elsewhere, the search forgets what is below
    the state, backs up that least value to it, and takes the alternative. When it returns to the state, the children
    inherit the backed-up value where it exceeds their own f. `expanded` counts these repetitions, and the detail
    `expanded again` says how many of the expansions they were.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic, consistent or not. Memory
    O(b·d) for branching b and depth d. States are expanded again whenever the search returns to them, and on every
    path to them; usually less often than by iterative-deepening A*, because it expands in the order of A*.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("romania"), "rbfs")
        >>> result.cost, result.statistics.expanded, result.details["expanded again"]
        (418, 6, 1)

    """
    is_goal, heuristic, cost = problem.is_goal, problem.heuristic, kit.cost_function(problem)
    reached = tree.reached

    def by_number(g: Any, h: Any, number: int, child: Any) -> tuple[int, Any]:
        return number, g + h

    if tree.frontier is None:
        starts = enumerate(kit.values_of(kit.distinct_starts(problem), heuristic))
        children = [[h, i, state, (0, None, None), h] for i, (state, h) in starts if h < inf]
        tree.details["expanded again"] = 0
        tree.frontier = [[inf, sorted(children, key=by_value)]]
    # For each call of the recursive algorithm: the least value elsewhere, and the children.
    levels = tree.frontier
    size = sum(len(children) for _, children in levels)
    while True:
        bound, children = levels[-1]  # the first child is on the current path, or expanded next
        value = children[0][VALUE] if children else inf
        if value > bound or value == inf:
            if len(levels) == 1:
                return None
            size -= len(children)
            levels.pop()  # return from the call: back up the least value to the state that was expanded
            siblings = levels[-1][1]
            siblings[0][VALUE] = value
            siblings.sort(key=by_value)
            continue
        _, _, state, arrival, f = children[0]
        while len(reached) >= len(levels):  # go back to the parent of this state
            reached.popitem()
        reached[state] = arrival
        tree.lower_bound = max(tree.lower_bound, value)
        if is_goal(state):
            return tree.finish(state)
        tree.peak_frontier = max(tree.peak_frontier, size)
        yield state
        generated, found = kit.expand(
            tree, state, arrival[0], problem.successors, cost, heuristic, by_number, new_only=True
        )
        again = value > f  # it was expanded before, and what was below it was forgotten
        following = [
            [max(value, f) if again else f, number, child, arrival, f]
            for child, arrival, (number, f) in found
        ]
        tree.details["expanded again"] += again
        alternative = children[1][VALUE] if len(children) > 1 else inf
        levels.append([min(bound, alternative), sorted(following, key=by_value)])
        tree.generated = generated
        size += len(following)
