"""`searchkit solve`: solves a problem with one engine."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve

from searchkit.cli import kit
from searchkit.errors import InvalidOptionError, InvalidProblemError

if TYPE_CHECKING:
    from searchkit.result import Result
    from searchkit.search.driver import Search

DRAWN_AFTER_CTRL_C = 20_000
"""An interrupted search with more expansions is not drawn by default: reading many states takes time."""


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
        str | None, kit.option("--spill", "DIR", "At the limit of memory, begin again on disk, there.")
    ] = None,
    json: kit.Json = False,
    certificate: Annotated[
        str | None, kit.option("--certificate", "FILE", "Write a proof there; searchkit certify checks it.")
    ] = None,
    verify_heuristic: Annotated[
        bool,
        typer.Option(
            "--verify-heuristic", help="Compare the heuristic with the exact distance in every state."
        ),
    ] = False,
    checkpoint: Annotated[
        str | None,
        kit.option("--checkpoint", "FILE", "Save the search there, to resume it later with --resume."),
    ] = None,
    every: Annotated[
        str | None, kit.option("--every", "60s", "How often to save it, in s, m or h; also when it stops.")
    ] = None,
    resume: Annotated[
        str | None,
        kit.option("--resume", "FILE", "Resume the search saved there; SOURCE may be left out."),
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
    animate: Annotated[
        bool,
        typer.Option("--animate", help="Show the path found state by state: in a terminal as an animation."),
    ] = False,
) -> int:
    """Solve a problem with one engine.

    Prints the cost, what is proved, the effort, the actions of a short path, and a drawing.

    Exit code 0: solved; 1: proved unsolvable; 2: wrong use or input; 3: cut off by a limit or Ctrl-C.

    Example: searchkit solve arena.map --start 3,4 --goal 40,30 --engine astar
    """
    kit.check_options(locals())
    from searchkit.cli.report import CODES, report
    from searchkit.search.driver import Search
    from searchkit.search.spill import engine_on_disk, search_on_disk

    if not source and resume is None:
        raise InvalidOptionError("Missing argument 'SOURCE'; see: searchkit solve --help")
    if certificate is not None:
        kit.refuse_unwritable("--certificate", certificate, source)
    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    settings = [*(set or ()), *([] if workers is None else [f"workers={workers}"])]
    given: dict[str, Any] = {"problem": problem, "starts": start, "goals": goal, "settings": settings}
    header, saver, named = None, None, engine
    if resume is None:
        request = kit.Request.of(source, **given)
    else:
        from searchkit.cli.checkpoints import resumed_request, resumed_search

        request, named, header = resumed_request(resume, source, engine, given)
    task = request.resolve([named])
    if checkpoint is not None:
        from searchkit.cli.checkpoints import Checkpoint, refuse_loss

        kit.refuse_unwritable("--checkpoint", checkpoint)
        refuse_loss(checkpoint, resume)
        saver = Checkpoint(checkpoint, every, request, task.problem, named)
    observers = () if saver is None else (saver.observer,)
    search: Search[Any, Any]
    if resume is not None and header is not None:
        search = resumed_search(resume, header, task, named, backend, observers, changed_problem)
    else:
        options = {"observers": observers, **task.options[engine]}
        search = Search(task.problem, task.engines[engine], backend=backend, **options)
        if saver is not None and backend == "auto" and ":" in search.spec.kernel:
            search = Search(task.problem, search.spec, backend="python", **options)  # which can be saved
    if spill is not None:
        engine_on_disk(search.problem, search.spec, spill)
    console = None if json else kit.result_console()  # after Ctrl-C nothing has to be imported
    try:
        result, interrupted = run(search, limits, proof=certificate is not None)
    except InvalidProblemError as error:
        if saver is not None:
            saver.save_after(error, search)
        raise
    if spill is not None and (on_disk := search_on_disk(search, result, limits, spill)):
        search, limits = on_disk
        del result  # so that the memory of the first search is free
        result, interrupted = run(search, limits, proof=certificate is not None)
    if verify_heuristic and not interrupted:
        from searchkit.search.distances import verify_heuristic as verified

        try:
            result = verified(search.problem, result, limits=limits)
        except KeyboardInterrupt:
            interrupted = True
    written, failed, proof = [], "", result.certificate
    if certificate is not None and proof is not None:
        stored = request.options(task.options[named])
        said = f"{certificate}, {proof.size:,} states"
        if proof.shortfall:
            bound = kit.readable(proof.lower_bound)
            said += f"; it proves only that no path costs less than {bound}: {proof.shortfall}"
        try:
            evolve(proof, problem=task.kind, options=stored).save(certificate)
        except OSError as error:
            said = failed = f"--certificate {certificate}: can't be written: {error.strerror}"
        written.append(("certificate", said))
    if saver is not None:
        unsaved = saver.save(search)
        failed = failed or unsaved
        way = "it holds the search that has ended" if search.ended else f"resume it with: {saver.resume}"
        written.append(("checkpoint", f"{checkpoint}: {'not written' if unsaved else way}"))
    if console is None:
        fields = result.to_dict()
        if fields["certificate"] is not None:
            fields["certificate"]["file"] = certificate
        kit.write_json("solve", {"problem": task.kind, **fields, "checkpoint": checkpoint})
    else:
        from searchkit.cli import console as output

        if animate:
            output.animate(console, search, result)
        console.print(report(task.kind, search, result, interrupted, written, all_actions=actions))
        large = interrupted and result.statistics.expanded > DRAWN_AFTER_CTRL_C
        if draw is not False and (draw or not large):
            output.print_drawing(console, search, result, asked=bool(draw))
    if failed:
        raise InvalidOptionError(failed)
    return CODES[result.status]


def run(search: "Search[Any, Any]", limits: kit.Limits, *, proof: bool) -> "tuple[Result[Any, Any], bool]":
    """Run a search, with a certificate if there is to be a proof; return the result, and whether Ctrl-C came."""
    from searchkit.cli.report import watched

    with kit.interruptible() as interruption, watched(search, interruption):
        return search.run(limits, certificate=proof), interruption.happened
