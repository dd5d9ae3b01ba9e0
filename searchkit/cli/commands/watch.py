"""`searchkit watch`: records searches, steps through them, and shows them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit
from searchkit.errors import InputFormatError, InvalidOptionError

if TYPE_CHECKING:
    from searchkit.trace import Recording

SUFFIX = ".trace"
FILES = (SUFFIX, ".html", ".svg", ".png", ".apng", ".gif")
"""The suffixes of the files that are written."""
ANIMATED, ANIMATED_MILLISECONDS = 60, 120
"""The number of moments in an animation, besides the beginning, and how long each is shown."""


def watch(
    source: kit.Source,
    engine: Annotated[
        list[str] | None,
        kit.option("--engine", "E", "An engine, or your own: FILE.py:NAME; repeatable.", completion.engines),
    ] = None,
    problem: kit.Problem = None,
    # Same lines as in searchkit.cli.commands.compare, searchkit.cli.commands.solve: the options are the same
    start: kit.Starts = None,
    goal: kit.Goals = None,
    set: kit.Settings = None,
    max_expansions: kit.MaxExpansions = None,
    max_seconds: kit.MaxSeconds = None,
    max_memory: kit.MaxMemory = None,
    at: Annotated[int | None, kit.option("--at", "N", "Show the moment after N expansions.", min=0)] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write FILE: the recording (.trace), a page that plays the searches side by side (.html), a picture "
            "of the moment (.svg, .png) or an animation up to it (.apng, .gif); repeat it for several.",
        ),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Print a table with a row for each expansion.")
    ] = False,
) -> int:
    """Record searches, and step through them forwards and back. SOURCE may be a recording (….trace).

    Space plays and pauses, the arrow keys step, Home and End go to the ends, q quits; several engines stand side by
    side. Without a terminal, a few moments are printed, or the one after --at expansions. With -o, files are written
    instead: pictures of this moment (or of the end), an animation, the recording, or a page that any browser plays,
    without network. With --table, a table is printed instead.

    Without --engine, the engine is the one that auto chooses.

    Exit code 0: solved; 1: unsolvable; 2: wrong use or input; 3: cut off.

    Example: searchkit watch maze --engine astar --engine dijkstra
    """
    import searchkit.cli.stepping  # noqa: F401  # before the search: after Ctrl-C nothing has to be imported
    from searchkit.trace import load_recording

    files = output or []
    refuse_files(files)
    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    if source.endswith(SUFFIX):
        if engine:
            raise InvalidOptionError(
                f"{source} is a recording, which is not searched again; leave out the engines"
            )
        recording = load_recording(source)
        try:
            return show([recording], files, table, at, source)
        except (LookupError, ValueError) as error:  # only what is shown is read
            raise InputFormatError(
                f"not a valid recording: {type(error).__name__}: {error}", source=source
            ) from error
    request = kit.Request.of(source, problem, start, goal, set)
    recordings = record_all(request, list(dict.fromkeys(engine or ["auto"])), limits)
    return show(recordings, files, table, at, request.title)


def refuse_files(files: Sequence[Path]) -> None:
    """Raise an error before the search if a file can't be written, or has a name that says nothing."""
    for path in files:
        kit.refuse_unwritable("-o", path)
        if path.suffix.lower() not in FILES:
            raise InvalidOptionError(f"-o {path}: expected a name that ends in {', '.join(FILES)}")
    if any(path.suffix.lower() in (".png", ".apng", ".gif") for path in files):
        from searchkit.render.image import require_images

        require_images()


def record_all(request: kit.Request, engines: Sequence[str], limits: Any) -> "list[Recording[Any, Any]]":
    """Return the recording of each engine's search. Ctrl-C ends a search, and what was recorded is kept."""
    from searchkit.cli.report import watched
    from searchkit.trace.recorder import RecordedSearch

    task = request.resolve(engines)
    found = []
    with kit.interruptible() as interruption:
        for name, engine in task.engines.items():
            search: RecordedSearch[Any, Any] = RecordedSearch(task.problem, engine, **task.options[name])
            with watched(search, interruption):
                result = search.run(limits)
            found.append(search.recording(result))
    return found


def show(
    recordings: "Sequence[Recording[Any, Any]]",
    files: Sequence[Path],
    table: bool,
    moment: int | None,
    title: str,
) -> int:
    """Step through the searches or write files, print what they found, and return the exit code."""
    from searchkit.basics.files import reporting_unwritable
    from searchkit.cli.stepping import view
    from searchkit.trace import trace_table

    console = kit.result_console()
    for path in files:
        if path.suffix.lower() != ".html" and len(recordings) > 1:
            raise InvalidOptionError(f"-o {path}: a file holds one recording; name one engine")
    if not table and not files:
        view(console, recordings, moment)
    for recording in recordings:
        console.print(_line(recording), soft_wrap=True)
        if table:
            console.print(str(trace_table(recording)), soft_wrap=True)
    for path in files:
        with reporting_unwritable(path):
            write(path, recordings, moment, title)
        console.print(f"written: {path}, {path.stat().st_size:,} bytes", soft_wrap=True)
    statuses = {recording.status for recording in recordings}
    if "solved" in statuses:
        return kit.DONE
    return kit.UNSOLVABLE if "unsolvable" in statuses else kit.CUT_OFF


def write(path: Path, recordings: "Sequence[Recording[Any, Any]]", moment: int | None, title: str) -> None:
    """Write a file: the recording, the page, or a picture of a moment, None for the end."""
    from searchkit.cli.stepping import spread
    from searchkit.render.image import to_animation, to_png
    from searchkit.render.moments import Moments
    from searchkit.render.player import save_html
    from searchkit.render.scene import to_svg

    kind = path.suffix.lower()
    if kind == ".html":
        save_html(recordings, path, title)
        return
    if kind == SUFFIX:
        recordings[0].save(path)
        return
    moments = Moments(recordings[0])
    end = len(moments) if moment is None else min(moment, len(moments))
    if kind == ".svg":
        kit.write_file(path, to_svg(moments.go(end).scene()))
    elif kind == ".png":
        kit.write_file(path, to_png(moments.go(end).scene()))
    else:
        scenes = [moments.go(at).scene() for at in sorted({0, *spread(end, ANIMATED)})]
        kit.write_file(path, to_animation(scenes, ANIMATED_MILLISECONDS, "gif" if kind == ".gif" else "png"))


def _line(recording: "Recording[Any, Any]") -> str:
    from searchkit.basics.text import visible

    found = visible(f"{recording.title}: {recording.summary}").replace("\n", " ")
    parts = [found, "1 event" if len(recording) == 1 else f"{len(recording):,} events"]
    if recording.unrecorded:
        parts.append(f"the last {recording.unrecorded:,} expansions are not recorded")
    return "; ".join(parts)
