"""Dial's bucket queue: Dijkstra's algorithm and A* without a heap."""

from collections import deque
from heapq import heappop, heappush
from math import inf
from typing import Any

from attrs import evolve

from searchkit.engines import kit
from searchkit.problem import Cost


@kit.engine(
    "bucket",
    "Dial's bucket queue: Dijkstra or A* without a heap (Dial 1969)",
    aliases=("dial", "Dial's algorithm", "bucket queue"),
    optimal=True,
    heuristic="optional",
    options=(evolve(kit.TIES, default="lifo"),),
    kernel="bucket",
    on_disk=("external_astar", "external_dijkstra"),
)
def bucket_queue(problem: kit.Problem, tree: kit.Tree, ties: str = "lifo") -> kit.States:
    """Expand the state with the least f = g + h, from one bucket of states per value of f (Dial 1969).

    h is 0 for problems without a heuristic. A heap holds each value once; for `ties` of high-g and low-h, a
    priority is a pair. With an inconsistent heuristic, a closed state is reopened, as in A*.

    Complete where costs are bounded away from 0; optimal for every admissible heuristic. Time O(actions + p log p) for
    p different priorities; memory O(actions).

    Example:
        >>> from searchkit import load, solve
        >>> solve(load("romania"), "bucket").states
        ('Arad', 'Sibiu', 'Rimnicu', 'Pitesti', 'Bucharest')

    """
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    cost, heuristic = kit.cost_function(problem), kit.heuristic_function(problem)
    ranked, high_g = ties in ("high-g", "low-h"), ties == "high-g"
    h: Cost = 0
    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts_with_heuristic(problem, tree, heuristic), set()
        tree.frontier = BucketQueue(ties == "fifo")
        for state, h in starts:
            tree.frontier.push(((h, 0 if high_g else h) if ranked else h, state))
    frontier, closed, poll, due = tree.frontier, tree.closed, tree.poll, tree.generated + kit.POLL_EVERY
    while frontier:
        first, state = frontier.first()
        if state in closed:
            frontier.pop()
            continue
        tree.lower_bound = first[0] if ranked else first
        if is_goal(state):
            return tree.finish(state)
        yield state
        g, children, generated = reached[state][0], [], tree.generated
        new_g = g + 1
        for action, child in successors(state):
            generated += 1
            if generated >= due:
                poll()
                due = generated + kit.POLL_EVERY
            if cost is not None:
                step = cost(state, action, child)
                if type(step) not in kit.NUMBERS or not 0 <= step < inf:
                    step = kit.checked_cost(state, action, child, step)
                new_g = g + step
            known = reached.get(child)
            if known is None or new_g < known[0]:
                if heuristic is not None:
                    h = heuristic(child)
                    if type(h) not in kit.NUMBERS or not h >= 0:
                        h = kit.checked_heuristic(child, h)
                f = new_g + h
                if not f < inf and kit.is_dead_end(child, h):
                    continue
                if known is not None and child in closed and not tree.warnings:
                    kit.warn_of_inconsistency(problem, tree, state, action, child)
                priority = (f, -new_g if high_g else h) if ranked else f
                children.append((child, (new_g, state, action), (priority, child)))
        frontier.pop()
        closed.add(state)
        kit.write(tree, state, generated, children, BucketQueue.push)
    return None


class BucketQueue:
    """A priority queue with one bucket of states for each priority: a number or a tuple of numbers."""

    def __init__(self, fifo: bool):
        self.buckets: dict[Any, deque[Any]] = {}
        self.priorities: list[Any] = []
        """A heap of the priorities."""
        self.size, self.end = 0, 0 if fifo else -1

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
