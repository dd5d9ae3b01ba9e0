"""`engines`, `problems`, `plugins`, `demo` and `--version`."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from searchkit import __version__
from searchkit.plugin.registry import DISABLE_VARIABLE, registry
from tests.cli.schema import check_output


def test_the_version(run: Callable[..., Any]) -> None:
    """One line."""
    outcome = run("--version")
    assert (outcome.code, outcome.out) == (0, f"searchkit {__version__}\n")


def test_the_engines(run: Callable[..., Any]) -> None:
    """Every engine of the registry, with its promises, its options, and whether it has a compiled form."""
    outcome = run("engines")
    assert outcome.code == 0
    for spec in registry().engines.values():
        row = next(line for line in outcome.out.splitlines() if line.startswith(f"│ {spec.name} "))
        assert ("optimal" in row) == spec.optimal
        assert ("heuristic" in row) == (spec.heuristic == "required")
        assert row.rstrip(" │").endswith(" yes") == bool(spec.kernel)
        for option in spec.options:
            assert f"│ {option.name} " in outcome.out


def test_the_problems(run: Callable[..., Any]) -> None:
    """Every kind of problem with its examples; of one that is named, its options with their choices too."""
    outcome = run("problems")
    assert outcome.code == 0
    for name in ("field", "line", "odd", "faulty"):
        assert f"│ {name} " in outcome.out
    assert "meadow, a file" in outcome.out
    assert "how it is drawn" not in outcome.out
    for name in ("field", "meadow"):
        outcome = run("problems", name)
        for row in ("field", "start", "goal", "paint", "meadow"):
            assert f"│ {row} " in outcome.out
        assert "│ line " not in outcome.out
        assert "plain | raising | colourless: how it is drawn" in outcome.out
    assert [each["name"] for each in check_output(run("problems", "meadow", "--json").out)["problems"]] == [
        "field"
    ]
    outcome = run("problems", "feild")
    assert outcome.code == 2
    assert (
        "there is no problem and no example 'feild': did you mean field? See: searchkit problems"
        in outcome.err
    )


def test_the_plugins(run: Callable[..., Any]) -> None:
    """Name, package, version, hooks and status; a blocked one is there too."""
    outcome = run("plugins")
    assert (outcome.code, outcome.err) == (0, "")
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in outcome.out.splitlines() if "│" in line
    ]
    assert ["toy", "toy-searchkit", "1.2", "searchkit_commands", "active"] in rows
    assert any(row[0] == "dungeon" and row[4].startswith("blocked by") for row in rows)


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a plugin that raises when it is imported, and one whose problem clashes with the toy's."""
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('the fuse is blown')\n")
    (tmp_path / "rival_plugin.py").write_text(
        "import searchkit, toy_searchkit\n\n@searchkit.hookimpl\ndef searchkit_problems():\n"
        "    return [searchkit.ProblemSpec('field', 'another', toy_searchkit.Field)]\n"
    )
    folder = tmp_path / "broken-0.9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0.9\n")
    (folder / "entry_points.txt").write_text("[searchkit]\nbroken = broken_plugin\nrival = rival_plugin\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("broken")
def test_a_plugin_that_failed(run: Callable[..., Any]) -> None:
    """It is listed with the reason, its traceback is shown on demand, and the others go on working."""
    outcome = run("plugins")
    assert (outcome.code, outcome.err) == (0, "")
    assert "plugin 'broken' failed: RuntimeError: the fuse is blown\n" in outcome.out
    assert "Traceback" not in outcome.out
    assert "problem 'field' is brought by several plugins, rival and toy" in outcome.out
    outcome = run("plugins", "--traceback")
    assert "plugin 'broken':\nTraceback" in outcome.out
    assert "RuntimeError: the fuse is blown" in outcome.out


@pytest.mark.usefixtures("broken")
def test_a_plugin_that_failed_is_one_line_of_warning_elsewhere(
    run: Callable[..., Any], file: Callable[..., Any]
) -> None:
    """The result is not touched."""
    outcome = run("solve", file("line 0 2"), "--json")
    assert outcome.code == 0
    assert outcome.err == (
        "warning: plugin 'broken' was left out: RuntimeError: the fuse is blown; "
        "details: searchkit plugins --traceback\n"
    )


@pytest.mark.usefixtures("broken")
def test_a_kind_of_problem_that_clashes(run: Callable[..., Any]) -> None:
    """Both plugins are named, and how to block one."""
    outcome = run("solve", "meadow", "--problem", "field")
    assert outcome.code == 2
    assert "problem 'field' is brought by several plugins: rival and toy" in outcome.err.splitlines()[-1]


def test_the_demo(run: Callable[..., Any], tmp_path: Path) -> None:
    """Four engines, their drawings and the table, and the same as a picture."""
    picture = tmp_path / "demo.svg"
    outcome = run("demo", "--svg", picture)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(
        "$ searchkit compare meadow --engines dijkstra,astar,wastar,greedy --draw\n"
    )
    words = outcome.out.replace(",", " ").split()
    for engine in ("dijkstra", "astar", "wastar", "greedy"):
        assert words.count(engine) == 3  # the command, the drawing's title, the table
    assert outcome.out.count("# wall") == 1
    text = "".join(ElementTree.parse(picture).getroot().itertext())
    assert "greedy" in text
    assert "expanded" in text


def test_the_command_that_the_demo_shows_works(run: Callable[..., Any]) -> None:
    """A reader can type it."""
    command = run("demo").out.splitlines()[0].removeprefix("$ searchkit ").split()
    assert run(*command).code == 0


def test_a_demo_without_examples(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It says why there is nothing to show."""
    monkeypatch.setenv(DISABLE_VARIABLE, os.environ[DISABLE_VARIABLE] + ",toy")
    outcome = run("demo")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "error: no plugin brings an example to show; see: searchkit plugins\n"
