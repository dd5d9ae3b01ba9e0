"""A* with a closed set and reopening."""

from heapq import heappop
from math import inf

from searchkit.engines import kit


@kit.engine(
    "astar",
    "A*: least cost, guided by a heuristic; reopens (Hart, Nilsson and Raphael 1968)",
    aliases=("A*", "A* search", "a star"),
    optimal=True,
    heuristic="required",
    options=(kit.TIES,),
    kernel="astar",
    on_disk=("external_astar",),
)
def astar(problem: kit.Problem, tree: kit.Tree, ties: str = "high-g") -> kit.States:
    """Expand the state with the least f = g + h: cost so far plus heuristic (Hart, Nilsson and Raphael 1968).

    A closed state that is reached more cheaply is opened again. This never happens with a consistent heuristic. With a
    heuristic that is only admissible, reopening keeps the answer optimal, and a warning names the step at which the
    heuristic is inconsistent. Until it may happen, the closed states are a list, which takes less time than a set: a
    state that was expanded has an f of at most the largest f expanded so far, which is the lower bound.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. If the heuristic is
    consistent, it expands each state whose f is at most the optimal cost at most once; if not, up to exponentially
    more often (Martelli 1977). Memory O(states reached).

    Example:
        >>> from searchkit import load, solve
        >>> solve(load("romania"), "astar").states
        ('Arad', 'Sibiu', 'Rimnicu', 'Pitesti', 'Bucharest')

    """
    successors, is_goal, heuristic = problem.successors, problem.is_goal, problem.heuristic
    cost, reached = kit.cost_function(problem), tree.reached
    high_g, low_h, order = ties == "high-g", ties == "low-h", 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts_with_heuristic(problem, tree, heuristic), []
        numbered = enumerate(starts, -len(starts))
        tree.frontier = sorted((h, h * low_h, order * i, 0, start) for i, (start, h) in numbered)
    frontier, bound, poll, due = tree.frontier, tree.lower_bound, tree.poll, tree.generated + kit.POLL_EVERY
    close = tree.closed.append if isinstance(tree.closed, list) else tree.closed.add
    while frontier:
        f, _, _, g, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        if f > bound:
            bound = tree.lower_bound = f
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
                h = heuristic(child)
                if type(h) not in kit.NUMBERS or not h >= 0:
                    h = kit.checked_heuristic(child, h)
                f = new_g + h
                if not f < inf and kit.is_dead_end(child, h):
                    continue
                entry = f, -new_g if high_g else h if low_h else 0, order * generated, new_g, child
                children.append((child, (new_g, state, action), entry))
                if known is not None and known[0] + h <= bound:  # expanded, perhaps: f has fallen since
                    close = kit.allow_reopening(problem, tree, *children[-1])
        heappop(frontier)
        close(state)
        kit.write(tree, state, generated, children)
    return None
