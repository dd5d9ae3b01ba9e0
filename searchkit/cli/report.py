"""A result as people read it and as JSON; the progress of a search."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from searchkit.basics.text import quantity, state_text, visible
from searchkit.basics.values import readable, readable_seconds, times_optimum
from searchkit.cli.kit import CUT_OFF, DONE, UNSOLVABLE, Interruption, progress
from searchkit.errors import DirectoryError, MissingCapabilityError, shortened
from searchkit.plugin.places import places_of
from searchkit.problem import Reportable, SearchProblem
from searchkit.result import Result, Solution, Status, condition_of
from searchkit.search.driver import Search
from searchkit.search.limits import OutOfMemory
from searchkit.search.spill import engine_on_disk

if TYPE_CHECKING:  # for JSON, rich is not imported
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

CODES = {Status.SOLVED: DONE, Status.UNSOLVABLE: UNSOLVABLE, Status.CUTOFF: CUT_OFF}
"""Exit codes."""
COLOURS = {Status.SOLVED: "green", Status.UNSOLVABLE: "red", Status.CUTOFF: "yellow"}


def report(
    kind: str,
    search: Search[Any, Any],
    result: Result[Any, Any],
    interrupted: bool,
    more: Iterable[tuple[str, str]] = (),
    *,
    all_actions: bool = False,
) -> "RenderableType":
    """Return what is known of a search, the rows `more`, and after a cutoff what to do next.

    The actions of a path are listed up to `LISTED`, or all of them.
    """
    from rich.console import Group
    from rich.text import Text

    grid = rows([*_rows(kind, search, result, all_actions), *more, *_next_step(search, result, interrupted)])
    return Group(grid, *(Text(f"warning: {warning}", style="yellow") for warning in result.warnings))


def rows(named: "Iterable[tuple[str, Text | str]]") -> "Table":
    """Return a table of names and texts."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for name, text in named:
        grid.add_row(name, text)
    return grid


def _rows(
    kind: str, search: Search[Any, Any], result: Result[Any, Any], all_actions: bool
) -> "Iterable[tuple[str, Text | str]]":
    from rich.text import Text

    statistics = result.statistics
    yield "problem", kind
    yield "engine", result.engine + (f" ({result.engine_choice})" if result.engine_choice else "")
    status = "solved" if result.status is Status.SOLVED else f"cut off by {result.cutoff}"
    if result.status is Status.UNSOLVABLE:
        status = f"unsolvable: no path exists{condition_of(result.assumes)}"
    yield "status", Text(status, style=COLOURS[result.status])
    yield "cost", _cost(search, result)
    if result.solution is not None:
        yield "actions", _actions(search.problem, result.solution, all_actions)
    elif result.partial is not None:
        partial, length = result.partial, quantity(len(result.partial), "action")
        yield "so far", f"a path of cost {readable(partial.cost)}, {length}{_ends(search.problem, partial)}"
    if len(result.solutions) > 1 and "paths" not in result.details:
        paths = [(path.cost, " ".join(map(readable_action, path.actions))) for path in result.solutions]
        yield "paths", "\n".join(f"cost {readable(cost)}: {shortened(way, MAX_CHARS)}" for cost, way in paths)
    path = result.solution or result.partial
    if path is not None and isinstance(search.problem, Reportable):
        for name, value in search.problem.path_details(path.states).items():
            yield name, _detail(value)
    yield (
        "expanded",
        f"{statistics.expanded:,}  generated {statistics.generated:,}  reopened {statistics.reopened:,}  "
        f"reached {statistics.reached:,}  peak frontier {statistics.peak_frontier:,}",
    )
    for name, value in result.details.items():
        yield name, _detail(value)
    seconds = statistics.seconds
    rate = f"  ({statistics.expanded / seconds:,.0f} expansions/s)" if seconds >= 0.001 else ""
    yield "seconds", readable_seconds(seconds) + rate


def _detail(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _cost(search: Search[Any, Any], result: Result[Any, Any]) -> str:
    bound, condition = result.lower_bound, condition_of(result.assumes)
    if result.cost is None:
        if result.status is Status.UNSOLVABLE:
            return "none"
        if result.partial is not None and search.problem.is_goal(result.partial.goal):
            best = result.partial.cost
            proved = f" ({times_optimum(best, bound)})" if bound else ""
            return f"{readable(best)} at best so far; any path costs at least {readable(bound)}{condition}{proved}"
        return f"none found; any path costs at least {readable(bound)}{condition}"
    if result.optimal:
        return f"{readable(result.cost)} (optimal{condition})"
    if not bound:
        return f"{readable(result.cost)} (not known to be optimal)"
    return (
        f"{readable(result.cost)} (at least {readable(bound)} is needed{condition}: "
        f"{times_optimum(result.cost, bound)})"
    )


LISTED = 40
"""The most actions of a path that are listed, unless all of them are asked for."""


def _actions(problem: SearchProblem[Any, Any], path: Solution[Any, Any], all_actions: bool) -> str:
    count = len(path.actions)
    said = f"{count:,}{_ends(problem, path)}"
    if count > LISTED and not all_actions:
        return f"{said}; --actions lists them"
    shown = list(map(readable_action, path.actions))
    are_words = not any(set(word) & set(" ,") for word in shown)
    return f"{said}\n{(' ' if are_words else ', ').join(shown)}" if count else said


def readable_action(action: object) -> str:
    """Return an action as people read it: a text without quotes, a tuple of such, otherwise its `str`; on one line."""
    if isinstance(action, tuple) and type(action) is tuple:
        return f"({', '.join(map(readable_action, action))})"
    return " ".join(visible(str(action)).split())


MAX_CHARS = 60
"""Characters of a state that a line shows; a longer state is cut."""


def _ends(problem: SearchProblem[Any, Any], path: Solution[Any, Any]) -> str:
    label = places_of(problem).label if getattr(problem, "label", None) is not None else state_text
    start, goal = (shortened(" ".join(label(end).split()), MAX_CHARS) for end in (path.start, path.goal))
    return f", from {start} to {goal}"


def _next_step(
    search: Search[Any, Any], result: Result[Any, Any], interrupted: bool
) -> Iterable[tuple[str, str]]:
    if result.status is not Status.CUTOFF:
        return
    if search.ended and result.partial is None:
        yield "next", "use an engine that is complete; searchkit engines lists them"
        return
    again = "run it again" if interrupted else "raise the limit or leave it out"
    if isinstance(result.cutoff, OutOfMemory):
        with suppress(MissingCapabilityError, DirectoryError):
            engine_on_disk(search.problem, search.spec)
            again += ", or add --spill DIR, with which a search at its --max-memory begins again on disk"
    yield "next", f"{again}; in Python, result.search.resume() continues"


@contextmanager
def watched(search: Search[Any, Any], interruption: Interruption) -> Iterator[None]:
    """Show how many states a search has expanded, and how fast, while the block runs; Ctrl-C ends the search."""
    interruption.watch(search)
    begin, before = perf_counter(), search.statistics.expanded  # by the run that is resumed

    def status() -> str:
        seconds, expanded = perf_counter() - begin, search.statistics.expanded
        rate = (expanded - before) / seconds if seconds else 0
        return f"{search.spec.name}  {expanded:,} expanded  {rate:,.0f}/s  {seconds:.1f} s"

    with progress(status):
        yield
