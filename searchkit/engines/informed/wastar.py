"""Weighted A*."""

from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop
from math import inf
from typing import Any

from searchkit.basics.rounding import bound_from_weighted_f
from searchkit.engines.kit import (
    TIES,
    cost_function,
    cost_overflow_error,
    engine,
    enter_starts_with_heuristic,
    expand,
    warn_of_reopening,
    write,
)
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


def read_weight(value: Any) -> Cost:
    """Read w, a finite number ≥ 1. Raises ValueError."""
    weight = float(value)
    if not 1 <= weight < inf:
        raise ValueError("expected a number ≥ 1")
    return int(weight) if weight.is_integer() else weight


WEIGHT = Parameter(
    "weight", "w ≥ 1, the factor on the heuristic: cost ≤ w · optimum", default=1.5, convert=read_weight
)


@engine(
    "wastar",
    "weighted A*: cost at most w times the least (Pohl 1970)",
    aliases=("weighted A*", "WA*"),
    heuristic="required",
    options=(WEIGHT, TIES),
    kernel="searchkit.kernels.best_first:WeightedAStar",
)
def weighted_astar(
    problem: SearchProblem[State, Action],
    tree: SearchTree[State, Action],
    weight: Cost = 1.5,
    ties: str = "high-g",
) -> Iterator[State]:
    """Expand the state with the least f = g + w·h: A* with the heuristic multiplied by w (Pohl 1970).

    Usually finds a path much sooner than A*. The path costs at most w times the optimum; the lower bound of the result
    says how much is proved for this path.

    Complete where costs are bounded away from 0; cost ≤ w · optimum for every admissible heuristic.
    Time and memory as A*, usually far less.

    Example:
        >>> from searchkit import problem_from, solve
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 4,
        ...                     heuristic=lambda x: abs(4 - x))
        >>> result = solve(line, "wastar", weight=2)
        >>> result.cost, result.lower_bound
        (4, 4)

    """
    is_goal, heuristic, reached = problem.is_goal, problem.heuristic, tree.reached
    cost, high_g, low_h = cost_function(problem), ties == "high-g", ties == "low-h"
    order = 1 if ties == "fifo" else -1

    def entry(g: Cost, h: Cost, number: int, state: State) -> tuple[Any, ...]:
        f = weighted_f(g, weight, h)
        if not f < inf:
            raise cost_overflow_error(state)
        return f, -g if high_g else h if low_h else 0, order * number, g, state

    if tree.frontier is None:
        starts, tree.closed = enter_starts_with_heuristic(problem, tree, heuristic), set()
        tree.frontier = sorted(entry(0, h, i, start) for i, (start, h) in enumerate(starts, -len(starts)))
    frontier, closed = tree.frontier, tree.closed
    while frontier:
        f, _, _, g, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        tree.lower_bound = bound_from_weighted_f(f, weight)
        if is_goal(state):
            return tree.finish(state)
        yield state
        generated, arrivals = expand(tree, state, g, problem.successors, cost, heuristic)
        if weight == 1:
            warn_of_reopening(problem, tree, state, arrivals, closed)
        children = [
            (child, (g, state, action), entry(g, h, number, child))
            for number, action, child, g, h in arrivals
        ]
        heappop(frontier)
        closed.add(state)
        write(tree, state, generated, children)
    return None


def weighted_f(g: Cost, weight: Cost, h: Cost) -> Cost:
    """Return g + weight · h, exact if g or h is a fraction: a float times a fraction is rounded."""
    if isinstance(weight, float) and Fraction in (type(g), type(h)):
        weight = Fraction(weight)
    return g + weight * h
