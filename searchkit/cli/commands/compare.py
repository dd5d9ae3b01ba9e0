"""`searchkit compare`: solves a problem with several engines."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Any

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError, SearchkitError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from searchkit.render.terminal import Means
    from searchkit.search.comparison import Comparison, Row
    from searchkit.search.driver import Search

GAP = 3
"""Columns between two drawings that stand side by side."""


def compare(
    source: kit.Source,
    engines: Annotated[
        str | None,
        kit.option(
            "--engines",
            "A,B,…",
            "Engines, separated by commas, also FILE.py:NAME; all for all that can run. By default those that suit.",
        ),
    ] = None,
    # Same lines as in searchkit.cli.commands.solve: the options are the same
    problem: kit.Problem = None,
    backend: kit.Backend = "auto",
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    json: kit.Json = False,
    draw: kit.Draw = None,
) -> int:
    """Solve a problem with several engines.

    Prints the result and the effort of each engine. Limits apply to each engine separately. Without --engines, the
    engines that suit the problem run, beginning with the one that auto chooses. Without a limit, engines that are not
    named (also with --engines all) run for at most 5 seconds each.
    An engine that can't run on the problem is listed with the reason. To see the searches side by side: searchkit watch
    SOURCE --engine A --engine B -o FILE.html. Exit code 0: an engine solved it; 1: one
    proved it unsolvable; 2: wrong use or input, or none could run; 3: all were cut off.

    Example: searchkit compare arena.map --start 3,4 --goal 40,30 --engines dijkstra,astar,bucket
    """
    kit.check_options(locals())
    from searchkit.cli.report import CODES
    from searchkit.plugin.registry import available_engines
    from searchkit.search.comparison import unnamed_engines

    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    unnamed = engines is None or engines.strip() == "all"
    names = list(dict.fromkeys(name.strip() for name in (engines or "").split(",") if name.strip()))
    if not names and not unnamed:
        raise InvalidOptionError(
            f"--engines {engines!r}: expected names separated by commas: --engines bfs,astar"
        )
    task = kit.Request.of(source, problem, start, goal, set).resolve(
        list(available_engines()) if unnamed else names
    )
    if unnamed:
        given = None if limits == kit.Limits() else limits
        names, limits = unnamed_engines(task.problem, given, every=engines is not None)
    rows = run_engines(task, names, backend, limits)
    console = kit.result_console()
    if json:
        found = [{**({} if row.result is None else {"problem": task.kind}), **row.to_dict()} for row in rows]
        kit.write_json("compare", {"problem": task.kind, "engines": found})
    else:
        if draw:
            for part in gallery(rows, console.width, console.drawing_height, console.means):
                console.print(part)
        console.print(str(rows), soft_wrap=True)
    codes = {CODES[row.result.status] for row in rows if row.result is not None}
    if not codes:
        raise InvalidOptionError("no engine can run on this problem; each says why")
    return next(code for code in (kit.DONE, kit.UNSOLVABLE, kit.CUT_OFF) if code in codes)


def run_engines(task: kit.Task, engines: Iterable[str], backend: str, limits: kit.Limits) -> "Comparison":
    """Compare engines. Ctrl-C cuts off the present one, and the others are not run."""
    from searchkit.cli.report import watched
    from searchkit.search.comparison import compare

    def shown(search: "Search[Any, Any]") -> AbstractContextManager[None]:
        if interruption.happened:
            raise SearchkitError("not run: interrupted before its turn")
        return watched(search, interruption)

    contenders = [(task.engines[engine], task.options[engine]) for engine in engines]
    with kit.interruptible() as interruption:
        return compare(task.problem, contenders, backend=backend, limits=limits, around=shown)


def gallery(
    rows: "Iterable[Row]", width: int, height: int | None, means: "Means"
) -> "Iterator[RenderableType]":
    """Yield the drawings of the results, side by side where the width allows it, and one legend below them."""
    from rich.columns import Columns
    from rich.text import Text

    from searchkit.cli.console import drawing_of, warning_of_faults
    from searchkit.render.terminal import legend, to_text

    cells, drawings = [], []
    with warning_of_faults():
        for row in rows:
            result = row.result
            drawing = result and result.search and drawing_of(result.search, result)
            if result and drawing:
                found = result.status.value if result.cost is None else f"cost {kit.readable(result.cost)}"
                title = f"\n{found}, {result.statistics.expanded:,} expanded\n"
                text = to_text(drawing, width, height, means)
                cells.append(Text.assemble((row.engine, "bold"), title, text, "\n"))
                drawings.append(drawing)
        if drawings:
            yield Columns(cells, padding=(0, GAP))
            yield legend(drawings, width, height, means)
