"""What the shell offers on TAB: the protocol of Typer's shell functions, in this process."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.completion import BREAKS
from searchkit.plugin.registry import available_engines

Complete = Callable[[str], list[str]]


def split_as_bash(line: str) -> list[str]:
    """Return the words as bash has them in COMP_WORDS: `=` and `:` are words of their own."""
    words = []
    for word in shlex.split(line):
        begin = 0
        for at, character in enumerate(word):
            if character in BREAKS:
                words += [word[begin:at]] * (at > begin) + [character]
                begin = at + 1
        words += [word[begin:]] * (begin < len(word))
    return words


@pytest.fixture
def bash(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Return what completes a line in bash: it answers what follows the last `=` or `:` of the word."""

    def complete(line: str) -> list[str]:
        words = split_as_bash(f"searchkit {line}")
        monkeypatch.setenv("_SEARCHKIT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - (not line.endswith(" "))))
        outcome = run()
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out.splitlines()  # type: ignore[no-any-return]

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
        ("scenario x.scen --workers p", ["processes"]),
        ("solve meadow --problem fi", ["field"]),
        ("solve meadow --set pai", ["paint="]),
        ("solve meadow --set paint=", ["plain", "raising", "colourless"]),
        ("solve meadow --set paint=r", ["raising"]),
        ("solve meadow --engine astar --set ties=l", ["lifo", "low-h"]),
        ("solve meadow --set nosuch=", []),
        ("solve square --set si", ["size="]),
        ("solve square --set pai", []),
        ("solve x --problem line --set pai", []),
        ("compare meadow --engines bfs,ast", ["bfs,astar"]),
        ("compare meadow --engines al", ["all"]),
        ("compare meadow --engines astar,bfs --set tie", ["ties="]),
        ("watch meadow --engine bf", ["bfs"]),
    ],
)
def test_names_and_values(bash: Complete, line: str, offered: list[str]) -> None:
    """Of examples, problems, engines, options and backends, as far as they fit what was typed before."""
    assert bash(line) == offered


def test_every_engine_is_offered(bash: Complete) -> None:
    """And `auto`."""
    assert bash("solve meadow --engine ") == ["auto", *available_engines()]
    assert bash("compare meadow --engines ") == [*available_engines(), "all"]


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


def test_python_files_are_read_and_not_run(
    bash: Complete, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names after the colon, and arguments of the class or the function."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "raise SystemExit('it was run')\nimport os\nclass Romania:\n    def __init__(self, start, *, goal='B'): ...\n"
        "def make(size: int): ...\nready = Romania('A')\n_hidden = 1\nclass Point:\n    x: int\n    y: int = 0\n"
    )
    assert bash("solve mine.py:") == ["Romania", "make", "ready", "Point"]
    assert bash("solve ./mine.py:Ro") == ["Romania"]
    assert bash("solve mine.py:Romania --set star") == ["start="]
    assert bash("solve mine.py:make --set si") == ["size="]
    assert bash("solve mine.py:Point --set y") == ["y="]
    assert bash("solve mine.py:ready --set si") == []
    assert bash("solve nosuch.py:") == []
    (tmp_path / "broken.py").write_text("class (")
    assert bash("solve broken.py:") == []


@pytest.mark.parametrize(
    ("shell", "line", "offered"),
    [
        ("zsh", "searchkit solve meadow --set paint=r", '"paint=raising"'),
        ("zsh", "searchkit solve mea", '"meadow":"a small field"'),
        ("fish", "searchkit solve meadow --set ", "paint="),
    ],
)
def test_other_shells(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, shell: str, line: str, offered: str
) -> None:
    """They replace the whole word."""
    monkeypatch.setenv("_SEARCHKIT_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    outcome = run()
    assert (outcome.code, outcome.err) == (0, "")
    assert offered in outcome.out


@pytest.mark.parametrize("words", ["searchkit solve 'open", "", "searchkit"])
def test_lines_that_can_not_be_completed(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Nothing on stderr: it would stand in the middle of the command line."""
    monkeypatch.setenv("_SEARCHKIT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", "2")
    assert run().err == ""
