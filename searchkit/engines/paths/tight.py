"""The tight edges: those that lie on paths of least cost."""

from fractions import Fraction
from heapq import heappop, heappush
from math import inf
from typing import Any

from searchkit.basics.rounding import SPARE, UNIT
from searchkit.engines import kit
from searchkit.problem import Cost, has_cost

Step = tuple[Any, int, Any]
"""The state that an action leads from, the number of the action among its successors, and the action."""


def tight_edges(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Run A* beyond the first goal, until every state with f ≤ C*, the least cost, is expanded; keep all tight edges.

    An edge from u to v is tight if g(u) + cost = g(v): the cheapest paths consist of tight edges. They are in
    `tree.frontier.steps`, with some that lead elsewhere. Without a heuristic, this is Dijkstra's algorithm.

    Floats are added exactly, so that the order of additions does not matter. A heuristic value that is a float is
    lowered by what rounding may have added.

    Complete where costs are bounded away from 0; finds all optimal paths for every admissible heuristic.

    Example:
        >>> from searchkit import problem_from
        >>> from searchkit.tree import SearchTree
        >>> square = problem_from(["SW"], lambda s: {"SW": [("N", "NW"), ("E", "SE")], "NW": [("E", "NE")],
        ...                                          "SE": [("N", "NE")], "NE": []}[s], lambda s: s == "NE")
        >>> tree = SearchTree()
        >>> list(tight_edges(square, tree)), tree.frontier.steps["NE"]
        (['SW', 'NW', 'SE', 'NE'], [('NW', 0, 'E'), ('SE', 0, 'N')])

    """
    is_goal, reached, heuristic = problem.is_goal, tree.reached, kit.heuristic_function(problem)

    def exact_cost(state: Any, action: Any, child: Any) -> Cost:
        return _exact(kit.checked_cost(state, action, child, problem.cost(state, action, child)))

    def lowered(state: Any) -> Cost:
        """Return a heuristic value that does not exceed the exact one by rounding."""
        h = 0 if heuristic is None else kit.checked_heuristic(state, heuristic(state))
        return _exact(h) * (1 - 2 * SPARE * UNIT) if isinstance(h, float) and h < inf else h

    if tree.frontier is None:
        starts, tree.closed = kit.enter_starts_with_heuristic(problem, tree, lowered), set()
        tree.frontier = Open(sorted((h, i, 0, s) for i, (s, h) in enumerate(starts, -len(starts))))
    frontier, cost = tree.frontier, exact_cost if has_cost(problem) else None
    heap, steps = frontier.heap, frontier.steps
    while heap:
        f, _, g, state = heap[0]
        if g > reached[state][0]:
            heappop(heap)
            continue
        if frontier.goals and f > reached[frontier.goals[0]][0]:
            break
        tree.lower_bound = f
        if state not in frontier.goals and is_goal(state):
            frontier.goals.append(state)
            continue
        yield state
        first = tree.generated + 1
        generated, children = kit.expand(
            tree, state, g, problem.successors, cost, lowered, kit.by_f, equals=True
        )
        cheaper = [one for one in children if one[0] not in reached or one[1][0] < reached[one[0]][0]]
        heappop(heap)
        tree.closed.add(state)
        kit.write(tree, state, generated, cheaper, Open.push)
        for child, (new_g, _, action), (_, number, _, _) in children:
            known = steps.setdefault(child, [])
            own = [other for before, _, other in known[-len(children) :] if before is state]
            if new_g == reached[child][0] and action not in own:
                known.append((state, number - first, action))
    if frontier.goals:
        tree.finish(frontier.goals[0])


def _exact(cost: Cost) -> Cost:
    return Fraction(cost) if isinstance(cost, float) else cost


class Open:
    """The open states, the goals that cost the least, and the tight edges."""

    def __init__(self, heap: list[tuple[Cost, float, Cost, Any]]):
        self.heap = heap
        """f, a number that breaks ties (the first in is the first), g, state."""
        self.goals: list[Any] = []
        self.steps: dict[Any, list[Step]] = {}
        """State → the tight edges that lead into it."""

    def __len__(self) -> int:
        return len(self.heap)

    def push(self, entry: tuple[Cost, float, Cost, Any]) -> None:
        """Add a state that was reached more cheaply: no edge into it is known to be tight."""
        heappush(self.heap, entry)
        self.steps[entry[-1]] = []
