"""Several paths: the k cheapest; and all that cost the least, counted, drawn at random, and listed."""

from collections import deque
from collections.abc import Iterator
from functools import reduce
from operator import add, index
from random import Random
from typing import Any, Generic, NoReturn

from searchkit.basics.checks import start_states, step_costs
from searchkit.engines.paths.tight import tight_edges
from searchkit.errors import InfinitePathsError, InvalidOptionError, LimitReachedError, shortened
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch, check_members
from searchkit.result import Result, Solution, Status
from searchkit.search.driver import Search
from searchkit.search.limits import Limits

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
    """All paths of least cost, in the order of the starts and of the successors: made by `optimal_paths`.

    They are not stored: the object holds the tight edges (those from u to v with g(u) + cost = g(v)) between states
    that lie on such paths, and for each of these states the number of ways on from there to the end. So it may stand
    for more paths than anything could list. Iterating makes one path after the other.
    """

    def __init__(self, problem: SearchProblem[State, Action], search: Search[State, Action]):
        self._problem = problem
        self._goals: set[State] = set(search.tree.frontier.goals)
        before = _relevant(search.tree.frontier)
        self._steps = _turned(before)
        """State → (action, successor) of each tight edge, in the order of the problem."""
        self._ways = _ways(before, self._steps, self._goals)
        """State → the number of paths from it to an end."""
        starts = dict.fromkeys(start_states(problem))
        self._starts = [state for state in starts if state in before]
        self.number = sum(self._ways[start] for start in self._starts)
        """How many there are: an exact integer of any size; 0 if no path exists."""
        self.cost: Cost | None = self[0].cost if self.number else None
        """What each of them costs; None if no path exists."""
        self.warnings: tuple[str, ...] = search.run().warnings
        """As `Result.warnings`: with a heuristic that overestimates, paths may be missing."""

    @property
    def states(self) -> int:
        """How many states lie on these paths."""
        return len(self._ways)

    def __getitem__(self, place: int) -> Solution[State, Action]:
        """Return the path at a place, from 0 to `number` − 1, in time linear in its length.

        Raises `IndexError` for another place.
        """
        left = index(place)
        if not 0 <= left < self.number:
            raise IndexError(f"there is no path {place}: there are {self.number} paths, numbered from 0")
        states: list[Any] = []
        actions: list[Any] = []
        options: list[tuple[Any, Any]] = [(None, start) for start in self._starts]
        while True:
            number = 0
            while left >= self._ways[options[number][1]]:
                left -= self._ways[options[number][1]]
                number += 1
            action, state = options[number]
            states.append(state)
            actions.append(action)
            if state in self._goals:
                if not left:
                    break
                left -= 1
            options = self._steps[state]
        path, taken = tuple(states), tuple(actions[1:])
        return Solution(path, taken, reduce(add, step_costs(self._problem, path, taken), 0))

    def __iter__(self) -> Iterator[Solution[State, Action]]:
        return (self[place] for place in range(self.number))

    def sample(self, n: int, *, seed: int = 0) -> list[Solution[State, Action]]:
        """Return n paths drawn with replacement, each path with the same probability; [] if no path exists.

        The same seed gives the same paths. Raises `InvalidOptionError` if n is negative.
        """
        if n < 0:
            raise InvalidOptionError(f"n={n}: expected a number of paths, at least 0")
        random = Random(seed)
        return [self[random.randrange(self.number)] for _ in range(n)] if self.number else []

    def __repr__(self) -> str:
        return f"<OptimalPaths: {self.number} of cost {self.cost}>" if self.number else "<OptimalPaths: none>"


