"""Dial's bucket queue: Dijkstra's algorithm and A* without a heap."""

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import evolve

from searchkit.engines.kit import (
    NUMBERS,
    POLL_EVERY,
    TIES,
    checked_cost,
    checked_heuristic,
    cost_function,
    cost_overflow_error,
    engine,
    enter_starts_with_heuristic,
    heuristic_function,
    warn_of_inconsistency,
    write,
)
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "bucket",
    "Dial's bucket queue: Dijkstra or A* without a heap (Dial 1969)",
    aliases=("dial", "Dial's algorithm", "bucket queue"),
    optimal=True,
    heuristic="optional",
    options=(evolve(TIES, default="lifo"),),
    kernel="searchkit.kernels.best_first:Bucket",
    on_disk=("external_astar", "external_dijkstra"),
)
def bucket_queue(
    problem: SearchProblem[State, Action], tree: SearchTree[State, Action], ties: str = "lifo"
) -> Iterator[State]:
    """Expand the state with the least f = g + h, from one bucket of states per value of f (Dial 1969).

    h is 0 for problems without a heuristic. A heap holds each value once; for `ties` of high-g and low-h, a
    priority is a pair. With an inconsistent heuristic, a closed state is reopened, as in A*.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Time O(actions + p log p) for
    p different priorities; memory O(actions).

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     cost=lambda x, action, to: 3)
        >>> solve(line, "bucket").cost
        12

    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    cost, heuristic = cost_function(problem), heuristic_function(problem)
    step: Cost = 1
    h: Cost = 0
    ranked, high_g = ties in ("high-g", "low-h"), ties == "high-g"
    if tree.frontier is None:
        starts = enter_starts_with_heuristic(problem, tree, heuristic)
        queue, tree.closed = BucketQueue(ties == "fifo"), set()
        for state, h in starts:
            queue.push(((h, 0 if high_g else h) if ranked else h, state))
        tree.frontier = queue
    frontier, closed, poll, push = tree.frontier, tree.closed, tree.poll, tree.frontier.push
    while frontier:
        priority, state = frontier.first()
        if state in closed:
            frontier.pop()
            continue
        tree.lower_bound = priority[0] if ranked else priority
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        g, children, generated = reached[state][0], [], tree.generated
        for action, child in successors(state):
            generated += 1
            if not generated % POLL_EVERY:
                poll()
            if cost is not None:
                step = cost(state, action, child)
                if type(step) not in NUMBERS or not 0 <= step < inf:
                    step = checked_cost(state, action, child, step)
            new_g = g + step
            if child not in reached or new_g < reached[child][0]:
                if heuristic is not None:
                    h = heuristic(child)
                    if type(h) not in NUMBERS or not h >= 0:
                        h = checked_heuristic(child, h)
                f = new_g + h
                if not f < inf:
                    if h == inf:
                        continue  # a dead end
                    raise cost_overflow_error(child)
                if child in closed and not tree.warnings:
                    warn_of_inconsistency(problem, tree, state, action, child)
                priority = (f, -new_g if high_g else h) if ranked else f
                children.append((child, (new_g, state, action), (priority, child)))
        frontier.pop()
        write(tree, state, generated, children, push)
    return None


class BucketQueue:
    """A priority queue with one bucket of states for each priority: a number or a tuple of numbers.

    Args:
        fifo: whether the first in leaves a bucket first, and not the last in.

    """

    def __init__(self, fifo: bool):
        self.buckets: dict[Any, deque[Any]] = {}
        self.priorities: list[Any] = []
        """A heap of the priorities."""
        self.size = 0
        self.end = 0 if fifo else -1

    def __len__(self) -> int:
        return self.size

    def push(self, entry: tuple[Any, Any]) -> None:
        """Add a pair of a priority and a state."""
        priority, state = entry
        if priority not in self.buckets:
            self.buckets[priority] = deque()
            heappush(self.priorities, priority)
        self.buckets[priority].append(state)
        self.size += 1

    def first(self) -> tuple[Any, Any]:
        """Return the priority and the state that `pop` removes."""
        priority = self.priorities[0]
        return priority, self.buckets[priority][self.end]

    def pop(self) -> None:
        """Remove the first state."""
        bucket = self.buckets[self.priorities[0]]
        del bucket[self.end]
        self.size -= 1
        if not bucket:
            del self.buckets[heappop(self.priorities)]
