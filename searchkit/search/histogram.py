"""How many states there are at each depth."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from os import PathLike, fspath
from time import perf_counter
from typing import Any

from attrs import asdict, evolve, field, frozen

from searchkit.basics.notebooks import SPACE
from searchkit.basics.tables import html_table, text_table
from searchkit.basics.text import quantity, visible
from searchkit.basics.values import readable_seconds
from searchkit.errors import (
    InvalidOptionError,
    MissingCapabilityError,
    UnknownNameError,
    unknown,
)
from searchkit.problem import Compilable, SupportsSearch, check_members, has_cost
from searchkit.result import Status
from searchkit.search.distances import goalless, with_distances
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, checked_limits, memory_limit
from searchkit.search.observers import per_slice

METHODS = {
    "external": "keeps the states on disk: for problems with a compiled view",
    "memory": "keeps all states in memory: for all problems",
}
COLUMNS = "depth", "states"
HEAD, TAIL = 100, 20
"""How many rows are printed of the beginning and of the end of a long table."""
UNUSED_COSTS = "the costs of actions are not used: a depth is a number of actions"


@frozen
class DistanceHistogram:
    """How many states there are at each depth: the least number of actions from a start.

    It prints as a table, in a notebook as HTML.
    """

    counts: tuple[int, ...]
    """The number of states at each depth, from 0 on. Each is exact, also after a limit ended the search."""
    complete: bool
    """Whether these are all states; False if a limit ended the search."""
    method: str
    """How they were counted: `external` or `memory`."""
    why: str = ""
    """Why `auto` chose this method; "" if it was asked for."""
    cutoff: str = ""
    """The limit that ended the search; "" if none did."""
    expanded: int = 0
    seconds: float = field(default=0.0, eq=False)
    """Wall-clock seconds."""
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of states that were counted."""
        return sum(self.counts)

    @property
    def diameter(self) -> int:
        """The greatest depth of a state that was counted; 0 if there are none.

        It is the diameter of a space that looks the same from each of its states, such as that of pancakes or of a
        cube. Of other spaces it is the eccentricity of the starts.
        """
        return max(0, len(self.counts) - 1)

    @property
    def mean(self) -> float:
        """The mean depth; 0 if there are no states."""
        return sum(depth * count for depth, count in enumerate(self.counts)) / max(1, self.total)

    def to_dict(self) -> dict[str, Any]:
        """Return what `searchkit histogram --json` prints, apart from the kind of problem."""
        fields = asdict(self)
        return {
            **fields,
            "counts": list(self.counts),
            "total": self.total,
            "diameter": self.diameter,
            "mean": self.mean,
            "cutoff": self.cutoff or None,
            "why": self.why or None,
            "warnings": list(self.warnings),
        }

    def summary(self) -> list[str]:
        """Return the lines below the table."""
        states = quantity(self.total, "state")
        if self.complete:
            first = f"{states}, at depths up to {self.diameter} (mean {self.mean:.2f})"
        elif self.counts:
            first = f"{states} at depths up to {self.diameter}, and more beyond: cut off by {self.cutoff}"
        else:
            first = f"no states: cut off by {self.cutoff}"
        how = f"method {self.method}" + (f" ({self.why})" if self.why else "")
        return [first, f"{how}, {readable_seconds(self.seconds)} s", *self.warnings]

    def __str__(self) -> str:
        rows, hidden = shown(self.counts)
        lines = text_table(COLUMNS, [(f"{depth:,}", f"{count:,}") for depth, count in rows])
        if hidden:
            lines.insert(HEAD + 1, hidden)
        return "\n".join([*lines, *map(visible, self.summary())])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        rows, hidden = shown(self.counts)
        notes = [f"<p {SPACE}>{escape(visible(line))}</p>" for line in self.summary()]
        cells = [(f"{depth:,}", f"{count:,}") for depth, count in rows]
        return html_table(COLUMNS, cells, (HEAD, hidden) if hidden else None) + "".join(notes)


def shown(counts: Sequence[int]) -> tuple[list[tuple[int, int]], str]:
    """Return the rows of a table that are shown, and the line about those that are left out: "" if none are."""
    rows = list(enumerate(counts))
    if len(rows) <= HEAD + TAIL:
        return rows, ""
    left_out = rows[HEAD:-TAIL]
    states = sum(count for _, count in left_out)
    return rows[:HEAD] + rows[-TAIL:], f"… {len(left_out):,} depths with {states:,} states …"


