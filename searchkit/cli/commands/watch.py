"""`searchkit watch`: records searches, steps through them, shows them, and compares them event by event."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit
from searchkit.errors import InvalidOptionError

if TYPE_CHECKING:
    from searchkit.trace import Recording

SUFFIX = ".trace"
FILES = (SUFFIX, ".html", ".svg", ".png", ".apng", ".gif")
"""The suffixes of the files that are written."""
ANIMATED, ANIMATED_MILLISECONDS = 60, 120
"""The number of moments in an animation, besides the beginning, and how long each is shown."""


def watch(
    source: Annotated[str | None, kit.SOURCE] = None,
    engine: Annotated[
        list[str] | None,
        kit.option(
            "--engine", "E", "An engine (see: searchkit engines); repeat it for several.", completion.engines
        ),
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
    diff: Annotated[
        tuple[str, str] | None,
        kit.option("--diff", "A B", "Compare two recordings (….trace), or the searches of two engines."),
    ] = None,
) -> int:
    """Record searches, and step through them with the keys, forwards and back. SOURCE may be a recording (….trace).

    Space plays and pauses, the arrow keys step, Home and End go to the ends, q quits; several engines stand side by
    side. Without a terminal, a few moments are printed, or the one after --at expansions. With -o, files are written
    instead: pictures of this moment (or of the end), an animation, the recording, or a page that any browser plays,
    without network. So is the table.

    Without --engine, the engine is the one that auto chooses. --diff tells where two searches begin to differ, and why.

    Exit code 0: solved, or no difference; 1: unsolvable, or a difference; 2: wrong use or input; 3: cut off.

    Example: searchkit watch maze --engine astar --engine dijkstra
    """
    import searchkit.cli.stepping  # noqa: F401  # before the search: after Ctrl-C nothing has to be imported
    from searchkit.trace import load_recording

    files = output or []
    refuse_files(files)
    limits = kit.Limits(expansions=max_expansions, seconds=max_seconds, memory=max_memory)
    kit.check_options({"--diff": diff, "--engine": engine})
    if source is None and (diff is None or not all(map(is_recording, diff))):
        expected = "SOURCE is missing: a file, the name of an example, or a recording (….trace)"
        if diff is not None:
            expected = f"--diff {' '.join(diff)}: without SOURCE, expected two recordings (….trace)"
        raise InvalidOptionError(expected)
    if source is not None and is_recording(source):
        if engine or diff is not None:
            raise InvalidOptionError(
                f"{source} is a recording, which is not searched again; leave out the engines"
            )
        return show([load_recording(source)], files, table, at, source)
    recordings = {name: load_recording(name) for name in diff or () if is_recording(name)}
    title = ""
    if source is not None:
        request = kit.Request.of(source, problem, start, goal, set)
        names = [name for name in diff or () if name not in recordings] or engine or ["auto"]
        recordings |= record_all(request, list(dict.fromkeys(names)), limits)
        title = request.title
    if diff is not None:
        return compare(recordings[diff[0]], recordings[diff[1]])
    return show(list(recordings.values()), files, table, at, title)


def refuse_files(files: Sequence[Path]) -> None:
    """Raise an error before the search if a file can't be written, or has a name that says nothing."""
    for path in files:
        kit.refuse_unwritable("-o", path)
        if path.suffix.lower() not in FILES:
            raise InvalidOptionError(f"-o {path}: expected a name that ends in {', '.join(FILES)}")
    if any(path.suffix.lower() in (".png", ".apng", ".gif") for path in files):
        from searchkit.render.image import require_images

        require_images()


def is_recording(name: str) -> bool:
    """Whether a name is that of a file with a recording."""
    return name.endswith(SUFFIX)


def record_all(request: kit.Request, engines: Sequence[str], limits: Any) -> "dict[str, Recording[Any, Any]]":
    """Return engine → the recording of its search. Ctrl-C ends a search, and what was recorded is kept."""
    from searchkit.trace.recorder import RecordedSearch

    task = request.resolve(engines)
    found = {}
    with kit.interruptible() as interruption:
        for name in engines:
            search: RecordedSearch[Any, Any] = RecordedSearch(task.problem, name, **task.options[name])
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
