"""What the shell offers on TAB: the protocol of Typer's shell functions, in this process."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Complete = Callable[[str], list[str]]


@pytest.fixture
def bash(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Return what completes a line in bash."""

    def complete(line: str) -> list[str]:
        words = ["searchkit", *line.split()]
        monkeypatch.setenv("_SEARCHKIT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - (not line.endswith(" "))))
        outcome = run()
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out.split()  # type: ignore[no-any-return]

    return complete


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sol", ["solve"]),
        ("star", ["starts"]),  # a command of a plugin
        ("solve mea", ["meadow"]),
        ("solve squ", ["square"]),
        ("certify ya", ["yard"]),
        ("solve nosuch", []),
        ("solve meadow --engine ast", ["astar"]),
        ("solve meadow --engine=ast", ["astar"]),
        ("solve meadow --engine a", ["auto", "astar", "anytime"]),
        ("solve meadow --backend ", ["auto", "python", "compiled"]),
        ("solve meadow --problem fi", ["field"]),
        ("watch meadow --engine bf", ["bfs"]),
    ],
)
def test_names_and_values(bash: Complete, line: str, offered: list[str]) -> None:
    """Of examples, problems, engines and backends."""
    assert bash(line) == offered


def test_files_are_offered_beside_names(
    bash: Complete, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no name fits, nothing is answered: then bash itself completes files."""
    monkeypatch.chdir(tmp_path)
    for name in ("measure.map", ".hidden", "zoo.map"):
        (tmp_path / name).write_text("")
    (tmp_path / "meals").mkdir()
    assert bash("solve mea") == ["meadow", "meals/", "measure.map"]
    assert bash("solve zo") == []
    assert ".hidden" not in bash("solve ")


@pytest.mark.parametrize(
    ("option", "file"),
    [("--show-completion", ""), ("--install-completion", ".bash_completions/searchkit.sh")],
)
def test_the_script_of_the_shell(
    program: list[str], environment: dict[str, str], tmp_path: Path, option: str, file: str
) -> None:
    """It is printed, or installed in the home directory."""
    environment |= {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [*program, option, "bash"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_SEARCHKIT_COMPLETE=complete_bash" in ((tmp_path / file).read_text() if file else done.stdout)
