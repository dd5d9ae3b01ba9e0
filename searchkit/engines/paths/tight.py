"""The tight edges: those that lie on paths of least cost."""

from collections.abc import Iterator
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

from attrs import define, field

from searchkit.basics.checks import invalid_cost
from searchkit.basics.rounding import SPARE, UNIT
from searchkit.engines.kit import check_heuristic_value, cost_function, distinct_starts, put_back
from searchkit.problem import Action, Cost, SearchProblem, State, has_heuristic
from searchkit.tree import SearchTree

Step = tuple[Any, int, Any]
"""The state that an action leads from, the number of the action among its successors, and the action."""


def tight_edges(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Run A* beyond the first goal, until every state with f ≤ C*, the least cost, is expanded; keep all tight edges.

    An edge from u to v is tight if g(u) + cost = g(v): the cheapest paths consist of tight edges. They are in
    `tree.frontier.steps`, with some that lead elsewhere. Without a heuristic, this is Dijkstra's algorithm.

    Floats are added exactly, so that the order of additions does not matter. A heuristic value that is a float is
    lowered by what rounding may have added.

    Complete where costs are bounded away from 0; finds all optimal paths for every admissible heuristic.

    Example:
        >>> from searchkit import problem_from
        >>> square = problem_from(["SW"], lambda s: {"SW": [("N", "NW"), ("E", "SE")], "NW": [("E", "NE")],
        ...                                          "SE": [("N", "NE")], "NE": []}[s], lambda s: s == "NE")
        >>> tree = SearchTree()
        >>> list(tight_edges(square, tree)), tree.frontier.steps["NE"]
        (['SW', 'NW', 'SE', 'NE'], [('NW', 0, 'E'), ('SE', 0, 'N')])

    """
    successors, is_goal, reached, cost = (
        problem.successors,
        problem.is_goal,
        tree.reached,
        cost_function(problem),
    )
    heuristic = problem.heuristic if has_heuristic(problem) else None
    if tree.frontier is None:
        values = {} if heuristic is None else {state: heuristic(state) for state in distinct_starts(problem)}
        entries: list[tuple[Cost, float, Cost, Any]] = []
        for number, state in enumerate(distinct_starts(problem)):
            tree.start(state)
            if (h := _lowered(state, values.get(state, 0))) < inf:
                entries.append((h, number - len(reached), 0, state))
        heapify(entries)
        tree.frontier, tree.closed = Open(entries), set()
    frontier, closed, generated = tree.frontier, tree.closed, tree.generated
    heap, steps = frontier.heap, frontier.steps
    assert closed is not None
    while heap:
        entry = f, _, g, state = heap[0]
        if g > reached[state][0]:
            heappop(heap)
            continue
        if frontier.goals and f > reached[frontier.goals[0]][0]:
            break
        tree.lower_bound = f
        if state not in frontier.goals and is_goal(state):
            frontier.goals.append(state)
            continue
        tree.peak_frontier = max(tree.peak_frontier, len(heap))
        yield state
        try:
            heappop(heap)
            for ordinal, (action, successor) in enumerate(successors(state)):
                generated += 1
                step = 1 if cost is None else cost(state, action, successor)
                if not 0 <= step < inf:
                    raise invalid_cost(state, action, successor, step)
                new_g = g + (Fraction(step) if isinstance(step, float) else step)
                if successor not in reached or new_g < reached[successor][0]:
                    h = 0 if heuristic is None else _lowered(successor, heuristic(successor))
                    if h == inf:
                        continue  # a dead end
                    if successor in closed:
                        closed.remove(successor)
                        tree.reopened += 1
                    reached[successor] = (new_g, state, action)
                    steps[successor] = []
                    heappush(heap, (new_g + h, generated, new_g, successor))
                if new_g == reached[successor][0]:
                    _add(steps.setdefault(successor, []), (state, ordinal, action))
        except BaseException:
            put_back(heap, entry)
            raise
        closed.add(state)
        tree.generated = generated
    if frontier.goals:
        tree.finish(frontier.goals[0])


@define(eq=False)
class Open:
    """The open states, the goals that cost the least, and the tight edges."""

    heap: list[tuple[Cost, float, Cost, Any]]
    """f, a number that breaks ties (the first in is the first), g, state."""
    goals: list[Any] = field(factory=list)
    steps: dict[Any, list[Step]] = field(factory=dict)
    """State → the tight edges that lead into it."""


def _add(steps: list[Step], step: Step) -> None:
    """Add a step unless it is there: an expansion may be done again, and successors may list an action twice."""
    state, _, action = step
    for before, _, other in reversed(steps):
        if before is not state:
            break
        if other == action:
            return
    steps.append(step)


def _lowered(state: object, h: Cost) -> Cost:
    """Return a heuristic value that does not exceed the exact one by rounding. Raises `InvalidProblemError`."""
    if not 0 <= h < inf:
        check_heuristic_value(state, h)
        return inf
    return Fraction(h) * (1 - 2 * SPARE * UNIT) if isinstance(h, float) else h
