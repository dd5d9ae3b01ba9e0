"""`searchkit watch`: records searches, shows them, and compares them event by event."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import kit

if TYPE_CHECKING:
    from searchkit.trace import Recording

app = typer.Typer(add_completion=False, rich_markup_mode=None)

SUFFIX = ".trace"


@app.command()
def watch(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="A file, the name of an example (see: searchkit problems), or a recording: a file ….trace.",
        ),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            "--engine", metavar="E", help="An engine (see: searchkit engines); repeat it for several."
        ),
    ] = None,
    problem: kit.Problem = None,
    backend: Annotated[
        str, typer.Option("--backend", metavar="B", help="python; or compiled, for small problems.")
    ] = "python",
    # Same lines as in searchkit.cli.commands.compare, searchkit.cli.commands.solve: the options are the same
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    cap: Annotated[
        str | None,
        typer.Option("--cap", metavar="N", help="Record at most this many expansions; by default a million."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the recording to FILE (….trace).")
    ] = None,
    posthoc: Annotated[
        Path | None,
        typer.Option(
            "--posthoc", metavar="FILE", help="Write the recording to FILE as a search trace of Posthoc."
        ),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Print a table with a row for each expansion.")
    ] = False,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff", metavar="A B", help="Compare two recordings (….trace), or the searches of two engines."
        ),
    ] = None,
) -> int:
    """Record searches, and show what they did, event by event.

    Without --engine, the engine is the one that auto chooses. --diff tells where two searches begin to differ, and why.

    Exit code 0: solved, or no difference; 1: unsolvable, or a difference; 2: wrong use or input; 3: cut off.

    Example: searchkit watch maze --diff astar dijkstra
    """
    from searchkit.errors import InvalidOptionError
    from searchkit.trace import load_recording

    limits = kit.read_limits(max_expansions, max_seconds, max_memory)
    kept = kit.whole_number("--cap", cap)
    sides = list(diff or ())
    if diff is not None and engine:
        raise InvalidOptionError("--diff and --engine are both given; --diff names the two engines itself")
    if diff is not None and source is None and not all(map(is_recording, diff)):
        raise InvalidOptionError(
            f"--diff {' '.join(diff)}: without SOURCE, expected two recordings (….trace); with it, two engines"
        )
    if diff is None and source is None:
        raise InvalidOptionError(
            "SOURCE is missing: a file, the name of an example, or a recording (….trace)"
        )
    if source is not None and is_recording(source):
        if engine or diff is not None:
            raise InvalidOptionError(
                f"{source} is a recording, which is not searched again; leave out the engines"
            )
        return show([load_recording(source)], save, posthoc, table)
    recordings = {name: load_recording(name) for name in sides if is_recording(name)}
    if source is not None:
        request = kit.Request.of(source, problem, start, goal, set)
        names = [name for name in sides if name not in recordings] or engine or ["auto"]
        recordings |= record_all(request, list(dict.fromkeys(names)), backend, limits, kept)
    if diff is not None:
        return compare(recordings[diff[0]], recordings[diff[1]])
    return show(list(recordings.values()), save, posthoc, table)


def is_recording(name: str) -> bool:
    """Whether a name is that of a file with a recording."""
    return name.endswith(SUFFIX)


def record_all(
    request: kit.Request, engines: Sequence[str], backend: str, limits: Any, cap: int | None
) -> "dict[str, Recording[Any, Any]]":
    """Return engine → the recording of its search. Ctrl-C ends a search, and what was recorded is kept."""
    from searchkit.trace.recorder import CAP, RecordedSearch

    task = request.resolve(engines)
    found = {}
    with kit.interruptible() as interruption:
        for name in engines:
            search: RecordedSearch[Any, Any] = RecordedSearch(
                task.problem, name, backend=backend, cap=CAP if cap is None else cap, **task.options[name]
            )
            interruption.watch(search)
            found[name] = search.recording(search.run(limits))
    return found


def compare(one: "Recording[Any, Any]", other: "Recording[Any, Any]") -> int:
    """Print where two recordings begin to differ, and why; return the exit code."""
    from searchkit.trace import first_difference

    console = kit.result_console()
    for recording in (one, other):
        console.print(_line(recording), soft_wrap=True)
    difference = first_difference(one, other)
    console.print(f"first difference: {difference}" if difference else "no difference", soft_wrap=True)
    return kit.DONE if difference is None else kit.FAILED


def show(
    recordings: "Sequence[Recording[Any, Any]]", save: Path | None, posthoc: Path | None, table: bool
) -> int:
    """Print what the searches found, and write the files that were asked for; return the exit code."""
    from searchkit.errors import InvalidOptionError
    from searchkit.trace import save_posthoc, search_table

    console = kit.result_console()
    for option, path in (("--save", save), ("--posthoc", posthoc)):
        if path is not None and len(recordings) > 1:
            raise InvalidOptionError(f"{option} {path}: a file holds one recording; name one engine")
    for recording in recordings:
        console.print(_line(recording), soft_wrap=True)
        if table:
            console.print(str(search_table(recording)), soft_wrap=True)
        for path, write in ((save, recording.save), (posthoc, partial(save_posthoc, recording))):
            if path is not None:
                _write(path, write)
                console.print(f"written: {path}, {path.stat().st_size:,} bytes", soft_wrap=True)
    statuses = {recording.status for recording in recordings}
    if "solved" in statuses:
        return kit.DONE
    return kit.UNSOLVABLE if "unsolvable" in statuses else kit.CUT_OFF


def _write(path: Path, write: Callable[[Path], object]) -> None:
    from searchkit.errors import InvalidOptionError

    try:
        write(path)
    except OSError as error:
        raise InvalidOptionError(
            f"{path} can't be written: {error.strerror}; expected the path of a file in a directory that exists"
        ) from error


def _line(recording: "Recording[Any, Any]") -> str:
    parts = [f"{recording.title}: {recording.summary}", f"{len(recording):,} events"]
    if recording.before.expanded:
        parts.append(f"the first {recording.before.expanded:,} expansions are not recorded")
    if recording.unrecorded:
        parts.append(f"the last {recording.unrecorded:,} expansions are not recorded")
    return "; ".join(parts)
