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


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_there(run: Callable[..., Any], tmp_path: Path, name: str) -> None:
    """No mark of a template is left, and three lines give the next steps."""
    root = tmp_path / "made"
    outcome = run("new", "plugin", name, "--dir", root)
    assert (outcome.code, outcome.err) == (0, "")
    assert len(outcome.out.splitlines()) == 4
    assert f"searchkit solve first-{name} --draw" in outcome.out
    module = f"searchkit_{name.replace('-', '_')}"
    assert (root / module / "py.typed").is_file()
    files = [path for path in root.rglob("*") if path.is_file()]
    assert {"pyproject.toml", "README.md", "__init__.py", "problem.py"} <= {path.name for path in files}
    assert not [path for path in files if "@" in str(path.relative_to(root))]
    assert not [path for path in files if "@NAME@" in path.read_text() or "@MODULE@" in path.read_text()]
    for command in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")):
        assert in_package(root, *command).returncode == 0, (
            "the length of the name changes what a line may hold"
        )


@pytest.mark.long
def test_the_package_works_as_it_is(run: Callable[..., Any], tmp_path: Path) -> None:
    """Its tests pass, mypy --strict is content, its example is solved and drawn, and the doctor is too."""
    root = tmp_path / "searchkit-two-jugs"
    assert run("new", "plugin", "two-jugs", "--dir", root).code == 0
    for command in (
        ("pytest", "-q", "-p", "no:cacheprovider"),
        ("mypy",),
        ("searchkit", "plugins", "--check", "two-jugs", "--examples", "20"),
    ):
        done = in_package(root, *command)
        assert done.returncode == 0, done.stdout
    solved = in_package(root, "searchkit", "solve", "first-two-jugs", "--draw")
    assert solved.returncode == 0, solved.stdout
    assert re.search(r"^cost +10\b", solved.stdout, re.MULTILINE)
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


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["countdown", "two-jugs"])
def test_a_bare_plugin_is_two_files_that_work(run: Callable[..., Any], tmp_path: Path, name: str) -> None:
    """It solves the file as the command says, is clean, and writes no other file."""
    root = tmp_path / "made"
    outcome = run("new", "plugin", name, "--bare", "--dir", root)
    assert (outcome.code, outcome.err, len(outcome.out.splitlines())) == (0, "", 3)
    module = f"searchkit_{name.replace('-', '_')}.py"
    assert {path.name for path in root.iterdir()} == {"pyproject.toml", module}
    (root / "first.txt").write_text(f"{name} 100\n")
    solved = in_package(root, "searchkit", "solve", "first.txt")
    assert "(optimal" in solved.stdout, solved.stdout
    for command in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")):
        checked = in_package(root, *command)
        assert checked.returncode == 0, checked.stdout
