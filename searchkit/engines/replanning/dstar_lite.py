"""D* Lite: a search from the goals that can be repaired when the problem changes or the start moves."""

from collections.abc import Iterator
from typing import Any

from searchkit.engines.kit import distinct_starts, engine, join, warns_of_overestimate
from searchkit.engines.replanning.repair import Direction, Queue, begin, repair
from searchkit.problem import Action, BackwardHeuristic, Cost, Reversible, SearchProblem, State
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
    way = from_goals(problem)
    if tree.frontier is None:
        tree.backward, tree.closed = SearchTree(), set()
        starts = distinct_starts(problem)
        begin(tree.backward, way)
        tree.start(*starts)
        tree.frontier = tree.backward.frontier
    backward = tree.backward
    assert backward is not None
    tree.growing = backward
    roots = list(tree.reached)

    def warn(state: object, action: object, before: object) -> None:
        tree.warnings.append(
            f"backward_heuristic is inconsistent: a cheaper path from {before!r} was found after it was expanded"
        )

    yield from repair(tree, backward, way, tree.reached.__contains__, lambda: roots, warn)
    tree.repairing = False
    if tree.goal is not None:
        goal = join(problem, tree, backward)
        tree.lower_bound = _proved(tree, backward, goal, way)
        tree.finish(goal)


def from_goals(problem: Any) -> Direction:
    """Return a problem as D* Lite sees it."""
    assert isinstance(problem, Reversible)
    heuristic = problem.backward_heuristic if isinstance(problem, BackwardHeuristic) else None
    return Direction(problem, False, heuristic, problem.goal_states())


def _proved(tree: Any, backward: Any, goal: Any, way: Direction) -> Cost:
    """Return the bound that is proved when the search ends: the cost, unless the heuristic overestimates on the path.

    Then it is the least rhs of a state that waits: every path leads through one, or is known.
    """
    cost: Cost = tree.reached[goal][0]
    if warns_of_overestimate(tree, goal, way.heuristic):
        queue: Queue = backward.frontier
        return min([cost, *(queue.rhs[state][0] for state in queue.waiting if state in queue.rhs)])
    return cost
