"""Running a kernel slice by slice: the base classes of compiled engines.

A compiled engine is a class that is called with the problem and an empty tree, as `EngineSpec.kernel` names it. Its
kernel works on arrays and returns after a slice of bounded work: so limits are checked in time, arrays can grow, and
the search can be paused.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from searchkit.basics.checks import checked_cost, checked_heuristic
from searchkit.compiled.kit import control
from searchkit.compiled.kit.arrays import NOT_ALLOWED, grown
from searchkit.compiled.kit.control import FIRST_STEPS, next_steps
from searchkit.compiled.kit.graph import SearchSpace
from searchkit.compiled.kit.records import HashedRecords, Records, States
from searchkit.compiled.kit.saved import restore_nodes, restored_counters, saved_counters, saved_nodes, taken
from searchkit.compiled.kit.store import CLOSED, NOBODY
from searchkit.compiled.view import CompiledProblem
from searchkit.errors import InexactError, InvalidProblemError, MissingCapabilityError, SavingError
from searchkit.problem import Cost, SearchProblem, has_cost
from searchkit.tree import SearchTree


class KernelRun(ABC):
    """A search by a kernel, with the interface by which the driver runs engines: `advance`, `state`, `ended`."""

    problem: Any
    tree: SearchTree[Any, Any]
    ended = False
    settled = False
    """Whether `state` is the state to be expanded next, or the search has ended. If not, call `advance` again."""
    spare: Callable[[], float] | None = None
    """Returns how many bytes may still be allocated. None for no limit."""
    asked: Any = None
    """The state that was being expanded when a method of the problem was last called; None if it is not known."""
    steps = FIRST_STEPS
    """The steps of the next slice at most: see `searchkit.compiled.kit.control`."""
    space: Any = None
    """The `SearchSpace` that the kernel searches; None if the kernel has other arrays."""
    quick_paths = True
    """Whether paths are found in some milliseconds; if not, the result of a cutoff has no partial path."""
    _task: Iterator[None] | None = None
    """The rest of handling the stop reason of the last slice."""

    def advance(self, most: int) -> int:
        """Run one slice: expand up to `most` states, and count them in the tree; return their number.

        `settled` tells whether it has stopped between two states. With 0, it advances to the next state.

        Raises `InvalidProblemError` as engines in Python do, and `MemoryError` if an array can't grow; the run can be
        continued after both. After `InexactError` it can't: the search has to begin again in Python.
        """
        expanded, self.settled = 0, False
        try:
            if self.ended:
                self.settled = True
            elif self._task is None:
                started = perf_counter()
                why, expanded = self.slice(most)
                if self.space is not None and self.space.failure[0]:
                    raise self.space.gave_up()
                self.show()
                if why in (control.WORKED, control.PAUSED):
                    steps = next_steps(self.steps, perf_counter() - started)
                    by_steps = why == control.PAUSED or expanded < most
                    self.steps = steps if by_steps else min(steps, self.steps)
                else:
                    self._task = self.handle(why)
                self.settled = self.ended or why == control.WORKED
            elif next(self._task, self) is self:
                self._task = None
        except BaseException:
            self._task = None
            self.go_back()
            raise
        finally:
            self.tree.expanded += expanded
        return expanded

    def go_back(self) -> None:
        """Make `state` the state to be expanded next, after an expansion was broken off."""
        self.slice(0)

    def saved(self) -> Iterator[Mapping[str, Any]]:
        """Yield what the run holds apart from what is made of the problem and the options, in parts for `restore`.

        The values are arrays, truth values, numbers, texts, and lists of these. It may be called whenever `advance`
        does not run; what is left of handling a stop reason is done again by the restored run.

        Raises `SavingError` if the engine can't be saved: by default.
        """
        kind = type(self).__name__
        raise SavingError(f"a search by {kind} can't be saved; use an engine of searchkit, such as 'astar'")

    def restore(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Continue where another run of the same problem and options was saved; this one must not have advanced.

        Any error means that the parts are not those of a run of this problem. Then this run can't be used any more.
        """
        raise NotImplementedError

    def saved_state(self) -> dict[str, Any]:
        """Return the part that is the same for all kernels."""
        tree = self.tree
        return {
            "ended": bool(self.ended),
            "found": bool(tree.found),
            "expanded": int(tree.expanded),
            "warnings": list(tree.warnings),
        }

    def restore_state(self, part: Mapping[str, Any]) -> None:
        """Take over the part that is the same for all kernels; at the end, as it shows the tree."""
        self.tree.expanded, self.tree.warnings = int(part["expanded"]), list(map(str, part["warnings"]))
        self.settled = self.ended = bool(part["ended"])
        self.show()
        if part["found"] and not self.tree.found:
            if not self.problem.is_goal(self.state):
                raise ValueError(f"{self.state!r} is not a goal")
            self.tree.finish(self.state)

    def check_memory(self, size: int) -> None:
        """Raise `MemoryError` if `size` more bytes are not allowed."""
        if self.spare is not None and self.spare() < size:
            raise MemoryError(NOT_ALLOWED)

    def grown(self, array: Any, used: int, room: int) -> Any:
        """Return an array of at least `room` elements, or rows, that begins with the `used` ones of another.

        Raises `MemoryError` if that is not allowed.
        """
        self.check_memory(array[:used].nbytes)
        return grown(array, used, room)

    def underestimates(self, cost: Cost) -> bool:
        """Whether the search has shown that no heuristic value on its path exceeds the rest; False if not known."""
        return False

    @property
    @abstractmethod
    def state(self) -> Any:
        """The state to be expanded next."""

    @abstractmethod
    def slice(self, expansions: int) -> tuple[int, int]:
        """Run the kernel for up to `expansions` expansions and `self.steps` steps.

        Return the stop reason (see `searchkit.compiled.kit.control`) and the number of expansions. It must stop before
        it expands the next state, so that `state` is that state.
        """

    @abstractmethod
    def show(self) -> None:
        """Bring the tree up to date."""

    @abstractmethod
    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces."""


class GraphRun(KernelRun):
    """A search of the graph of a compiled view, whose arrivals are kept in `Records`.

    It begins at the starts of the problem, with an empty tree. After each slice the tree shows what it shows after a
    yield of the engine in Python.

    Args:
        problem: the problem, which has a compiled view.
        tree: the tree of the search; empty.

    Raises:
        MissingCapabilityError: the view has no heuristic, and the engine is `guided`.

    """

    guided = False
    """Whether the engine uses the heuristic."""
    has_closed = True
    """Whether reached states that do not wait may be open, so that the tree has the closed ones."""

    def __init__(self, problem: SearchProblem[Any, Any], tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        self.view: CompiledProblem = problem.compiled()  # type: ignore[attr-defined]  # it is Compilable
        if self.guided and self.view.heuristic is None:
            raise no_heuristic(problem)
        self.space = SearchSpace(self.view, self.guided)
        self.out = self.space.out
        self.records = self.make_records()
        self.counters, self.bounds = np.zeros(control.COUNTERS, np.int64), np.zeros(2)
        self.begin()
        self.counters[control.NODES] = self.records.count
        self.counters[control.REACHED] = self.records.reached
        self.show_records()

    def show_records(self) -> None:
        """Let the tree show the contents of the records."""
        self.tree.reached = self.records  # type: ignore[assignment]  # `Arrivals`
        if self.has_closed:
            self.tree.closed = States(self.records, partial(self.records.having, CLOSED))

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The first arguments of a kernel: graph, store, table, heuristic, room, and arrays for successors and costs.

        `room` is the number of nodes for which the store has room. The heuristic is a placeholder if the engine is not
        `guided`. (As one `NamedTuple` instead of seven arguments, they made kernels up to 30 % slower.)
        """
        space = self.space
        return space.graph, self.records.store, space.table, space.heuristic, self.records.room, *self.out

    def make_records(self) -> Records:
        """Return empty records for the states that are reached, as small as the graph allows."""
        return (HashedRecords if self.space.is_hashed else Records)(self.problem, self.space)

    @abstractmethod
    def begin(self) -> None:
        """Enter the starts into the records and the frontier."""

    @abstractmethod
    def grow_frontier(self) -> Iterator[None]:
        """Make room in the frontier for one more expansion, in pieces. Raises `MemoryError`; nothing is lost then."""

    @abstractmethod
    def lower_bound(self, least: Cost) -> Cost:
        """Return the lower bound that is proved when `least` is the least value in the frontier."""

    def warn(self, parent: Any, action: Any, state: Any) -> None:
        """Add a warning to the tree: a closed state was reached more cheaply, for the first time."""

    def saved(self) -> Iterator[Mapping[str, Any]]:
        """Yield the nodes, the counters and the frontier; of a graph that is data, the number of expansions."""
        yield {**self.saved_state(), "nodes": int(self.records.reached)}
        if not self.space.is_hashed:
            return
        places = np.full(self.records.count, NOBODY, np.uint32)
        yield from saved_nodes(self.records, places)
        yield {"counters": saved_counters(self.counters, places), "bounds": self.bounds}
        yield from self.saved_frontier(places)

    def restore(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Enter the nodes again, and take over the counters and the frontier.

        A graph that is data is searched again, which takes no longer, and as many states are expanded.
        """
        state = next(parts)
        count, expanded, tree = int(state["nodes"]), int(state["expanded"]), self.tree
        if self.space.is_hashed:
            restore_nodes(self, count, parts)
            numbers = next(parts)
            self.counters[:] = restored_counters(numbers, count)
            self.bounds[:] = taken(numbers, "bounds", np.float64)
            self.restore_frontier(parts)
            self.restore_state(state)
            return
        while not self.settled or (tree.expanded < expanded and not self.ended):
            self.advance(max(0, expanded - tree.expanded))
        if (tree.expanded, self.ended, self.records.reached) != (expanded, state["ended"], count):
            raise ValueError(f"{tree.expanded} expansions reach {self.records.reached} states")

    def saved_frontier(self, places: Any) -> Iterator[dict[str, Any]]:
        """Yield the frontier in parts, with the place of each node. By default, raise `SavingError`."""
        return super().saved()  # type: ignore[return-value]

    def restore_frontier(self, parts: Iterator[Mapping[str, Any]]) -> None:
        """Take over what `saved_frontier` has yielded; places are nodes now. Any error means that it is wrong."""
        raise NotImplementedError

    def handle(self, why: int) -> Iterator[None] | None:
        """Handle the stop reason of a slice; or return an iterator that does it in pieces. Raises `InexactError`."""
        if why == control.INCONSISTENT:
            edge = self.edge(control.REOPENED_FROM, control.REOPENED_BY)
            self.asked = edge[0]
            self.warn(*edge)
        elif why == control.FULL:
            return self._grow()
        elif why == control.TOO_LARGE:
            raise inexact()
        elif why in (control.BAD_COST, control.BAD_HEURISTIC):
            edge = self.edge(control.PARENT, control.MOVE)
            self.asked = edge[0]
            raise_invalid(self.problem, why, edge, self.view.pack(edge[2]))
        else:
            self.ended = True
            if why == control.FOUND:
                self.tree.finish(self.state)
        return None

    @property
    def state(self) -> Any:
        """The state to be expanded next."""
        return self.records.state(int(self.counters[control.HEAD_NODE]))

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, records, counters = self.tree, self.records, self.counters.tolist()
        records.count, records.reached = counters[control.NODES], counters[control.REACHED]
        tree.generated, tree.reopened = counters[control.GENERATED], counters[control.REOPENED]
        tree.peak_frontier = counters[control.PEAK]
        tree.lower_bound = self.lower_bound(self.records.cost(float(self.bounds[0])))

    def _grow(self) -> Iterator[None]:
        least = self.records.count + len(self.out[0])
        if least > self.records.room:
            yield from self.records.grow(least, inf if self.spare is None else self.spare())
        yield from self.grow_frontier()

    def edge(self, node: int, move: int) -> tuple[Any, Any, Any]:
        """Return the state, the action and the successor at these places in the counters."""
        parent = self.records.state(int(self.counters[node]))
        return parent, *self.records.action(parent, int(self.counters[move]))


def inexact() -> InexactError:
    """Return the error for a number of `EXACT` or more in a kernel."""
    return InexactError(
        "a cost or a heuristic value is 2**53 or more, and machine code calculates exactly with smaller ones only; "
        "backend='python' takes all numbers, and costs that are smaller whole numbers are fast"
    )


def raise_invalid(
    problem: SearchProblem[Any, Any], why: int, edge: tuple[Any, Any, Any], packed: int
) -> None:
    """Raise what an engine in Python raises for the invalid cost or heuristic value at the last state of an edge."""
    parent, action, state = edge
    if why == control.BAD_COST and has_cost(problem):
        checked_cost(parent, action, state, problem.cost(parent, action, state))
    if why == control.BAD_HEURISTIC:
        checked_heuristic(state, problem.heuristic(state))
    raise InvalidProblemError(
        f"the compiled view of {type(problem).__name__} has a {'cost' if why == control.BAD_COST else 'heuristic'} at "
        f"{state!r} (packed {packed}) that is not a number ≥ 0, and the problem itself has not"
    )


def no_heuristic(problem: SearchProblem[Any, Any]) -> MissingCapabilityError:
    """Return the error for a compiled view that lacks the heuristic."""
    return MissingCapabilityError(
        f"the compiled view of {type(problem).__name__} has no heuristic; use backend='python'"
    )
