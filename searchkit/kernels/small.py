"""Searches of small graphs, by runs that are used again.

Making the arrays of a run takes longer than a search of some hundred states. So a run that has ended, and that nobody
reads any more, is kept, and begins the next search of the same graph. A run that raised an error, or that stopped for
another reason than its end, is never kept.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, ref

from searchkit.compiled.kit import control
from searchkit.compiled.kit.graph import heuristic_of, largest_cost, table_of
from searchkit.compiled.kit.run import GraphRun
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit.kernels.astar import BestFirst
from searchkit.kernels.bfs import BreadthFirst
from searchkit.kernels.queue.ladder import BUCKETS
from searchkit.tree import SearchTree

MOST_STATES = 1 << 12
"""States of the largest graph whose runs are kept. With its queue, such a run takes less than half a megabyte."""
MOST_KEPT = 8
"""How many runs are kept in a process; of more, the oldest are released."""
ALL = 1 << 30
"""More expansions than a slice makes."""


class _Kept(NamedTuple):
    graph: "ref[Any]"
    key: tuple[Any, ...]
    run: Any


class SmallRuns:
    """Runs that nobody uses. Any number of threads may use them: each step is one operation of a dictionary."""

    def __init__(self) -> None:
        self._kept: dict[object, _Kept] = {}
        """In the order in which they were given back."""
        self._seen: WeakKeyDictionary[Any, dict[tuple[Any, ...], bool]] = WeakKeyDictionary()
        """Graphs → the keys of searches of them, and whether such a search may come to its end at once."""

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Release all runs."""
        self._kept.clear()

    def meet(self, graph: Any, key: tuple[Any, ...]) -> bool | None:
        """Return whether a search of this graph with this key may be made here; None at the first time.

        A problem that makes a new graph for each search is never searched here.
        """
        keys = self._seen.setdefault(graph, {})
        return keys[key] if key in keys else keys.setdefault(key, True) and None

    def fail(self, graph: Any, key: tuple[Any, ...]) -> None:
        """Note that a search of a graph did not come to its end at once: it is not tried again."""
        self._seen.setdefault(graph, {})[key] = False

    def take(self, graph: Any, key: tuple[Any, ...]) -> Any:
        """Remove and return a run of this graph with this key, the last one that was given back; None without one."""
        for name in reversed(list(self._kept)):
            kept = self._kept.get(name)
            if kept is not None and kept.graph() is graph and kept.key == key:
                found = self._kept.pop(name, None)
                if found is not None:
                    return found.run
        return None

    def keep(self, run: Any, key: tuple[Any, ...]) -> None:
        """Keep a run that nobody reads any more. It refers neither to its problem nor to its view then."""
        graph = ref(run.view.graph)
        run.problem = run.view = run.records.problem = run.records.view = run.tree = None
        self._kept[object()] = _Kept(graph, key, run)
        for name in list(self._kept)[:-MOST_KEPT]:
            self._kept.pop(name, None)


RUNS = SmallRuns()


def is_small(view: CompiledProblem) -> bool:
    """Whether the runs of a view may be kept."""
    return not isinstance(view.graph, Functions) and view.words == 1 and view.graph.size <= MOST_STATES


def searched(
    kind: Any, problem: Any, options: Mapping[str, Any], tree: SearchTree[Any, Any]
) -> tuple[Any, Any]:
    """Return a run that has searched a small graph to its end, as an empty tree shows, and its key for `keep`.

    The run is None if that is not possible: the search has to begin in the usual way, with an empty tree. The key is
    None then if the graph is one that was never seen before, or is not small. Raises what making a run raises.
    """
    if not isinstance(kind, type) or not issubclass(kind, BestFirst | BreadthFirst):
        return None, None
    view = problem.compiled()
    if not is_small(view):
        return None, None
    graph, key = view.graph, (kind, repr(options))
    run = RUNS.take(graph, key)
    if run is None or not _begins_again(run, problem, view, tree):
        may = RUNS.meet(graph, key)
        if not may:
            return None, None if may is None else key
        run = kind(problem, tree, **options)
    if _ends(run) and run.view.graph is graph:
        return run, key
    RUNS.fail(graph, key)
    return None, key


def _ends(run: GraphRun) -> bool:
    """Search to the end, if that takes one slice, and nothing happens that the tree has to show on the way."""
    if len(run.tree.reached) != 1:  # of several starts, it is not known here which one is expanded first
        return False
    if not run.ended:
        why, run.tree.expanded = run.slice(ALL)
        run.show()
        if why not in (control.FOUND, control.EXHAUSTED) or run.tree.reopened or run.tree.warnings:
            return False
        run.handle(why)
    return True


def _begins_again(run: GraphRun, problem: Any, view: CompiledProblem, tree: SearchTree[Any, Any]) -> bool:
    """Make a kept run begin a search of a problem on the same graph; return whether it can."""
    guided = run.guided
    if guided and view.heuristic is None:
        return False
    if isinstance(run, BestFirst):
        whole = view.whole and run.weight == 1 and largest_cost(view.graph) < BUCKETS
        if whole != run.queue.is_whole:
            return False
    run.problem, run.view, run.tree = problem, view, tree
    run.table = table_of(view)
    if guided and view.heuristic is not run.guide:
        run.guide, run.heuristic = view.heuristic, heuristic_of(view)
        run.kinds = *run.kinds[:2], type(run.heuristic), *run.kinds[3:]
    run.records.renew(problem, view)
    run.counters.fill(0)
    run.least.fill(0)
    run.ended = run.settled = run.warned = False
    run.steps = control.FIRST_STEPS
    run.begin()
    run.show_records()
    return True
