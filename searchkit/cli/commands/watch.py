"""`searchkit watch`: records searches, steps through them, shows them, and compares them event by event."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from searchkit.cli import completion, kit
from searchkit.errors import InvalidOptionError

if TYPE_CHECKING:
    from searchkit.trace import Recording

SUFFIX = ".trace"
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "--save": (SUFFIX,),
    "--png": (".png",),
    "--svg": (".svg",),
    "--apng": (".png", ".apng", ".gif"),
}
"""How the names of files end, by option."""
ANIMATED, ANIMATED_MILLISECONDS = 60, 120
"""The number of moments in an animation, besides the beginning, and how long each is shown."""


def watch(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="A file, - for standard input, FILE.py:NAME, the name of an example or of a problem without file "
            "(see: searchkit problems), or a recording: a file ….trace.",
            autocompletion=completion.sources,
        ),
    ] = None,
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
    cap: Annotated[
        int | None,
        kit.option("--cap", "N", "Record at most this many expansions; by default a million.", min=0),
    ] = None,
    save: Annotated[
        Path | None, kit.option("--save", "FILE", "Write the recording to FILE (….trace).")
    ] = None,
    at: Annotated[int | None, kit.option("--at", "N", "Show the moment after N expansions.", min=0)] = None,
    png: Annotated[
        Path | None, kit.option("--png", "FILE", "Write a picture of the moment to FILE, as PNG.")
    ] = None,
    svg: Annotated[
        Path | None, kit.option("--svg", "FILE", "Write a picture of the moment to FILE, as SVG.")
    ] = None,
    apng: Annotated[
        Path | None,
        kit.option("--apng", "FILE", "Write an animation up to the moment: APNG, or GIF (FILE.gif)."),
    ] = None,
    html: Annotated[
        Path | None,
        kit.option("--html", "FILE", "Write a page that plays the searches side by side to FILE."),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Print a table with a row for each expansion.")
    ] = False,
    diff: Annotated[
        tuple[str, str] | None,
        kit.option("--diff", "A B", "Compare two recordings (….trace), or the searches of two engines."),
    ] = None,
) -> int:
    """Record searches, and step through them with the keys, forwards and back.

    Space plays and pauses, the arrow keys step, Home and End go to the ends, q quits; several engines stand side by
    side. Without a terminal, a few moments are printed, or the one after --at expansions. With --png, --svg and --apng,
    pictures of this moment (or of the end) are written instead; so are the other files and the table. --html writes one
    file that any browser plays, without network.

    Without --engine, the engine is the one that auto chooses. --diff tells where two searches begin to differ, and why.

    Exit code 0: solved, or no difference; 1: unsolvable, or a difference; 2: wrong use or input; 3: cut off.

    Example: searchkit watch maze --engine astar --engine dijkstra
    """
    import searchkit.cli.stepping  # noqa: F401  # before the search: after Ctrl-C nothing has to be imported
    from searchkit.trace import load_recording

    named = {"--save": save, "--png": png, "--svg": svg, "--apng": apng, "--html": html}
    files = {option: path for option, path in named.items() if path is not None}
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
        recordings |= record_all(request, list(dict.fromkeys(names)), limits, cap)
        title = request.title
    if diff is not None:
        return compare(recordings[diff[0]], recordings[diff[1]])
    return show(list(recordings.values()), files, table, at, title)


def refuse_files(files: Mapping[str, Path]) -> None:
    """Raise an error before the search if a file can't be written, or has a name that says that it is another."""
    for option, path in files.items():
        kit.refuse_unwritable(option, path)
        endings = ENDINGS.get(option, ())
        if endings and path.suffix.lower() not in endings:
            raise InvalidOptionError(f"{option} {path}: expected a name that ends in {' or '.join(endings)}")
    if "--png" in files or "--apng" in files:
        from searchkit.render.image import require_images

        require_images()


def is_recording(name: str) -> bool:
    """Whether a name is that of a file with a recording."""
    return name.endswith(SUFFIX)


def record_all(
    request: kit.Request, engines: Sequence[str], limits: Any, cap: int | None
) -> "dict[str, Recording[Any, Any]]":
    """Return engine → the recording of its search. Ctrl-C ends a search, and what was recorded is kept."""
    from searchkit.trace.recorder import CAP, RecordedSearch

    task = request.resolve(engines)
    found = {}
    with kit.interruptible() as interruption:
        for name in engines:
            search: RecordedSearch[Any, Any] = RecordedSearch(
                task.problem, name, cap=CAP if cap is None else cap, **task.options[name]
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
    recordings: "Sequence[Recording[Any, Any]]",
    files: Mapping[str, Path],
    table: bool,
    moment: int | None,
    title: str,
) -> int:
    """Step through the searches or write files, print what they found, and return the exit code."""
    from searchkit.basics.files import reporting_unwritable
    from searchkit.cli.stepping import view
    from searchkit.trace import trace_table

    console = kit.result_console()
    for option, path in files.items():
        if option != "--html" and len(recordings) > 1:
            raise InvalidOptionError(f"{option} {path}: a file holds one recording; name one engine")
    if not table and not files:
        view(console, recordings, moment)
    for recording in recordings:
        console.print(_line(recording), soft_wrap=True)
        if table:
            console.print(str(trace_table(recording)), soft_wrap=True)
    for option, path in files.items():
        with reporting_unwritable(path):
            write(option, path, recordings, moment, title)
        console.print(f"written: {path}, {path.stat().st_size:,} bytes", soft_wrap=True)
    statuses = {recording.status for recording in recordings}
    if "solved" in statuses:
        return kit.DONE
    return kit.UNSOLVABLE if "unsolvable" in statuses else kit.CUT_OFF


def write(
    option: str,
    path: Path,
    recordings: "Sequence[Recording[Any, Any]]",
    moment: int | None,
    title: str,
) -> None:
    """Write the file of an option: the recording, the page, or a picture of a moment, None for the end."""
    from searchkit.cli.stepping import spread
    from searchkit.render.image import to_animation, to_png
    from searchkit.render.moments import Moments
    from searchkit.render.player import save_html
    from searchkit.render.scene import to_svg

    if option == "--html":
        save_html(recordings, path, title)
        return
    if option == "--save":
        recordings[0].save(path)
        return
    moments = Moments(recordings[0])
    end = len(moments) if moment is None else min(moment, len(moments))
    if option == "--svg":
        kit.write_file(path, to_svg(moments.go(end).scene()))
    elif option == "--png":
        kit.write_file(path, to_png(moments.go(end).scene()))
    else:
        scenes = [moments.go(at).scene() for at in sorted({0, *spread(end, ANIMATED)})]
        kind = "gif" if path.suffix.lower() == ".gif" else "png"
        kit.write_file(path, to_animation(scenes, ANIMATED_MILLISECONDS, kind))


def _line(recording: "Recording[Any, Any]") -> str:
    from searchkit.basics.text import visible

    found = visible(f"{recording.title}: {recording.summary}").replace("\n", " ")
    parts = [found, "1 event" if len(recording) == 1 else f"{len(recording):,} events"]
    if recording.unrecorded:
        parts.append(f"the last {recording.unrecorded:,} expansions are not recorded")
    return "; ".join(parts)
