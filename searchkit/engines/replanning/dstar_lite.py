"""D* Lite: a search from the goals that can be repaired when the problem changes or the start moves."""

from collections.abc import Iterator

from searchkit.engines.kit import distinct_starts, engine, finish_at_meeting, heuristic_function, reverse
from searchkit.engines.replanning.repair import begin, repair
from searchkit.problem import Action, Reversible, SearchProblem, State
from searchkit.tree import SearchTree


@engine(
    "dstar_lite",
    "D* Lite: lifelong planning A* from the goals, for a start that moves (Koenig and Likhachev 2002)",
    aliases=("D* Lite", "D*", "dynamic A*"),
    optimal=True,
    heuristic="backward",
    requires=(Reversible,),
    arrivals=False,
)
def dstar_lite(problem: SearchProblem[State, Action], tree: SearchTree[State, Action]) -> Iterator[State]:
    """Run lifelong planning A* from the goals to the start (Koenig and Likhachev 2002): the start may move.

    What is known about a state is its least cost to a goal, which stays true when the start moves on. The heuristic is
    `backward_heuristic` (`BackwardHeuristic`), the estimate of the cost from the start; without one, it is 0. After a
    move, the keys of all states that wait are computed again. The paper adds h(s, t) to new keys instead, after a move
    from s to t; that is right only if h(s, u) ≤ h(s, t) + h(t, u) for each state u.

    For `Reversible` problems. Complete where costs are bounded away from 0; optimal for every admissible
    `backward_heuristic`. Expansions, warnings and memory are as in `lpastar`.

    Example:
        >>> from searchkit import SearchProblem, solve
        >>> class Line(SearchProblem[int, int]):
        ...     def initial_states(self): return [0]
        ...     def goal_states(self): return [9]
        ...     def is_goal(self, x): return x == 9
        ...     def successors(self, x): return [(step, x + step) for step in (-1, 1, 3)]
        ...     def predecessors(self, x): return [(step, x - step) for step in (-1, 1, 3)]
        ...     def backward_heuristic(self, x): return abs(x) / 3
        >>> solve(Line(), "dstar_lite").solution.states
        (0, 3, 6, 9)

    """
    way = reverse(problem)
    if tree.frontier is None:
        starts, half = distinct_starts(problem), SearchTree[State, Action]()
        begin(half, way)
        tree.backward, tree.closed = half, set()
        tree.start(*starts)
        tree.frontier = half.frontier
    tree.growing = half = tree.backward  # type: ignore[assignment]  # it was entered
    way.is_goal = tree.reached.__contains__  # the starts
    yield from repair(tree, half, way)
    tree.repairing = False
    if tree.goal is not None:
        finish_at_meeting(problem, tree, heuristic_function(way))
