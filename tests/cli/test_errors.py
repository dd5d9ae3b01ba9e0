"""Wrong use and wrong input: one message that says what to do, exit code 2, nothing on stdout, no traceback."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MEADOW = Path(__file__).parent / "installed" / "meadow.txt"


def refused(outcome: Any) -> str:
    """Check the form of an error, and return its message."""
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err
    message: str = outcome.err.removeprefix("error: ").rstrip("\n")
    return message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["solve", "nothing"],
            "nothing is not a file; expected the path of a file, or one of the examples meadow",
        ),
        (["solve", "."], ". is a directory; expected the path of a file, or one of the examples meadow"),
        (["solve"], "Missing argument 'SOURCE'; see: searchkit solve --help"),
        (["solve", "meadow", "--nonsense"], "No such option: --nonsense; see: searchkit solve --help"),
        (["sovle", "meadow"], "No such command 'sovle'. Did you mean 'solve'?; see: searchkit --help"),
        (
            ["solve", "meadow", "--max-expansions", "many"],
            "Invalid value for '--max-expansions': ",
        ),
        (
            ["solve", "meadow", "--max-expansions", "-1"],
            "Invalid value for '--max-expansions': ",
        ),
        (
            ["solve", "meadow", "--max-memory", "2 GB"],
            "Invalid value for '--max-memory': ",
        ),
        (["scenario", "meadow", "--limit", "0"], "Invalid value for '--limit': "),
        (
            ["scenario", "meadow", "--threads", "0"],
            "Invalid value for '--threads': ",
        ),
        (["scenario", "meadow", "--every", "x"], "Invalid value for '--every': "),
        (["scenario", "meadow"], f"{MEADOW} is of no known format; the plugins asked were toy"),
        (["scenario", "meadow", "--engine", "warp"], "there is no engine 'warp'; there are bfs, "),
        (
            ["solve", "meadow", "--problem", "maze"],
            "there is no problem 'maze'; there are square, field, line, odd, faulty",
        ),
        (
            ["solve", "meadow", "--backend", "gpu"],
            "there is no backend 'gpu'; there are auto, python, compiled",
        ),
        (["solve", "meadow", "--start", "north"], "start=['north']: not enough values to unpack"),
        (["solve", "meadow", "--start", "90,0"], "start 90,0 is off the map"),
        (["solve", "meadow", "--set", "ties"], "--set ties: expected name=value, such as --set ties=fifo"),
        (["solve", "meadow", "--set", "=1"], "--set =1: expected name=value, such as --set ties=fifo"),
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
            "--set colour: there is no such option; problem 'field' has start, goal, paint; engine 'astar' has ties",
        ),
        (
            ["solve", "meadow", "--engine", "zero_one", "--set", "ties=fifo"],
            "problem 'field' has no option 'ties'; its options are start, goal, paint",
        ),
        (
            ["solve", "meadow", "--engine", "astar", "--set", "weight=2"],
            "--set weight: there is no such option; problem 'field' has start, goal, paint; engine 'astar' has ties",
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
        (["compare", "meadow", "--engines", "astar,warp"], "there is no engine 'warp'; there are bfs, "),
        (["scenario", "nothing.scen"], "nothing.scen is not a file; expected the path of a file"),
        (
            ["demo", "--svg", "missing/folder.svg"],
            "missing/folder.svg can't be written: No such file or directory",
        ),
    ],
)
def test_wrong_use(run: Callable[..., Any], arguments: list[str], message: str) -> None:
    """The message says what was given, what was expected and what to do."""
    outcome = run(*arguments)
    if arguments[0] == "demo":  # it has shown its result when it finds that the file can't be written
        assert outcome.err.startswith(f"error: {message}")
        assert outcome.code == 2
    else:
        assert refused(outcome).startswith(message)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "{}: the file is empty; expected text in a format of a plugin"),
        (("poem", "roses are red"), "{} is of no known format; the plugins asked were toy"),
        (("field", "..G"), "{}: line 1: there is no start; expected a cell S, or --start"),
        (("line one two",), "plugin 'toy' raised ValueError while reading {}: invalid literal for int()"),
        (
            ("faulty",),
            "Faulty.successors raised ZeroDivisionError: by nought, while 1 was being expanded; "
            "correct it, and run the command again",
        ),
    ],
)
def test_wrong_input(
    run: Callable[..., Any], file: Callable[..., Any], lines: tuple[str, ...], message: str
) -> None:
    """The message names the file, and the place in it."""
    path = file(*lines)
    assert refused(run("solve", path)).startswith(message.format(path))
    assert refused(run("solve", path, "--json")).startswith(message.format(path))


def test_a_file_that_is_not_text(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """Its first bad byte is named."""
    path = file()
    path.write_bytes(b"field\n\xff\xfe")
    assert (
        refused(run("solve", path)) == f"{path}: not a text file: byte 6 is not UTF-8; save it as UTF-8 text"
    )


def test_an_engine_that_lacks_what_it_needs(run: Callable[..., Any], file: Callable[..., Any]) -> None:
    """The engines that would work are named."""
    message = refused(run("solve", file("line 0 2"), "--engine", "astar"))
    assert message.startswith("engine 'astar' needs heuristic(state), which Line does not have")
    assert "bfs" in message


def test_an_option_that_engine_and_problem_both_have(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """It is not guessed which is meant."""
    path = file("line 0 2")
    message = refused(run("solve", path, "--engine", "dijkstra", "--set", "ties=fifo"))
    assert message.startswith(
        "--set ties: engine 'dijkstra' and problem 'line' both have an option of that name"
    )


def test_an_option_of_the_problem_that_the_engine_chosen_by_auto_does_not_have(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """`auto` takes bfs here, which has no ties: so the problem's are meant."""
    outcome = run("solve", file("line 0 2"), "--set", "ties=fifo")
    assert (outcome.code, outcome.err) == (0, "")


