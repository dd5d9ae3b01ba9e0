"""`./run fuzz` finds a planted defect, and what it prints is a test that fails until the defect is gone."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from searchkit import available_engines
from searchkit.engines.uninformed.dijkstra import dijkstra
from searchkit.testing import CheckFailure
from tests.fuzz import planted
from tests.fuzz.__main__ import main
from tests.fuzz.driver import Fuzz, seed_of
from tests.fuzz.failure import Failure
from tests.fuzz.looks import AGAIN, OnProblems, OnViews, files_of_properties, kinds, looks

PLANTED = "tests.fuzz.planted:last_first"
ROOT = Path(__file__).parents[2]
KIND = "strategies.weighted_digraphs(heuristic='admissible')"
ON_DIGRAPHS = OnProblems(PLANTED, KIND, "python")


def run_file(text: str) -> None:
    """Run the one test of a file."""
    namespace: dict[str, Any] = {}
    exec(compile(text, "a regression", "exec"), namespace)
    (test,) = (value for name, value in namespace.items() if name.startswith("test_"))
    test()


def test_a_planted_defect_is_found_and_becomes_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file has the smallest problem; it fails with the defect, and passes without it."""
    (failure,) = [found for found in ON_DIGRAPHS.run(1, 150) if found.name.endswith(": optimal")]
    text = failure.as_file()
    assert "problem = digraph(" in text
    with pytest.raises(CheckFailure, match="its path costs"):
        run_file(text)
    monkeypatch.setattr(planted, "last_first", dijkstra)
    run_file(text)


def test_the_command_prints_the_file_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Exit code 1; and 0 for an engine that has no such defect. The same seed prints the same."""
    shown = []
    monkeypatch.setattr("tests.fuzz.looks.kinds", lambda: [KIND])
    for _ in range(2):
        how = f"fuzz --rounds 1 --seed 1 --examples 60 --processes 1 --into {tmp_path} --engines {PLANTED}"
        monkeypatch.setattr(sys, "argv", how.split())
        assert main() == 1
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    (path,) = [path for path in tmp_path.iterdir() if "optimal" in path.name]
    assert f"--- {path.name} ---\n{path.read_text(encoding='utf-8')}" in shown[0]
    monkeypatch.setattr(
        sys, "argv", ["fuzz", "--rounds", "1", "--seed", "1", "--examples", "5", "--engines", "dfs"]
    )
    assert main() == 0
    monkeypatch.setattr(sys, "argv", ["fuzz", "--engines", "asta"])
    assert main() == 2


@frozen
class Ends:
    """A look that ends its process."""

    name: str = "the end"

    def run(self, seed: int, examples: int) -> list[Failure]:
        """End it."""
        os._exit(7)


def test_a_crash_is_a_failure_and_ends_nothing_else() -> None:
    """A kernel that crashes would do the same."""
    fuzz = Fuzz([Ends(), OnProblems("dfs", "strategies.mazes()", "python")], 0, 3, 2)  # type: ignore[list-item]
    fuzz.run(rounds=1)
    assert fuzz.done == 2
    assert [failure.report for failure in fuzz.failures.values()] == ["the process ended with exit code 7"]


def test_everything_that_is_registered_is_looked_at() -> None:
    """Every engine on every kind of problem, with its kernel; the views; and the properties of the suite."""
    pytest.importorskip("numba")
    found = set(looks())
    for name, spec in available_engines().items():
        for kind in kinds():  # check_engine needs a form in Python
            assert (OnProblems(name, kind, "python") in found) != spec.layered
            assert (OnProblems(name, kind, "compiled") in found) == (bool(spec.kernel) and not spec.layered)
    assert OnViews("strategies.mazes()") in found
    assert "tests/contract/test_answers.py" in files_of_properties()


def test_properties_are_run_with_other_examples() -> None:
    """By pytest, here in a process of its own, as it reports what was left in the one that it runs in.

    A failure is a test that runs the property again.
    """
    code = (
        "from tests.fuzz.driver import Fuzz; from tests.fuzz.looks import OnProperties; "
        "fuzz = Fuzz([OnProperties('tests/test_effort.py', 0.2)], 5, 1, 1); fuzz.run(rounds=1); "
        "assert (fuzz.done, fuzz.failures) == (1, {}), fuzz.failures"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    text = Failure("test_x", "what it said", (AGAIN, "run_again('tests/x.py::test_x', ())")).as_file()
    compile(text, "a regression", "exec")
    assert "from tests.fuzz.failure import run_again" in text


def test_a_problem_that_can_t_be_written_is_found_again_by_its_seed() -> None:
    """The file repeats the look."""
    text = Failure("it", "what it said", seed=1).as_file(f"{ON_DIGRAPHS!r}.run(seed=1, examples=150)")
    assert f"assert {ON_DIGRAPHS!r}.run(seed=1, examples=150) == []" in text
    with pytest.raises(AssertionError):
        run_file(text)


def test_seeds_follow_from_the_look() -> None:
    """It depends on what is checked, not on the order, and changes in each round."""
    assert seed_of(1, 0, ON_DIGRAPHS) == seed_of(1, 0, OnProblems(PLANTED, KIND, "python"))
    assert len({seed_of(1, 0, ON_DIGRAPHS), seed_of(1, 1, ON_DIGRAPHS), seed_of(2, 0, ON_DIGRAPHS)}) == 3
