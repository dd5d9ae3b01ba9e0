"""The engine that answers from hub labels, and what problems with labels have."""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any, Protocol, runtime_checkable

from searchkit import SearchProblem
from searchkit.engines.kit import enter_starts
from searchkit.tree import SearchTree
from searchkit_graph.precomputed.labels.table import NOWHERE, WHAT, Answer, HubLabels
from searchkit_graph.precomputed.network import FAR
from searchkit_graph.precomputed.tables import Answerable, Way, enter_way


@runtime_checkable
class Labelled(Answerable, Protocol):
    """A problem whose states have numbers, with hub labels for all of them."""

    def hub_labels(self) -> HubLabels:
        """Return the labels, read from the file that `searchkit precompute` wrote, or computed at the first use.

        Raises `MissingCapabilityError` if there can't be any, and `InputFormatError` if the file does not fit.
        """
        ...

    def missing_hub_labels(self) -> Callable[[], object] | None:
        """Return a function that makes the labels; None if they have been made."""
        ...


def costs_between(labels: HubLabels, starts: Sequence[int], goals: Sequence[int]) -> list[float]:
    """Return the cost of each distance, infinity where there is no path."""
    values = [labels.ask(start, goal).value for start, goal in zip(starts, goals, strict=True)]
    return [inf if value == FAR else labels.network.cost(value) for value in values]


def unprepared(problem: object) -> Callable[[], object] | None:
    """Return what makes the labels of a problem, for `EngineSpec.unprepared`; None if there is nothing to make."""
    missing: Callable[[], Callable[[], object] | None] | None = getattr(problem, "missing_hub_labels", None)
    return None if missing is None else missing()


class Queries:
    """The frontier: the starts whose labels were not compared yet, the next one last, and the least distance so far."""

    def __init__(self, starts: list[Any]):
        self.starts = starts
        self.value, self.place = FAR, NOWHERE
        """What the labels said of the nearest start and goal …"""
        self.start: Any = None
        """… which are these."""
        self.goal: Any = None

    def compare(self, start: Any, goal: Any, answer: Answer) -> None:
        """Keep a distance if it is the least one so far."""
        if answer.value < self.value:
            self.value, self.place = answer
            self.start, self.goal = start, goal


def finish(problem: Any, tree: SearchTree[Any, Any], read: Callable[[int, int, Answer], Way]) -> None:
    """Enter the states of the path that was found into a tree, if there is one; `read` returns it.

    Raises `InputFormatError` if the path does not have the length that was read, or if the file of the labels was
    changed after its check.
    """
    queries, labels = tree.frontier, problem.hub_labels()
    labels.check_unchanged()
    if queries.value == FAR:
        return
    start, goal = problem.number(queries.start), problem.number(queries.goal)
    way = read(start, goal, Answer(queries.value, queries.place))
    enter_way(problem, tree, labels.network, way, (start,), (goal,), queries.value, WHAT)


def hub_labels(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Read the distance from hub labels (Cohen, Halperin, Kaplan and Zwick 2003), and then the path.

    A label has the distances of a state to hubs, such that a shortest path between any two states leads through a hub
    that both labels have: the least sum is the distance. Nothing is searched. The hubs are cuts of the map into smaller
    and smaller parts (Gavoille, Peleg, Pérennes and Raz 2004). A start counts as expanded when its label has been
    compared with the labels of all goals.

    The labels are read from the file that `searchkit precompute --method hub-labels` wrote beside the map or the graph.
    If there is no file, the first search computes them, which takes half a minute for 512 × 512 cells.

    `tree.reached` contains the starts and, at the end, the states of the path.

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
        begin(problem, tree)
    queries = tree.frontier
    while queries.starts:
        start = queries.starts[-1]
        yield start
        for goal in goals:
            queries.compare(start, goal, labels.ask(number(start), number(goal)))
        queries.starts.pop()
        tree.generated += len(goals)
        tree.closed.add(start)
    finish(problem, tree, labels.way)


def begin(problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]) -> None:
    """Enter the starts. Raises `InvalidProblemError` if there are none."""
    tree.frontier = Queries(enter_starts(problem, tree)[::-1])
    tree.peak_frontier, tree.closed = len(tree.frontier.starts), set()
