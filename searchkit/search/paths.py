"""Several paths: the k cheapest; and all that cost the least, counted and listed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from graphlib import TopologicalSorter
from math import inf
from operator import add, index
from typing import Any, Generic, TypeAlias

from searchkit.basics.checks import step_costs
from searchkit.basics.rounding import SPARE, UNIT
from searchkit.engines import kit
from searchkit.errors import InfinitePathsError, LimitReachedError, quoted
from searchkit.problem import Action, Cost, SearchProblem, State, SupportsSearch, check_members, problem_from
from searchkit.result import Result, Solution, Status
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.search.outcome import overestimate

MAX_TRAILS = 100_000
Step: TypeAlias = tuple[Action, State, Cost]
"""An action, the state that it leads to, and its cost."""


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
    if result.status is Status.CUTOFF:
        raise _cut_off(result.cutoff, f"{len(result.solutions)} of {k} paths were found")
    return list(result.solutions)


class OptimalPaths(Generic[State, Action]):
    """All simple paths of least cost, in the order of the starts and of the successors: made by `optimal_paths`.

    They are not stored: the object holds the tight edges (those from u to v with g(u) + cost = g(v)) between states
    that lie on such paths, and for each of these states the number of paths from there to a goal. So it may represent
    more paths than anything could list. Iterating makes one path after the other; `paths[randrange(paths.number)]` is
    one of them at random, each with the same probability.
    """

    def __init__(
        self,
        problem: SearchProblem[State, Action],
        search: Any,
        result: Result[Any, Any],
        goals: Iterable[State],
        steps: Mapping[State, Iterable[Step[Action, State]]],
    ):
        self._problem, costs = problem, search.tree.costs()
        least = min((costs[goal] for goal in goals), default=-1)
        self._goals = {goal for goal in goals if costs[goal] == least}
        edges = _edges_of_paths(steps, costs, self._goals)
        self.states = len(edges)
        """How many states lie on these paths."""
        self._first = [(None, (start,)) for start in kit.distinct_starts(problem) if start in edges]
        self._edges = _trails(edges, [trail for _, trail in self._first], costs)
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
        excess = overestimate(problem, self[0]) if self.number and kit.heuristic_function(problem) else ""
        # Those of the tree are about rounding.
        own = [said for said in result.warnings if said not in search.tree.warnings]
        self.warnings = (*own, f"{excess}; paths may be missing") if excess else tuple(own)
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
    expanded. Memory O(actions in these states).

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
    checked, goals = check_members(problem), list[State]()
    steps = defaultdict[State, list[Step[Action, State]]](list)  # again, if a state is expanded again
    asked_cost, estimate = kit.cost_function(checked), kit.heuristic_function(checked)

    def is_goal(state: State) -> bool:
        """Note a goal, and let the search continue."""
        if checked.is_goal(state):
            goals.append(state)
        return False

    def cost(state: State, action: Action, to: State) -> Cost:
        """Note a step with its exact cost."""
        step = kit.checked_cost(state, action, to, asked_cost(state, action, to) if asked_cost else 1)
        steps[state].append((action, to, Fraction(step) if isinstance(step, float) else step))
        return steps[state][-1][-1]

    def heuristic(state: State) -> Cost:
        """Return a value that does not exceed the exact one by rounding."""
        h = kit.checked_heuristic(state, estimate(state)) if estimate else 0
        return Fraction(h) * (1 - 2 * SPARE * UNIT) if isinstance(h, float) and h < inf else h

    def is_complete() -> bool:
        return bool(goals) and search.lower_bound > reached[goals[0]][0]

    exact = problem_from(kit.distinct_starts(checked), checked.successors, is_goal, cost, heuristic)
    observers = [lambda search, state: is_complete() and search.interrupt()]
    search: Search[State, Action] = Search(exact, "astar", backend="python", observers=observers)
    reached = search.tree.reached
    result = search.run(limits)
    if not (search.ended or is_complete()):
        raise _cut_off(result.cutoff, "the paths are not counted")
    return OptimalPaths(checked, search, result, goals, steps)


def _cut_off(cutoff: str, so_far: str) -> LimitReachedError:
    return LimitReachedError(f"cut off by {cutoff}: {so_far}; raise the limit or leave it out")


def _edges_of_paths(
    steps: Mapping[Any, Iterable[Step[Any, Any]]], costs: Mapping[Any, Cost], goals: Iterable[Any]
) -> dict[Any, list[tuple[Any, Any]]]:
    """Return the states that lie on a cheapest path → the tight edges out of them, in the order of the problem."""
    tight: dict[Any, list[tuple[Any, Any]]] = {state: [] for state in costs}
    into: dict[Any, list[Any]] = {state: [] for state in costs}
    for state, out in steps.items():
        for action, to, step in out:
            if costs[state] + step == costs.get(to) and (action, to) not in tight[state]:
                tight[state].append((action, to))
                into[to].append(state)
    on_paths, pending = dict.fromkeys(goals), [*goals]
    while pending:
        more = [state for state in into[pending.pop()] if state not in on_paths]
        on_paths.update(dict.fromkeys(more))
        pending += more
    return {state: [edge for edge in tight[state] if edge[1] in on_paths] for state in on_paths}


def _trails(
    edges: Mapping[Any, list[tuple[Any, Any]]], starts: Iterable[Any], costs: Mapping[Any, Cost]
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
        cost = costs[trail[-1]]
        found[trail] = [
            (action, (to,) if costs[to] > cost else (*trail, to))
            for action, to in edges[trail[-1]]
            if to not in trail
        ]
        pending += [after for _, after in found[trail]]
    return found
