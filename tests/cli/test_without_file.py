"""Problems that are made from options alone: their names stand for a file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_the_name_of_a_problem_is_a_source(run: Run) -> None:
    """With its defaults, with options, and as an example; and it is drawn."""
    outcome = run("solve", "square")
    assert (outcome.code, outcome.err) == (0, "")
    assert "4 (optimal if the heuristic is admissible)" in outcome.out
    assert outcome.out.endswith("S..\n+..\n++G\nS start  G goal  + path\n")
    for arguments, cost in (
        (("square", "--set", "size=4"), 6),
        (("yard",), 8),
        (("yard", "--set", "size=2"), 2),
    ):
        found = json.loads(run("solve", *arguments, "--json").out)
        assert (found["problem"], found["cost"]) == ("square", cost)
    assert json.loads(run("solve", "square", "--problem", "square", "--json").out)["cost"] == 4


def test_options_of_engines_and_of_the_problem_are_told_apart(run: Run) -> None:
    """As for a file: `ties` is the engine's, `size` the problem's, and `tiez` is nobody's."""
    found = run("solve", "square", "--engine", "astar", "--set", "ties=fifo", "--set", "size=2", "--json")
    assert json.loads(found.out)["cost"] == 2
    refusal = run("solve", "square", "--engine", "astar", "--set", "sice=2").refusal()
    assert refusal.startswith("--set sice: there is no such option: did you mean size?")
    outcome = run("solve", "square", "--start", "1,1")
    assert "problem 'square' has no option 'start'" in outcome.err


def test_a_certificate_is_checked_against_the_same_problem(run: Run, tmp_path: Path) -> None:
    """It holds the options, and the checker makes the problem again by the name on its command line."""
    file = tmp_path / "square.certificate"
    assert run("solve", "square", "--set", "size=4", "--certificate", file).code == 0
    assert run("certify", "square", file).code == 0
    assert run("certify", "yard", file).code == 0  # made again with size=4, which the certificate says
    assert run("certify", "square", file, "--set", "size=5").code == 1
    assert "there is no such option" in run("certify", "meadow", file).refusal()
    assert run("solve", "square", "--set", f"legend={file}", "--certificate", file).code == 0
    assert (
        f"was made with --set legend={file}, which names a file" in run("certify", "square", file).refusal()
    )
    assert run("certify", "square", file, "--set", f"legend={file}").code == 0


def test_a_file_of_the_same_name_comes_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a folder of the same name is not meant."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "square").write_text("line 0 1\n")
    (tmp_path / "yard").mkdir()
    assert json.loads(run("solve", "square", "--json").out)["problem"] == "line"
    assert json.loads(run("solve", "yard", "--json").out)["problem"] == "square"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("squire",), "squire is not a file: did you mean square?"),
        (("faulty",), "faulty is not a file, and a problem 'faulty' is read from a file; expected the path"),
        (("square", "--problem", "line"), "can't be read as problem 'line'"),
        (("square", "--set", "size=x"), "size=x: expected a whole number; size is"),
        (("square", "--set", "size=0"), "size=0: expected at least 1"),
    ],
)
def test_errors(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """One line each."""
    assert message in run("solve", *arguments).refusal()
