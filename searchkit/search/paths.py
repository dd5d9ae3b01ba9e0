"""Several paths: the k cheapest; and all that cost the least, counted and listed."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from graphlib import TopologicalSorter
from operator import add, index, itemgetter
from typing import Any, Generic

from searchkit.basics.checks import distinct_starts, step_costs
from searchkit.engines.paths.tight import tight_edges
from searchkit.errors import InfinitePathsError, LimitReachedError, quoted
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result, Solution, Status
from searchkit.search.driver import Search
from searchkit.search.limits import Limits

MAX_TRAILS = 100_000
TIGHT = EngineSpec("optimal paths", tight_edges, optimal=True, heuristic="optional")


def k_best(
    problem: SupportsSearch[State, Action], k: int, *, limits: Limits | None = None
) -> list[Solution[State, Action]]:
    """Return the k cheapest simple paths, cheapest first; all of them if there are fewer (Yen 1971; Lawler 1972).

    A simple path enters no state twice. It begins in a start and ends in a goal, and may lead through others. Paths
    with the same states and different actions are different. Paths of the same cost come in the same order in each run.
    `solve(problem, "k_best", k=k)` does the same: after a cutoff, its result has the paths found until then.

    Args:
        problem: with a heuristic that never overestimates, or without one.
        k: how many paths, at least 1.
        limits: limits of the search.

    Raises:
        LimitReachedError: a limit came first.
        InvalidOptionError, InvalidProblemError: as `solve` does.

    Example:
        >>> from searchkit import k_best, problem_from
        >>> ladder = problem_from([0], lambda n: [("+1", n + 1), ("+2", n + 2)], lambda n: n == 4)
        >>> [(path.cost, *path.actions) for path in k_best(ladder, 3)]
        [(2, '+2', '+2'), (3, '+1', '+2', '+1'), (3, '+2', '+1', '+1')]

    """
    search: Search[State, Action] = Search(problem, "k_best", k=k)
    result = search.run(limits)
    _refuse_cutoff(result, f"{len(result.solutions)} of {k} paths were found")
    return list(result.solutions)


class OptimalPaths(Generic[State, Action]):
    """All simple paths of least cost, in the order of the starts and of the successors: made by `optimal_paths`.

    They are not stored: the object holds the tight edges (those from u to v with g(u) + cost = g(v)) between states
    that lie on such paths, and for each of these states the number of paths from there to a goal. So it may represent
    more paths than anything could list. Iterating makes one path after the other; `paths[randrange(paths.number)]` is
    one of them at random, each with the same probability.
    """

    def __init__(self, problem: SearchProblem[State, Action], search: Search[State, Action]):
        self._problem, frontier = problem, search.tree.frontier
        self._goals: set[State] = set(frontier.goals)
        edges = _tight_edges_on_paths(frontier)
        self.states = len(edges)
        """How many states lie on these paths."""
        self._first = [(None, (start,)) for start in distinct_starts(problem) if start in edges]
        self._edges = _trails(edges, [trail for _, trail in self._first], search.tree.reached)
        """Trail → (action, trail) of each tight edge, in the order of the problem."""
        self._counts: dict[Any, int] = {}
        """Trail → the number of paths from its end to a goal."""
        after = {trail: [to for _, to in edges] for trail, edges in self._edges.items()}
        for trail in TopologicalSorter(after).static_order():  # what comes after it comes first
            self._counts[trail] = sum(map(self._counts.__getitem__, after[trail])) + (
                trail[-1] in self._goals
            )
        self.number = sum(self._counts[trail] for _, trail in self._first)
        """How many there are: an exact integer of any size; 0 if no path exists."""
        self.cost: Cost | None = self[0].cost if self.number else None
        """What each of them costs; None if no path exists."""
        self.warnings: tuple[str, ...] = search.run().warnings
        """As `Result.warnings`: with a heuristic that overestimates, paths may be missing."""

    def __getitem__(self, place: int) -> Solution[State, Action]:
        """Return the path at a place, from 0 to `number` − 1, in time linear in its length.

        Raises `IndexError` for another place.
        """
        behind = index(place)  # how many of the paths with the same steps so far come before this one
        if not 0 <= behind < self.number:
            raise IndexError(f"there is no path {place}: there are {self.number} paths, numbered from 0")
        steps: list[tuple[Any, Any]] = []
        options = self._first
        while behind >= 0:
            for step in options:
                if behind < self._counts[step[1]]:
                    break
                behind -= self._counts[step[1]]
            steps.append(step)
            behind -= step[1][-1] in self._goals  # the path that ends here is the first one
            options = self._edges[step[1]]
        states, actions = tuple(trail[-1] for _, trail in steps), tuple(action for action, _ in steps[1:])
        return Solution(states, actions, reduce(add, step_costs(self._problem, states, actions), 0))

    def __iter__(self) -> Iterator[Solution[State, Action]]:
        return (self[place] for place in range(self.number))

    def __repr__(self) -> str:
        return f"<OptimalPaths: {self.number} of cost {self.cost}>" if self.number else "<OptimalPaths: none>"


def optimal_paths(
    problem: SupportsSearch[State, Action], *, limits: Limits | None = None
) -> OptimalPaths[State, Action]:
    """Return all simple paths of least cost: their number, any of them by its place, and an iterator.

    A simple path enters no state twice. Paths differ if a state or an action differs. Costs are compared exactly:
    floats are added without rounding, so that paths with the same steps in another order cost the same. A search by A*,
    or by Dijkstra's algorithm without a heuristic, continues until each state that may lie on a cheapest path is
    expanded. Memory O(their actions).

    Args:
        problem: with a heuristic that never overestimates, or without one.
        limits: limits of the search.

    Raises:
        LimitReachedError: a limit came first.
        InfinitePathsError: cheapest paths lead through cycles of actions that cost 0, in too many ways to count.
        InvalidProblemError: as `solve` does.

    Example:
        >>> from searchkit import optimal_paths, problem_from
        >>> ladder = problem_from([0], lambda n: [("+1", n + 1), ("+2", n + 2)], lambda n: n == 5)
        >>> paths = optimal_paths(ladder)
        >>> paths, [path.actions for path in paths]
        (<OptimalPaths: 3 of cost 3>, [('+1', '+2', '+2'), ('+2', '+1', '+2'), ('+2', '+2', '+1')])

    """
    checked = check_members(problem)
    search: Search[State, Action] = Search(checked, TIGHT, backend="python")
    _refuse_cutoff(search.run(limits), "the paths are not counted")
    return OptimalPaths(checked, search)


def _refuse_cutoff(result: Result[Any, Any], so_far: str) -> None:
    if result.status is Status.CUTOFF:
        raise LimitReachedError(f"cut off by {result.cutoff}: {so_far}; raise the limit or leave it out")


def _trails(
    edges: Mapping[Any, list[tuple[Any, Any]]], starts: Iterable[Any], reached: Mapping[Any, Any]
) -> dict[Any, list[tuple[Any, Any]]]:
    """Return the same edges between trails, which end in a state: those of cost 0 may form cycles between states.

    A trail has the states since the cost last rose, each once: earlier ones can't be entered again. Raises
    `InfinitePathsError` if `MAX_TRAILS` do not suffice for those of several states.
    """
    found: dict[Any, list[tuple[Any, Any]]] = {}
    pending = [*starts]
    while pending:
        trail = pending.pop()
        if trail in found:
            continue
        if len(found) > len(edges) + MAX_TRAILS:
            raise InfinitePathsError(
                "paths of least cost lead through cycles of actions that cost 0, at "
                f"{quoted(trail[0])}, in more than {MAX_TRAILS:,} ways; k_best finds some of them"
            )
        cost = reached[trail[-1]][0]
        found[trail] = [
            (action, (to,) if reached[to][0] > cost else (*trail, to))
            for action, to in edges[trail[-1]]
            if to not in trail
        ]
        pending += [after for _, after in found[trail]]
    return found


def _tight_edges_on_paths(frontier: Any) -> dict[Any, list[tuple[Any, Any]]]:
    """Return the states that lie on a cheapest path → the tight edges out of them, in the order of the problem."""
    out: dict[Any, list[tuple[int, Any, Any]]] = {state: [] for state in frontier.goals}
    pending = list(out)
    while pending:
        state = pending.pop()
        for parent, ordinal, action in frontier.steps.get(state, []):
            if parent not in out:
                out[parent] = []
                pending.append(parent)
            out[parent].append((ordinal, action, state))
    return {
        state: [(action, to) for _, action, to in sorted(edges, key=itemgetter(0))]
        for state, edges in out.items()
    }
