"""Breadth-first search."""

from collections import deque

from searchkit.engines import kit


@kit.engine(
    "bfs",
    "breadth-first: fewest actions (Moore 1959)",
    aliases=("breadth-first", "breadth-first search"),
    optimal=True,
    costs="unit",
    kernel="bfs",
    on_disk=("external_bfs",),
)
def breadth_first(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Expand states in the order in which they are reached: all at depth d before any at depth d + 1 (Moore 1959).

    Finds a path with the fewest actions. A state is marked as reached and tested for the goal when it enters the
    frontier, one layer before it would be expanded.

    Complete; optimal where every action costs 1. Time and memory O(b^d) for branching b and depth d,
    and never more than the states and actions that can be reached.

    Example:
        >>> from searchkit import problem_from, solve
        >>> doubling = problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 12)
        >>> solve(doubling, "bfs").solution.states
        (1, 2, 3, 6, 12)

    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    if tree.frontier is None:
        starts = kit.distinct_starts(problem)
        goal = next((start for start in starts if is_goal(start)), None)
        tree.start(*starts)
        tree.frontier = deque(starts)
        if goal is not None:
            return tree.finish(goal)
    frontier, poll, peak, depth = tree.frontier, tree.poll, tree.peak_frontier, tree.lower_bound
    generated, due = tree.generated, tree.generated + kit.POLL_EVERY
    while frontier:
        state = frontier[0]
        if reached[state][0] >= depth:  # the first state of a layer
            depth = tree.lower_bound = reached[state][0] + 1
        if len(frontier) > peak:
            peak = tree.peak_frontier = len(frontier)
        yield state
        children, goal = [], None
        for pair in successors(state):
            _, child = pair
            generated += 1
            if generated >= due:
                poll()
                due = generated + kit.POLL_EVERY
            if child not in reached:
                children.append(pair)
                if is_goal(child):
                    goal = child
                    break
        frontier.popleft()
        tree.generated = generated
        for action, child in children:
            arrival = depth, state, action
            known = reached.setdefault(child, arrival)
            if known is arrival:
                frontier.append(child)
            elif known[1] is not state:  # neither a new state nor reached twice in this expansion
                raise kit.changed_state_error(child)
        if goal is not None:
            return tree.finish(goal)
    return None
