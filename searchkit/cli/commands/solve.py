"""`searchkit solve`: solves a problem with one engine."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve
from typer.core import TyperCommand

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError

if TYPE_CHECKING:
    from searchkit.certificates import Certificate
    from searchkit.result import Result
    from searchkit.search.driver import Search
    from searchkit.trace import Recording

app = typer.Typer(add_completion=False, rich_markup_mode=None)
ANIMATIONS = ("path", "search")
DRAWN_AFTER_CTRL_C = 20_000
"""An interrupted search with more expansions is not drawn by default: reading many states takes time."""


class _Solve(TyperCommand):
    """The command, in which `--animate` may be followed by a word or not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; `--animate` without a word is `--animate path`."""
        read = []
        for number, word in enumerate(args):
            read.append(word)
            if word == "--animate" and (number + 1 == len(args) or args[number + 1] not in ANIMATIONS):
                read.append(ANIMATIONS[0])
        return super().parse_args(ctx, read)


@app.command(cls=_Solve)
def solve(
    source: kit.Source,
    problem: kit.Problem = None,
    engine: kit.Engine = "auto",
    backend: kit.Backend = "auto",
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    workers: kit.Workers = None,
    spill: Annotated[
        str | None,
        typer.Option("--spill", metavar="DIR", help="At the limit of memory, go on on disk, there."),
    ] = None,
    json: kit.Json = False,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate", metavar="FILE", help="Write a proof there; searchkit certify checks it."
        ),
    ] = None,
    actions: Annotated[
        bool, typer.Option("--actions", help="List all actions of the path; by default, up to 40 are listed.")
    ] = False,
    draw: kit.Draw = None,
    animate: kit.Animate = None,
) -> int:
    """Solve a problem with one engine.

    Prints the cost, what is proved, the effort, the actions of a short path, and a drawing.

    Exit code 0: solved; 1: proved unsolvable; 2: wrong use or input; 3: cut off by a limit or Ctrl-C.

    Example: searchkit solve arena.map --start 3,4 --goal 40,30 --engine astar
    """
    from searchkit.cli.report import CODES, report, result_object, search_progress
    from searchkit.scale.spill import engine_on_disk, reached_memory, search_on_disk

    kit.refuse_drawing_as_json(json, draw, animate)
    if animate not in (None, *ANIMATIONS):
        raise InvalidOptionError(f"--animate {animate}: expected {' or '.join(ANIMATIONS)}")
    if certificate is not None:
        kit.refuse_unwritable("--certificate", certificate)
    limits = kit.read_limits(max_expansions, max_seconds, max_memory)
    given = [*(set or ()), *with_workers(workers, engine)]
    request = kit.Request.of(source, problem, start, goal, given)
    task = request.resolve([engine])
    search, recording = make_search(task, engine, backend, recorded=animate == "search")
    if spill is not None:
        engine_on_disk(search.problem, search.spec)
    console = (
        None if json else kit.result_console()
    )  # before the search: after Ctrl-C nothing has to be imported
    with kit.interruptible() as interruption, kit.progress(search_progress(search, limits)):
        interruption.watch(search)
        result = search.run(limits, certificate=certificate is not None)
    if spill is not None and reached_memory(result.cutoff, limits):
        search, limits = search_on_disk(search, limits, spill)
        del result, interruption  # so that the memory of the first search is free
        with kit.interruptible() as interruption, kit.progress(search_progress(search, limits)):
            interruption.watch(search)
            result = search.run(limits, certificate=certificate is not None)
    written: list[tuple[str, str]] = []
    if certificate is not None and result.certificate is not None:
        save(labelled(result.certificate, request, task, engine), certificate)
        written.append(("certificate", certificate_row(certificate, task, result)))
    if console is None:
        kit.write_json("solve", result_object(task.kind, result, certificate))
    else:
        from searchkit.cli import console as output

        if recording is not None:
            from searchkit.cli.terminal.stepping import animate_search

            animate_search(console, recording(result))
        elif animate:
            output.animate(console, search, result)
        console.print(report(task.kind, search, result, interruption.happened, written, all_actions=actions))
        large = interruption.happened and result.statistics.expanded > DRAWN_AFTER_CTRL_C
        if draw is not False and (draw or not large):
            drawing = output.drawing_of(search, result)
            output.print_drawing(console, drawing, console.drawing_height, console.means)
    return CODES[result.status]


def with_workers(workers: str | None, engine: str) -> list[str]:
    """Return the setting that `--workers` stands for. Raises `InvalidOptionError` if the engine works alone."""
    from searchkit.plugin.registry import registry

    if workers is None:
        return []
    able = [
        spec.name for spec in registry().engines.values() if any(o.name == "workers" for o in spec.options)
    ]
    if engine not in able:
        if engine != "auto":
            registry().engine(engine)
        raise InvalidOptionError(
            f"--workers {workers}: --engine {engine} searches in this process; the engines whose work is shared out "
            f"are {', '.join(able) or 'none'}"
        )
    return [f"workers={workers}"]


def make_search(
    task: kit.Task, engine: str, backend: str, *, recorded: bool
) -> "tuple[Search[Any, Any], Callable[[Result[Any, Any]], Recording[Any, Any]] | None]":
    """Return the search, and what makes its recording of the result if it is recorded.

    A search that is recorded runs in Python, unless machine code was asked for.
    """
    if not recorded:
        from searchkit.search.driver import Search

        return Search(task.problem, engine, backend=backend, **task.options[engine]), None
    from searchkit.trace import RecordedSearch

    backend = "python" if backend == "auto" else backend
    search: RecordedSearch[Any, Any] = RecordedSearch(
        task.problem, engine, backend=backend, **task.options[engine]
    )
    return search, search.recording


def labelled(certificate: "Certificate", request: kit.Request, task: kit.Task, engine: str) -> "Certificate":
    """Return the certificate with the options that are needed to load its problem again."""
    settings = {name: value for name, value in request.settings.items() if name not in task.options[engine]}
    options: dict[str, object] = {f"--{name}": list(values) for name, values in request.places.items()}
    if request.problem is not None:
        options["--problem"] = request.problem
    if settings:
        options["--set"] = settings
    return evolve(certificate, problem=task.kind, options=options)


def save(certificate: "Certificate", path: Path | str) -> None:
    """Write a certificate. Raises `InvalidOptionError`, which names the file, if it can't be written."""
    try:
        certificate.save(path)
    except OSError as error:
        raise InvalidOptionError(
            f"--certificate {path}: it can't be written: {error.strerror or error}"
        ) from error


def certificate_row(path: str, task: kit.Task, result: "Result[Any, Any]") -> str:
    """Return the row that `solve` prints about the certificate it wrote."""
    from searchkit.problem import has_heuristic

    certificate = result.certificate
    assert certificate is not None
    said = f"{path}, {certificate.size:,} states"
    if certificate.lower_bound < result.lower_bound:
        engine = "astar" if has_heuristic(task.problem) else "dijkstra"
        said += (
            f"; it proves only that no path costs less than {kit.readable(certificate.lower_bound)}, for "
            f"{result.engine} holds no states to prove more by: {engine} does"
        )
    return said
