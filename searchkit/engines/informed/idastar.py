"""Iterative-deepening A*."""

from math import inf

from searchkit.engines import kit


@kit.engine(
    "idastar",
    "iterative-deepening A*: least cost in memory linear in the depth (Korf 1985)",
    aliases=("IDA*", "iterative-deepening A*"),
    optimal=True,
    heuristic="required",
    memory="depth",
    arrivals=False,
    kernel="idastar",
)
def idastar(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Search depth-first below a threshold on f = g + h; raise it to the least f that it cut; repeat (Korf 1985).

    Holds only the current path, on which no state is entered twice.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Memory O(b·d) for
    branching b and depth d. States are expanded again in every iteration and on every path to them: fast
    where f takes few values and few paths meet (sliding tiles), slow on grids.

    Example:
        >>> from searchkit import load, solve
        >>> [solve(load("romania"), engine).statistics.expanded for engine in ("astar", "idastar")]
        [5, 20]

    """
    return iterative_deepening(problem, tree, kit.cost_function(problem), problem.heuristic)


def iterative_deepening(
    problem: kit.Problem, tree: kit.Tree, cost: kit.CostFunction | None, heuristic: kit.Heuristic | None
) -> kit.States:
    """Run depth-first searches below a rising threshold on g + h, with these costs and this heuristic."""
    if tree.frontier is None:
        tree.frontier, tree.next_threshold = [], 0
    while tree.frontier or tree.next_threshold is not None:
        if not tree.frontier:
            raise_threshold(problem, tree, heuristic)
        yield from depth_first_below(problem, tree, cost, heuristic)
        if tree.found:
            return


def depth_first_below(
    problem: kit.Problem, tree: kit.Tree, cost: kit.CostFunction | None, heuristic: kit.Heuristic | None
) -> kit.States:
    """Search depth-first where g + h is at most `tree.threshold`; note the least that is more in `next_threshold`."""
    is_goal, reached, frontier = problem.is_goal, tree.reached, tree.frontier
    while frontier:
        depth, state, arrival = frontier[-1]
        while len(reached) > depth:  # go back to the parent of this state
            reached.popitem()
        reached[state] = arrival
        if is_goal(state):
            return tree.finish(state)
        tree.peak_frontier = max(tree.peak_frontier, len(frontier))
        yield state
        generated, children = kit.expand(
            tree, state, arrival[0], problem.successors, cost, heuristic, new_only=True
        )
        frontier.pop()
        for child, arrival, (_, h) in reversed(children):
            f = arrival[0] + h
            if f <= tree.threshold:
                frontier.append((depth + 1, child, arrival))
            elif tree.next_threshold is None or f < tree.next_threshold:
                tree.next_threshold = f
        tree.generated = generated
    return None


def raise_threshold(problem: kit.Problem, tree: kit.Tree, heuristic: kit.Heuristic | None) -> None:
    """Begin the next iteration: the threshold is the least value that the last one cut; the starts are on the stack."""
    starts = kit.values_of(kit.distinct_starts(problem), heuristic)
    values = sorted(h for _, h in starts if h < inf)
    tree.threshold = tree.lower_bound = max(tree.next_threshold or 0, values[0] if values else 0)
    tree.next_threshold = next((h for h in values if h > tree.threshold), None)
    tree.reached.clear()
    tree.note("iteration", threshold=tree.threshold)
    tree.frontier.extend((0, state, (0, None, None)) for state, h in reversed(starts) if h <= tree.threshold)
