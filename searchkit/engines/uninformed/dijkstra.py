"""Dijkstra's algorithm, also called uniform-cost search."""

from heapq import heappop
from math import inf

from searchkit.engines import kit


@kit.engine(
    "dijkstra",
    "uniform cost: least cost (Dijkstra 1959)",
    aliases=("ucs", "uniform cost", "uniform-cost search", "lowest cost first", "cheapest first"),
    optimal=True,
    options=(kit.TIES,),
    kernel="dijkstra",
    on_disk=("external_dijkstra",),
)
def dijkstra(problem: kit.Problem, tree: kit.Tree, ties: str = "high-g") -> kit.States:
    """Expand the state with the least cost so far, g (Dijkstra 1959).

    A state may be in the queue several times. Only its cheapest entry is expanded; the others are dropped when they
    come first. Each state is expanded once, so that the closed states can be a list.

    Complete where costs are bounded away from 0; optimal for all costs ≥ 0. Time O(m log m) for m
    actions from the states no further than the goal; memory O(m).

    Example:
        >>> from searchkit import load, solve
        >>> solve(load("romania"), "dijkstra").states
        ('Arad', 'Sibiu', 'Rimnicu', 'Pitesti', 'Bucharest')

    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    cost, order = kit.cost_function(problem), 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts(problem, tree), []
        tree.frontier = sorted((0, order * i, start) for i, start in enumerate(starts, -len(starts)))
    frontier, closed, poll, due = tree.frontier, tree.closed, tree.poll, tree.generated + kit.POLL_EVERY
    while frontier:
        g, _, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        tree.lower_bound = g
        if is_goal(state):
            return tree.finish(state)
        yield state
        children, generated, new_g = [], tree.generated, g + 1
        for action, child in successors(state):
            generated += 1
            if generated >= due:
                poll()
                due = generated + kit.POLL_EVERY
            if cost is not None:
                step = cost(state, action, child)
                if type(step) not in kit.NUMBERS or not 0 <= step < inf:
                    step = kit.checked_cost(state, action, child, step)
                new_g = g + step
            known = reached.get(child)
            if known is None or new_g < known[0]:
                if not new_g < inf:
                    raise kit.cost_overflow_error(child)
                children.append((child, (new_g, state, action), (new_g, order * generated, child)))
        heappop(frontier)
        closed.append(state)
        kit.write(tree, state, generated, children)
    return None
