"""Distance maps: how far every state is from the nearest start."""

from collections.abc import Iterator, Mapping
from typing import Generic

from searchkit.capabilities import has_cost
from searchkit.functions import problem_from
from searchkit.limits import Limits
from searchkit.problem import Action, Cost, SearchProblem, State
from searchkit.result import Solution, Status
from searchkit.search import Search
from searchkit.tree import SearchTree


class DistanceMap(Mapping[State, Cost], Generic[State, Action]):
    """The distance of every reachable state from the nearest start: a mapping. Unreachable states are absent.

    Iterates in the order in which states were reached, starts first.
    """

    def __init__(self, tree: SearchTree[State, Action], complete: bool):
        self._tree = tree
        self.complete = complete
        """Whether every reachable state is in the map; False where a limit came first."""

    def __getitem__(self, state: State) -> Cost:
        return self._tree.reached[state][0]

    def __iter__(self) -> Iterator[State]:
        return iter(self._tree.reached)

    def __len__(self) -> int:
        return len(self._tree.reached)

    def parent(self, state: State) -> State | None:
        """Return the state before `state` on the way from the nearest start; None at a start. O(1).

        Raises `KeyError` for a state that is not in the map.
        """
        return self._tree.reached[state][1]

    def descend(self, state: State) -> State | None:
        """Return the next step from `state` towards the nearest start; None where it is one. O(1).

        It is the parent: a step back along the way out, to be taken where actions can be undone. Many walkers
        can share one map. Raises `KeyError` for a state from which no start can be reached.
        """
        return self.parent(state)

    def farthest(self) -> list[State]:
        """Return all states at the largest distance. O(states)."""
        reached = self._tree.reached
        largest = max((arrival[0] for arrival in reached.values()), default=0)
        return [state for state, arrival in reached.items() if arrival[0] == largest]

    def path_to(self, state: State) -> Solution[State, Action]:
        """Return a cheapest path from the nearest start to `state`. Raises `KeyError` for one not in the map."""
        distance = self[state]
        return Solution(*self._tree.path_to(state), distance)

    def __repr__(self) -> str:
        return f"<DistanceMap of {len(self)} states{'' if self.complete else ', incomplete'}>"


def distance_map(
    problem: SearchProblem[State, Action], *, limits: Limits | None = None
) -> DistanceMap[State, Action]:
    """Return the distance of every state from the nearest start of `problem`, whatever its goals are.

    Args:
        problem: its starts, successors and costs are used.
        limits: where to stop; the map then holds the states whose distance is settled.

    Raises:
        InvalidProblemError: as `solve` does.

    Example:
        >>> from searchkit import distance_map, problem_from
        >>> row = problem_from([0, 9], lambda x: [(to, to) for to in (x - 1, x + 1) if 0 <= to <= 9], lambda x: False)
        >>> distances = distance_map(row)
        >>> distances[3], distances.farthest(), distances.descend(7)
        (3, [4, 5], 8)

    """
    cost = problem.cost if has_cost(problem) else None
    search = Search(problem_from(problem.initial_states(), problem.successors, lambda state: False, cost))
    result = search.run(limits)
    complete = result.status is not Status.CUTOFF
    if not complete:  # below the bound every arrival is final, and so is that of the state before it
        bound, reached = search.tree.lower_bound, search.tree.reached
        search.tree.reached = {state: arrival for state, arrival in reached.items() if arrival[0] < bound}
    return DistanceMap(search.tree, complete)
