"""Files and code that were made to harm: one message, exit code 2, no traceback, and nothing is left waiting."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("member", "code"), [("initial_states", 0), ("successors", "a word"), ("is_goal", None)]
)
def test_code_that_ends_the_program_is_an_error(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, member: str, code: object
) -> None:
    """`sys.exit(0)` in a problem ended `solve` with 0, as if it was solved."""
    run("engines")  # which imports the plugin

    def leave(*_: object) -> None:
        sys.exit(code)  # type: ignore[arg-type]

    monkeypatch.setattr(sys.modules["toy_searchkit"].Field, member, leave)
    message = run("solve", "meadow").refusal()
    assert f"called sys.exit({code!r})" in message
    assert "test_hostile_files.py" in message


BEYOND = "Drawing('.', {'.': Mark('.', '#000000')}), lambda state: [(0, 9)], expanded={'.': '.'}"
DRAWN = f"places=lambda line: Places({BEYOND})"


@pytest.mark.parametrize("member", ["formats=(leave,)", "places=leave", DRAWN])
def test_a_plugin_that_ends_the_program(
    run: Callable[..., Any], install: Callable[..., None], file: Callable[..., Path], member: str
) -> None:
    """A drawing that fails does no harm; a file that can't be read because of it is an error that names the plugin.

    A cell beyond the ground was "a fault in searchkit".
    """
    leave = (
        "import sys\nfrom searchkit.plugin import *\nfrom toy_searchkit import Line\n\n"
        "def leave(*_):\n    sys.exit(0)\n\n@hookimpl\ndef searchkit_problems():\n    "
        f"return [ProblemSpec('aside', '', Line, {member}, read=leave)]\n"
    )
    install("aside", leave)
    outcome = run("solve", file("line 0 3"))
    if member == DRAWN:
        assert (outcome.code, "the drawing can't be shown: IndexError" in outcome.err) == (0, True)
    elif member == "places=leave":
        assert outcome.code == 0
        assert "places of problem 'aside' raised SystemExit" in outcome.err
    else:
        assert "aside_plugin.py:6) called sys.exit(0)" in outcome.refusal()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error(run: Callable[..., Any]) -> None:
    """Not a traceback; exit code 2. The answer is printed all the same."""
    outcome = run("solve", "meadow", "--no-draw", "--certificate", "/dev/full")
    assert (outcome.code, "optimal" in outcome.out) == (2, True)
    assert outcome.err == "error: --certificate /dev/full: can't be written: No space left on device\n"
