"""`-` in place of a file: standard input."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
FIELD = "field\nS..#\n.#..\n...G\n"


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], None]:
    """Return what puts a text on stdin."""

    def put(text: str | bytes) -> None:
        contents = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(contents), encoding="ascii"))

    return put


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "-"),
        ("compare", "-", "--engines", "all"),
        ("watch", "-", "--at", "2"),
        ("watch", "-", "-o", "page.html"),
        ("starts", "-"),
    ],
)
def test_commands_read_it_once(
    run: Run, piped: Any, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often they need the problem; as for a file."""
    monkeypatch.chdir(tmp_path)
    piped(FIELD)
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    if "page.html" in arguments:
        assert "&lt;stdin&gt;" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_options_and_certificates(run: Run, piped: Any, tmp_path: Path) -> None:
    """The same map has to come again to be checked."""
    proof = tmp_path / "proof"
    piped(FIELD)
    outcome = run("solve", "-", "--start", "0,2", "--problem", "field", "--certificate", proof, "--json")
    assert json.loads(outcome.out)["cost"] == 3
    piped("\ufeff" + FIELD.replace("\n", "\r\n"))
    assert run("certify", "-", proof).code == 0
    piped(FIELD.replace(".#..", "...."))
    assert run("certify", "-", proof).code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "<stdin>: there is nothing to read; expected a map, as in: searchkit generate maze | searchkit solve -",
        ),
        (" \n", "<stdin>: there is nothing to read"),
        (b"S\xff", "<stdin>: not a text file: byte 1 is not UTF-8"),
        ("nonsense", "<stdin> is of no known format"),
        ("field\n...\n", "<stdin>: line 1: there is no start"),
    ],
)
def test_what_can_not_be_read(run: Run, piped: Any, text: str | bytes, message: str) -> None:
    """One message, as for a file."""
    piped(text)
    assert message in run("solve", "-").refusal()


def test_a_real_pipe(program: list[str], environment: dict[str, str]) -> None:
    """Also by the name that the system gives it, and with a map that is longer than its buffer."""
    rows = ["S" + "." * 999, *["." * 1000] * 98, "." * 999 + "G"]
    for name in ("-", "/dev/stdin"):
        done = subprocess.run(
            [*program, "solve", name, "--no-draw"],
            input="\n".join(["field", *rows]),
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "1,098 (optimal if the heuristic is admissible)" in done.stdout
