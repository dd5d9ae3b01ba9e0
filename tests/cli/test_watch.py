"""`searchkit watch`: recordings written, shown and compared; bad input is one error."""

from pathlib import Path

import pytest

from searchkit import load, record
from searchkit.cli import main
from searchkit.plugin import Drawing
from searchkit.trace import load_recording


def test_it_prints_what_each_engine_found(capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each engine, and the exit code of the best."""
    assert main(["watch", "maze", "--engine", "astar", "--engine", "dijkstra", "--set", "ties=fifo"]) == 0
    lines = capsys.readouterr().out
    assert (
        "astar ties=fifo: solved: cost 160 (optimal if the heuristic is admissible), 160 actions; "
        "astar expanded 317 states; 643 events" in lines
    )
    assert "dijkstra ties=fifo: solved: cost 160" in lines


def test_lines_are_whole_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """The line of the path was cut after 80 characters."""
    assert main(["watch", "maze", "--engine", "astar", "--at", "311"]) == 0
    assert "160 actions; astar expanded 311 states\n█" in capsys.readouterr().out


def test_a_recording_is_saved_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a file that `watch` reads too, with a step table, and as a page."""
    path = tmp_path / "maze.trace"
    assert main(["watch", "maze", "--engine", "astar", "-o", str(path)]) == 0
    assert f"written: {path}" in capsys.readouterr().out
    assert load_recording(path).expansions == 311
    assert main(["watch", str(path), "--table"]) == 0
    out = capsys.readouterr().out
    assert "   1  (1, 1)      0  76   76  1\n" in out
    assert "… 276 more …" in out
    page = tmp_path / "maze.html"
    assert main(["watch", str(path), "-o", str(page)]) == 0
    assert f"written: {page}, {page.stat().st_size:,} bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'SOURCE'"),
        (["maze", "--engine", "asta"], "did you mean astar"),
        (["maze", "--at", "many"], "Invalid value for '--at': "),
        (["none.trace"], "none.trace: can't be read"),
        (["none.trace", "--engine", "astar"], "is a recording, which is not searched again"),
        (["maze", "-o", "none/a.trace"], "-o none/a.trace: there is no directory"),
        (["maze", "-o", "a.rec"], "-o a.rec: expected a name that ends in .trace, .html, .svg"),
        (["maze", "-o", "a"], "-o a: expected a name that ends in .trace"),
        (["maze", "--engine", "bfs", "--engine", "astar", "-o", "a.trace"], "a file holds one recording"),
        (
            ["maze", "--engine", "jps"],
            "needs jumps (of a grid with 8 moves on which entering any cell costs 1), which",
        ),
    ],
)
def test_bad_input_is_one_error(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One line on stderr, exit code 2."""
    monkeypatch.chdir(tmp_path)
    assert main(["watch", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_a_recording_that_is_forged_where_only_pictures_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a fault of the file, and not of searchkit."""
    path = tmp_path / "maze.trace"
    recording = record(load("maze"), "bfs")
    ground = recording.appearance.ground
    assert ground is not None
    recording.appearance.ground = Drawing(["?" * ground.width] * ground.height, ground.marks)
    recording.save(path)
    assert main(["watch", str(path), "-o", str(tmp_path / "maze.svg")]) == 2
    assert f"error: {path}: not a valid recording: KeyError: '?'\n" == capsys.readouterr().err
