"""Depth-limited depth-first search."""

from searchkit.engines import kit
from searchkit.engines.informed.idastar import depth_first_below
from searchkit.plugin.options import Parameter

DEPTH = Parameter("depth", "the most actions of a path", default=50, least=0)


@kit.engine(
    "dls",
    "depth-limited: some path of at most so many actions, depth-first (Russell and Norvig 1995)",
    aliases=("depth-limited", "depth-limited search"),
    complete=False,
    costs="unit",
    memory="depth",
    arrivals=False,
    options=(DEPTH,),
)
def depth_limited(problem: kit.Problem, tree: kit.Tree, depth: float = 50) -> kit.States:
    """Search depth-first, and follow no path beyond `depth` actions (Russell and Norvig 1995).

    As `dfs`, it remembers only the current path, on which no state is entered twice. If it finds no path, the
    result says whether the limit was the reason: it is *cut off* if a successor beyond the limit was left out, and
    then every path has more than `depth` actions; it is *unsolvable* if nothing was left out. Iterative deepening,
    `iddfs`, is this search with the depths 0, 1, 2, ….

    Complete if a goal is at most `depth` actions away; not optimal. Memory O(b·depth) for branching b, time
    O(b^depth).

    Example:
        >>> from searchkit import problem_from, solve
        >>> doubling = problem_from([1], lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 12)
        >>> solve(doubling, "dls", depth=4).solution.states
        (1, 2, 3, 6, 12)
        >>> print(solve(doubling, "dls", depth=3))
        cut off by the depth limit of 3: any path costs at least 4; dls expanded 15 states

    """
    if tree.frontier is None:
        tree.frontier = [(0, state, (0, None, None)) for state in reversed(kit.distinct_starts(problem))]
        tree.threshold = depth
    yield from depth_first_below(problem, tree, cost=None, heuristic=None)
    if not tree.found and tree.next_threshold is not None:
        tree.cut_by, tree.lower_bound = f"the depth limit of {depth}", tree.next_threshold