class HistogramSearch:
    """A search that counts states, held open so that it can be watched and interrupted.

    The arguments and errors are those of `distance_histogram`.
    """

    def __init__(
        self,
        problem: SupportsSearch[Any, Any],
        method: str = "auto",
        limits: Limits | None = None,
        workers: str | None = None,
        directory: str | PathLike[str] | None = None,
    ):
        self.problem = problem = check_members(problem)
        self.limits = checked_limits(limits)
        if method not in ("auto", *METHODS):
            there_are = f"there are auto, {', '.join(METHODS)}"
            raise UnknownNameError(unknown(f"there is no method {method!r}", method, METHODS, there_are))
        on_disk = {"directory": directory, "workers": workers}
        given = [name for name, value in on_disk.items() if value is not None]
        if given and method not in ("auto", "external"):
            raise InvalidOptionError(
                f"{given[0]}={str(on_disk[given[0]])!r}: only the method 'external' uses it, and the method is "
                f"{method!r}"
            )
        self.why = ""
        """Why `auto` chose the method; "" if it was asked for."""
        if method == "auto":
            method = "external" if given else "memory"
            verb = "is" if given == ["directory"] else "are"
            self.why = f"auto chose it: {' and '.join(given) or 'no directory and no workers'} {verb} given"
        self.method = method
        self._cut_at: int | None = None
        """How many states are expanded for the counts, if the depth is limited."""
        options: dict[str, Any] = {}
        if method == "external" and not isinstance(problem, Compilable):
            raise MissingCapabilityError(
                f"method {method!r} needs a compiled view, which {type(problem).__name__} does not have: it has no "
                "method compiled(); the method 'memory' counts the states of all problems"
            )
        if method == "external":
            place = "" if directory is None else fspath(directory)
            options = {"directory": place, "workers": workers or "serial"}
        self.search: Search[Any, Any] = Search(
            goalless(problem, keep_costs=False),
            "external_bfs" if method == "external" else with_distances("bfs"),
            observers=[per_slice(self._end_at_depth)],
            **options,
        )
        """The breadth-first search that counts."""

    @property
    def expanded(self) -> int:
        """How many states were expanded so far."""
        return self.search.statistics.expanded if self._cut_at is None else self._cut_at

    @property
    def depth(self) -> int:
        """The depth of the states that are being expanded."""
        return max(0, int(self.search.lower_bound) - 1)

    def interrupt(self) -> None:
        """Make the run end soon, as a limit does. Safe to call from a signal handler or another thread."""
        self.search.interrupt()

    def run(self) -> DistanceHistogram:
        """Count the states until all are counted or a limit is reached."""
        begin, search, largest = perf_counter(), self.search, self.limits.cost
        try:
            result = search.run(evolve(self.limits, memory=memory_limit(self.limits), cost=None))
            counts = self._counts(search)
        finally:
            if self.method == "external" and search.kernel is not None:
                search.kernel.close()  # another search may use the directory then
        cutoff = ""
        if result.status is Status.CUTOFF:
            cutoff = result.cutoff
            counts = counts[: int(search.tree.lower_bound)]  # of the next depth, not all are known
        if largest is not None and len(counts) > largest:
            cutoff, counts = f"the depth limit of {largest}", counts[: int(largest) + 1]
            self._cut_at = sum(counts[:-1])
        return DistanceHistogram(
            tuple(counts),
            not cutoff,
            self.method,
            self.why,
            cutoff,
            self.expanded,
            perf_counter() - begin,
            (*((UNUSED_COSTS,) if has_cost(self.problem) else ()), *result.warnings),
        )

    def _counts(self, search: Search[Any, Any]) -> list[int]:
        """Return the number of states at each depth; of the last one, perhaps not all are known."""
        reached: Any = search.tree.reached
        if self.method == "external":
            return [] if search.kernel is None else [bucket.states for bucket in search.kernel.buckets]
        if search.backend == "compiled":
            from searchkit.kernels.settled import counted

            return counted(reached)
        found = Counter(cost for cost, *_ in reached.values())
        return [found[depth] for depth in range(len(found))]

    def _end_at_depth(self, search: Search[Any, Any], state: Any) -> None:
        """End the search at the depth limit: `Limits.cost` would be checked before each expansion."""
        if self.limits.cost is not None and search.lower_bound > self.limits.cost:
            search.interrupt()


def distance_histogram(
    problem: SupportsSearch[Any, Any],
    *,
    method: str = "auto",
    limits: Limits | None = None,
    workers: str | None = None,
    directory: str | PathLike[str] | None = None,
) -> DistanceHistogram:
    """Count the states at each depth: how many can be reached with 0, 1, 2, … actions from a start, and not with fewer.

    Goals and costs are not used. Each count is exact. The search ends when it has seen all states, so a space without
    an end needs a limit, such as `Limits(cost=10)` for the states of at most ten actions; without one, it ends when it
    has taken nearly all of the machine's memory.

    Args:
        problem: its starts and successors are used.
        method: `external`, on disk, for problems with a compiled view; `memory`, for all problems; `auto` chooses
            `external` if a directory or workers are given, otherwise `memory`.
        limits: when to end. `cost` limits the depth.
        workers: who expands states with the method `external`, as `searchkit.disk.executors.open_executor` reads it; by
            default `serial`.
        directory: where the method `external` writes its files, and goes on where an earlier call was cut off; by
            default a temporary directory.

    Raises:
        InvalidProblemError: as `solve` does.
        UnknownNameError: there is no such method.
        InvalidOptionError: a directory or workers are given for another method than `external`.
        DirectoryError: the directory can't be used.
        MissingCapabilityError, MissingExtraError: the method can't be used for this problem, or is not installed.

    Example:
        >>> from searchkit import distance_histogram, problem_from
        >>> row = problem_from([0, 9], lambda x: [(to, to) for to in (x - 1, x + 1) if 0 <= to <= 9], lambda x: False)
        >>> distance_histogram(row).counts
        (2, 2, 2, 2, 2)

    """
    return HistogramSearch(problem, method, limits, workers, directory).run()
