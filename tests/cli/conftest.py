"""The command line in this process, with the toy plugin as its only problems."""

import os
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from attrs import frozen

from searchkit.cli import main
from searchkit.plugin import use_registry
from tests.cli.schema import check_output

INSTALLED = Path(__file__).parent / "installed"
DISABLE = "SEARCHKIT_DISABLE_PLUGINS"
OTHERS = sorted({point.name for point in entry_points(group="searchkit")} - {"engines", "coursework"})
"""The installed plugins that these tests block: all that bring problems."""


@frozen
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def refusal(self) -> str:
        """Check the form of an error, and return its message."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("error: ")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("error: ").rstrip("\n")


Command = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Return what runs `searchkit` in this process; the JSON that it prints is held to the documented form."""
    monkeypatch.syspath_prepend(INSTALLED)
    monkeypatch.setenv(DISABLE, ",".join(OTHERS))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("SEARCHKIT_DEBUG", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def command(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        if "--json" in arguments and captured.out:
            check_output(captured.out)
        return Outcome(code, captured.out, captured.err)

    with use_registry():
        yield command


@pytest.fixture
def unblock(run: Command, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Command]:
    """Return what takes bundled plugins into use, and returns `run`."""

    def unblock(*names: str) -> Command:
        monkeypatch.setenv(DISABLE, ",".join(name for name in OTHERS if name not in names))
        return run

    return unblock


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what installs a plugin of a stranger: its module NAME_plugin, and others."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(name: str, text: str, **others: str) -> None:
        for module, contents in {f"{name}_plugin": text, **others}.items():
            monkeypatch.delitem(sys.modules, module, raising=False)  # of another test
            (tmp_path / f"{module}.py").write_text(contents)
        folder = tmp_path / f"{name}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (folder / "entry_points.txt").write_text(f"[searchkit]\n{name} = {name}_plugin\n")

    return install


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes a file of lines."""

    def write(*lines: str, name: str = "problem.txt") -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def environment() -> dict[str, str]:
    """Return the environment for a process of its own that finds the toy plugin."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "SEARCHKIT_DEBUG")
    }
    return kept | {
        "PYTHONPATH": str(INSTALLED),
        DISABLE: ",".join(OTHERS),
        "TERM": "dumb",
        "COLUMNS": "100",
    }


PROGRAM = [sys.executable, "-c", "import sys; from searchkit.cli import main; sys.exit(main())"]
"""The command as the console script runs it."""


@pytest.fixture
def program() -> list[str]:
    """Return the beginning of the command line of a process of its own."""
    return list(PROGRAM)
