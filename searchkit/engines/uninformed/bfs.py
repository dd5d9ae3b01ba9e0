"""Breadth-first search."""

from collections import deque
from collections.abc import Iterator
from itertools import islice, takewhile

from searchkit.engines.kit import enter_starts
from searchkit.engines.tree_search import breadth_first_tree
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


def breadth_first(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], tree_search: bool = False
) -> Iterator[State]:
    """Expand states layer by layer: all at depth d before any at depth d + 1 (Moore 1959).

    Finds a path with the fewest actions. A state is marked as reached and tested for the goal when it enters the
    frontier, one layer before it would be expanded. With `tree_search` no state is marked,
    and each is expanded on every path to it.

    Complete; optimal where every action costs 1. Time and memory O(b^d) for branching b and depth d,
    and never more than the states and actions that can be reached.

    Example:
        >>> from searchkit import problem_from, solve
        >>> doubling = problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 12)
        >>> solve(doubling, "bfs").solution.states
        (1, 2, 3, 6, 12)

    """
    if tree_search:
        yield from breadth_first_tree(problem, tree)
        return None
    successors, is_goal = problem.successors, problem.is_goal
    reached = tree.reached
    if tree.frontier is None:
        starts = enter_starts(problem, tree)
        for state in starts:
            if is_goal(state):
                return tree.finish(state)
        tree.frontier = deque(starts)
    frontier, generated = tree.frontier, tree.generated
    depth = reached[frontier[0]][0]
    layer = sum(1 for _ in takewhile(lambda state: reached[state][0] == depth, frontier))
    while frontier:
        depth += 1
        tree.lower_bound = depth
        for state in list(islice(frontier, layer)):
            if len(frontier) > tree.peak_frontier:
                tree.peak_frontier = len(frontier)
            yield state
            for action, successor in successors(state):
                generated += 1
                if successor not in reached:
                    goal = is_goal(successor)
                    reached[successor] = (depth, state, action)
                    if goal:
                        tree.generated = generated
                        return tree.finish(successor)
                    frontier.append(successor)
            frontier.popleft()
            tree.generated = generated
        layer = len(frontier)
    return None
