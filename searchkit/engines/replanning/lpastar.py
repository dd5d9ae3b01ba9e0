"""Lifelong planning A*: a search from the starts that can be repaired when the problem changes."""

from searchkit.engines import kit
from searchkit.engines.replanning.repair import begin, repair
from searchkit.problem import Reversible


@kit.engine(
    "lpastar",
    "lifelong planning A*: least cost, repaired after changes (Koenig, Likhachev and Furcy 2004)",
    aliases=("LPA*", "lifelong planning A*", "incremental A*"),
    optimal=True,
    heuristic="required",
    requires=(Reversible,),
)
def lpastar(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Expand the inconsistent state with the least key, until a goal has its least cost (Koenig et al. 2004).

    The key of a state is (min(g, rhs) + h, min(g, rhs)); ties go to fewer actions. The first search expands the same
    states as A* that prefers a small g. After a change (`searchkit.Replanner`), only states whose cost so far has
    changed are expanded, and of these only those whose key is below that of the goal.

    For problems with `predecessors` and `goal_states`: after a change, the best arrival at a state is found among its
    predecessors. Complete where costs are bounded away from 0; optimal for every admissible heuristic. With a
    consistent one, the first search expands no state twice, and each later one expands none more than twice. With an
    inconsistent one, the first search opens states again, and a later one that could not be repaired begins anew; a
    warning says so. Memory O(states reached).

    Example:
        >>> from searchkit import load, solve
        >>> solve(load("maze"), "lpastar").cost
        160

    """
    if tree.frontier is None:
        begin(tree, problem)
    yield from repair(tree, tree, problem)
    tree.repairing = False
    if tree.goal is not None:
        tree.finish(tree.goal)
