"""Files and code that were made to harm: one message, exit code 2, no traceback, and nothing is left waiting."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from searchkit import problem_from, solve
from searchkit.basics import files
from searchkit.cli.commands.certify import request_of
from searchkit.errors import InvalidOptionError
from tests.cli.test_errors import refused


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """Return the path of a pipe that nobody writes to."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "{}"],
        ["certify", "meadow", "{}"],
        ["scenario", "{}"],
        ["compare", "{}", "--engines", "bfs"],
    ],
    ids=" ".join,
)
def test_a_pipe_that_nobody_writes_to_ends_every_command(
    run: Callable[..., Any], pipe: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: they waited forever."""
    monkeypatch.setattr(files, "WRITER_SECONDS", 0.05)
    message = refused(run(*(argument.format(pipe) for argument in arguments)))
    assert "pipe" in message


def test_a_certificate_without_an_end(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: `/dev/zero` was read until memory was full."""
    monkeypatch.setattr(files, "LARGEST_STREAM", 10_000)
    assert "/dev/zero: it has more than 10,000 bytes" in refused(run("certify", "meadow", "/dev/zero"))


@pytest.mark.parametrize("code", [0, None, 3, "a word"])
@pytest.mark.parametrize("member", ["initial_states", "successors", "is_goal"])
def test_code_that_ends_the_program_is_an_error(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, member: str, code: object
) -> None:
    """`sys.exit(0)` in a problem ended `solve` with 0, as if it was solved."""
    run("engines")  # which imports the plugin

    def leave(*_: object) -> None:
        sys.exit(code)  # type: ignore[arg-type]

    monkeypatch.setattr(sys.modules["toy_searchkit"].Field, member, leave)
    message = refused(run("solve", "meadow"))
    assert f"called sys.exit({code!r})" in message
    assert "test_hostile_files.py" in message


@pytest.mark.parametrize("hook", ["searchkit_load", "searchkit_places"])
def test_a_hook_that_ends_the_program(
    run: Callable[..., Any], install: Callable[..., None], hook: str
) -> None:
    """A drawing that fails does no harm; a file that nobody can read is an error that names the plugin."""
    leave = f"import sys\nimport searchkit\n\n@searchkit.hookimpl\ndef {hook}():\n    sys.exit(0)\n"
    install("aside", leave)  # plugins are asked in the order of their names
    outcome = run("solve", "meadow")
    assert f"plugin 'aside' called sys.exit(0) in {hook}" in outcome.err
    assert outcome.code == (2 if hook == "searchkit_load" else 0)


@pytest.mark.parametrize(("problem", "option"), [("graph", "coordinates"), ("robots", "map")])
def test_a_certificate_has_no_foreign_file_read(tmp_path: Path, problem: str, option: str) -> None:
    """Its options say how the problem was read; a file outside the problem's folder has to be named by the user."""
    certificate = solve(problem_from([0], lambda x: [], lambda x: True), "bfs", certificate=True).certificate
    assert certificate is not None
    source = str(tmp_path / "given" / "source")
    (tmp_path / "given").mkdir()
    Path(source).write_text("", encoding="utf-8")
    for name in (str(tmp_path / "secret"), str(tmp_path / "given" / ".." / "secret"), "a\0b"):
        foreign = evolve(certificate, problem=problem, options={"--set": {option: name}})
        with pytest.raises(InvalidOptionError, match=f"made with --set {option}=.*give the same --set again"):
            request_of(source, foreign, "proof", None, None, None, None)
    trusted = request_of(source, foreign, "proof", None, None, None, [f"{option}={name}"])
    assert trusted.settings == {option: name}
    beside = str(tmp_path / "given" / "beside")
    own = evolve(certificate, options={"--set": {option: beside}})
    assert request_of(source, own, "proof", None, None, None, None).settings == {option: beside}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error(run: Callable[..., Any]) -> None:
    """Not a traceback; exit code 2."""
    message = refused(run("solve", "meadow", "--no-draw", "--certificate", "/dev/full"))
    assert "--certificate /dev/full: can't be written: No space left on device" in message
