"""`check_saving` finds engines and problems whose searches don't go on after they were saved."""

from collections import deque
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from attrs import frozen

from searchkit import SearchProblem
from searchkit.engines.uninformed.bfs import breadth_first
from searchkit.errors import InvalidOptionError
from searchkit.testing import CheckFailure, Report, check_saving
from searchkit.testing.spaces.digraphs import digraph
from searchkit.testing.strategies import mazes, weighted_digraphs
from searchkit_dungeon import grid

compiled = pytest.mark.skipif(
    find_spec("numba") is None, reason="the compiled backend needs the extra `fast`"
)


def failed(*arguments: Any, **how: Any) -> Report:
    """Return the report of a check that fails."""
    with pytest.raises(CheckFailure) as caught:
        check_saving(*arguments, **how)
    return caught.value.report


def forgets(problem: Any, tree: Any) -> Iterator[Any]:
    """Search breadth-first, with a queue that is not in the tree."""
    waiting = deque(problem.initial_states())
    tree.reached.update(dict.fromkeys(waiting, (0, None, None)))
    while waiting:
        state = waiting.popleft()
        yield state
        if problem.is_goal(state):
            tree.finish(state)
            return
        for action, successor in problem.successors(state):
            tree.generated += 1
            if successor not in tree.reached:
                tree.reached[successor] = tree.reached[state][0] + 1, state, action
                waiting.append(successor)


def keeps_a_function(problem: Any, tree: Any) -> Iterator[Any]:
    """Search breadth-first, and keep in the tree what no file can hold."""
    tree.details["how"] = lambda state: state
    yield from breadth_first(problem, tree)


def loses_its_details(problem: Any, tree: Any) -> Iterator[Any]:
    """Search breadth-first; count again from where it was resumed."""
    tree.generated = 0
    yield from breadth_first(problem, tree)


@pytest.mark.parametrize(
    ("engine", "promise", "detail"),
    [
        (forgets, "goes on", "the status is unsolvable instead of solved"),
        (keeps_a_function, "saves", "encode_state.*keeps_a_function.* it is not a state of this digraph"),
        (loses_its_details, "goes on", "generated is"),
    ],
)
def test_engines_that_can_not_go_on(engine: Callable[..., Any], promise: str, detail: str) -> None:
    """The promise that is broken, the problem, and the line that shows it again."""
    report = failed(engine, digraph("0 → 1, 1 → 2", [0], [2]))
    (check,) = report.failures
    assert check.name == promise
    with pytest.raises(CheckFailure, match=detail):
        report.or_raise()
    assert check.counterexample is not None
    assert check.counterexample.reproduce[-1] == f"check_saving({engine.__name__}, problem)"
    after = [later for later in report.checks if later.outcome == "skipped"]
    assert len(after) == ("goes on", "loads", "saves").index(promise)


class Floors(SearchProblem["Floor", str]):
    """A lift between floors."""

    def initial_states(self) -> list["Floor"]:
        """Begin on the ground."""
        return [Floor(0)]

    def is_goal(self, state: "Floor") -> bool:
        """Whether it is the last floor."""
        return state.number == 9

    def successors(self, state: "Floor") -> list[tuple[str, "Floor"]]:
        """Go up by one or two floors."""
        return [(f"up {by}", Floor(state.number + by)) for by in (1, 2) if state.number + by <= 9]


@frozen
class Floor:
    """A state."""

    number: int

    def __del__(self) -> None:
        """Keep its instances out of files: they may hold what another process does not have."""


class Counting(Floors):
    """A problem with an attribute that changes during a search."""

    def __init__(self) -> None:
        self.asked = 0

    def successors(self, state: Floor) -> list[tuple[str, Floor]]:
        """Count the calls."""
        self.asked += 1
        return super().successors(state)


class Encoding(Floors):
    """A problem that says how to write its states."""

    def encode_state(self, state: Floor) -> int:
        """Return the number."""
        return state.number

    def decode_state(self, value: Any) -> Floor:
        """Return the floor."""
        return Floor(value)


class Wrong(Encoding):
    """A problem that reads another state than was written."""

    def decode_state(self, value: Any) -> Floor:
        """Return the floor, but never a low one."""
        return Floor(max(value, 3))


def test_problems_whose_states_can_not_be_written() -> None:
    """Each is told what to do; with the hooks, it holds."""
    assert "encode_state and decode_state" in failed("bfs", Floors()).failures[0].detail
    assert check_saving("bfs", Encoding()).examples == 1
    assert failed("bfs", Wrong()).failures[0].name in ("loads", "goes on")


def test_a_problem_that_changes_while_it_is_searched() -> None:
    """The file names the problem as it was."""

    class Both(Counting, Encoding):
        pass

    (check,) = failed("bfs", Both()).failures
    assert check.name == "loads"
    assert "one of its attributes changes during a search, such as a cache" in check.detail


def test_the_smallest_problem_is_shown() -> None:
    """Of those drawn, one whose start is a goal."""
    (check,) = failed(keeps_a_function, weighted_digraphs(), examples=5).failures
    assert check.counterexample is not None
    assert check.counterexample.problem.edges == ()


def test_engines_of_searchkit() -> None:
    """In Python; states that support only equality are among those drawn."""
    assert check_saving("astar", examples=9).holds
    assert check_saving("beam", mazes(size=7), examples=5, width=2).examples == 5


@compiled
def test_machine_code_that_loses_what_it_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is restored without a counter."""
    from searchkit.compiled.kit import control
    from searchkit.kernels.best_first import BestFirst

    square = grid(["S.#G", "...."])
    assert check_saving("astar", square, backend="compiled").examples == 1
    restore = BestFirst.restore_arrays

    def loses_a_counter(self: Any, fields: Any) -> None:
        restore(self, fields)
        self.counters[control.GENERATED] = 0

    monkeypatch.setattr(BestFirst, "restore_arrays", loses_a_counter)
    report = failed("astar", square, backend="compiled")
    assert report.failures[0].name == "goes on"
    assert report.failures[0].counterexample is not None
    assert report.failures[0].counterexample.reproduce[-1] == (
        "check_saving(\"astar\", problem, backend='compiled')"
    )


def test_what_can_not_be_checked() -> None:
    """An engine without a compiled form is skipped with the reason; wrong use is an error."""
    (check, *_) = check_saving("dfs", mazes(size=5), backend="compiled").checks
    assert check.outcome == "skipped"
    assert "compiled" in check.detail
    with pytest.raises(InvalidOptionError, match="is a function of a problem, which can't be paused"):
        check_saving(lambda problem: None)
    with pytest.raises(InvalidOptionError, match="'auto': expected python or compiled"):
        check_saving("astar", backend="auto")
