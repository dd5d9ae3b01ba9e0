"""Bidirectional Dijkstra search."""

from collections.abc import Iterator
from heapq import heappop

from searchkit.engines.kit import (
    cost_function,
    distinct_starts,
    engine,
    enter_halves,
    expand,
    finish_at_meeting,
    record_meetings,
    reverse,
    write,
)
from searchkit.problem import Action, Reversible, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "bidirectional",
    "bidirectional Dijkstra: least cost, from both ends (Nicholson 1966; Pohl 1971)",
    aliases=("bidirectional dijkstra", "bidirectional search", "bds"),
    optimal=True,
    requires=(Reversible,),
    arrivals=False,
)
def bidirectional(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Run Dijkstra's algorithm from the starts and, backwards, from the goals, until the best meeting is proved.

    The first state that both halves reach need not lie on a cheapest path. The search ends when the least
    costs waiting in the two halves add up to no less than the best path found (Nicholson 1966; Pohl 1971).

    For `Reversible` problems. Complete where costs are bounded away from 0; optimal. Time and memory O(b^(d/2)) on
    trees of branching b and depth d, where one direction takes O(b^d).

    Example:
        >>> from searchkit import SearchProblem, solve
        >>> class Line(SearchProblem[int, int]):
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [9]
        ...     def is_goal(self, x): return x == 9
        ...     def successors(self, x): return [(step, x + step) for step in (1, 3)]
        ...     def predecessors(self, x): return [(step, x - step) for step in (1, 3)]
        >>> solve(Line(), "bidirectional").solution.states
        (0, 3, 6, 9)

    """
    turned = reverse(problem)
    if tree.frontier is None:
        starts, goals = distinct_starts(problem), list(dict.fromkeys(turned.initial_states()))
        backward = enter_halves(tree, starts, goals)
        backward.frontier = [(0, i, goal) for i, goal in enumerate(goals, -len(goals))]
        tree.frontier = [(0, i, start) for i, start in enumerate(starts, -len(starts))]
    backward = tree.backward  # type: ignore[assignment]  # it was entered
    while True:
        for half in (tree, backward):
            while half.frontier and half.frontier[0][2] in half.closed:
                heappop(half.frontier)
        if not (tree.frontier and backward.frontier):
            break
        cheapest, cheapest_back = tree.frontier[0][0], backward.frontier[0][0]
        tree.lower_bound = cheapest + cheapest_back
        if tree.incumbent is not None and tree.incumbent <= tree.lower_bound:
            break
        tree.peak_frontier = max(tree.peak_frontier, len(tree.frontier) + len(backward.frontier))
        forward = bool(cheapest <= cheapest_back)
        half, other, way = (tree, backward, problem) if forward else (backward, tree, turned)
        g, _, state = half.frontier[0]
        tree.growing = half
        yield state
        generated, arrivals = expand(tree, state, g, way.successors, cost_function(way), half=half)
        heappop(half.frontier)
        half.closed.add(state)
        children = [(child, (g, state, action), (g, n, child)) for n, action, child, g, _ in arrivals]
        write(tree, state, generated, children, half=half)
        record_meetings(tree, other, arrivals)
    if tree.incumbent is not None:
        finish_at_meeting(problem, tree)
