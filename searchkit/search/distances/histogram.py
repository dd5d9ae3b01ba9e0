"""How many states there are at each depth."""

from collections.abc import Sequence
from html import escape
from os import PathLike
from typing import Any

from attrs import asdict, field, frozen

from searchkit.basics.notebooks import SPACE
from searchkit.basics.tables import html_table, text_table
from searchkit.basics.text import quantity, visible
from searchkit.basics.values import readable_seconds
from searchkit.errors import InvalidOptionError, UnknownNameError, unknown
from searchkit.problem import SupportsSearch, check_members, has_cost
from searchkit.search.distances.methods import METHODS, ON_DISK, Method, Resources, choose_method
from searchkit.search.limits import Limits, checked_limits

COLUMNS = "depth", "states"
HEAD, TAIL = 100, 20
"""How many rows are printed of the beginning and of the end of a long table."""
UNPRICED = "the costs of actions are not used: a depth is a number of actions"


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
    """How they were counted: `ranked`, `external` or `memory`."""
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
        threads: int | None = None,
        workers: str | None = None,
        directory: str | PathLike[str] | None = None,
    ):
        self.problem = problem = check_members(problem)
        self.limits = checked_limits(limits)
        if method not in ("auto", *METHODS):
            raise UnknownNameError(
                unknown(
                    f"there is no method {method!r}", method, METHODS, f"there are auto, {', '.join(METHODS)}"
                )
            )
        if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
            raise InvalidOptionError(
                f"threads={threads!r}: expected a whole number ≥ 1, or None for one on each core"
            )
        resources = Resources(threads, workers, directory)
        for name in ON_DISK:
            if getattr(resources, name) is not None and method not in ("auto", "external"):
                raise InvalidOptionError(
                    f"{name}={str(getattr(resources, name))!r}: only the method 'external' uses it, and the method is "
                    f"{method!r}"
                )
        self.why = ""
        if method == "auto":
            method, self.why = choose_method(problem, self.limits, resources)
        self.method = method
        self.counting: Method = METHODS[method](problem, self.limits, resources)
        """The method at work."""

    def interrupt(self) -> None:
        """Make the run end soon, as a limit does. Safe to call from a signal handler or another thread."""
        self.counting.interrupt()

    def run(self) -> DistanceHistogram:
        """Count the states until all are counted or a limit is reached."""
        counted = self.counting.run()
        warnings = (*((UNPRICED,) if has_cost(self.problem) else ()), *counted.warnings)
        return DistanceHistogram(
            counted.counts,
            not counted.cutoff,
            self.method,
            self.why,
            counted.cutoff,
            self.counting.expanded,
            counted.seconds,
            warnings,
        )


def distance_histogram(
    problem: SupportsSearch[Any, Any],
    *,
    method: str = "auto",
    limits: Limits | None = None,
    threads: int | None = None,
    workers: str | None = None,
    directory: str | PathLike[str] | None = None,
) -> DistanceHistogram:
    """Count the states at each depth: how many can be reached with 0, 1, 2, … actions from a start, and not with fewer.

    Goals and costs are not used. Each count is exact. The search ends when it has seen all states, so a space without
    an end needs a limit, such as `Limits(cost=10)` for the states of at most ten actions; without one, it ends when it
    has taken nearly all of the machine's memory.

    Args:
        problem: its starts and successors are used.
        method: `ranked`, two bits a state, for problems whose compiled view has a `Ranking`; `external`, on disk, for
            problems with a compiled view; `memory`, for all problems; `auto` chooses `external` if a directory or
            workers are given, `ranked` if it can and the bits fit into memory, otherwise `memory`.
        limits: when to end. `cost` limits the depth. The method `ranked` expands whole layers, so it does not begin a
            layer that would exceed a limit of expansions.
        threads: how many threads expand states with the method `ranked`; by default one on each core.
        workers: who expands states with the method `external`, as `searchkit.disk.executors.open_executor` reads it; by
            default `serial`.
        directory: where the method `external` writes its files, and goes on where an earlier call was cut off; by
            default a temporary directory.

    Raises:
        InvalidProblemError: as `solve` does; also if the ranking is faulty.
        UnknownNameError: there is no such method.
        InvalidOptionError: `threads` is not a whole number ≥ 1, or a directory or workers are given for another method
            than `external`.
        DirectoryError: the directory can't be used.
        InvalidLimitError: the method is `ranked`, and there is no memory for its bits.
        MissingCapabilityError, MissingExtraError: the method can't be used for this problem, or is not installed.

    Example:
        >>> from searchkit import distance_histogram, problem_from
        >>> row = problem_from([0, 9], lambda x: [(to, to) for to in (x - 1, x + 1) if 0 <= to <= 9], lambda x: False)
        >>> distance_histogram(row).counts
        (2, 2, 2, 2, 2)

    """
    return HistogramSearch(problem, method, limits, threads, workers, directory).run()
