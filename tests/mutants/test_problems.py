"""The reports on planted defects show the smallest case, and sound problems are not suspected."""

from collections.abc import Iterator

import pytest

from searchkit.testing import Check, CheckFailure, check_problem
from searchkit.testing import problems as check
from searchkit.testing.problems import examine
from tests.mutants import problems
from tests.mutants.ladders import Climb, Ladder, installed, ladders
from tests.mutants.problems import MUTANTS


@pytest.fixture(autouse=True)
def with_plugin() -> Iterator[None]:
    """Install the plugin that draws and writes ladders."""
    with installed():
        yield


def broken(name: str, seed: int) -> tuple[Check, ...]:
    """Return the checks that fail for the ladders of a class."""
    with pytest.raises(CheckFailure) as failure:
        check_problem(ladders(getattr(problems, name)), seed=seed)
    return failure.value.report.failures


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", MUTANTS)
def test_the_report_shows_the_smallest_case(name: str) -> None:
    """It says what happened, shows the problem or a path on it, and ends in lines of Python."""
    check = next(check for check in broken(name, 0) if check.name in MUTANTS[name])
    case = check.counterexample
    assert case is not None
    assert check.detail
    assert case.drawing or case.paths or name == "OneShotStarts"  # whose starts are used up
    assert 2 <= len(case.reproduce) <= 3
    if name != "SetOrder":  # a case that three processes were asked about is not made smaller
        shorter = [getattr(problems, name)(rungs) for rungs in range(case.problem.rungs)]
        assert not [ladder for ladder in shorter if check.name in examine(ladder, 200).faults]


def test_a_sound_problem() -> None:
    """The ladder that the defects are planted in keeps every promise, in three processes too."""
    assert check_problem(Ladder(8)).holds


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask one process for the order of successors: the tests of `SetOrder` compare several."""
    monkeypatch.setattr(check, "HASH_SEEDS", ("1",))


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("sound", [Ladder, Climb])
def test_a_sound_strategy(sound: type[Ladder]) -> None:
    """So do the strategies of it."""
    assert check_problem(ladders(sound)).holds
