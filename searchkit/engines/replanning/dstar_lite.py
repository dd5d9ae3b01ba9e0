"""D* Lite: a search from the goals that can be repaired when the problem changes or the start moves."""

from typing import Any

from searchkit.engines import kit
from searchkit.engines.replanning.repair import begin, repair
from searchkit.problem import Reversible
from searchkit.tree import SearchTree


@kit.engine(
    "dstar_lite",
    "D* Lite: lifelong planning A* from the goals, for a start that moves (Koenig and Likhachev 2002)",
    aliases=("D* Lite", "D*", "dynamic A*"),
    optimal=True,
    heuristic="backward",
    requires=(Reversible,),
    arrivals=False,
)
def dstar_lite(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Run lifelong planning A* from the goals to the start (Koenig and Likhachev 2002): the start may move.

    What is known about a state is its least cost to a goal, which stays true when the start moves on. The heuristic is
    `backward_heuristic` (`BackwardHeuristic`), the estimate of the cost from the start; without one, it is 0. After a
    move, the keys of all states that wait are computed again. The paper adds h(s, t) to new keys instead, after a move
    from s to t; that is right only if h(s, u) ≤ h(s, t) + h(t, u) for each state u.

    For problems with `predecessors` and `goal_states`. Complete where costs are bounded away from 0; optimal for every
    admissible `backward_heuristic`. Expansions, warnings and memory are as in `lpastar`.

    Example:
        >>> from searchkit import load, solve
        >>> solve(load("maze"), "dstar_lite").cost
        160

    """
    way = kit.reverse(problem)
    if tree.frontier is None:
        starts, half = kit.distinct_starts(problem), SearchTree[Any, Any]()
        begin(half, way)
        tree.backward, tree.closed = half, set()
        tree.start(*starts)
        tree.frontier = half.frontier
    tree.growing = half = tree.backward  # type: ignore[assignment]  # it was entered
    way.is_goal = tree.reached.__contains__  # the starts
    yield from repair(tree, half, way)
    tree.repairing = False
    if tree.goal is not None:
        kit.finish_at_meeting(problem, tree, kit.heuristic_function(way))
