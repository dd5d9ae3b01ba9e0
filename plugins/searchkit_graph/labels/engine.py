"""The engine that answers from hub labels, and what problems with labels have."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any, Protocol, runtime_checkable

from searchkit import SearchProblem
from searchkit.compiled import is_usable
from searchkit.engines.kit import enter_starts
from searchkit.tree import Arrival, SearchTree, Trail
from searchkit_graph.labels.network import FAR
from searchkit_graph.labels.table import NOWHERE, Answer, HubLabels


@runtime_checkable
class Labelled(Protocol):
    """A problem whose states have numbers, with hub labels for all of them."""

    def hub_labels(self) -> HubLabels:
        """Return the labels, read from the file that `searchkit precompute` wrote, or computed at the first use.

        Raises `MissingCapabilityError` if there can't be any, and `InputFormatError` if the file does not fit.
        """
        ...

    def missing_hub_labels(self) -> Callable[[], object] | None:
        """Return a function that makes the labels; None if they have been made."""
        ...

    def number(self, state: Any) -> int:
        """Return the number of a state."""
        ...

    def goal_states(self) -> Sequence[Any]:
        """Return the goals."""
        ...


def distances_between(problem: Any, pairs: Iterable[tuple[Any, Any]]) -> list[float]:
    """Return the least cost between each two states, infinity where no path exists: read from hub labels.

    Paths are not read: in machine code, a query takes some microseconds.

    Args:
        problem: a grid or a graph; its starts and goals make no difference.
        pairs: (start, goal) of each query.

    Raises:
        MissingCapabilityError, InputFormatError: as for the engine `hub-labels`.

    Example:
        >>> from searchkit_dungeon import grid
        >>> from searchkit_graph import distances_between
        >>> distances_between(grid(["S..", ".#.", "..G"]), [((0, 0), (2, 2)), ((1, 0), (1, 2))])
        [4, 4]

    """
    labels: HubLabels = problem.hub_labels()
    starts, goals = [], []
    for start, goal in pairs:
        starts.append(problem.number(start))
        goals.append(problem.number(goal))
    if is_usable():
        from searchkit_graph.labels.compiled.asking import costs_between

        return costs_between(labels, starts, goals)
    answers = map(labels.ask, starts, goals)
    return [inf if value == FAR else labels.network.cost(value) for value, _ in answers]


def unprepared(problem: object) -> Callable[[], object] | None:
    """Return what makes the labels of a problem, for `EngineSpec.unprepared`; None if there is nothing to make."""
    missing: Callable[[], Callable[[], object] | None] | None = getattr(problem, "missing_hub_labels", None)
    return None if missing is None else missing()


class Ends(dict[Any, Arrival[Any, Any]]):
    """The starts and, at the end, the goal: its parent is the start of a shortest path to it."""

    def __init__(self, problem: Any, labels: HubLabels):
        super().__init__()
        self.problem, self.labels = problem, labels
        self.read: Callable[[int, int, Answer], Sequence[int]] = labels.path
        self.answer = Answer(FAR, NOWHERE)
        """The least distance so far …"""
        self.between: tuple[Any, Any] | None = None
        """… and the start and the goal that it is between."""

    def compare(self, start: Any, goal: Any, answer: Answer) -> None:
        """Keep a distance if it is the least one so far."""
        if answer.value < self.answer.value:
            self.answer, self.between = answer, (start, goal)

    def finish(self, tree: SearchTree[Any, Any]) -> None:
        """Tell a tree what was found."""
        if self.between is not None:
            start, goal = self.between
            tree.lower_bound = cost = self.labels.network.cost(self.answer.value)
            if goal not in self:
                self[goal] = cost, start, None
            tree.finish(goal)

    def path_to(self, state: Any) -> Trail:
        """Return the states and actions of the path to a state. Raises `KeyError` if it is neither."""
        _, start, _ = self[state]
        if start is None:
            return Trail((state,), ())
        problem = self.problem
        path = self.read(problem.number(start), problem.number(state), self.answer)
        states, actions = [start], []
        for edge in self.labels.edges_of(path):
            action, successor = problem.successors(states[-1])[edge]
            states.append(successor)
            actions.append(action)
        return Trail(tuple(states), tuple(actions))


def hub_labels(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Read the distance from hub labels (Cohen, Halperin, Kaplan and Zwick 2003), and then the path.

    A label has the distances of a state to hubs, such that a shortest path between any two states leads through a hub
    that both labels have: the least sum is the distance. Nothing is searched. The hubs are cuts of the map into smaller
    and smaller parts (Gavoille, Peleg, Pérennes and Raz 2004). A start counts as expanded when its label has been
    compared with the labels of all goals.

    The labels are read from the file that `searchkit precompute --method hub-labels` wrote beside the map or the graph.
    If there is no file, the first search computes them, which takes half a minute for 512 × 512 cells.

    `tree.reached` contains the starts and the goal only; the path is complete nevertheless.

    Complete and optimal on grids and graphs whose costs are more than 0 and can be added exactly (`Labelled`). Time
    O(starts · goals · length of a label). Memory O(states · length of a label).

    Example:
        >>> from searchkit import solve
        >>> from searchkit_dungeon import grid
        >>> room = grid(["S.......", "........", "....#...", "....#..G"], moves=8)
        >>> [(engine, solve(room, engine).statistics.expanded) for engine in ("astar", "jps+", "hub-labels")]
        [('astar', 10), ('jps+', 3), ('hub-labels', 1)]

    """
    labels: HubLabels = problem.hub_labels()  # type: ignore[attr-defined]  # it is Labelled
    number: Callable[[Any], int] = problem.number  # type: ignore[attr-defined]
    goals = problem.goal_states()  # type: ignore[attr-defined]
    if tree.frontier is None:
        begin(problem, tree, Ends(problem, labels))
    ends, frontier = tree.arrivals, tree.frontier
    assert isinstance(ends, Ends)
    while frontier:
        start = frontier[-1]
        yield start
        for goal in goals:
            ends.compare(start, goal, labels.ask(number(start), number(goal)))
        frontier.pop()
        tree.generated += len(goals)
        tree.closed.add(start)
    ends.finish(tree)


def begin(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any], ends: Ends) -> None:
    """Enter the starts. Raises `InvalidProblemError` if there are none."""
    tree.hold(ends)
    tree.frontier = enter_starts(problem, tree)[::-1]
    tree.peak_frontier, tree.closed = len(tree.frontier), set()
