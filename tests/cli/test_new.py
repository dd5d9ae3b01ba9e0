"""`searchkit new plugin`: a package that works as it is written."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAMES = ("jugs", "two-jugs", "stepping_stones", "a1", "n" * 30)


def in_package(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the package as if it were installed: metadata beside its module, both on the path."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = root / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"]["searchkit"]
    lines = "".join(f"{name} = {module}\n" for name, module in points.items())
    (metadata / "entry_points.txt").write_text(f"[searchkit]\n{lines}")
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "100", "SEARCHKIT_DISABLE_PLUGINS": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("full", [False, True])
def test_the_files_are_clean(run: Callable[..., Any], tmp_path: Path, name: str, full: bool) -> None:
    """No mark of a template is left, however long the name is; the small package has at most 120 lines."""
    root = tmp_path / "made"
    outcome = run("new", "plugin", name, "--dir", root, *["--full"] * full)
    assert (outcome.code, outcome.err) == (0, "")
    assert f"searchkit solve {name}" in outcome.out.splitlines()[-1]
    files = [path for path in root.rglob("*") if path.is_file()]
    module = f"searchkit_{name.replace('-', '_')}.py"
    more = {"README.md", f"test_{name.replace('-', '_')}.py"} if full else set()
    assert {path.name for path in files} == {"pyproject.toml", module} | more
    assert not [path for path in files if "@" in str(path.relative_to(root)) or "@NAME@" in path.read_text()]
    assert full or sum(len(path.read_text().splitlines()) for path in files) <= 120
    for command in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")):
        done = in_package(root, *command)
        assert done.returncode == 0, done.stdout


def test_the_small_package_works_as_it_is(run: Callable[..., Any], tmp_path: Path) -> None:
    """It is solved as the command says, with its option, and a faulty option is one message."""
    root = tmp_path / "made"
    assert run("new", "plugin", "frog", "--dir", root).code == 0
    solved = in_package(root, "searchkit", "solve", "frog", "--set", "river=FooG")
    assert re.search(r"^cost +2 \(optimal\)", solved.stdout, re.MULTILINE), solved.stdout
    assert "did you mean river?" in in_package(root, "searchkit", "solve", "frog", "--set", "rive=FG").stdout


@pytest.mark.long
def test_the_full_package_works_as_it_is(run: Callable[..., Any], tmp_path: Path) -> None:
    """Its tests pass, mypy --strict is content, and its example is solved and drawn."""
    root = tmp_path / "searchkit-two-jugs"
    assert run("new", "plugin", "two-jugs", "--full", "--dir", root).code == 0
    for command in (("pytest", "-q", "-p", "no:cacheprovider"), ("mypy",)):
        done = in_package(root, *command)
        assert done.returncode == 0, done.stdout
    (root / "a.two-jugs").write_text("Foo~o~ooG\n")
    solved = in_package(root, "searchkit", "solve", "a.two-jugs", "--draw")
    assert re.search(r"^cost +10\b", solved.stdout, re.MULTILINE), solved.stdout
    assert "● path" in solved.stdout


@pytest.mark.parametrize(
    "name", ["Jugs", "2jugs", "two jugs", "-jugs", "jugs-", "../jugs", "", "class", "jügs", "n" * 31]
)
def test_a_name_that_cannot_be_used(run: Callable[..., Any], tmp_path: Path, name: str) -> None:
    """One message says what a name is made of, and nothing is written."""
    outcome = run("new", "plugin", "--dir", tmp_path / "made", "--", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: plugin name")
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "made").exists()


def test_nothing_is_overwritten(run: Callable[..., Any], tmp_path: Path) -> None:
    """A directory with something in it, or a file, is an error; an empty directory is used."""
    (tmp_path / "mine").write_text("precious")
    outcome = run("new", "plugin", "jugs", "--dir", tmp_path / "mine")
    assert outcome.code == 2
    assert "is there already, and nothing is overwritten" in outcome.err
    assert (tmp_path / "mine").read_text() == "precious"
    assert run("new", "plugin", "jugs", "--dir", tmp_path).code == 2
    (tmp_path / "empty").mkdir()
    assert run("new", "plugin", "jugs", "--dir", tmp_path / "empty").code == 0


def test_a_new_rubric_can_be_failed(unblock: Callable[..., Any], tmp_path: Path) -> None:
    """Each of its criteria by a typical mistake; a rubric that is there stays."""
    run, file = unblock("dungeon"), tmp_path / "rubric.toml"
    assert run("new", "rubric", file).code == 0
    outcome = run("grade", file, "--check-rubric")
    assert (outcome.err, outcome.code, outcome.out.count("✓"), outcome.out.count("✗")) == ("", 0, 4, 0)
    assert run("new", "rubric", file).err.startswith(f"error: {file} is there already")
