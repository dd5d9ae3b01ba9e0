"""Recursive best-first search."""

from collections.abc import Iterator
from math import inf
from operator import itemgetter
from typing import Any

from attrs import define

from searchkit.engines.kit import cost_function, distinct_starts, engine, expand, values_of
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree

VALUE = 0
"""A child is a list: its value, its number, its state, the arrival there, and g + h."""
by_value = itemgetter(0, 1)


@define(eq=False)
class Level:
    """What one call of the recursive algorithm knows."""

    bound: Cost
    """The least value elsewhere, of a sibling of the expanded state or of its ancestors."""
    children: list[list[Any]]
    """The children of the expanded state, sorted by value. The first is on the current path, or expanded next."""


@engine(
    "rbfs",
    "recursive best-first search: least cost in memory linear in the depth (Korf 1993)",
    aliases=("recursive best-first", "recursive best-first search"),
    optimal=True,
    heuristic="required",
    memory="depth",
    arrivals=False,
)
def recursive_best_first(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action]
) -> Iterator[State]:
    """Expand the state with the least f = g + h, and keep only the current path with its siblings (Korf 1993).

    Once the least value below a state exceeds that of the best alternative elsewhere, the search forgets what is below
    the state, backs up that least value to it, and takes the alternative. If it comes back, the children inherit
    the backed-up value where it exceeds their own f; so no state is explored in vain a second time. `expanded` counts
    these repetitions, and the detail `expanded again` says how many of the expansions they were.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic, consistent or not. Memory
    O(b·d) for branching b and depth d. States are expanded again whenever the search comes back to them, and on every
    path to them; usually less often than by iterative-deepening A*, because it expands in the order of A*.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     heuristic=lambda x: abs(4 - x))
        >>> solve(line, "rbfs").cost
        4

    """
    is_goal, heuristic, reached, cost = (
        problem.is_goal,
        problem.heuristic,
        tree.reached,
        cost_function(problem),
    )
    if tree.frontier is None:
        starts = [
            [h, number, state, (0, None, None), h]
            for number, (state, h) in enumerate(values_of(distinct_starts(problem), heuristic))
            if h < inf
        ]
        tree.details["expanded again"] = 0
        tree.frontier = [Level(inf, sorted(starts, key=by_value))]
    levels = tree.frontier
    size = sum(len(level.children) for level in levels)
    while True:
        bound, children = levels[-1].bound, levels[-1].children
        value = children[0][VALUE] if children else inf
        if value > bound or value == inf:
            if len(levels) == 1:
                return None
            size -= len(children)
            levels.pop()  # return from the call: back up the least value to the state that was expanded
            siblings = levels[-1].children
            siblings[0][VALUE] = value
            siblings.sort(key=by_value)
            continue
        _, _, state, arrival, f = children[0]
        while len(reached) >= len(levels):  # go back to the parent of this state
            reached.popitem()
        reached[state] = arrival
        if value > tree.lower_bound:
            tree.lower_bound = value
        if is_goal(state):
            return tree.finish(state)
        if size > tree.peak_frontier:
            tree.peak_frontier = size
        yield state
        generated, arrivals = expand(
            tree, state, arrival[0], problem.successors, cost, heuristic, new_only=True
        )
        again = value > f  # it was expanded before, and what was below it was forgotten
        following = [
            [max(value, g + h) if again else g + h, number, child, (g, state, action), g + h]
            for number, action, child, g, h in arrivals
        ]
        tree.details["expanded again"] += again
        alternative = children[1][VALUE] if len(children) > 1 else inf
        levels.append(Level(min(bound, alternative), sorted(following, key=by_value)))
        tree.generated = generated
        size += len(following)
