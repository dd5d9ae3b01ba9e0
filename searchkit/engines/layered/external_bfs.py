"""Breadth-first search on disk, with delayed duplicate detection."""

from collections import deque
from collections.abc import Iterator

from searchkit.engines.kit import distinct_starts
from searchkit.problem import Action, SearchProblem, State
from searchkit.tree import SearchTree


def external_bfs(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand one layer after the other; remove the duplicates of a layer when all of it is generated (Korf 2003).

    A round expands every state of a layer, which gives the *run* of the next layer, and merges: the states of the run
    that no earlier layer has are the next layer. Goals are looked for in a layer that is complete, before any state
    of it is expanded. So the counters do not depend on the order within a layer: `expanded` counts the states of all
    layers before the goal's, `generated` their successors, `reached` the states of the layers that are complete
    (successors that wait for the merge do not count), and `peak_frontier` is the size of the largest layer.

    Complete; optimal where every action costs 1. Time O(actions), and for the compiled form that of sorting them;
    memory O(states), in the compiled form on disk.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("maze"), "external_bfs", backend="python")
        >>> result.cost, result.statistics.expanded
        (160, 535)

    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    if tree.frontier is None:
        tree.closed = []
        tree.frontier = [deque(), dict.fromkeys(distinct_starts(problem), (None, None))]
    layer, run = (
        tree.frontier
    )  # the states that wait in this layer, and the next one: state → parent and action
    closed, generated = tree.closed, tree.generated
    assert closed is not None
    while layer or run:
        if not layer:  # merge
            depth = reached[closed[-1]][0] + 1 if closed else 0
            layer.extend(state for state in run if state not in reached)
            for state in layer:
                reached[state] = (depth, *run[state])
            run.clear()
            tree.peak_frontier = max(tree.peak_frontier, len(layer))
        goal = next(filter(is_goal, layer), None)
        if goal is not None:
            return tree.finish(goal)
        if layer:
            tree.lower_bound = reached[layer[0]][0] + 1
        while layer:  # expand
            state = layer[0]
            yield state
            for action, successor in successors(state):
                generated += 1
                run.setdefault(successor, (state, action))
            closed.append(layer.popleft())
            tree.generated = generated
    return None
