"""`contraction-hierarchies` as machine code: same path and counters as in `searchkit_graph.precomputed.contraction`."""

from collections.abc import Iterable, Iterator, Set
from typing import Any

import numpy as np

from searchkit.compiled.kit import Fields, KernelRun, control
from searchkit.tree import SearchTree
from searchkit_graph.precomputed.contraction.compiled.searching import GENERATED, PEAK, Reader, reader_of
from searchkit_graph.precomputed.contraction.engine import ends_of, finish


class Settled(Set[Any]):
    """The starts that were settled."""

    def __init__(self, problem: Any, reader: Reader):
        self.problem, self.reader = problem, reader

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Set[Any]:
        return set(it)

    def _states(self) -> set[Any]:
        states, _ = self.problem.steps(self.reader.settled(), [])
        return set(states).intersection(self.problem.initial_states())

    def __contains__(self, state: object) -> bool:
        return state in self._states()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._states())

    def __len__(self) -> int:
        return len(self._states())


class ContractionHierarchies(KernelRun):
    """`contraction-hierarchies`, compiled."""

    def __init__(self, problem: Any, tree: SearchTree[Any, Any]):
        self.problem, self.tree = problem, tree
        self.hierarchy = problem.contraction_hierarchy()
        self.reader, self.count = reader_of(self.hierarchy), 0
        starts, goals = ends_of(problem, tree)
        self.reader.begin(np.array(starts, np.int64), np.array(goals, np.int64))
        tree.closed = Settled(problem, self.reader)
        self.show()

    @property
    def state(self) -> Any:
        """The state to be expanded next; at the end, the goal; None if there is none."""
        number = self.reader.next
        if number is not None:
            return self.problem.steps([number], [])[0][0]
        return self.tree.goal

    def slice(self, expansions: int) -> tuple[int, int]:
        """Settle up to that many states."""
        settled = self.reader.settle(min(expansions, self.steps))
        self.count += settled
        if self.reader.next is None:
            return control.EXHAUSTED, settled
        return control.WORKED, settled

    def show(self) -> None:
        """Bring the tree up to date."""
        tree, numbers = self.tree, self.reader.numbers
        tree.generated, tree.peak_frontier = int(numbers[GENERATED]), int(numbers[PEAK])

    def handle(self, why: int) -> Iterator[None] | None:
        """Read the path, and end the search."""
        finish(self.problem, self.tree, self.reader.value, self.reader.way)
        self.ended = True
        return None

    def saved_arrays(self) -> dict[str, Any]:
        """Return how many states were settled: they are settled again sooner than they are read."""
        return {"settled": self.count}

    def restore_arrays(self, fields: Fields) -> None:
        """Settle as many states again."""
        left = fields.whole("settled", 0, 2 * self.hierarchy.network.size)
        while left > 0:
            count = self.reader.settle(min(left, self.steps))
            fields.expect(count > 0, "settled", "the search ended before")
            left -= count
            self.count += count
        if self.reader.next is None and fields.flag("found"):
            finish(self.problem, self.tree, self.reader.value, self.reader.way)
