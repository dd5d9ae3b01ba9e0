"""`searchkit compile`: all that is installed, from the registry; what fails is named."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.commands import compile as command
from searchkit.errors import MissingExtraError
from searchkit.plugin.registry import DISABLE_VARIABLE, registry
from tests.without_numba import with_numba


@pytest.fixture
def bundled(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what runs `searchkit` with the dungeon plugin, which the other tests of the command line do without."""
    blocked = os.environ[DISABLE_VARIABLE].split(",")
    monkeypatch.setenv(DISABLE_VARIABLE, ",".join(name for name in blocked if name != "dungeon"))
    return run


def test_every_compiled_engine_and_every_problem_is_searched() -> None:
    """Nothing is kept by hand: the registry says what there is."""
    found = registry()
    tasks = list(command.tasks_of(found, set(), set()))
    assert {task.engine for task in tasks} == {spec.name for spec in found.engines.values() if spec.kernel}
    assert {task.problem for task in tasks} == {
        spec.name for spec in found.problems.values() if spec.examples
    }
    assert any(task.options for task in tasks)


@with_numba
def test_what_is_compiled_is_counted(bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compiled once; the command says where it is."""
    tasks_of = command.tasks_of
    monkeypatch.setattr(command, "tasks_of", lambda *chosen: islice(tasks_of(*chosen), 2))
    first = bundled("compile", "--problem", "dungeon", "--engine", "bfs")
    assert first.code == 0
    again = bundled("compile", "--problem", "dungeon", "--engine", "bfs")
    assert again.code == 0
    assert again.out.startswith("0 functions compiled, ")
    assert " MB, " in again.out


def test_the_list_compiles_nothing(bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each search."""
    monkeypatch.setattr(command, "_try", None)
    listed = bundled("compile", "--list", "--engine", "bfs", "--problem", "dungeon")
    assert listed.code == 0
    assert all(line.startswith("bfs on ") for line in listed.out.splitlines())
    assert any(" moves=" in line or " lengths=" in line for line in listed.out.splitlines())


@with_numba
def test_what_fails_is_named(bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, and in the exit code."""
    monkeypatch.setattr(command, "_try", lambda task: "out of luck")
    failed = bundled("compile", "--engine", "bfs", "--problem", "dungeon")
    assert failed.code == 1
    assert "not compiled: bfs on " in failed.err
    assert ": out of luck" in failed.err


def test_wrong_names_are_wrong_use(bundled: Callable[..., Any]) -> None:
    """As everywhere."""
    assert bundled("compile", "--engine", "nosuch").code == 2
    assert bundled("compile", "--problem", "nosuch").code == 2


def test_without_numba_it_says_what_to_install(
    bundled: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And compiles nothing."""

    def fail(spec: object) -> None:
        raise MissingExtraError("machine code can't be used: install it again")

    monkeypatch.setattr("searchkit.search.backend.import_kernels", fail)
    failed = bundled("compile")
    assert (failed.code, failed.out) == (2, "")
    assert "install it again" in failed.err


@with_numba
def test_what_has_no_compiled_form_has_nothing_to_compile() -> None:
    """It is not a failure."""
    assert command._try(command.Task("robots", "deadlock", {}, "bfs")) is None
    assert command._try(command.Task("graph", "streets", {}, "zero_one")) is None


SOLVE = """
import json, sys
from searchkit import Limits, Search, load
from searchkit.cli.commands.compile import _ties, tasks_of
from searchkit.errors import SearchkitError
from searchkit.plugin.registry import registry
from searchkit.search.distances import KERNELS, Goalless, with_distances
engines, problems = map(set, json.loads(sys.argv[1]))
solved = 0
for task in tasks_of(registry(), engines, problems):
    try:
        problem = load(task.example, task.problem, **task.options)
    except SearchkitError:  # options that this example can't have
        continue
    spec = registry().engine(task.engine)
    for options in _ties(spec):
        try:
            search = Search(problem, spec, backend="compiled", **options)
            result = search.run(Limits(expansions=3_000))
        except SearchkitError:  # an engine that does not fit
            continue
        search.run(Limits(expansions=10))
        if spec.name in KERNELS:
            Search(Goalless(problem), with_distances(spec.name), backend="compiled").run(Limits(expansions=3_000))
        solved += 1
print(solved)
"""


def solve_all(folder: Path, engines: list[str], problems: list[str]) -> tuple[int, list[str]]:
    """Compile into a folder, then solve everything; return how many searches were run, and what was compiled for it."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    environment.pop(DISABLE_VARIABLE, None)
    chosen = [word for name in engines for word in ("-e", name)] + [
        word for name in problems for word in ("-p", name)
    ]
    command = [sys.executable, "-m", "searchkit", "compile", *chosen]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    before = set(folder.rglob("*.nbc"))
    assert before
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, json.dumps([engines, problems])],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout), sorted(path.name for path in set(folder.rglob("*.nbc")) - before)


def test_after_it_nothing_of_a_problem_is_compiled(tmp_path: Path) -> None:
    """In any example of one, and with any option."""
    solved, compiled = solve_all(tmp_path, ["bfs"], ["graph"])
    assert solved >= 3
    assert compiled == []


@pytest.mark.long
def test_after_it_nothing_at_all_is_compiled(tmp_path: Path) -> None:
    """Each bundled problem, each of its options, each compiled engine, each of its ties."""
    solved, compiled = solve_all(tmp_path, [], [])
    assert solved >= 1_000
    assert compiled == []