def optimal_paths(
    problem: SupportsSearch[State, Action], *, limits: Limits | None = None
) -> OptimalPaths[State, Action]:
    """Return all paths of least cost: their number, any of them by its place, random ones, and an iterator over them.

    Paths differ if a state or an action differs. Costs are compared exactly: floats are added without rounding, so that
    paths with the same steps in another order cost the same. A search by A*, or by Dijkstra's algorithm without a
    heuristic, goes on until each state that may lie on a cheapest path is expanded. Memory O(actions of these states).

    Args:
        problem: with a heuristic that never overestimates, or without one.
        limits: limits of the search.

    Raises:
        LimitReachedError: a limit came first.
        InfinitePathsError: cheapest paths lead through a cycle of actions that cost 0. `k_best` finds simple paths.
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


def count_optimal_paths(problem: SupportsSearch[Any, Any], *, limits: Limits | None = None) -> int:
    """Return how many paths of least cost there are, an exact integer of any size; 0 if no path exists.

    The arguments and errors are those of `optimal_paths`, which can also list and draw the paths.

    Example:
        From corner to corner of a grid of n × n steps, there are as many as there are ways to choose n of 2n steps:

        >>> from math import comb
        >>> from searchkit import count_optimal_paths, problem_from
        >>> def steps(cell):
        ...     x, y = cell
        ...     return [("E", (x + 1, y)), ("W", (x - 1, y)), ("N", (x, y + 1)), ("S", (x, y - 1))]
        >>> grid = problem_from([(0, 0)], steps, lambda cell: cell == (10, 10),
        ...                     heuristic=lambda cell: abs(10 - cell[0]) + abs(10 - cell[1]))
        >>> count_optimal_paths(grid), comb(20, 10)
        (184756, 184756)

    """
    return optimal_paths(problem, limits=limits).number


def sample_optimal_paths(
    problem: SupportsSearch[State, Action], n: int, *, seed: int = 0, limits: Limits | None = None
) -> list[Solution[State, Action]]:
    """Return n paths of least cost, drawn with replacement, each with the same probability; [] if no path exists.

    A walk that takes a random tight edge at each state prefers some paths; this draws a place in the order of all
    paths. The same seed gives the same paths. The other arguments and the errors are those of `optimal_paths`.

    Example:
        >>> from searchkit import problem_from, sample_optimal_paths
        >>> ladder = problem_from([0], lambda n: [("+1", n + 1), ("+2", n + 2)], lambda n: n == 5)
        >>> [path.states for path in sample_optimal_paths(ladder, 3, seed=1)]
        [(0, 1, 3, 5), (0, 2, 4, 5), (0, 1, 3, 5)]

    """
    return optimal_paths(problem, limits=limits).sample(n, seed=seed)


def _refuse_cutoff(result: Result[Any, Any], so_far: str) -> None:
    if result.status is Status.CUTOFF:
        raise LimitReachedError(f"cut off by {result.cutoff}: {so_far}; raise the limit or leave it out")


def _relevant(frontier: Any) -> dict[Any, list[Any]]:
    """Return the states that lie on a cheapest path → the tight edges into them."""
    before: dict[Any, list[Any]] = {}
    waiting = list(frontier.goals)
    while waiting:
        state = waiting.pop()
        if state not in before:
            before[state] = frontier.steps.get(state, [])
            waiting += [parent for parent, _, _ in before[state]]
    return before


def _turned(before: dict[Any, list[Any]]) -> dict[Any, list[tuple[Any, Any]]]:
    """Return the states → the tight edges out of them, in the order of the problem's successors."""
    out: dict[Any, list[tuple[int, Any, Any]]] = {state: [] for state in before}
    for state, steps in before.items():
        for parent, ordinal, action in steps:
            out[parent].append((ordinal, action, state))
    return {
        state: [(action, to) for _, action, to in sorted(steps, key=lambda step: step[0])]
        for state, steps in out.items()
    }


def _ways(before: dict[Any, list[Any]], steps: dict[Any, list[Any]], goals: set[Any]) -> dict[Any, int]:
    """Return each state → the number of ways to an end, from the ends backwards (Kahn 1962).

    Raises `InfinitePathsError` if the tight edges have a cycle.
    """
    ways = {state: int(state in goals) for state in before}
    left = {state: len(out) for state, out in steps.items()}
    ready = deque(state for state, count in left.items() if not count)
    while ready:
        state = ready.popleft()
        for parent, _, _ in before[state]:
            ways[parent] += ways[state]
            left[parent] -= 1
            if not left[parent]:
                ready.append(parent)
        del left[state]
    if left:
        _refuse_cycle(steps, left)
    return ways


def _refuse_cycle(steps: dict[Any, list[Any]], left: dict[Any, int]) -> NoReturn:
    """Raise the error that names a state on a cycle: from each state that is left, an edge leads to another one."""
    seen = set()
    state = next(iter(left))
    while state not in seen:
        seen.add(state)
        state = next(to for _, to in steps[state] if to in left)
    raise InfinitePathsError(
        "there are infinitely many paths of least cost: one leads through a cycle of actions that cost 0, at "
        f"{shortened(repr(state))}; k_best finds the paths that enter no state twice"
    )
