"""Iterative-deepening depth-first search."""

from searchkit.engines import kit
from searchkit.engines.informed.idastar import iterative_deepening


@kit.engine(
    "iddfs",
    "iterative deepening: fewest actions in memory linear in the depth (Slate and Atkin 1977)",
    aliases=("ids", "dfid", "iterative deepening", "iterative-deepening depth-first"),
    optimal=True,
    costs="unit",
    memory="depth",
    arrivals=False,
)
def iterative_deepening_depth_first(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Search depth-first to depth 0, 1, 2, …: breadth-first's answer in depth-first's memory (Slate and Atkin 1977).

    It is iterative-deepening A* in which every action costs 1 and the heuristic is 0 (Korf 1985).

    Complete; optimal where every action costs 1. Memory O(b·d) for branching b and depth d; time O(b^d) on
    trees, more where several paths lead to the same state.

    Example:
        >>> from searchkit import problem_from, solve
        >>> doubling = problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 12)
        >>> len(solve(doubling, "iddfs").solution.actions)
        4

    """
    return iterative_deepening(problem, tree, cost=None, heuristic=None)
