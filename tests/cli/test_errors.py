"""Wrong use and wrong input: one message that says what to do, exit code 2, nothing on stdout, no traceback."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MEADOW = Path(__file__).parent / "installed" / "meadow.txt"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["solve", "nothing"],
            "nothing is not a file; expected the path of a file, or an example; searchkit problems lists them",
        ),
        (
            ["solve", "."],
            ". is a directory; expected the path of a file, or an example; searchkit problems lists them",
        ),
        (
            ["solve", f"{MEADOW}", "--certificate", f"{MEADOW}"],
            f"--certificate {MEADOW}: it is the source",
        ),
        (["solve"], "Missing argument 'SOURCE'; see: searchkit solve --help"),
        (
            ["solve", "meadow", "--paint", "9"],
            "an option of the problem or of the engine: --set paint=VALUE; see",
        ),
        (
            ["solve", "meadow", "--workers", "ray"],
            "--workers: engines that can share their work are external_bfs, ext",
        ),
        (["demo", "--nonsense"], "No such option: --nonsense; see: searchkit demo --help"),
        (["sovle", "meadow"], "No such command 'sovle'. Did you mean 'solve'?; see: searchkit --help"),
        (
            ["solve", "meadow", "--max-expansions", "-1"],
            "Invalid value for '--max-expansions': ",
        ),
        (["scenario", "meadow"], f"{MEADOW} is of no known format; expected queries"),
        (
            ["solve", "meadow", "--engine", "bsf"],
            "there is no engine 'bsf': did you mean bfs? See: searchkit engines",
        ),
        (["solve", "medow"], "medow is not a file: did you mean meadow? Expected the path of a file, or"),
        (["scenario", "meadow", "--engine", "warp"], "there is no engine 'warp'; see: searchkit engines"),
        (
            ["solve", "meadow", "--problem", "maze"],
            "there is no problem 'maze'; see: searchkit problems",
        ),
        (
            ["solve", "meadow", "--backend", "gpu"],
            "there is no backend 'gpu'; there are auto, python, compiled",
        ),
        (["solve", "meadow", "--start", "north"], "start=north: not enough values to unpack"),
        (["solve", "meadow", "--start", "90,0"], "start 90,0 is off the map"),
        (["solve", "meadow", "--set", "ties"], "--set ties: expected name=value, such as --set ties=fifo"),
        (
            ["solve", "meadow", "--set", "ties=fifo", "--set", "ties=lifo"],
            "--set ties is given twice, as fifo and as lifo; give it once",
        ),
        (
            ["solve", "meadow", "--set", "start=1,1", "--start", "0,0"],
            "--set start and --start are both given; use --start alone",
        ),
        (
            ["solve", "meadow", "--set", "ties=best"],
            "ties=best: expected one of high-g, lifo, fifo, low-h; ties is the order of states",
        ),
        (
            ["solve", "meadow", "--set", "colour=red"],
            "--set colour: there is no such option; problem 'field' has start, goal, paint",
        ),
        (
            ["solve", "meadow", "--engine", "zero_one", "--set", "ties=fifo"],
            "--set ties: there is no such option; problem 'field' has start, goal, paint; engine 'zero_one' has none",
        ),
        (
            ["solve", "meadow", "--set", "weight=2"],
            "--set weight: there is no such option; problem 'field' has start, goal, paint; engine 'astar' has ties",
        ),
        (
            ["compare", "meadow", "--engines", "astar,bfs", "--set", "weight=2"],
            "--set weight: there is no such option; problem 'field' has start, goal, paint; engine 'astar' has ties; "
            "engine 'bfs' has none",
        ),
        (
            ["compare", "meadow", "--engines", " , "],
            "--engines ' , ': expected names separated by commas: --engines bfs,astar",
        ),
        (["scenario", "nothing.scen"], "nothing.scen is not a file; expected the path of a file"),
    ],
)
def test_wrong_use(run: Callable[..., Any], arguments: list[str], message: str) -> None:
    """The message says what was given, what was expected and what to do."""
    assert message in run(*arguments).refusal()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "{}: the file is empty; expected text in a format of a plugin"),
        (
            ("poem", "roses are red"),
            "{} is of no known format; the kinds of problem that are read from files are field, line",
        ),
        (("field", "..G"), "{}: line 1: there is no start; expected a cell S, or --start"),
        (
            ("line one two",),
            "ValueError: invalid literal for int() with base 10: 'one'; this is a fault in searchkit or in a plugin",
        ),
        (
            ("faulty",),
            "Faulty.successors(1) raised ZeroDivisionError: by nought, while 1 was being expanded; "
            "correct it, and run the command again",
        ),
    ],
)
def test_wrong_input(
    run: Callable[..., Any], file: Callable[..., Any], lines: tuple[str, ...], message: str
) -> None:
    """The message names the file, and the place in it."""
    path = file(*lines)
    assert run("solve", path).refusal().startswith(message.format(path))
    assert run("solve", path, "--json").refusal().startswith(message.format(path))


def test_a_file_that_is_not_text(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Its first bad byte is named."""
    path = file()
    path.write_bytes(b"field\n\xff\xfe")
    assert (
        run("solve", path).refusal() == f"{path}: not a text file: byte 6 is not UTF-8; save it as UTF-8 text"
    )


def test_an_engine_that_lacks_what_it_needs(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """The engines that would work are named."""
    message = run("solve", file("line 0 2"), "--engine", "astar").refusal()
    assert message.startswith("engine 'astar' needs heuristic(state), which Line does not have")
    assert "bfs" in message


def test_help(run: Callable[..., Any]) -> None:
    """It lists every command, those of plugins at the end; each of searchkit has an example that begins with it."""
    lines = run("--help").out.split("Commands:\n")[1].splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert listed[0] == "solve"
    assert listed[-3:] == ["check", "grade", "starts"]
    for command in listed[:-3]:
        for option in ("--help", "-h"):
            assert f"searchkit {command}" in run(command, option).out.split("Example: ")[1]


def test_ctrl_c_before_the_command_has_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python is still importing then: one line, no traceback."""

    def stopped(arguments: object) -> int:
        raise KeyboardInterrupt

    from searchkit.cli import main

    monkeypatch.setattr("searchkit.cli.app.run", stopped)
    assert main(["engines"]) == 3
    assert capsys.readouterr().err == "interrupted\n"
