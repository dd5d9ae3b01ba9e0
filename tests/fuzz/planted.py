"""An engine with a planted defect: it takes the last state of the frontier, and keeps first arrivals."""

from collections.abc import Iterator
from typing import Any

from searchkit import SearchProblem
from searchkit.problem import has_cost
from searchkit.tree import SearchTree


def last_first(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Search depth first. A function without an `EngineSpec` promises the least cost."""
    if tree.frontier is None:
        tree.frontier = list(dict.fromkeys(problem.initial_states()))
        for state in tree.frontier:
            tree.start(state)
    while tree.frontier:
        state = tree.frontier[-1]
        if problem.is_goal(state):
            return tree.finish(state)
        yield state
        tree.frontier.pop()
        for action, successor in problem.successors(state):
            tree.generated += 1
            if successor not in tree.reached:
                cost = problem.cost(state, action, successor) if has_cost(problem) else 1
                tree.reached[successor] = (tree.reached[state][0] + cost, state, action)
                tree.frontier.append(successor)
    return None
