"""The ways to count states by their depth: in memory, and in two bits a state."""

import os
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from attrs import evolve, frozen

from searchkit.errors import InvalidLimitError, MissingCapabilityError, MissingExtraError
from searchkit.problem import Compilable, Cost, SearchProblem, start_states
from searchkit.result import Status
from searchkit.scale.workers import cores
from searchkit.search.distances.distance_map import goalless
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, resident_memory
from searchkit.search.observers import per_slice

MOST = 0.8
"""The share of the machine's memory that is used if there is no limit."""
CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""The memory of a container, in bytes."""
INTERRUPTED = "an interruption"


@frozen
class Counts:
    """What a method has counted."""

    counts: tuple[int, ...]
    cutoff: str
    """The limit that ended the search; "" if none did."""
    seconds: float
    warnings: tuple[str, ...] = ()


class Method(ABC):
    """One way to count.

    Args:
        problem: what to search.
        limits: when to end.
        threads: how many expand states at once, if the method has several; None for one on each core.

    """

    summary: ClassVar[str]

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, threads: int | None):
        self.problem, self.limits, self.threads = problem, limits, threads

    @property
    @abstractmethod
    def expanded(self) -> int:
        """How many states were expanded so far."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """The depth of the states that are being expanded."""

    @property
    def share(self) -> float | None:
        """The part of all states that was expanded so far; None if it is not known."""
        return None

    @abstractmethod
    def interrupt(self) -> None:
        """Make the run end soon."""

    @abstractmethod
    def run(self) -> Counts:
        """Count until all states are counted, or a limit is reached."""


class InMemory(Method):
    """Breadth-first search by `Search`, in Python or as machine code: for all problems."""

    summary = "keeps all states in memory: for all problems"

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, threads: int | None):
        super().__init__(problem, limits, threads)
        self.search: Search[Any, Any] = Search(
            goalless(problem, priced=False), "bfs", observers=[per_slice(self._end_at_depth)]
        )
        self._expanded: int | None = None
        """How many states are expanded for the counts, if the depth is limited."""

    @property
    def expanded(self) -> int:
        """How many states were expanded so far."""
        return self.search.tree.expanded if self._expanded is None else self._expanded

    @property
    def depth(self) -> int:
        """The depth of the states that are being expanded."""
        return max(0, int(self.search.tree.lower_bound) - 1)

    def interrupt(self) -> None:
        """Make the run end soon."""
        self.search.interrupt()

    def run(self) -> Counts:
        """Count until all states are counted, or a limit is reached."""
        begin, most = perf_counter(), self.limits.cost
        result = self.search.run(evolve(self.limits, memory=memory_limit(self.limits), cost=None))
        tree = self.search.tree
        if self.search.backend == "compiled":
            from searchkit.kernels.settled import counted

            records: Any = tree.reached
            counts = counted(records)
        else:
            reached = Counter(cost for cost, *_ in tree.reached.values())
            counts = [reached[depth] for depth in range(len(reached))]
        cutoff = ""
        if result.status is Status.CUTOFF:
            cutoff = result.cutoff
            counts = counts[: int(tree.lower_bound)]  # of the next depth, not all are known
        if most is not None and len(counts) > most:
            cutoff, counts = depth_limit(most), counts[: int(most) + 1]
            self._expanded = sum(counts[:-1])
        return Counts(tuple(counts), cutoff, perf_counter() - begin, result.warnings)

    def _end_at_depth(self, search: Search[Any, Any], state: Any) -> None:
        """End the search at the depth limit: `Limits.cost` would be checked before each expansion."""
        if self.limits.cost is not None and search.tree.lower_bound > self.limits.cost:
            search.interrupt()


class Ranked(Method):
    """Breadth-first search in two bits a state, for problems whose compiled view has a ranking."""

    summary = "two bits a state: for tiles, pancakes and others with a ranking"

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, threads: int | None):
        super().__init__(problem, limits, threads)
        name = type(problem).__name__
        if not isinstance(problem, Compilable):
            raise MissingCapabilityError(
                f"method 'ranked' needs a compiled view, which {name} does not have: it has no method compiled(); "
                "the method 'memory' counts the states of all problems"
            )
        from searchkit.compiled.kit.state import ranking_of
        from searchkit.scale.ranked.search import RankedSearch, memory_of

        view = problem.compiled()
        ranking = ranking_of(view)
        if ranking is None:
            raise MissingCapabilityError(
                f"method 'ranked' needs a ranking, which the compiled view of this {name} does not have; the method "
                "'memory' counts the states of all problems"
            )
        needed = memory_of(ranking.size) / 1e6
        left = memory_left(limits)
        if needed > left:
            raise InvalidLimitError(
                f"method 'ranked' needs {needed:,.0f} MB for two bits a state, and {max(0, left):,.0f} MB are left; "
                "the method 'memory' needs memory only for the states that are reached"
            )
        self._interrupted = False
        packed = map(view.pack, start_states(problem))
        self.search = RankedSearch(view, packed, threads or cores())

    @property
    def expanded(self) -> int:
        """How many states were expanded so far."""
        return self.search.expanded

    @property
    def depth(self) -> int:
        """The depth of the states that are being expanded."""
        return max(0, len(self.search.counts) - 1)

    @property
    def share(self) -> float:
        """The part of all ranks that was expanded so far."""
        return self.expanded / self.search.size

    def interrupt(self) -> None:
        """Make the run end soon."""
        self._interrupted = True

    def run(self) -> Counts:
        """Count until all states are counted, or a limit is reached."""
        begin, search, limits = perf_counter(), self.search, self.limits
        cutoff = ""

        def goes_on() -> bool:
            nonlocal cutoff
            cutoff = INTERRUPTED if self._interrupted else limits.reached(perf_counter() - begin)
            return not cutoff

        while not search.ended and goes_on():
            if limits.cost is not None and self.depth >= limits.cost:
                cutoff = depth_limit(limits.cost)
            elif limits.expansions is not None and search.expanded + search.counts[-1] > limits.expansions:
                cutoff = f"the limit of {limits.expansions} expansions"
            if cutoff:
                break
            search.expand_layer(goes_on)
        return Counts(tuple(search.counts), "" if search.ended else cutoff, perf_counter() - begin)


METHODS: dict[str, type[Method]] = {"ranked": Ranked, "memory": InMemory}


def depth_limit(most: Cost) -> str:
    """Return how the limit on depth is named."""
    return f"the depth limit of {most}"


def choose_method(problem: SearchProblem[Any, Any], limits: Limits) -> tuple[str, str]:
    """Return the method that `auto` chooses, and why."""
    if not isinstance(problem, Compilable):
        return "memory", "auto chose it: the problem has no compiled view"
    try:
        from searchkit.compiled.kit.state import ranking_of

        view = problem.compiled()
        ranking = None if view.ranking is None else ranking_of(view)
    except (MissingCapabilityError, MissingExtraError):
        return "memory", "auto chose it: this problem can't be compiled here"
    if ranking is None:
        return "memory", "auto chose it: the compiled view has no ranking"
    from searchkit.scale.ranked.search import memory_of

    needed = memory_of(ranking.size) / 1e6
    if needed > memory_left(limits):
        return "memory", f"auto chose it: two bits for each rank would take {needed:,.0f} MB"
    return "ranked", f"auto chose it: two bits for each of {ranking.size:,} ranks"


def memory_left(limits: Limits) -> float:
    """Return how many MB the process may still take; infinity if that is not known."""
    most = memory_limit(limits)
    return float("inf") if most is None else most - resident_memory()


def memory_limit(limits: Limits) -> float | None:
    """Return the largest resident memory in MB: the limit, or most of the machine's memory. None if it is not known."""
    if limits.memory is not None:
        return limits.memory
    names = getattr(os, "sysconf_names", {})
    if not {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= set(names):
        return None
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # there is no such file, or it says "max"
        size = min(size, int(CONTAINER.read_text()))
    return int(MOST * size / 1e6)
