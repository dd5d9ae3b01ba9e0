"""A* on disk, with delayed duplicate detection."""

from collections import deque
from collections.abc import Iterator
from math import inf

from sortedcontainers import SortedDict

from searchkit.engines.kit import check_heuristic_value, cost_function, distinct_starts
from searchkit.engines.layered.external_dijkstra import refused_cost
from searchkit.errors import InvalidProblemError
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


def external_astar(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand the states of the same f = g + h and g together (Edelkamp, Jabbar and Schrödl 2004).

    A round takes the bucket (f, g) of the least f, and of these the least g, merges it (a state that an earlier bucket
    has is dropped), and expands it. Costs are whole numbers ≥ 1 and the heuristic is consistent, so that nothing is
    added to a bucket once its turn has come, and no state is reopened. Both are checked while the search runs.
    Goals are looked for in a bucket that is merged, before any state of it is expanded. So the counters do not depend
    on the order within a bucket: `expanded` counts the states of all buckets before the goal's, `generated` their
    successors (those with an infinite heuristic value too), `reached` the states of the buckets that are merged, and
    `peak_frontier` is the size of the largest of these.

    Complete; optimal for whole costs ≥ 1 and whole values of a consistent heuristic; all others are errors. Time
    O(actions), and for the compiled form that of sorting them; memory O(actions), in the compiled form on disk.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("vault"), "external_astar", backend="python")
        >>> result.cost, result.statistics.expanded
        (187, 46)

    """
    successors, is_goal, heuristic = problem.successors, problem.is_goal, problem.heuristic
    cost, reached = cost_function(problem), tree.reached
    if tree.frontier is None:
        starts: SortedDict[tuple[Cost, Cost], dict[State, tuple[None, None]]] = SortedDict()
        for start in distinct_starts(problem):
            h = whole_heuristic(start, heuristic(start))
            if h < inf:
                starts.setdefault((h, 0), {})[start] = None, None
        tree.closed, tree.frontier = [], [deque(), starts]
    bucket, runs = tree.frontier  # the states that wait in this bucket; (f, g) → (state → parent and action)
    closed, generated, f = tree.closed, tree.generated, tree.lower_bound
    assert closed is not None
    while bucket or runs:
        if not bucket:  # merge
            (f, g), run = runs.popitem(0)
            for state, (parent, action) in run.items():
                if state not in reached:
                    reached[state] = g, parent, action
                    bucket.append(state)
            tree.lower_bound = f
            tree.peak_frontier = max(tree.peak_frontier, len(bucket))
        goal = next(filter(is_goal, bucket), None)
        if goal is not None:
            if reached[goal][0] < f:
                raise refused_goal(goal, heuristic(goal))
            return tree.finish(goal)
        while bucket:  # expand
            state = bucket[0]
            g = reached[state][0]
            yield state
            for action, successor in successors(state):
                generated += 1
                step = 1 if cost is None else cost(state, action, successor)
                if step < 1 or step % 1:
                    raise refused_cost(state, action, successor, step, "external_astar", "astar")
                h = whole_heuristic(successor, heuristic(successor))
                if g + step + h < f:
                    raise refused_step(state, successor, f - g, h, step)
                if h < inf:
                    runs.setdefault((g + step + h, g + step), {}).setdefault(successor, (state, action))
            closed.append(bucket.popleft())
            tree.generated = generated
    return None


def whole_heuristic(state: object, h: Cost) -> Cost:
    """Return a heuristic value that is a whole number ≥ 0, or infinite.

    Raises:
        InvalidProblemError: it is neither.

    """
    if not 0 <= h < inf:
        check_heuristic_value(state, h)
    elif h % 1:
        raise InvalidProblemError(
            f"heuristic({state!r}) is {h!r}; engine 'external_astar' takes whole numbers only: round it up if all "
            "costs are whole, or use astar"
        )
    return h


def refused_step(state: object, successor: object, h: Cost, h_after: Cost, step: Cost) -> InvalidProblemError:
    """Return the error for a step on which the heuristic drops by more than the step costs."""
    return InvalidProblemError(
        f"heuristic is inconsistent between {state!r} and {successor!r}: it drops from {h} to {h_after}, and the step "
        f"costs {step}; engine 'external_astar' needs a consistent heuristic, and astar takes any admissible one"
    )


def refused_goal(goal: object, h: Cost) -> InvalidProblemError:
    """Return the error for a goal whose heuristic value is not 0."""
    return InvalidProblemError(
        f"heuristic({goal!r}) is {h!r}, and this is a goal; expected 0: engine 'external_astar' needs a consistent "
        "heuristic, and astar warns of one that is not admissible"
    )
