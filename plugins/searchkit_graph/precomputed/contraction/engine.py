"""The engine that searches contraction hierarchies, and what problems with hierarchies have."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any, Protocol, runtime_checkable

from searchkit import SearchProblem
from searchkit.engines.kit import enter_starts
from searchkit.tree import SearchTree
from searchkit_graph.precomputed.contraction.hierarchy import WHAT, Hierarchy, arcs
from searchkit_graph.precomputed.network import FAR
from searchkit_graph.precomputed.tables import Answerable, Way, enter_way

NOWHERE = -1
"""Where the two halves of a search have met, if they have not; and the state before an end."""


@runtime_checkable
class Contractible(Answerable, Protocol):
    """A problem whose states have numbers, with a contraction hierarchy."""

    def contraction_hierarchy(self) -> Hierarchy:
        """Return the hierarchy, read from the file that `searchkit precompute` wrote, or made at the first use.

        Raises `MissingCapabilityError` if there can't be one, and `InputFormatError` if the file does not fit.
        """
        ...

    def missing_contraction_hierarchy(self) -> Callable[[], object] | None:
        """Return a function that makes the hierarchy; None if it has been made."""
        ...


def unprepared(problem: object) -> Callable[[], object] | None:
    """Return what makes the hierarchy of a problem, for `EngineSpec.unprepared`; None if there is nothing to make."""
    missing: Callable[[], Callable[[], object] | None] | None = getattr(
        problem, "missing_contraction_hierarchy", None
    )
    return None if missing is None else missing()


class Ascent:
    """One half of a search: from some states to states of higher and higher ranks. States are ranks here."""

    def __init__(self, ends: list[int]):
        self.values, self.before = dict.fromkeys(ends, 0), dict.fromkeys(ends, NOWHERE)
        """Of each state that was reached, the value of the shortest way that is known, and the state before it."""
        self.frontier = [(0, end) for end in sorted(self.values)]

    def top(self) -> int:
        """Return the value of the state to be settled next; `FAR` if there is none."""
        while self.frontier and self.frontier[0][0] > self.values[self.frontier[0][1]]:
            heappop(self.frontier)
        return self.frontier[0][0] if self.frontier else FAR

    def path(self, end: int) -> list[int]:
        """Return the states of the way to a state, backwards."""
        path = [end]
        while self.before[path[-1]] != NOWHERE:
            path.append(self.before[path[-1]])
        return path


class Meeting:
    """A search from both ends for the shortest of the paths between some starts and some goals.

    The next state to be settled is the nearest one of both halves. The search ends when it is not nearer than the
    shortest path that is known is long.

    Args:
        starts: ranks.
        goals: ranks.

    """

    def __init__(self, starts: list[int], goals: list[int]):
        self.ascents = [Ascent(starts), Ascent(goals)]
        self.value, self.place = FAR, NOWHERE
        """The value of the shortest path that is known, and the state where its ways meet."""

    def __len__(self) -> int:
        return sum(len(ascent.frontier) for ascent in self.ascents)

    def next(self) -> int | None:
        """Return the number of the half that has the state to be settled next; None at the end."""
        one, other = (ascent.top() for ascent in self.ascents)
        if min(one, other) >= self.value:
            return None
        return 0 if one <= other else 1

    def settle(self, side: int, hierarchy: Hierarchy) -> int:
        """Settle the next state of a half; return how many arcs were followed from it.

        No arc is, if the state is *stalled*: a neighbour of a higher rank is the state before it on a shorter way. Then
        no shortest path that first rises leads through it (Schultes and Sanders 2007).
        """
        ascent, other = self.ascents[side], self.ascents[1 - side]
        half, opposite = (hierarchy.up, hierarchy.down)[:: 1 - 2 * side]
        values, network = ascent.values, hierarchy.network
        value, here = heappop(ascent.frontier)
        if value + other.values.get(here, FAR) < self.value:
            self.value, self.place = value + other.values[here], here
        for head, length in arcs(opposite, here, network.size):
            if values.get(head, FAR) + network.value(length) < value:
                return 0
        count = 0
        for count, (head, length) in enumerate(arcs(half, here, network.size), start=1):  # noqa: B007  # it is returned
            beyond = value + network.value(length)
            if beyond < values.get(head, FAR):
                values[head], ascent.before[head] = beyond, here
                heappush(ascent.frontier, (beyond, head))
        return count

    def path(self) -> list[int]:
        """Return the ends of the arcs of the shortest path."""
        one, other = self.ascents
        return [*one.path(self.place)[::-1], *other.path(self.place)[1:]]


def contraction_hierarchies(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Search a contraction hierarchy upward from both ends (Geisberger, Sanders, Schultes and Delling 2008).

    States have ranks by importance, and shortcuts lead over states of lower ranks. For any two states there is a
    cheapest path on which ranks first rise and then fall: so the search from the start follows only edges and shortcuts
    to higher ranks, and that from the goal only those from higher ranks. Both together expand few states, some hundred
    in a town. Then the shortcuts of the path are replaced by edges.

    The hierarchy is read from the file that `searchkit precompute --method contraction-hierarchies` wrote beside the
    graph. If there is no file, the first search makes it.

    `tree.reached` contains the starts and, at the end, the states of the path; `tree.closed` the starts that were
    expanded.

    Complete and optimal on graphs whose costs can be added exactly (`Contractible`). Time and memory depend on the
    graph: they are small if it has important states through which long paths lead, as road networks have.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_graph import graph
        >>> streets = [f"{one} {other} 1" for one in range(99) for other in (one + 1, max(0, one - 1))]
        >>> town = graph(streets, start=0, goal=90)
        >>> engines = ("dijkstra", "contraction-hierarchies")
        >>> [(result.cost, result.statistics.expanded) for result in (solve(town, engine) for engine in engines)]
        [(90, 90), (90, 13)]

    """
    hierarchy: Hierarchy = problem.contraction_hierarchy()  # type: ignore[attr-defined]  # it is Contractible
    if tree.frontier is None:
        starts, goals = ends_of(problem, tree)
        tree.frontier = Meeting(*([hierarchy.ranks[end] for end in ends] for ends in (starts, goals)))
        tree.peak_frontier = len(tree.frontier)
    meeting = tree.frontier
    while (side := meeting.next()) is not None:
        _, rank = meeting.ascents[side].frontier[0]
        state = problem.steps([hierarchy.states[rank]], [])[0][0]  # type: ignore[attr-defined]
        yield state
        tree.generated += meeting.settle(side, hierarchy)
        if state in tree.reached:  # it is a start
            tree.closed.add(state)
        tree.peak_frontier = max(tree.peak_frontier, len(meeting))
    finish(problem, tree, meeting.value, lambda: hierarchy.way(meeting.path()))


