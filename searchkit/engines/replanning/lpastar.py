"""Lifelong planning A*: a search from the starts that can be repaired when the problem changes."""

from collections.abc import Iterator

from searchkit.engines.kit import engine
from searchkit.engines.replanning.repair import begin, repair
from searchkit.problem import Action, Reversible, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "lpastar",
    "lifelong planning A*: least cost, repaired after changes (Koenig, Likhachev and Furcy 2004)",
    aliases=("LPA*", "lifelong planning A*", "incremental A*"),
    optimal=True,
    heuristic="required",
    requires=(Reversible,),
)
def lpastar(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Expand the inconsistent state with the least key, until a goal has its least cost (Koenig et al. 2004).

    The key of a state is (min(g, rhs) + h, min(g, rhs)); ties go to fewer actions. The first search expands the same
    states as A* that prefers a small g. After a change (`searchkit.Replanner`), only states whose cost so far has
    changed are expanded, and of these only those whose key is below that of the goal.

    For `Reversible` problems: after a change, the best arrival at a state is found among its predecessors. Complete
    where costs are bounded away from 0; optimal for every admissible heuristic. With a consistent one, the first search
    expands no state twice, and each later one expands none more than twice. With an inconsistent one, the first search
    opens states again, and a later one that could not be repaired begins anew; a warning says so. Memory O(states
    reached).

    Example:
        >>> from searchkit import SearchProblem, solve
        >>> class Line(SearchProblem[int, int]):
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [9]
        ...     def is_goal(self, x): return x == 9
        ...     def successors(self, x): return [(step, x + step) for step in (-1, 1, 3)]
        ...     def predecessors(self, x): return [(step, x - step) for step in (-1, 1, 3)]
        ...     def heuristic(self, x): return abs(9 - x) / 3
        >>> solve(Line(), "lpastar").solution.states
        (0, 3, 6, 9)

    """
    if tree.frontier is None:
        begin(tree, problem)
    yield from repair(tree, tree, problem)
    tree.repairing = False
    if tree.goal is not None:
        tree.finish(tree.goal)
