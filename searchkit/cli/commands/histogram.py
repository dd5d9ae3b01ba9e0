"""`searchkit histogram`: counts the states at each depth."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from searchkit.cli import kit

if TYPE_CHECKING:
    from rich.text import Text

    from searchkit.search.distances import DistanceHistogram

MIN_BAR, MAX_BAR = 10, 60
"""The width of the bars, in columns."""
OTHERS = 30
"""The columns that are left for numbers."""


def histogram(
    source: kit.Source,
    problem: kit.Problem = None,
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    workers: kit.Workers = None,
    directory: Annotated[
        str | None,
        kit.option(
            "--directory", "DIR", "Keep the states on disk, in DIR; a search that was begun there is resumed."
        ),
    ] = None,
    max_depth: Annotated[
        int | None, kit.option("--max-depth", "N", "Count states up to this depth.", min=0)
    ] = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    json: kit.Json = False,
) -> int:
    """Count the states of a problem by their depth.

    The depth of a state is the least number of actions from a start to it. Goals and costs are not used. The last line
    of a puzzle without one-way moves tells how many moves the hardest positions need. A problem without an end needs a
    limit.

    Exit code 0: all states were counted; 2: wrong use or input; 3: cut off by a limit or Ctrl-C; the counts printed are
    exact all the same.

    Example: searchkit histogram 8puzzle
    """
    from searchkit.cli.report import watched
    from searchkit.search.distances import distance_histogram

    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory, cost=max_depth)
    task = kit.Request.of(source, problem, start, goal, set).resolve()
    with kit.interruptible() as interruption:
        counted = distance_histogram(
            task.problem,
            limits=limits,
            workers=workers,
            directory=directory,
            around=lambda search: watched(search, limits, interruption),
        )
    if json:
        kit.write_json("histogram", {"problem": task.kind, **counted.to_dict()})
    else:
        console = kit.result_console()
        block = "#" if console.options.ascii_only else "█"
        for line in (*lines_of(counted, console.width - OTHERS, block), *counted.summary()):
            console.print(line, soft_wrap=True)
    return kit.DONE if counted.complete else kit.CUT_OFF


def lines_of(counted: "DistanceHistogram", width: int, block: str) -> "Iterator[Text]":
    """Yield the lines of a table of the counts, with bars of up to `width` columns."""
    from rich.text import Text

    header, *lines = counted.table()
    largest, width = max(counted.counts, default=1), min(MAX_BAR, max(MIN_BAR, width))
    yield Text(header, style="bold")
    for count, line in zip(counted.counts, lines, strict=True):
        yield Text.assemble(line, "  ", (block * -(-count * width // largest), "cyan"))
