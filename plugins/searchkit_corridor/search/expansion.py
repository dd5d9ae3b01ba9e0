"""The two searches inside the current mask, which end at a goal or when no state is left to expand."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from searchkit import SearchProblem
from searchkit.tree import SearchTree
from searchkit_corridor.plan import Region
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.frontier import Frontier


def admits(mask: frozenset[Region] | None, least: Any, regions: Regions) -> Callable[[Any, Region], bool]:
    """Return the predicate (state, its region) → whether the mask of regions and the least depth admit the state."""
    depth = regions.depth

    def admitted(state: Any, region: Region) -> bool:
        return (mask is None or region in mask) and (depth is None or depth(state) >= least)

    return admitted


def first_in_first_out(
    problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], regions: Regions
) -> Iterator[Any]:
    """Expand states in the order in which they were reached; each state keeps its first arrival.

    In the first phase this is breadth-first search. In later phases deferred states enter the queue, so first arrivals
    may not be cheapest.
    """
    frontier: Frontier = tree.frontier
    successors, is_goal, reached = problem.successors, problem.is_goal, tree.reached
    region, mask, depth, least = regions.region, frontier.mask, regions.depth, frontier.least_depth
    queue, phase, defer, generated = frontier.queue, frontier.phase, frontier.deferred.defer, tree.generated
    before = phase.generated - generated
    while queue and frontier.incumbent is None:
        if len(queue) > tree.peak_frontier:
            tree.peak_frontier = len(queue)
        state = queue[0]
        yield state
        g = reached[state][0] + 1
        for action, successor in successors(state):
            generated += 1
            if successor in reached:
                continue
            home = region(successor)
            if (mask is not None and home not in mask) or (depth is not None and depth(successor) < least):
                defer(successor, home, (g, state, action))
                continue
            if is_goal(successor):
                reached[successor] = (g, state, action)
                frontier.incumbent, frontier.goal = int(g), successor
                break
            reached[successor] = (g, state, action)
            queue.append(successor)
        queue.popleft()
        phase.expanded += 1
        tree.generated, phase.generated = generated, generated + before


def least_cost_first(
    problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], regions: Regions, *, prune: bool
) -> Iterator[Any]:
    """Expand the state with the least cost so far; reopen states that are reached more cheaply.

    Within a phase costs never decrease, so a state is expanded at its least cost in the current mask. States of earlier
    phases whose cost decreases in the wider mask are expanded again. The search ends when no path in the mask can be
    shorter than the best known one. With `prune`, states are skipped if their lower bound shows that they are not on a
    shorter path.
    """
    frontier: Frontier = tree.frontier
    successors, is_goal, reached, closed = problem.successors, problem.is_goal, tree.reached, tree.closed
    region, mask, depth, least = regions.region, frontier.mask, regions.depth, frontier.least_depth
    buckets, phase, defer, generated = (
        frontier.buckets,
        frontier.phase,
        frontier.deferred.defer,
        tree.generated,
    )
    to_go = regions.to_go if prune else None
    before = phase.generated - generated
    size = len(frontier)
    assert closed is not None
    while buckets:
        level = min(buckets)
        bucket, limit = buckets[level], frontier.incumbent
        if limit is not None and level + 1 >= limit:
            buckets.clear()
            return
        g = level + 1
        following = None
        while bucket:
            state = bucket[0]
            if state in closed or (
                to_go is not None and limit is not None and level + to_go(region(state)) >= limit
            ):
                bucket.popleft()
                size -= 1
                continue
            if size > tree.peak_frontier:
                tree.peak_frontier = size
            yield state
            for action, successor in successors(state):
                generated += 1
                arrival = reached.get(successor)
                if arrival is not None and arrival[0] <= g:
                    continue
                home = region(successor)
                if (mask is not None and home not in mask) or (
                    depth is not None and depth(successor) < least
                ):
                    defer(successor, home, (g, state, action))
                    continue
                goal = is_goal(successor)
                reached[successor] = (g, state, action)
                if goal:  # no state that is left to expand leads to a goal at a lower cost
                    frontier.incumbent, frontier.goal = g, successor
                    break
                if successor in closed:
                    closed.remove(successor)
                    tree.reopened += 1
                    phase.reopened += 1
                if following is None:
                    following = buckets.setdefault(g, deque())
                following.append(successor)
                size += 1
            bucket.popleft()
            size -= 1
            closed.add(state)
            phase.expanded += 1
            tree.generated, phase.generated = generated, generated + before
            if frontier.incumbent is not limit:
                break
        if not bucket:
            del buckets[level]
