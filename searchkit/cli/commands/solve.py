"""`searchkit solve`: solves a problem with one engine."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve
from typer.core import TyperCommand

from searchkit.basics.files import reporting_unwritable
from searchkit.cli import kit
from searchkit.errors import InvalidOptionError, InvalidProblemError

if TYPE_CHECKING:
    from searchkit.cli.checkpoints import Checkpoint
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
    source: kit.Source = "",
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
        typer.Option("--spill", metavar="DIR", help="At the limit of memory, begin again on disk, there."),
    ] = None,
    json: kit.Json = False,
    certificate: Annotated[
        str | None,
        typer.Option(
            "--certificate", metavar="FILE", help="Write a proof there; searchkit certify checks it."
        ),
    ] = None,
    verify_heuristic: Annotated[
        bool,
        typer.Option(
            "--verify-heuristic", help="Compare the heuristic with the exact distance in every state."
        ),
    ] = False,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint", metavar="FILE", help="Save the search there, to resume it later with --resume."
        ),
    ] = None,
    every: Annotated[
        str | None,
        typer.Option(
            "--every", metavar="60s", help="How often to save it, in s, m or h; also when it stops."
        ),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", metavar="FILE", help="Go on with the search saved there; SOURCE may be left out."
        ),
    ] = None,
    changed_problem: Annotated[
        bool,
        typer.Option(
            "--changed-problem",
            help="Resume although the code of the problem has changed; nothing is proved then.",
        ),
    ] = False,
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
    from searchkit.cli.report import CODES, report, result_object
    from searchkit.search.spill import check_spill, reached_memory, search_on_disk

    if animate not in (None, *ANIMATIONS):
        raise InvalidOptionError(f"--animate {animate}: expected {' or '.join(ANIMATIONS)}")
    if not source and resume is None:
        raise InvalidOptionError("Missing argument 'SOURCE'; see: searchkit solve --help")
    given_options: dict[str, object] = {
        "--json": json,
        "--draw": draw,
        "--animate": animate,
        f"--animate {animate}": True,
    }
    given_options |= {"--spill": spill, "--max-memory": max_memory, f"--backend {backend}": True}
    given_options |= {"--checkpoint": checkpoint, "--every": every, "--resume": resume}
    kit.check_options({**given_options, "--changed-problem": changed_problem})
    if certificate is not None:
        kit.refuse_unwritable("--certificate", certificate)
    if checkpoint is not None:
        from searchkit.cli.checkpoints import refuse_loss

        kit.refuse_unwritable("--checkpoint", checkpoint)
        refuse_loss(checkpoint, resume)
    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    settings = [*(set or ()), *([] if workers is None else with_workers(workers, engine))]
    given: dict[str, Any] = {"problem": problem, "starts": start, "goals": goal, "settings": settings}
    if resume is None:
        request, header = kit.Request.of(source, **given), None
    else:
        from searchkit.cli.checkpoints import resumed_request

        request, header = resumed_request(resume, source, given)
    named = engine if header is None else header.engine
    task = request.resolve([named])
    saver = None if checkpoint is None else make_checkpoint(checkpoint, every, request, task)
    observers = () if saver is None else (saver.observer,)
    recording: Any = None
    if resume is not None and header is not None:
        from searchkit.cli.checkpoints import resumed_search

        search = resumed_search(
            resume, header, task, engine, backend, observers, changed_problem=changed_problem
        )
    else:
        search, recording = make_search(task, engine, backend, observers, recorded=animate == "search")
        if saver is not None and backend == "auto" and not search.spec.kernel.startswith("searchkit."):
            search, recording = make_search(
                task, engine, "python", observers, recorded=False
            )  # which can be saved
    if spill is not None:
        check_spill(search.problem, search.spec, spill)
    console = (
        None if json else kit.result_console()
    )  # before the search: after Ctrl-C nothing has to be imported
    try:
        result, interrupted = run(search, limits, proof=certificate is not None)
    except InvalidProblemError as error:
        if saver is not None:
            saver.save_after(error, search)
        raise
    if spill is not None and reached_memory(result.cutoff, limits):
        search, limits = search_on_disk(search, limits, spill)
        del result  # so that the memory of the first search is free
        result, interrupted = run(search, limits, proof=certificate is not None)
    if verify_heuristic and not interrupted:
        from searchkit.search.verification import verify_heuristic as verified

        with kit.interruptible() as interruption:
            result = verified(search.problem, result, limits=limits, give_up=lambda: interruption.happened)
        interrupted = interruption.happened
    written: list[tuple[str, str]] = []
    if certificate is not None and result.certificate is not None:
        stored = request.options(task.options[named])
        with reporting_unwritable(f"--certificate {certificate}:"):
            evolve(result.certificate, problem=task.kind, options=stored).save(certificate)
        written.append(("certificate", certificate_row(certificate, task, result)))
    if saver is not None:
        written.append(("checkpoint", saver.save_last(search)))
    if console is None:
        fields = {**result_object(task.kind, result, certificate), "checkpoint": checkpoint}
        kit.write_json("solve", fields)
    else:
        from searchkit.cli import console as output

        if recording is not None:
            from searchkit.cli.stepping import animate_search

            animate_search(console, recording(result))
        elif animate:
            output.animate(console, search, result)
        console.print(report(task.kind, search, result, interrupted, written, all_actions=actions))
        large = interrupted and result.statistics.expanded > DRAWN_AFTER_CTRL_C
        if draw is not False and (draw or not large):
            drawing = output.drawing_of(search, result)
            output.print_drawing(console, drawing, console.drawing_height, console.means)
    if saver is not None and saver.failed:
        raise InvalidOptionError(f"--checkpoint {saver.failed}")
    return CODES[result.status]


def run(search: "Search[Any, Any]", limits: kit.Limits, *, proof: bool) -> "tuple[Result[Any, Any], bool]":
    """Run a search, with a certificate if there is to be a proof; return the result, and whether Ctrl-C came."""
    from searchkit.cli.report import search_progress

    with kit.interruptible() as interruption, kit.progress(search_progress(search, limits)):
        interruption.watch(search)
        return search.run(limits, certificate=proof), interruption.happened


def with_workers(workers: str, engine: str) -> list[str]:
    """Return the setting that `--workers` stands for. Raises `InvalidOptionError` if the engine works alone."""
    from searchkit.plugin.registry import registry

    able = [
        spec.name for spec in registry().engines.values() if any(o.name == "workers" for o in spec.options)
    ]
    if engine not in able:
        if engine != "auto":
            registry().engine(engine)
        raise InvalidOptionError(
            f"--workers {workers}: --engine {engine} searches in this process; engines that accept --workers: "
            f"{', '.join(able) or 'none'}"
        )
    return [f"workers={workers}"]


def make_checkpoint(path: str, every: str | None, request: kit.Request, task: kit.Task) -> "Checkpoint":
    """Return what saves the search. Raises `InvalidProblemError` for a problem that can't be named in a file."""
    from searchkit.cli.checkpoints import INTERVAL, Checkpoint, read_interval
    from searchkit.saving.identity import identity

    identity(task.problem)
    return Checkpoint(path, read_interval(every or INTERVAL), request)


def make_search(
    task: kit.Task, engine: str, backend: str, observers: Sequence[Any] = (), *, recorded: bool
) -> "tuple[Search[Any, Any], Callable[[Result[Any, Any]], Recording[Any, Any]] | None]":
    """Return the search, and what makes its recording of the result if it is recorded, in Python."""
    if not recorded:
        from searchkit.search.driver import Search

        made: Search[Any, Any] = Search(
            task.problem, engine, backend=backend, observers=observers, **task.options[engine]
        )
        return made, None
    from searchkit.trace import RecordedSearch

    search: RecordedSearch[Any, Any] = RecordedSearch(task.problem, engine, **task.options[engine])
    return search, search.recording


def certificate_row(path: str, task: kit.Task, result: "Result[Any, Any]") -> str:
    """Return the row that `solve` prints about the certificate it wrote."""
    certificate = result.certificate
    assert certificate is not None
    said = f"{path}, {certificate.size:,} states"
    if certificate.lower_bound < result.lower_bound:
        bound = kit.readable(certificate.lower_bound)
        said += f"; it proves only that no path costs less than {bound}: {certificate.shortfall}"
    return said
