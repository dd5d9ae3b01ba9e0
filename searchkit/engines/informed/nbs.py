"""Near-optimal bidirectional heuristic search."""

from heapq import heappop, heappush
from math import inf
from typing import Any

from searchkit.engines import kit
from searchkit.problem import Cost, Reversible, has_cost


@kit.engine(
    "nbs",
    "near-optimal bidirectional: least cost, from both ends, guided (Chen, Holte, Zilles and Sturtevant 2017)",
    aliases=(
        "near-optimal bidirectional search",
        "bidirectional heuristic search",
        "bidirectional A*",
        "MM",
    ),
    optimal=True,
    heuristic="optional",
    requires=(Reversible,),
    arrivals=False,
)
def nbs(problem: kit.Problem, tree: kit.Tree) -> kit.States:
    """Expand both states of the pair (u, v) with the least lower bound lb (Chen, Holte, Zilles and Sturtevant 2017).

    u is open in the half that grows from the starts and v in the one that grows from the goals. No path through both
    costs less than lb(u, v) = max(f(u), f(v), g(u) + g(v) + ε), where ε, the least cost of an action, is 1 for a
    problem without costs and 0 for others. Of the pairs with the least lb, the one with the least g(u), then g(v), is
    chosen. The search ends when the best meeting costs no more than the least lb.

    The forward half uses `heuristic`, the backward half `backward_heuristic` (`BackwardHeuristic`); either is 0 where
    the problem has none. Both are front-to-end: estimates to the goals and from the starts.

    For problems with `predecessors` and `goal_states`. Complete where costs are bounded away from 0; optimal for all
    admissible heuristics: a state that is reached more cheaply is opened again. Every admissible algorithm that knows
    nothing more has to expand u forwards or v backwards for each pair with lb(u, v) below the optimum. With consistent
    heuristics, this one makes at most twice as many expansions below the optimum as the fewest that do so. Memory
    O(states reached).

    Example:
        >>> from searchkit import load, solve
        >>> [solve(load("crypt"), engine).statistics.expanded for engine in ("bidirectional", "nbs")]
        [500, 486]

    """
    turned, epsilon = kit.reverse(problem), 0 if has_cost(problem) else 1
    if tree.frontier is None:
        starts = kit.values_of(kit.distinct_starts(problem), kit.heuristic_function(problem))
        goals = kit.values_of(dict.fromkeys(turned.initial_states()), kit.heuristic_function(turned))
        backward = kit.enter_halves(tree, [state for state, _ in starts], [state for state, _ in goals])
        backward.frontier, tree.frontier = Open(goals), Open(starts)
    backward = tree.backward  # type: ignore[assignment]  # it was entered
    ends: Any = [
        (half, other, way.successors, kit.cost_function(way), kit.heuristic_function(way))
        for half, other, way in ((tree, backward, problem), (backward, tree, turned))
    ]
    while tree.frontier.chosen or backward.frontier.chosen or _choose_pair(tree, backward, epsilon):
        for half, other, successors, cost, heuristic in ends:
            if not half.frontier.chosen:
                continue  # expanded before a pause
            state = half.frontier.chosen[0]
            tree.growing = half
            yield state
            g = half.reached[state][0]
            generated, children = kit.expand(tree, state, g, successors, cost, heuristic, kit.by_f, half=half)
            kit.warn_of_reopening(problem, tree, half.closed, children)
            half.frontier.chosen.clear()
            half.closed.add(state)
            kit.write(tree, state, generated, children, Open.push, half)
            kit.record_meetings(tree, other, children)
    if tree.incumbent is not None:
        kit.finish_at_meeting(problem, tree, kit.heuristic_function(turned))


class Open:
    """The open states of one half: those with f above the bound wait, in order of f; the others are in order of g."""

    def __init__(self, roots: list[tuple[Any, Cost]]):
        numbered = enumerate(roots, -len(roots))
        self.waiting: list[tuple[Cost, int, Cost, Any]] = sorted(
            (h, i, 0, s) for i, (s, h) in numbered if h < inf
        )
        """f, a number that breaks ties, g, state."""
        self.ready: list[tuple[Cost, int, Any]] = []
        """g, the same number, state."""
        self.chosen: list[Any] = []
        """The state of the chosen pair, until it is expanded."""

    def push(self, entry: tuple[Cost, int, Cost, Any]) -> None:
        """Add an open state."""
        heappush(self.waiting, entry)

    def prepare(self, half: kit.Tree, bound: Cost) -> None:
        """Move the states with f up to the bound to `ready`; drop entries of states that are reached more cheaply."""
        waiting, ready, reached = self.waiting, self.ready, half.reached
        while waiting and (waiting[0][0] <= bound or waiting[0][2] > reached[waiting[0][3]][0]):
            _, number, g, state = heappop(waiting)
            if g == reached[state][0]:
                heappush(ready, (g, number, state))
        while ready and ready[0][0] > reached[ready[0][2]][0]:
            heappop(ready)

    def __len__(self) -> int:
        return len(self.waiting) + len(self.ready)

    def __bool__(self) -> bool:
        return bool(self.waiting or self.ready or self.chosen)


def _choose_pair(tree: kit.Tree, backward: kit.Tree, epsilon: Cost) -> bool:
    """Choose the open pair with the least lb, which becomes the lower bound; return False if there is none to expand.

    A pair below the bound appears only if a heuristic is inconsistent. The bound never falls.
    """
    ahead, behind = tree.frontier, backward.frontier
    bound = tree.lower_bound
    while tree.incumbent is None or bound < tree.incumbent:
        tree.lower_bound = bound
        ahead.prepare(tree, bound)
        behind.prepare(backward, bound)
        if not (ahead and behind):
            return False
        sums = [ahead.ready[0][0] + behind.ready[0][0] + epsilon] if ahead.ready and behind.ready else []
        if sums and sums[0] <= bound:
            tree.peak_frontier = max(tree.peak_frontier, len(ahead) + len(behind))
            for frontier in (ahead, behind):
                frontier.chosen.append(heappop(frontier.ready)[2])
            return True
        bound = min([*sums, *(frontier.waiting[0][0] for frontier in (ahead, behind) if frontier.waiting)])
    return False
