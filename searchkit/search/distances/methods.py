"""The ways to count states by their depth: in memory, on disk, and in two bits a state."""

from abc import ABC, abstractmethod
from collections import Counter
from os import PathLike, fspath
from time import perf_counter
from typing import Any, ClassVar

from attrs import evolve, frozen

from searchkit.basics.checks import start_states
from searchkit.compiled import cores
from searchkit.errors import InvalidLimitError, MissingCapabilityError, MissingExtraError
from searchkit.plugin.specs import EngineSpec
from searchkit.problem import Compilable, Cost, SearchProblem
from searchkit.result import Status
from searchkit.search.distances.distance_map import goalless, with_distances
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, memory_limit, resident_memory
from searchkit.search.observers import per_slice

INTERRUPTED = "an interruption"


@frozen
class Counts:
    """What a method has counted."""

    counts: tuple[int, ...]
    cutoff: str
    """The limit that ended the search; "" if none did."""
    seconds: float
    warnings: tuple[str, ...] = ()


@frozen
class Resources:
    """What a method works with; None for its default."""

    threads: int | None = None
    """How many threads expand states."""
    workers: str | None = None
    """Who runs tasks: as `searchkit.disk.executors.open_executor` reads it."""
    directory: "str | PathLike[str] | None" = None
    """Where files are written."""


class Method(ABC):
    """One way to count.

    Args:
        problem: what to search.
        limits: when to end.

    """

    summary: ClassVar[str]

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits):
        self.problem, self.limits = problem, limits

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


class Searched(Method):
    """Breadth-first search by `Search`.

    Args:
        problem: what to search.
        limits: when to end.
        engine: the engine.
        options: its options, and those of `Search`.

    """

    def __init__(
        self, problem: SearchProblem[Any, Any], limits: Limits, engine: str | EngineSpec, **options: Any
    ):
        super().__init__(problem, limits)
        self.search: Search[Any, Any] = Search(
            goalless(problem, priced=False), engine, observers=[per_slice(self._end_at_depth)], **options
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
        counts, cutoff = self._counts(), ""
        if result.status is Status.CUTOFF:
            cutoff = result.cutoff
            counts = counts[: int(self.search.tree.lower_bound)]  # of the next depth, not all are known
        if most is not None and len(counts) > most:
            cutoff, counts = depth_limit(most), counts[: int(most) + 1]
            self._expanded = sum(counts[:-1])
        return Counts(tuple(counts), cutoff, perf_counter() - begin, result.warnings)

    @abstractmethod
    def _counts(self) -> list[int]:
        """Return the number of states at each depth; of the last one, perhaps not all are known."""

    def _end_at_depth(self, search: Search[Any, Any], state: Any) -> None:
        """End the search at the depth limit: `Limits.cost` would be checked before each expansion."""
        if self.limits.cost is not None and search.tree.lower_bound > self.limits.cost:
            search.interrupt()


class InMemory(Searched):
    """Breadth-first search that keeps all states in memory, in Python or as machine code: for all problems."""

    summary = "keeps all states in memory: for all problems"

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, resources: Resources):
        super().__init__(problem, limits, with_distances("bfs"))

    def _counts(self) -> list[int]:
        reached: Any = self.search.tree.reached
        if self.search.backend == "compiled":
            from searchkit.kernels.settled import counted

            return counted(reached)
        found = Counter(cost for cost, *_ in reached.values())
        return [found[depth] for depth in range(len(found))]


class External(Searched):
    """Breadth-first search on disk, for problems with a compiled view."""

    summary = "keeps the states on disk: for problems with a compiled view"

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, resources: Resources):
        if not isinstance(problem, Compilable):
            raise needs_view("external", problem)
        directory = "" if resources.directory is None else fspath(resources.directory)
        options = {"directory": directory, "workers": resources.workers or "serial"}
        super().__init__(problem, limits, "external_bfs", backend="compiled", **options)

    def run(self) -> Counts:
        """Count until all states are counted, or a limit is reached. Another search may use the directory then."""
        try:
            return super().run()
        finally:
            if self.search.kernel is not None:
                self.search.kernel.place.close()

    def _counts(self) -> list[int]:
        if self.search.kernel is None:  # it was not compiled in time
            return []
        return [layer.states for layer in self.search.kernel.layers]


class Ranked(Method):
    """Breadth-first search in two bits a state, for problems whose compiled view has a ranking."""

    summary = "two bits a state: for tiles, pancakes and others with a ranking"

    def __init__(self, problem: SearchProblem[Any, Any], limits: Limits, resources: Resources):
        super().__init__(problem, limits)
        if not isinstance(problem, Compilable):
            raise needs_view("ranked", problem)
        from searchkit.compiled.kit.state import ranking_of
        from searchkit.scale.ranked.search import RankedSearch, memory_of

        view = problem.compiled()
        ranking = ranking_of(view)
        if ranking is None:
            raise MissingCapabilityError(
                f"method 'ranked' needs a ranking, which the compiled view of this {type(problem).__name__} does not "
                "have; the method 'memory' counts the states of all problems"
            )
        needed = memory_of(ranking.size) / 1e6
        left = memory_left(limits)
        if needed > left:
            raise InvalidLimitError(
                f"method 'ranked' needs {needed:,.0f} MB for two bits a state, and {max(0, left):,.0f} MB are left; "
                "the methods 'memory' and 'external' need memory or disk only for the states that are reached"
            )
        self._interrupted = False
        packed = map(view.pack, start_states(problem))
        self.search = RankedSearch(view, packed, resources.threads or cores())

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


METHODS: dict[str, type[Ranked | External | InMemory]] = {
    "ranked": Ranked,
    "external": External,
    "memory": InMemory,
}


def needs_view(method: str, problem: SearchProblem[Any, Any]) -> MissingCapabilityError:
    """Return the error about a problem without a compiled view."""
    return MissingCapabilityError(
        f"method {method!r} needs a compiled view, which {type(problem).__name__} does not have: it has no method "
        "compiled(); the method 'memory' counts the states of all problems"
    )


ON_DISK = "directory", "workers"
"""The resources that only the method `external` uses."""


def depth_limit(most: Cost) -> str:
    """Return how the limit on depth is named."""
    return f"the depth limit of {most}"


def choose_method(problem: SearchProblem[Any, Any], limits: Limits, resources: Resources) -> tuple[str, str]:
    """Return the method that `auto` chooses, and why."""
    given = [name for name in ON_DISK if getattr(resources, name) is not None]
    if given:
        return "external", f"auto chose it: {given[0]} {'is' if given[0] == 'directory' else 'are'} given"
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
