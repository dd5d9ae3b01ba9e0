"""Weighted A*."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from math import inf

from searchkit.basics.rounding import bound_from_weighted_f
from searchkit.engines.kit import (
    TIES,
    cost_function,
    cost_overflow_error,
    engine,
    enter_starts_with_heuristic,
    expand,
    warn_of_inconsistency,
    write,
)
from searchkit.plugin.specs import Parameter
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.tree import SearchTree


def read_weight(value: object) -> Cost:
    """Read w, a finite number ≥ 1: exact if it is given as an integer or a fraction (`3/2`). Raises ValueError."""
    if isinstance(value, str):
        weight: Cost = Fraction(value) if "/" in value else float(value)
    elif isinstance(value, int | float | Fraction):
        weight = value
    else:
        raise TypeError("expected a number ≥ 1")
    if not 1 <= weight < inf:
        raise ValueError("expected a number ≥ 1")
    return int(weight) if weight == int(weight) else weight


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
    is_goal, heuristic, reached, cost = (
        problem.is_goal,
        problem.heuristic,
        tree.reached,
        cost_function(problem),
    )
    high_g, low_h, order = ties == "high-g", ties == "low-h", 1 if ties == "fifo" else -1
    if tree.frontier is None:
        starts, tree.closed = enter_starts_with_heuristic(problem, tree, heuristic), set()
        tree.frontier = sorted(
            (weighted_f(0, weight, h), h * low_h, order * (place - len(starts)), 0, state)
            for place, (state, h) in enumerate(starts)
        )
    frontier, push = tree.frontier, partial(heappush, tree.frontier)
    while frontier:
        f, _, _, g, state = frontier[0]
        if g > reached[state][0]:
            heappop(frontier)
            continue
        tree.lower_bound = bound_from_weighted_f(f, weight)
        if is_goal(state):
            return tree.finish(state)
        if len(frontier) > tree.peak_frontier:
            tree.peak_frontier = len(frontier)
        yield state
        generated, arrivals = expand(tree, state, g, problem.successors, cost, heuristic)
        children = []
        for number, action, child, new_g, h in arrivals:
            f = weighted_f(new_g, weight, h)
            if not f < inf:
                raise cost_overflow_error(child)
            if weight == 1 and child in tree.closed and not tree.warnings:
                warn_of_inconsistency(problem, tree, state, action, child)
            rank = -new_g if high_g else h if low_h else 0
            children.append((child, (new_g, state, action), (f, rank, order * number, new_g, child)))
        heappop(frontier)
        write(tree, state, generated, children, push)
    return None


def weighted_f(g: Cost, weight: Cost, h: Cost) -> Cost:
    """Return g + weight · h, exact if g or h is a fraction: a float times a fraction is rounded."""
    if isinstance(weight, float) and Fraction in (type(g), type(h)):
        weight = Fraction(weight)
    return g + weight * h
