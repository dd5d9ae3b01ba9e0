"""The two ways to search inside the present mask, until a goal is found or nothing is left to expand."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from searchkit import SearchProblem
from searchkit.tree import SearchTree
from searchkit_corridor.plan import Region
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.frontier import Frontier


def admits(mask: frozenset[Region] | None, least: Any, regions: Regions) -> Callable[[Any, Region], bool]:
    """Return the test for (state, its region) that both masks admit: the one of regions and the one by depth."""
    depth = regions.depth

    def admitted(state: Any, region: Region) -> bool:
        return (mask is None or region in mask) and (depth is None or depth(state) >= least)

    return admitted


def first_in_first_out(
    problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], regions: Regions
) -> Iterator[Any]:
    """Expand states in the order in which they were reached; each keeps its first arrival.

    Breadth-first in the first phase. When a queue is resumed, states come in that were reached long ago, and what
    lies behind them gets its first arrival by whatever way was open first.
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
    """Expand the state with the least cost so far; reopen those that turn out to be cheaper to reach.

    Within a phase costs never fall, so a state is expanded at its least cost in the present mask. States of earlier
    phases whose cost the wider mask lowers are expanded again. Ends when no path through the mask can be shorter
    than the one known. With `prune`, states are left out whose lower bound says that they can't be on a shorter one.
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
                if goal:  # nothing that is still to be expanded leads to a goal at less
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
