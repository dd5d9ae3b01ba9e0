"""A result as people read it."""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from searchkit.cli._numbers import above_optimum, readable, readable_seconds
from searchkit.plugin.registry import registry
from searchkit.problem import Reportable
from searchkit.result import Result, Solution, Status
from searchkit.search.driver import Search

COLOURS = {Status.SOLVED: "green", Status.UNSOLVABLE: "red", Status.CUTOFF: "yellow"}


def report(
    kind: str,
    search: Search[Any, Any],
    result: Result[Any, Any],
    interrupted: bool,
    more: Iterable[tuple[str, str]] = (),
) -> RenderableType:
    """Return everything that is known of a search, `more` of it, and after a cutoff how to go on."""
    grid = rows([*_rows(kind, search, result), *more, *_way_on(search, result, interrupted)])
    return Group(grid, *(Text(f"warning: {warning}", style="yellow") for warning in result.warnings))


def rows(named: Iterable[tuple[str, Text | str]]) -> Table:
    """Return a table of names and what is said beside them."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for name, text in named:
        grid.add_row(name, text)
    return grid


def _rows(kind: str, search: Search[Any, Any], result: Result[Any, Any]) -> Iterable[tuple[str, Text | str]]:
    statistics = result.statistics
    yield "problem", kind
    yield "engine", result.engine + (f" ({result.engine_choice})" if result.engine_choice else "")
    yield "status", Text(_status(result), style=COLOURS[result.status])
    yield "cost", _cost(search, result)
    if result.solution is not None:
        yield "actions", f"{len(result.solution.actions):,}{_ends(result.solution)}"
    elif result.partial is not None:
        partial = result.partial
        yield (
            "so far",
            f"a path of cost {readable(partial.cost)}, {len(partial.actions):,} actions{_ends(partial)}",
        )
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
    yield "seconds", seconds_and_rate(statistics.seconds, statistics.expanded)


def seconds_and_rate(seconds: float, expanded: int) -> str:
    """Return the time, and expansions per second where there was enough time to tell."""
    return readable_seconds(seconds) + (
        f"  ({expanded / seconds:,.0f} expansions/s)" if seconds >= 0.001 else ""
    )


def _detail(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _status(result: Result[Any, Any]) -> str:
    if result.status is Status.UNSOLVABLE:
        return "unsolvable: every state that can be reached was seen, and no path exists"
    if result.status is Status.CUTOFF:
        return f"cut off by {result.cutoff}"
    return "solved"


def _cost(search: Search[Any, Any], result: Result[Any, Any]) -> str:
    bound = result.lower_bound
    if result.cost is None:
        if result.status is Status.UNSOLVABLE:
            return "none"
        if result.partial is not None and search.problem.is_goal(result.partial.goal):
            return (
                f"{readable(result.partial.cost)} at best so far; any path costs at least {readable(bound)}"
            )
        return f"none found; any path costs at least {readable(bound)}"
    if result.optimal:
        return f"{readable(result.cost)} (optimal)"
    if not bound:
        return f"{readable(result.cost)} (not known to be optimal)"
    return (
        f"{readable(result.cost)} (at least {readable(bound)} is needed: {above_optimum(result.cost, bound)})"
    )


WIDEST = 60
"""Characters of a state that a line shows; a state of many parts is cut."""


def _ends(path: Solution[Any, Any]) -> str:
    return f", from {shorten(repr(path.start), WIDEST)} to {shorten(repr(path.goal), WIDEST)}"


def _way_on(
    search: Search[Any, Any], result: Result[Any, Any], interrupted: bool
) -> Iterable[tuple[str, str]]:
    if result.status is not Status.CUTOFF:
        return
    if search.ended and result.partial is None:
        engines = registry().engines.values()
        thorough = ", ".join(
            spec.name for spec in engines if spec.exhaustive and spec.complete and not spec.requires
        )
        yield "go on", f"use an engine that looks everywhere, such as {thorough}"
        return
    again = "run it again" if interrupted else "raise the limit or leave it out"
    yield "go on", f"{again}; in Python, result.search.resume() goes on from here"
