"""Several engines on one problem: which ones run, and the table of their results."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from operator import attrgetter
from typing import Any, Never, TypeAlias

from attrs import evolve, frozen

from searchkit.basics.rounding import exceeds
from searchkit.basics.text import text_table, visible
from searchkit.basics.values import readable, readable_seconds, times_optimum
from searchkit.errors import InvalidOptionError, SearchkitError, UnknownNameError, quoted, unknown
from searchkit.plugin.specs import EngineFunction, EngineSpec
from searchkit.problem import SearchProblem, SupportsSearch, check_members, has_cost, has_heuristic
from searchkit.result import Result, Status
from searchkit.search.auto import choose_engine, engine_spec, fitting_engines
from searchkit.search.driver import Search
from searchkit.search.limits import Limits, checked_limits
from searchkit.search.outcome import overestimate, without_assumption

Engine: TypeAlias = str | EngineSpec | EngineFunction
Contender: TypeAlias = Engine | tuple[Engine, Mapping[str, Any]]
"""An engine, or an engine and its options."""

SECONDS = 5
"""The limit for engines that were not named, if there is no other limit: some of them may not end."""
COLUMNS = ("engine", "cost", "optimal?", "expanded", "generated", "reopened", "peak frontier", "seconds")


@frozen
class Row:
    """One engine: its result, or the reason why there is none."""

    engine: str
    """The name of the engine, and the options that only it was given: `astar ties=fifo`."""
    result: Result[Any, Any] | None = None
    """What it found; None if it could not run."""
    error: str = ""
    """Why it could not run; "" if it ran."""

    def cells(self) -> tuple[str, ...]:
        """Return the texts of the row, one for each of `COLUMNS`."""
        if self.result is None:
            return self.engine, "can't run", *[""] * (len(COLUMNS) - 2)
        done = self.result.statistics
        counters = done.expanded, done.generated, done.reopened, done.peak_frontier
        counts = [f"{count:,}" for count in counters]
        return self.engine, *_outcome(self.result), *counts, readable_seconds(done.seconds)

    def notes(self) -> list[str]:
        """Return what the cells do not say, a line each: the error, the limit that was reached, the warnings."""
        if self.result is None:
            return [f"{self.engine}: {self.error}"]
        cutoff = [f"cut off by {self.result.cutoff}"] if self.result.cutoff else []
        return [f"{self.engine}: {note}" for note in (*cutoff, *self.result.warnings)]

    def to_dict(self) -> dict[str, Any]:
        """Return what `searchkit compare --json` prints of an engine: `Result.to_dict()`, or `engine` and `error`."""
        return {"engine": self.engine, "error": self.error} if self.result is None else self.result.to_dict()


class Comparison(tuple[Row, ...]):
    """The results of several engines on one problem: rows in order, which print as a table, in a notebook as HTML.

    `table[0]` is the first row and `table["astar"]` the row of an engine; each has a `result`, or an `error` if the
    engine could not run.
    """

    __slots__ = ()

    def __getitem__(self, index: int | str) -> Row:  # type: ignore[override]  # a slice is a tuple of rows
        if isinstance(index, int):
            return super().__getitem__(index)
        for row in self:
            if row.engine == index:
                return row
        names = [row.engine for row in self]
        raise UnknownNameError(
            unknown(f"there is no row of {index!r}", index, names, f"there are {', '.join(names)}")
        )

    def __str__(self) -> str:
        cells = [[visible(cell) for cell in row.cells()] for row in self]
        table = text_table(COLUMNS, cells, left=("engine", "optimal?"))
        return "\n".join([*table, *(visible(note) for row in self for note in row.notes())])

    __repr__ = __str__


def compare(
    problem: SupportsSearch[Any, Any],
    engines: Iterable[Contender] | None = None,
    *_more: Never,
    backend: str = "auto",
    limits: Limits | None = None,
    around: Callable[[Search[Any, Any]], AbstractContextManager[object]] = nullcontext,
    **options: object,
) -> Comparison:
    """Solve a problem with several engines, one after the other, and return a table of the results.

    An engine that can't run is a row with the reason, and the others run all the same. If an engine finds a path that
    costs less than the bound of another one, the heuristic overestimates: a warning says where, and the bound is
    corrected.

    Args:
        problem: what to solve.
        engines: engines as for `solve`; one with options of its own is a pair `("astar", {"ties": "fifo"})`. By default
            those that suit the problem, beginning with the one that `auto` chooses; `"all"` for all that can run.
        backend: as for `solve`.
        limits: limits of each engine. Without limits, engines that were not named run for at most 5 seconds each.
        around: returns a context in which a search runs, such as one that shows its progress.
        options: options of engines; each goes to the engines that have it.

    Raises:
        InvalidProblemError: the problem lacks a member that every problem has.
        UnknownNameError: there is no such engine, or none of the engines has an option of that name.
        InvalidOptionError: `engines` is not one list.
        InvalidLimitError: `limits` is not a `Limits`.

    Example:
        >>> from searchkit import compare, problem_from
        >>> line = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 3,
        ...                     heuristic=lambda x: abs(3 - x))
        >>> table = compare(line, ["bfs", "astar"])
        >>> print(table)
        engine  cost  optimal?       expanded  generated  reopened  peak frontier  seconds
        bfs        3  yes                   5         10         0              2   0.0...
        astar      3  if admissible         3          6         0              2   0.0...
        >>> table["astar"].result.actions
        ('right', 'right', 'right')

    """
    checked = check_members(problem)
    if engines is None or engines == "all":
        engines, limits = unnamed_engines(checked, limits, every=engines == "all")
    if isinstance(engines, str) or _more:
        raise InvalidOptionError(
            f"engines={quoted(engines)}: expected one list of engines, such as ['astar', 'bfs'], or 'all'"
        )
    limits, rows = checked_limits(limits), list[Row]()
    pairs = [each if isinstance(each, tuple) else (each, {}) for each in engines]
    specs = [choose_engine(checked)[0] if engine == "auto" else engine_spec(engine) for engine, _ in pairs]
    known = sorted({option.name for spec in specs for option in spec.options})
    for name in options:
        if name not in known:
            listing = f"the engines have {', '.join(known) or 'none'}"
            raise UnknownNameError(unknown(f"{name}: there is no such option", name, known, listing))
    for (engine, own), spec in zip(pairs, specs, strict=True):
        shared = {option.name: options[option.name] for option in spec.options if option.name in options}
        title = " ".join([spec.name, *(f"{name}={value}" for name, value in own.items())])
        try:
            search: Search[Any, Any] = Search(checked, engine, backend=backend, **{**shared, **own})
            with around(search):
                rows.append(Row(title, search.run(limits)))
        except SearchkitError as error:
            rows.append(Row(title, error=str(error)))
    solved = [row.result for row in rows if row.result is not None and row.result.solution is not None]
    best = min(solved, key=attrgetter("solution.cost"), default=None)
    return Comparison(rows if best is None else (_corrected(checked, row, best) for row in rows))


def unnamed_engines(
    problem: SearchProblem[Any, Any], limits: Limits | None, *, every: bool = False
) -> tuple[list[str], Limits]:
    """Return the engines that run if none is named, and the limits of each.

    These are all that can run, or those that suit: the one that `auto` chooses, and the ones that take the costs of the
    problem into account, expand no state twice, and hold all states in memory.

    Args:
        problem: what to solve.
        limits: the limits that were given; None for the default.
        every: whether all engines run that can.

    """
    if every:
        names = [spec.name for spec in fitting_engines(problem)]
    else:
        costs = ("any",) if has_cost(problem) else ("any", "unit")
        suited = [
            spec.name
            for spec in fitting_engines(problem)
            if spec.costs in costs
            and spec.memory != "depth"
            and spec.expands_once
            and not spec.machine_code_only
        ]
        names = list(dict.fromkeys([choose_engine(problem)[0].name, *suited]))
    return names, limits or Limits(seconds=SECONDS)


def _corrected(problem: SearchProblem[Any, Any], row: Row, best: Result[Any, Any]) -> Row:
    """Return a row; a bound above the cost of the best path found is corrected, and a warning names the fault.

    Such a bound rests on a heuristic that overestimates in some state of that path.
    """
    result, path = row.result, best.solution
    assert path is not None
    if result is None or not result.assumes or not exceeds(result.lower_bound, path.cost, len(path)):
        return row
    fault = overestimate(problem, path) if has_heuristic(problem) else ""
    bound_text = readable(result.lower_bound)
    found = f"{best.engine} found a path of cost {readable(path.cost)}, below the bound {bound_text}"
    bound = 0 if best.assumes else min(best.lower_bound, path.cost)
    return evolve(row, result=without_assumption(result, bound, "; ".join(filter(None, (fault, found)))))


def _outcome(result: Result[Any, Any]) -> tuple[str, str]:
    """Return the cells of the cost, and of what is known about the least cost."""
    bound = result.lower_bound
    if result.status is Status.UNSOLVABLE:
        return "no path", "proved"
    if result.cost is None:
        return "cut off", f"≥ {readable(bound)}"
    if result.optimal:
        return readable(result.cost), "if admissible" if result.assumes else "yes"
    return readable(result.cost), times_optimum(result.cost, bound) if bound else "not known"
