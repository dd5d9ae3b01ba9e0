"""Depth-first search."""

from math import inf

from searchkit.engines import kit
from searchkit.engines.uninformed.dls import depth_limited


@kit.engine(
    "dfs",
    "depth-first: some path, in memory linear in the depth (Trémaux, in Lucas 1882)",
    aliases=("depth-first", "depth-first search"),
    complete=False,
    costs="unit",
    memory="depth",
    arrivals=False,
)
def depth_first(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Expand the deepest state first, and remember only the path to it (Trémaux, in Lucas 1882).

    A state on the current path is not entered again, so that the search ends on every finite space. Other states may
    be entered again, because no record of them is kept: so memory stays linear in the depth. It is depth-limited
    search, `dls`, without the limit.

    Not complete on infinite spaces; not optimal. Memory O(b·d) for branching b and depth d; time is
    exponential in the number of states where many paths lead to the same state.

    Example:
        >>> from searchkit import problem_from, solve
        >>> tree = problem_from([1], lambda n: [(b, 2 * n + b) for b in (0, 1) if n < 8], lambda n: n == 5)
        >>> solve(tree, "dfs").solution.states
        (1, 2, 5)

    """
    return depth_limited(problem, tree, depth=inf)
