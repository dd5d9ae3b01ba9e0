"""How far every state is from the nearest start, and whether a heuristic is right about it."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING, Any, Generic

from attrs import evolve

from searchkit.basics.checks import checked_cost, checked_heuristic, distinct_starts
from searchkit.basics.rounding import exceeds
from searchkit.compiled.array_layout import filled, layout_of
from searchkit.errors import InvalidOptionError, quoted
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import (
    Action,
    Cost,
    SearchProblem,
    State,
    SupportsSearch,
    check_members,
    has_cost,
    has_heuristic,
    problem_from,
)
from searchkit.result import Result, Solution
from searchkit.search.auto import has_view
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.search.outcome import without_assumption
from searchkit.tree import SearchTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

KERNELS = {"bfs": "searchkit.kernels.field:run_of", "dijkstra": "searchkit.kernels.rows:run_of"}
"""Compiled forms for problems without goals."""


class DistanceMap(Mapping[State, Cost], Generic[State, Action]):
    """The distance of every reachable state from the nearest start: a mapping. Unreachable states are absent.

    Iteration goes from the nearest states to the farthest; the order is the same each time, whatever the backend.
    """

    def __init__(
        self, search: Search[State, Action], distances: Any, warnings: tuple[str, ...], problem: object
    ):
        self._tree, self._problem, self._distances = search.tree, problem, distances
        self._array: Any = None
        self.warnings = warnings
        """As `Result.warnings`, for example that machine code could not calculate with the costs."""
        self.complete = search.ended
        """Whether every reachable state is in the map; False if a limit ended the search."""

    def __getitem__(self, state: State) -> Cost:
        distance: Cost = self._distances[state]
        return distance

    def __iter__(self) -> Iterator[State]:
        return iter(self._distances)

    def __len__(self) -> int:
        return len(self._distances)

    def items(self) -> ItemsView[State, Cost]:
        """Return (state, distance) pairs, of machine code converted as whole arrays."""
        return self._distances.items()  # type: ignore[no-any-return]

    def values(self) -> ValuesView[Cost]:
        """Return the distances, of machine code converted as a whole array."""
        return self._distances.values()  # type: ignore[no-any-return]

    def descend(self, state: State) -> State | None:
        """Return the next state towards the nearest start, if actions can be undone; None for a start. O(1).

        Many walkers can share one map. Raises `KeyError` for a state that is not in the map.
        """
        if state not in self._distances:
            raise KeyError(state)
        return self._tree.reached[state][1]

    def farthest(self) -> list[State]:
        """Return all states at the largest distance. O(states)."""
        if not isinstance(self._distances, dict):
            return self._distances.farthest()  # type: ignore[no-any-return]  # of machine code
        largest = max(self._distances.values(), default=0)
        return [state for state, distance in self._distances.items() if distance == largest]

    def path_to(self, state: State) -> Solution[State, Action]:
        """Return a cheapest path from the nearest start to `state`. Raises `KeyError` for one not in the map."""
        distance = self[state]
        return Solution(*self._tree.path_to(state), distance)

    def array(self) -> "NDArray[Any]":
        """Return the distances as a read-only array of numpy: of a grid indexed [y, x], of a graph by nodes.

        The problem's layout (`problem.array_layout()`) says which entry belongs to which state. If all costs are
        integers, entries have the type int32, or int64 if a distance needs it, and −1 marks a state that is not in
        the map. Otherwise they have the type float64, and infinity marks it, as in `scipy.sparse.csgraph`.

        The array is made once. If machine code has searched a grid or a graph, it shows the memory of that search,
        which no later search writes to.

        Raises:
            MissingCapabilityError: the states have no places in an array, or a distance does not fit into 64 bits.
            InvalidProblemError: the layout does not fit the states.
            MissingExtraError: numpy is not installed.

        """
        if self._array is None:
            layout, known = layout_of(self._problem), self._distances
            self._array = filled(layout, known) if isinstance(known, dict) else known.array(layout)
        array: NDArray[Any] = self._array
        return array

    def __repr__(self) -> str:
        return f"<DistanceMap of {len(self)} states{'' if self.complete else ', incomplete'}>"


def distance_map(
    problem: SupportsSearch[State, Action], *, backend: str = "auto", limits: Limits | None = None
) -> DistanceMap[State, Action]:
    """Return the distance of every state from the nearest start of `problem`, whatever its goals are.

    Args:
        problem: its starts, successors and costs are used.
        backend: `python`, `compiled`, or `auto`, as for `solve`; the map is the same, equal paths included.
        limits: limits of the search; if one ends it, the map holds the states whose distance is final.

    Raises:
        InvalidProblemError: as `solve` does.
        UnknownNameError: there is no such backend.
        MissingCapabilityError, MissingExtraError: the backend can't be used for this problem, or is not installed.

    Example:
        >>> from searchkit import distance_map, problem_from
        >>> row = problem_from([0, 9], lambda x: [(to, to) for to in (x - 1, x + 1) if 0 <= to <= 9], lambda x: False)
        >>> distances = distance_map(row)
        >>> distances[3], distances.farthest(), distances.descend(7)
        (3, [4, 5], 8)

    """
    problem = check_members(problem)
    engine: str | EngineSpec = "auto"
    if has_view(problem):  # an engine that has a compiled form: both give the same paths
        engine = with_distances("dijkstra" if has_cost(problem) else "bfs")
    search: Search[State, Action] = Search(goalless(problem), engine, backend=backend)
    warnings, tree = search.run(limits).warnings, search.tree
    bound = None if search.ended else tree.lower_bound
    distances: Any
    if search.backend == "python":
        distances = _in_order(tree, bound)
    else:
        from searchkit.kernels.settled import Settled

        distances = Settled(tree.reached, bound)  # type: ignore[arg-type]  # the records of a kernel
    return DistanceMap(search, distances, warnings, problem)


def with_distances(engine: str) -> EngineSpec:
    """Return `bfs` or `dijkstra` with a compiled form that writes distances into an array, if the graph allows it."""
    return evolve(registry().engine(engine), kernel=KERNELS[engine])


def _in_order(tree: SearchTree[State, Action], bound: Cost | None) -> dict[State, Cost]:
    """Return the distances below the bound, the nearest first: in the order of expansion, if it is known."""
    reached, ordered = tree.reached, tree.closed
    if ordered is None:  # breadth-first: as they were reached
        ordered = reached
    elif not isinstance(ordered, list):
        ordered = sorted(reached, key=lambda state: reached[state][0])
    return {state: reached[state][0] for state in ordered if bound is None or reached[state][0] < bound}


def verify_heuristic(
    problem: SupportsSearch[State, Action], result: Result[State, Action], *, limits: Limits | None = None
) -> Result[State, Action]:
    """Compare the heuristic of each reachable state with the exact distance to a goal; return what the result is then.

    A `backward_heuristic` is compared with the distance from a start. If no value is too high, that is the same result,
    and `assumes` is empty. Otherwise the lower bound is the cost of a cheapest path, and a warning names a state with
    such a value. If a limit is reached before all states are expanded, a warning says so, and `assumes` stays.

    Takes memory for all actions of all reachable states. A result that rests on no heuristic is returned as it is.

    Args:
        problem: what was solved.
        result: what the search returned.
        limits: limits of this check.

    Raises:
        InvalidProblemError: a cost or a heuristic value is invalid.
        InvalidOptionError: `result` is not a `Result`.

    Example:
        >>> from searchkit import problem_from, solve, verify_heuristic
        >>> line = problem_from([0], lambda x: [("+", x + 1)] if x < 3 else [], lambda x: x == 3, None, lambda x: 3 - x)
        >>> result = solve(line, "astar")
        >>> result.assumes
        'the heuristic never overestimates'
        >>> verify_heuristic(line, result).assumes
        ''

    """
    checked: Any = check_members(problem)
    if not isinstance(result, Result):
        raise InvalidOptionError(
            f"verify_heuristic(problem, result): expected a result, not {quoted(result)}"
        )
    if not result.assumes:
        return result
    starts = distinct_starts(checked)
    into: dict[Any, list[tuple[Cost, Any]]] = {start: [] for start in starts}
    """State → the costs of actions that lead to it, and the states that these lead from."""

    def successors(state: Any) -> Iterator[tuple[Any, Any]]:
        for action, successor in checked.successors(state):
            cost: Any = checked.cost(state, action, successor) if has_cost(checked) else 1
            into.setdefault(successor, []).append((checked_cost(state, action, successor, cost), state))
            yield action, successor

    everywhere = problem_from(starts, successors, lambda state: False)
    cutoff = Search(everywhere, "bfs", backend="python").run(limits).cutoff
    goals = [state for state in into if checked.is_goal(state)]
    backwards = problem_from(goals, into.__getitem__, lambda state: False, lambda state, cost, before: cost)
    to_goals: Any = distance_map(backwards, backend="python", limits=limits) if goals and not cutoff else {}
    exact = {"heuristic": to_goals} if has_heuristic(checked) else {}
    if getattr(checked, "backward_heuristic", None) is not None and not cutoff:
        exact["backward_heuristic"] = distance_map(checked, backend="python", limits=limits)
    if cutoff or not all(getattr(distances, "complete", True) for distances in exact.values()):
        said = f"the heuristic was not verified: cut off by {cutoff or 'a limit'}"
        return evolve(result, warnings=(*result.warnings, said))
    for member, distances in exact.items():
        where = "from there to a goal" if member == "heuristic" else "there from a start"
        scale = max(distances.values(), default=0)
        for state in into:
            h = checked_heuristic(state, getattr(checked, member)(state), member)
            least = distances.get(state, inf)
            if exceeds(h, least, len(into), scale):
                cheapest = min((to_goals.get(start, inf) for start in starts), default=inf)
                detail = (
                    f"{member} is not admissible: {member}({quoted(state)}) is {h}, but a path of cost {least} leads "
                    f"{where}; a cheapest path costs {cheapest}"
                )
                return without_assumption(result, cheapest, detail)
    return evolve(result, assumes="")


def goalless(problem: SearchProblem[State, Action]) -> SearchProblem[State, Action]:
    """Return the problem without its goals and its heuristic. It has a compiled view if the problem has one."""
    cost = problem.cost if has_cost(problem) else None
    found: Any = problem_from(distinct_starts(problem), problem.successors, lambda state: False, cost)
    if has_view(problem):
        found.compiled = cache(partial(_view_without_goals, problem))
    return found  # type: ignore[no-any-return]  # a problem


def _view_without_goals(problem: Any) -> Any:
    from searchkit.kernels.settled import without_goals

    return without_goals(problem.compiled())
