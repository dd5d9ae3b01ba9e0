"""`solve_many` with workers: searches in other processes give the results of searches in this one."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, wait
from pathlib import Path
from time import sleep

import pytest

from searchkit import Limits, Result, SearchProblem, Status, solve, solve_many
from searchkit.disk.executors import open_executor
from searchkit.errors import InvalidOptionError, InvalidProblemError, UnknownNameError, WorkerError
from tests.search.many.queries import AISLES, CRYPT, alike


class Line(SearchProblem[int, str]):
    """A line of numbers from 0 on; it is endless if the goal is not on it."""

    def __init__(self, goal: float, dead_at: int = -1, calls: str = ""):
        self.goal, self.dead_at, self.calls = goal, dead_at, calls

    def initial_states(self) -> list[int]:
        return [0]

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> list[tuple[str, int]]:
        if state == self.dead_at:
            if not self.calls:
                raise ValueError(f"{state} can't be left")
            with Path(self.calls).open("a") as file:
                file.write("x")
            if Path(self.calls).stat().st_size < 3:
                os.kill(os.getpid(), signal.SIGKILL)
        return [("+1", state + 1)]


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    """Two processes for all tests of this module."""
    pytest.importorskip("loky")
    with open_executor("processes:2") as processes:
        wait([processes.submit(sleep, 0.1), processes.submit(sleep, 0.1)])  # its threads begin
        yield processes


@pytest.mark.parametrize("name", ["serial", "processes"])
def test_results_are_those_of_this_process(name: str, two: Executor) -> None:
    """In the order of the queries, with solution and statistics; an executor is left open."""
    opened = two if name == "processes" else open_executor(name)
    queries = AISLES * 30
    here = [alike(result, "python") for result in solve_many(CRYPT, queries, "astar", backend="python")]
    found = solve_many(CRYPT, queries, "astar", backend="python", workers=opened)
    assert [alike(result, "python") for result in found] == here
    answers = solve_many([Line(2), Line(5)], backend="python", workers=opened)
    for goal, result in zip((2, 5), answers, strict=True):
        assert result.cost == goal
        assert alike(result, "python") == alike(solve(Line(goal), backend="python"), "python")
    assert opened.submit(os.getpid).result() > 0
    if opened is not two:
        opened.shutdown()


def test_errors_and_cutoffs_come_in_their_places(two: Executor) -> None:
    """An error names its query; after it, the iterator goes on. A result that was cut off has no search here."""
    problems = [Line(3), Line(9, dead_at=4), Line(0.5), Line(4)]
    answers = solve_many(problems, limits=Limits(expansions=50), backend="python", workers=two)
    assert next(answers).cost == 3
    with pytest.raises(InvalidProblemError, match="4 can't be left") as raised:
        next(answers)
    assert any(note.startswith("in query 1 of solve_many") for note in raised.value.__notes__)
    assert any("in successors" in note for note in raised.value.__notes__)
    cut: Result[int, str] = next(answers)
    assert (cut.status, cut.statistics.expanded, cut.cutoff) == (
        Status.CUTOFF,
        50,
        "the limit of 50 expansions",
    )
    assert not cut.search
    assert next(answers).cost == 4
    assert list(answers) == []


def test_what_can_not_be_sent_and_what_is_not_combined(two: Executor) -> None:
    """Each is an error before a search begins, and says what to do."""
    with pytest.raises(UnknownNameError, match="did you mean processes"):
        solve_many([Line(1)], workers="process")
    with pytest.raises(
        InvalidOptionError, match="workers=4: expected a name such as processes:4 or threads:4"
    ):
        solve_many([Line(1)], workers=4)  # type: ignore[arg-type]
    locked = Line(1)
    locked.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(WorkerError, match="can't be sent to another process"):
        next(solve_many([locked], workers=two))
