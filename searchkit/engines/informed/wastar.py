"""Weighted A*."""

from fractions import Fraction
from heapq import heappop
from math import inf
from typing import Any

from searchkit.basics.rounding import bound_from_weighted_f
from searchkit.engines import kit
from searchkit.plugin.options import Parameter
from searchkit.problem import Cost


def read_weight(value: Any) -> Cost:
    """Read w, a finite number ≥ 1. Raises ValueError."""
    weight = float(value)
    if not 1 <= weight < inf:
        raise ValueError("expected a number ≥ 1")
    return int(weight) if weight.is_integer() else weight


WEIGHT = Parameter(
    "weight", "w ≥ 1, the factor on the heuristic: cost ≤ w · optimum", default=1.5, convert=read_weight
)


@kit.engine(
    "wastar",
    "weighted A*: cost at most w times the least (Pohl 1970)",
    aliases=("weighted A*", "WA*"),
    heuristic="required",
    options=(WEIGHT, kit.TIES),
    kernel="wastar",
)
def weighted_astar(
    problem: kit.Problem, tree: kit.Tree, weight: Cost = 1.5, ties: str = "high-g"
) -> kit.States:
    """Expand the state with the least f = g + w·h: A* with the heuristic multiplied by w (Pohl 1970).

    Usually finds a path much sooner than A*. The path costs at most w times the optimum; the lower bound of the result
    says how much is proved for this path.

    Complete where costs are bounded away from 0; cost ≤ w · optimum for every admissible heuristic.
    Time and memory as A*, usually far less.

    Example:
        >>> from searchkit import load, solve
        >>> result = solve(load("romania"), "wastar", weight=2)
        >>> result.cost, result.lower_bound
        (450, 366)

    """
    is_goal, heuristic, reached = problem.is_goal, problem.heuristic, tree.reached
    cost, high_g, low_h = kit.cost_function(problem), ties == "high-g", ties == "low-h"
    order = 1 if ties == "fifo" else -1

    def entry(g: Cost, h: Cost, number: int, state: Any) -> tuple[Any, ...]:
        f = weighted_f(g, weight, h)
        if f == inf:
            raise kit.cost_overflow_error(state)
        return f, -g if high_g else h if low_h else 0, order * number, g, state

    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts_with_heuristic(problem, tree, heuristic), set()
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
        generated, children = kit.expand(tree, state, g, problem.successors, cost, heuristic, entry)
        if weight == 1:
            kit.warn_of_reopening(problem, tree, closed, children)
        heappop(frontier)
        closed.add(state)
        kit.write(tree, state, generated, children)
    return None


def weighted_f(g: Cost, weight: Cost, h: Cost) -> Cost:
    """Return g + weight · h, exact if g or h is a fraction: a float times a fraction is rounded."""
    if isinstance(weight, float) and Fraction in (type(g), type(h)):
        weight = Fraction(weight)
    return g + weight * h
