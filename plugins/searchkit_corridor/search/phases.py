"""From one phase to the next: when a search ends, how the mask opens, and which states enter it."""

from collections import deque
from itertools import islice
from math import inf
from typing import Any

from searchkit import SearchProblem
from searchkit.engines.kit import distinct_starts
from searchkit.plugin import has_cost
from searchkit.tree import Arrival, SearchTree
from searchkit_corridor.regions import Regions
from searchkit_corridor.search.deferred import ACTIVATIONS, Waiting
from searchkit_corridor.search.expansion import admits
from searchkit_corridor.search.frontier import Frontier, PhaseReport
from searchkit_corridor.search.mask import Opening, first_opening, wider

FROM_START: Arrival[Any, Any] = (0, None, None)


def reopens(variant: str, semantics: str, *, by_depth: bool) -> bool:
    """Whether states are reopened if they are reached more cheaply in a wider mask."""
    return variant in ("optimal", "proved") or (variant == "fast" and by_depth and semantics == "strict")


def begin(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    regions: Regions,
    radius: int,
    activation: str,
    *,
    reopening: bool,
) -> None:
    """Plan the first corridor and enter the starts inside it; defer the other starts."""
    starts = tuple(distinct_starts(problem))
    opening, path = first_opening(problem, regions, starts, radius)
    frontier = Frontier(starts, opening.mask, opening.least_depth, ACTIVATIONS[activation]())
    for state in starts:
        frontier.deferred.defer(state, regions.region(state), FROM_START)
    frontier.bound = frontier.least_open_cost(regions)
    if frontier.bound == inf or (regions.to_go is None and regions.depth is None):
        # Each action crosses at most one border between regions.
        frontier.bound = 0 if path is None else len(path) - 1
    if reopening:
        tree.closed = set()
    _open(problem, tree, frontier, regions, opening)
    tree.lower_bound = frontier.bound
    tree.frontier = frontier


def conclude(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    regions: Regions,
    *,
    prove: bool,
    exact: bool,
) -> bool:
    """Record what the finished phase has proved; return whether the search ends.

    `exact` means that arrivals are least costs in the mask, which always holds in the first phase.
    """
    frontier: Frontier = tree.frontier
    cost = frontier.incumbent
    if exact or len(frontier.phases) == 1:
        reach = inf if cost is None else cost
        proved = min(reach, frontier.least_open_cost(regions))
        if proved < inf:
            frontier.bound = max(frontier.bound, proved)
    over = not len(frontier.deferred) if cost is None else not prove or _is_proved(frontier, regions, cost)
    if cost is not None and over:
        tree.finish(frontier.goal)
    tree.lower_bound = frontier.bound
    _report(tree, with_gap=over and not has_cost(problem))
    return over


def next_phase(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    regions: Regions,
    radius: int,
    budget: int,
    learn: bool,
    *,
    restarts: bool,
) -> None:
    """Widen the mask and enter the deferred states that it admits; with `restarts`, begin again."""
    frontier: Frontier = tree.frontier
    visited = set(map(regions.region, islice(tree.reached, frontier.scanned, None))) - frontier.searched
    scanned = len(tree.reached)
    opening = wider(frontier, regions, visited, radius, budget, learn)
    if restarts:
        fresh = ACTIVATIONS["list"]()
        for state in frontier.starts:
            fresh.defer(state, regions.region(state), FROM_START)
        frontier.deferred = fresh
        tree.reached.clear()
    _open(problem, tree, frontier, regions, opening)
    frontier.searched |= visited
    frontier.scanned = 0 if restarts else scanned
    frontier.widenings = 0 if opening.kind == "depth" else frontier.widenings + 1


def _open(
    problem: SearchProblem[Any, Any],
    tree: SearchTree[Any, Any],
    frontier: Frontier,
    regions: Regions,
    opening: Opening,
) -> None:
    """Apply the new mask. All calls of the problem come first, so an exception changes nothing."""
    before, least_before = frontier.mask or frozenset(), frontier.least_depth
    everything = opening.mask is None or not frontier.phases or opening.least_depth != least_before
    opened = (
        frozenset() if opening.mask is None else opening.mask - (before if frontier.phases else frozenset())
    )
    active = frontier.deferred.admitted(
        None if everything else opened, admits(opening.mask, opening.least_depth, regions)
    )
    goals = [(arrival[0], state) for state, arrival, _ in active if problem.is_goal(state)]
    frontier.deferred.remove(active)
    frontier.mask, frontier.least_depth = opening.mask, opening.least_depth
    frontier.opened |= opened
    frontier.fell_back = frontier.fell_back or opening.mask is None
    frontier.phases.append(
        PhaseReport(opening.kind, opened, len(opening.mask or ()), opening.least_depth, len(active))
    )
    kind = "phase" if len(frontier.phases) == 1 else "mask widened"
    tree.note(kind, opening.kind, regions=tuple(opened), mask=len(opening.mask or ()))
    _enter(tree, frontier, active)
    for cost, state in goals:
        if frontier.incumbent is None or cost < frontier.incumbent:
            frontier.incumbent, frontier.goal = int(cost), state


def _enter(tree: SearchTree[Any, Any], frontier: Frontier, active: list[Waiting]) -> None:
    for state, arrival, _ in active:
        tree.reached[state] = arrival
        if tree.closed is None:
            frontier.queue.append(state)
        else:
            frontier.buckets.setdefault(int(arrival[0]), deque()).append(state)


def _is_proved(frontier: Frontier, regions: Regions, cost: int) -> bool:
    """Whether no path of at least this depth is shorter."""
    return bool(frontier.least_open_cost(regions, frontier.least_depth) >= cost)


def _report(tree: SearchTree[Any, Any], *, with_gap: bool) -> None:
    """Write the details of the result, with the gap if the search is over and every action costs 1."""
    frontier: Frontier = tree.frontier
    details: dict[str, object] = {}
    if frontier.incumbent is not None and with_gap:
        details["gap"] = frontier.incumbent - frontier.bound
    if frontier.least_depth is not None:
        details["depth"] = frontier.least_depth
    details["regions opened"] = frontier.regions_opened
    details["fall-back"] = frontier.fell_back
    details["phases"] = tuple(frontier.phases)
    tree.details = details
