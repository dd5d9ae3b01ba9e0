"""How far every state is from the nearest start: distance maps, and problems without goals."""

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Generic

from attrs import evolve

from searchkit.basics.checks import start_states
from searchkit.compiled.array_layout import ArrayLayout, filled, layout_of
from searchkit.errors import InputFormatError, MissingCapabilityError, SavingError
from searchkit.plugin.registry import registry
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import (
    Action,
    Compilable,
    Cost,
    FunctionProblem,
    SearchProblem,
    State,
    SupportsSearch,
    check_members,
    has_cost,
)
from searchkit.result import Solution
from searchkit.saving.file import saved_header
from searchkit.saving.identity import Identity, identity
from searchkit.search.auto import check_backend
from searchkit.search.driver import Search
from searchkit.search.limits import Limits
from searchkit.tree import SearchTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from searchkit.kernels.settled import Settled


KERNELS = {
    "bfs": "searchkit.kernels.field:run_of",
    "dijkstra": "searchkit.kernels.rows:run_of",
}
"""Compiled forms for problems without goals."""
CONTENTS, MAP = "contents", "distance map"  # in the label of a file


class DistanceMap(Mapping[State, Cost], Generic[State, Action]):
    """The distance of every reachable state from the nearest start: a mapping. Unreachable states are absent.

    Iteration goes from the nearest states to the farthest. States at the same distance come in the same order each
    time, whatever the backend.
    """

    def __init__(
        self,
        search: Search[State, Action],
        warnings: tuple[str, ...] = (),
        problem: object = None,
    ):
        self._search: Search[State, Action] | None = search
        self._tree, self._problem = search.tree, problem
        self._array: Any = None
        self.warnings = warnings
        """As `Result.warnings`, for example that machine code could not calculate with the costs."""
        self.complete = search.ended
        """Whether every reachable state is in the map; False if a limit ended the search."""

    def __getitem__(self, state: State) -> Cost:
        return self._tree.reached[state][0]

    def __iter__(self) -> Iterator[State]:
        return iter(self._tree.reached)

    def __len__(self) -> int:
        return len(self._tree.reached)

    def parent(self, state: State) -> State | None:
        """Return the parent of `state` on the path from the nearest start; None for a start. O(1).

        Raises `KeyError` for a state that is not in the map.
        """
        return self._tree.reached[state][1]

    def descend(self, state: State) -> State | None:
        """Return the next state from `state` towards the nearest start; None for a start. O(1).

        This is the parent, so it assumes that actions can be undone. Many walkers can share one map. Raises `KeyError`
        for a state that is not in the map.
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

    def array(self) -> "NDArray[Any]":
        """Return the distances as a read-only array of numpy: of a grid indexed [y, x], of a graph by nodes.

        If all costs of the problem are integers, entries have the type int32, or int64 if a distance needs it, and −1
        stands for a state that is not in the map. Otherwise they have the type float64, and infinity stands for it, as
        in `scipy.sparse.csgraph`. The problem's `ArrayLayout` says which entry belongs to which state. For a graph
        these are its nodes in its own order, which `labels()` returns.

        The array is made once. If machine code has searched a grid or a graph, it shows the memory of that search,
        which is not copied. No later search writes to it, even when the map is gone.

        Raises:
            MissingCapabilityError: the states of the problem have no places in an array, or a distance does not fit
                into 64 bits.
            InvalidProblemError: the layout does not fit the states.
            MissingExtraError: numpy is not installed.

        """
        if self._array is None:
            self._array = self._as_array(layout_of(self._problem))
        array: NDArray[Any] = self._array
        return array

    def _as_array(self, layout: ArrayLayout[State]) -> Any:
        return filled(layout, self)

    def labels(self) -> Sequence[State]:
        """Return the state of each entry of `array()`, which has one axis: the nodes of a graph.

        Raises `MissingCapabilityError` if there is no such list: an entry of a grid at [y, x] is the cell (x, y).
        """
        labels = layout_of(self._problem).labels
        if labels is None:
            raise MissingCapabilityError(
                f"the entries of an array of {type(self._problem).__name__} have no labels: the index is the state"
            )
        return labels

    def save(self, path: "str | PathLike[str]") -> None:
        """Write the map to a file, from which `load` makes it again, also in another process.

        The file has checksums and names the problem. It is replaced as a whole or not at all.

        Raises:
            SavingError: a state or an action is of a class that can't be written; or the map is a copy of another one.
            InvalidProblemError: the problem can't be named in a file; see `searchkit.Identifiable`.
            OSError: the file can't be written.

        """
        if self._search is None:
            raise SavingError("a copy of a distance map can't be saved; save the map that it was copied from")
        label = {CONTENTS: MAP, "complete": self.complete, "warnings": list(self.warnings)}
        self._search.save(fspath(path), label=label)

    @classmethod
    def load(
        cls, path: "str | PathLike[str]", problem: SupportsSearch[State, Action]
    ) -> "DistanceMap[State, Action]":
        """Return the map of a problem that was saved in a file. Nothing is searched, and nothing in the file is run.

        Args:
            path: the file.
            problem: the problem of the map, made again.

        Raises:
            InputFormatError: the file can't be read, is not a distance map, or is damaged.
            SavingError: it is the map of another problem, or of another version of searchkit.
            MissingExtraError: the map was made by machine code, and Numba is not installed.

        """
        source, problem = fspath(path), check_members(problem)
        header = saved_header(source)
        complete, warnings = header.label.get("complete"), header.label.get("warnings")
        if header.label.get(CONTENTS) != MAP or type(complete) is not bool or not isinstance(warnings, list):
            raise InputFormatError("expected a distance map, and the file is a saved search", source=source)
        known = isinstance(problem, Compilable) and header.engine in KERNELS
        engine = with_distances(header.engine) if known else None
        search: Search[State, Action] = Search.load(source, goalless(problem), engine)
        if complete != search.ended:
            raise InputFormatError("a map is complete if its search has ended", source=source)
        return _map_of(search, problem, tuple(map(str, warnings)))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_search": None}  # a search can't be copied

    def __repr__(self) -> str:
        return f"<DistanceMap of {len(self)} states{'' if self.complete else ', incomplete'}>"


class _CompiledMap(DistanceMap[State, Action]):
    """A distance map over the arrays of a compiled engine; costs and states are made when they are used."""

    def __init__(
        self,
        search: Search[State, Action],
        warnings: tuple[str, ...],
        problem: object,
        settled: "Settled",
    ):
        super().__init__(search, warnings, problem)
        self._settled = settled

    def _as_array(self, layout: ArrayLayout[State]) -> Any:
        return self._settled.array(layout)

    def __getitem__(self, state: State) -> Cost:
        distance: Cost = self._settled[state]
        return distance

    def __iter__(self) -> Iterator[State]:
        return iter(self._settled)

    def __len__(self) -> int:
        return len(self._settled)

    def items(self) -> ItemsView[State, Cost]:
        return _Items(self)

    def values(self) -> ValuesView[Cost]:
        return _Values(self)

    def in_order(self) -> Iterator[Cost]:
        return self._settled.in_order()

    def parent(self, state: State) -> State | None:
        before: State | None = self._settled.parent(state)
        return before

    def farthest(self) -> list[State]:
        return self._settled.farthest()


class _Items(ItemsView[State, Cost]):
    _mapping: _CompiledMap[State, Any]

    def __iter__(self) -> Iterator[tuple[State, Cost]]:
        return zip(self._mapping, self._mapping.in_order(), strict=True)


class _Values(ValuesView[Cost]):
    _mapping: _CompiledMap[Any, Any]

    def __iter__(self) -> Iterator[Cost]:
        return self._mapping.in_order()


def distance_map(
    problem: SupportsSearch[State, Action],
    *,
    backend: str = "auto",
    limits: Limits | None = None,
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
    if isinstance(problem, Compilable):  # an engine that has a compiled form: both give the same paths
        engine = with_distances("dijkstra" if has_cost(problem) else "bfs")
    everywhere: SearchProblem[State, Action] = goalless(problem)
    if backend == "compiled" and not isinstance(problem, Compilable):
        check_backend(backend, problem, registry().engine("dijkstra"))
    search = Search(everywhere, engine, backend=backend)
    result = search.run(limits)
    if search.backend == "python":
        search.tree.reached = _in_order(search.tree, _bound(search))
    return _map_of(search, problem, result.warnings)


def _map_of(
    search: Search[State, Action], problem: object, warnings: tuple[str, ...]
) -> DistanceMap[State, Action]:
    """Return the map of a search whose arrivals, in Python, are those of the map in order."""
    if search.backend == "python":
        return DistanceMap(search, warnings, problem)
    from searchkit.kernels.settled import Settled

    records: Any = search.tree.reached
    return _CompiledMap(search, warnings, problem, Settled(records, _bound(search)))


def _bound(search: Search[State, Action]) -> Cost | None:
    """Return the distance below which arrivals are final, those of parents too; None if all are."""
    return None if search.ended else search.tree.lower_bound


def with_distances(engine: str) -> EngineSpec:
    """Return `bfs` or `dijkstra` with a compiled form that writes distances into an array, if the graph allows it."""
    return evolve(registry().engine(engine), kernel=KERNELS[engine])


def _in_order(tree: SearchTree[State, Action], bound: Cost | None) -> Any:
    """Return the arrivals below the bound, the nearest first: in the order of expansion, if it is known."""
    reached = tree.reached
    if tree.closed is None:  # breadth-first: as they were reached
        if bound is None:
            return reached
        return {state: arrival for state, arrival in reached.items() if arrival[0] < bound}
    ordered = tree.closed
    if not isinstance(ordered, list):
        ordered = sorted(reached, key=lambda state: reached[state][0])
    return {state: reached[state] for state in ordered if bound is None or reached[state][0] < bound}


class Goalless(FunctionProblem):
    """A problem without its goals and its heuristic; and without its costs, unless `keep_costs`."""

    def __init__(self, problem: SearchProblem[Any, Any], *, keep_costs: bool = True):
        super().__init__(
            tuple(start_states(problem)),
            problem.successors,
            lambda state: False,
            problem.cost if keep_costs and has_cost(problem) else None,
            None,
        )
        self.problem, self.keep_costs = problem, keep_costs

    def __reduce__(self) -> Any:
        return partial(goalless, keep_costs=self.keep_costs), (self.problem,)

    def file_identity(self) -> Identity:
        """Return what names the problem in files (`searchkit.Identifiable`): messages name the whole problem."""
        whole = identity(self.problem)
        without = "goals" if self.keep_costs else "goals and costs"
        return Identity(f"{whole.kind} without {without}", whole.digest, whole.code)


class CompilableGoalless(Goalless):
    """Such a problem with a compiled view."""

    _view: Any = None

    def compiled(self) -> Any:
        """Return the view without goals and without the heuristic; the same one each time."""
        from searchkit.kernels.settled import without_goals

        if self._view is None:  # making it may take long
            self._view = without_goals(self.problem.compiled())  # type: ignore[attr-defined]  # it is Compilable
        return self._view


def goalless(problem: SearchProblem[Any, Any], *, keep_costs: bool = True) -> Goalless:
    """Return a problem without its goals and its heuristic; and without its costs, unless `keep_costs`."""
    return (CompilableGoalless if isinstance(problem, Compilable) else Goalless)(
        problem, keep_costs=keep_costs
    )
