"""Problems whose heuristic needs something that is computed first: `Preparable`."""

from collections.abc import Callable, Iterable
from threading import Event

import pytest

from searchkit import Limits, Search, SearchProblem, Status, solve


class Slow(SearchProblem[int, str]):
    """A line from 0 to 9. The work before the first heuristic value ends when the test lets it."""

    def __init__(self, error: Exception | None = None):
        self.error, self.may_end, self.calls, self.ready = error, Event(), 0, False

    def initial_states(self) -> Iterable[int]:
        return [0]

    def successors(self, state: int) -> Iterable[tuple[str, int]]:
        return [("right", state + 1)] if state < 9 else []

    def is_goal(self, state: int) -> bool:
        return state == 9

    def heuristic(self, state: int) -> int:
        assert self.ready
        return 9 - state

    def unprepared(self) -> Callable[[], object] | None:
        return None if self.ready else self.work

    def work(self) -> None:
        self.calls += 1
        self.may_end.wait()
        if self.error is not None:
            raise self.error
        self.ready = True


def test_limits_hold_while_the_work_is_done() -> None:
    """The cutoff loses nothing: the search goes on where the work was, and is done once."""
    problem = Slow()
    search = Search(problem, "astar")
    cut = search.run(Limits(seconds=0.05))
    assert (cut.status, cut.statistics.expanded, problem.calls) == (Status.CUTOFF, 0, 1)
    problem.may_end.set()
    assert search.run().cost == 9
    assert problem.calls == 1
    assert solve(problem, "astar").cost == 9
    assert problem.calls == 1


def test_an_interruption_ends_the_waiting() -> None:
    """As between two states."""
    problem = Slow()
    search = Search(problem, "idastar")
    search.interrupt()
    assert search.run().status == Status.CUTOFF
    problem.may_end.set()
    assert search.run().cost == 9


def test_engines_without_a_heuristic_do_not_wait() -> None:
    """They never ask for it."""
    problem = Slow()
    assert solve(problem, "bfs").cost == 9
    assert problem.calls == 0


def test_what_the_work_raises_is_raised_by_the_search() -> None:
    """With its own type, at the first run."""
    problem = Slow(OSError("no room for the table"))
    problem.may_end.set()
    with pytest.raises(OSError, match="no room for the table"):
        solve(problem, "astar")
