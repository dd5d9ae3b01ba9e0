"""Depth-first search."""

from collections.abc import Iterator

from searchkit.engines.kit import distinct_starts, engine, expand
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "dfs",
    "depth-first: some path, in memory linear in the depth (Trémaux, in Lucas 1882)",
    aliases=("depth-first", "depth-first search"),
    complete=False,
    costs="unit",
    memory="depth",
    arrivals=False,
)
def depth_first(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand the deepest state first, and remember only the path to it (Trémaux, in Lucas 1882).

    A state on the current path is not entered again, so that the search ends on every finite space. Other states may
    be entered again, because no record of them is kept: so memory stays linear in the depth.

    Not complete on infinite spaces; not optimal. Memory O(b·d) for branching b and depth d; time is
    exponential in the number of states where many paths lead to the same state.

    Example:
        >>> from searchkit import problem_from, solve
        >>> tree = problem_from([1], lambda n: [(b, 2 * n + b) for b in (0, 1) if n < 8], lambda n: n == 5)
        >>> solve(tree, "dfs").solution.states
        (1, 2, 5)

    """
    is_goal, reached = problem.is_goal, tree.reached
    if tree.frontier is None:
        tree.frontier = [(0, state, (0, None, None)) for state in reversed(distinct_starts(problem))]
    frontier = tree.frontier
    while frontier:
        depth, state, arrival = frontier[-1]
        while len(reached) > depth:  # go back to the parent of this state
            reached.popitem()
        reached[state] = arrival
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        generated, arrivals = expand(tree, state, depth, problem.successors, None, new_only=True)
        frontier.pop()
        frontier.extend((g, child, (g, state, action)) for _, action, child, g, _ in reversed(arrivals))
        tree.generated = generated
    return None
