"""Bidirectional Dijkstra search."""

from heapq import heappop

from searchkit.engines import kit
from searchkit.problem import Reversible


@kit.engine(
    "bidirectional",
    "bidirectional Dijkstra: least cost, from both ends (Nicholson 1966; Pohl 1971)",
    aliases=("bidirectional dijkstra", "bidirectional search", "bds"),
    optimal=True,
    requires=(Reversible,),
    arrivals=False,
)
def bidirectional(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Run Dijkstra's algorithm from the starts and, backwards, from the goals, until the best meeting is proved.

    The first state that both halves reach need not lie on a cheapest path. The search ends when the least
    costs waiting in the two halves add up to no less than the best path found (Nicholson 1966; Pohl 1971).

    For problems with `predecessors` and `goal_states`. Complete where costs are bounded away from 0; optimal. Time and
    memory O(b^(d/2)) on trees of branching b and depth d, where one direction takes O(b^d).

    Example:
        >>> from searchkit import load, solve
        >>> [solve(load("maze"), engine).statistics.expanded for engine in ("dijkstra", "bidirectional")]
        [540, 390]

    """
    turned = kit.reverse(problem)
    if tree.frontier is None:
        starts, goals = kit.distinct_starts(problem), list(dict.fromkeys(turned.initial_states()))
        backward = kit.enter_halves(tree, starts, goals)
        backward.frontier = [(0, i, 0, goal) for i, goal in enumerate(goals, -len(goals))]
        tree.frontier = [(0, i, 0, start) for i, start in enumerate(starts, -len(starts))]
    backward = tree.backward  # type: ignore[assignment]  # it was entered
    ahead = tree, backward, problem.successors, kit.cost_function(problem)
    back = backward, tree, turned.successors, kit.cost_function(turned)
    while True:
        for half in (tree, backward):
            while half.frontier and half.frontier[0][3] in half.closed:
                heappop(half.frontier)
        if not (tree.frontier and backward.frontier):
            break
        cheapest, cheapest_back = tree.frontier[0][0], backward.frontier[0][0]
        tree.lower_bound = cheapest + cheapest_back
        if tree.incumbent is not None and tree.incumbent <= tree.lower_bound:
            break
        tree.peak_frontier = max(tree.peak_frontier, len(tree.frontier) + len(backward.frontier))
        half, other, successors, cost = ahead if cheapest <= cheapest_back else back
        g, _, _, state = half.frontier[0]
        tree.growing = half
        yield state
        generated, children = kit.expand(tree, state, g, successors, cost, None, kit.by_f, half=half)
        heappop(half.frontier)
        half.closed.add(state)
        kit.write(tree, state, generated, children, half=half)
        kit.record_meetings(tree, other, children)
    if tree.incumbent is not None:
        kit.finish_at_meeting(problem, tree)
