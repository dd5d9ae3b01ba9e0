"""Dijkstra's algorithm on disk, with delayed duplicate detection."""

from collections import deque
from collections.abc import Iterator

from sortedcontainers import SortedDict

from searchkit.engines.kit import cost_function, distinct_starts
from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


def external_dijkstra(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action]
) -> Iterator[State]:
    """Expand the states of the same cost so far together, least cost first (Dijkstra 1959; Korf 2003).

    A round takes the bucket of the least cost g, merges it (a state that an earlier bucket has is dropped), and
    expands it into the buckets of larger costs. Each cost is a whole number ≥ 1, so that nothing is added to a bucket
    once its turn has come. Goals are looked for in a bucket that is merged, before any state of it is expanded. So the
    counters do not depend on the order within a bucket: `expanded` counts the states of all buckets before the
    goal's, `generated` their successors, `reached` the states of the buckets that are merged, and `peak_frontier` is
    the size of the largest of these.

    Complete; optimal for whole costs ≥ 1; any other cost is an error. Time O(actions), and for the compiled form that
    of sorting them; memory O(actions), in the compiled form on disk.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("vault"), "external_dijkstra", backend="python")
        >>> result.cost, result.statistics.expanded
        (187, 454)

    """
    successors, is_goal, cost, reached = (
        problem.successors,
        problem.is_goal,
        cost_function(problem),
        tree.reached,
    )
    if tree.frontier is None:
        tree.closed = []
        tree.frontier = [deque(), SortedDict({0: dict.fromkeys(distinct_starts(problem), (None, None))})]
    bucket, runs = tree.frontier  # the states that wait in this bucket; g → (state → parent and action)
    closed, generated = tree.closed, tree.generated
    assert closed is not None
    while bucket or runs:
        if not bucket:  # merge
            g, run = runs.popitem(0)
            for state, (parent, action) in run.items():
                if state not in reached:
                    reached[state] = g, parent, action
                    bucket.append(state)
            tree.peak_frontier = max(tree.peak_frontier, len(bucket))
        goal = next(filter(is_goal, bucket), None)
        if bucket:
            g = tree.lower_bound = reached[bucket[0]][0]
        if goal is not None:
            return tree.finish(goal)
        while bucket:  # expand
            state = bucket[0]
            yield state
            for action, successor in successors(state):
                generated += 1
                step = 1 if cost is None else cost(state, action, successor)
                if step < 1 or step % 1:
                    raise refused_cost(state, action, successor, step, "external_dijkstra", "dijkstra")
                runs.setdefault(g + step, {}).setdefault(successor, (state, action))
            closed.append(bucket.popleft())
            tree.generated = generated
    return None


def refused_cost(
    state: object, action: object, successor: object, cost: Cost, engine: str, instead: str
) -> InvalidProblemError:
    """Return the error for a cost that is not a whole number ≥ 1, with the engine to use instead."""
    return InvalidProblemError(
        f"cost({state!r}, {action!r}, {successor!r}) is {cost!r}; engine {engine!r} takes whole numbers ≥ 1 only: "
        f"multiply all costs by a common denominator, or use {instead}"
    )
