"""Dial's bucket queue: Dijkstra's algorithm and A* without a heap."""

from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from searchkit.basics.checks import cost_overflow_error, invalid_cost
from searchkit.engines.kit import (
    bucket_for,
    check_heuristic_value,
    cost_function,
    enter_starts_with_heuristic,
    least_bucket,
    warn_of_inconsistency,
)
from searchkit.problem import Action, SearchProblem, State, has_heuristic
from searchkit.tree import SearchTree


def bucket_queue(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], ties: str = "lifo"
) -> Iterator[State]:
    """Expand the state with the least f = g + h, from one bucket of states per value of f (Dial 1969).

    h is 0 for problems without a heuristic. Small integer priorities index a list of buckets. All other priorities
    (large integers, floats, fractions, and the pairs for `ties` of high-g and low-h) are keys of a sorted dictionary of
    buckets. Priorities may fall: with an inconsistent heuristic, a closed state is reopened, as in A*.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Time O(actions +
    largest priority) on integers, no logarithm; memory O(actions).

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     cost=lambda x, action, to: 3)
        >>> solve(line, "bucket").cost
        12

    """
    successors, is_goal = problem.successors, problem.is_goal
    cost, heuristic = cost_function(problem), problem.heuristic if has_heuristic(problem) else None
    reached, paired, high_g = tree.reached, ties in ("high-g", "low-h"), ties == "high-g"
    new_bucket: Callable[[], Any] = deque if ties == "fifo" else list
    take, end = (deque.popleft, 0) if ties == "fifo" else (list.pop, -1)
    if tree.frontier is None:
        starts = enter_starts_with_heuristic(problem, tree, heuristic)
        tree.frontier, tree.closed = [], set()
        for state, h in starts:
            bucket_for((h, 0 if high_g else h) if paired else h, tree, new_bucket).append(state)
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    assert closed is not None
    size = sum(map(len, frontier if isinstance(frontier, list) else frontier.values()))
    f, bucket = least_bucket(frontier, 0)
    while bucket:
        state = bucket[end]
        if state in closed:
            take(bucket)
            size -= 1
            if not bucket:
                f, bucket = least_bucket(frontier, f)
            continue
        tree.lower_bound = f[0] if paired else f
        if is_goal(state):
            return tree.finish(state)
        if size > tree.peak_frontier:
            tree.peak_frontier = size
        yield state
        g, lowest = reached[state][0], f
        try:
            for action, successor in successors(state):
                generated += 1
                step = 1 if cost is None else cost(state, action, successor)
                if not 0 <= step < inf:
                    raise invalid_cost(state, action, successor, step)
                new_g = g + step
                arrival = reached.get(successor)
                if arrival is None or new_g < arrival[0]:
                    h = 0 if heuristic is None else heuristic(successor)
                    if not 0 <= h < inf:
                        check_heuristic_value(successor, h)
                        continue  # a dead end
                    total = new_g + h
                    if total == inf:
                        raise cost_overflow_error(successor)
                    if successor in closed:
                        if not tree.reopened:
                            warn_of_inconsistency(problem, tree, state, action, successor)
                        closed.remove(successor)
                        tree.reopened += 1
                    reached[successor] = (new_g, state, action)
                    priority = (total, -new_g if high_g else h) if paired else total
                    try:
                        frontier[priority].append(successor)
                    except (LookupError, TypeError):  # no such bucket yet, or not an index of a list
                        bucket_for(priority, tree, new_bucket).append(successor)
                        frontier = tree.frontier
                    size += 1
                    if priority < lowest:
                        lowest = priority
        except BaseException:
            _, first = least_bucket(tree.frontier, 0)
            place = 0 if end == 0 else len(first)
            first.insert(place, state)  # the first again, though successors may have a better priority
            raise
        closed.add(state)
        tree.generated = generated
        if lowest is not f:
            f, bucket = lowest, frontier[lowest]
    return None
