"""Weighted A*."""

from collections.abc import Iterator
from fractions import Fraction
from math import inf

from searchkit.engines.informed.astar import astar
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
    return astar(problem, tree, ties=ties, weight=weight)