def costs_between(hierarchy: Hierarchy, starts: Sequence[int], goals: Sequence[int]) -> list[float]:
    """Return the cost of each distance, infinity where there is no path."""
    costs = []
    for start, goal in zip(starts, goals, strict=True):
        meeting = Meeting([hierarchy.ranks[start]], [hierarchy.ranks[goal]])
        while (side := meeting.next()) is not None:
            meeting.settle(side, hierarchy)
        costs.append(inf if meeting.value == FAR else hierarchy.network.cost(meeting.value))
    return costs


def ends_of(problem: Any, tree: SearchTree[Any, Any]) -> tuple[list[int], list[int]]:
    """Enter the starts; return the numbers of the starts and of the goals. Raises `InvalidProblemError`."""
    starts, goals = enter_starts(problem, tree), problem.goal_states()
    tree.closed = set()
    return [problem.number(start) for start in starts], [problem.number(goal) for goal in goals]


def finish(problem: Any, tree: SearchTree[Any, Any], value: int, read: Callable[[], Way]) -> None:
    """Enter the states of the path that was found into a tree, if there is one; `read` returns it.

    Raises `InputFormatError` if the path does not have the value that was found, or if the file of the hierarchy was
    changed after its check.
    """
    hierarchy = problem.contraction_hierarchy()
    hierarchy.check_unchanged()
    if value < FAR:
        starts, goals = (
            map(problem.number, ends) for ends in (problem.initial_states(), problem.goal_states())
        )
        enter_way(problem, tree, hierarchy.network, read(), starts, goals, value, WHAT)