def test_an_option_of_the_engine_that_auto_chooses(run: Callable[..., Any]) -> None:
    """`auto` takes A* here, and its ties are the ones given."""
    first, second = (run("solve", "meadow", "--set", f"ties={ties}", "--json") for ties in ("fifo", "lifo"))
    assert (first.code, second.code) == (0, 0)
    assert first.out.split('"expanded"')[1][:6] != second.out.split('"expanded"')[1][:6]


def test_options_of_other_names_than_python_s(run: Callable[..., Any]) -> None:
    """An option may be called like an argument of the functions it passes through."""
    for name in ("source", "problem", "format", "options", "self"):
        assert refused(run("solve", "meadow", "--set", f"{name}=1")).startswith(
            f"--set {name}: there is no such"
        )


def test_the_traceback_is_shown_on_demand(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """For those who look for the fault; the message still ends it."""
    monkeypatch.setenv("SEARCHKIT_DEBUG", "1")
    outcome = run("solve", "nothing")
    assert outcome.code == 2
    assert outcome.err.startswith("Traceback (most recent call last):")
    assert outcome.err.splitlines()[-1].startswith("error: nothing is not a file")


def test_no_command(run: Callable[..., Any]) -> None:
    """It prints the help, and is wrong use."""
    outcome = run()
    assert outcome.code == 2
    assert outcome.out.startswith("Usage: searchkit")


@pytest.mark.parametrize(
    "command", ["solve", "compare", "scenario", "demo", "engines", "problems", "plugins"]
)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_help_has_an_example(run: Callable[..., Any], command: str, option: str) -> None:
    """One that begins with the command itself."""
    outcome = run(command, option)
    assert outcome.code == 0
    assert "Example: " in outcome.out
    assert f"searchkit {command}" in outcome.out.split("Example: ")[1]


def test_the_help_lists_every_command(run: Callable[..., Any]) -> None:
    """Those of searchkit, and then those of plugins."""
    from searchkit.cli.app import COMMANDS

    out = run("--help").out
    listed = [
        line.split()[0]
        for line in out.split("Commands:\n")[1].splitlines()
        if line.startswith("  ") and line[2] != " "
    ]
    assert listed == [*COMMANDS, "check", "grade", "starts"]


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
