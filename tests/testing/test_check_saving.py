"""`check_saving` finds engines and problems whose searches don't continue after they were saved."""

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
    ("engine", "detail"),
    [
        (forgets, "after it was loaded, "),
        (keeps_a_function, "keeps_a_function.* is of type builtins.function"),
        (loses_its_details, "generated is"),
    ],
)
def test_engines_that_can_not_continue(engine: Callable[..., Any], detail: str) -> None:
    """What is wrong, the problem, and the line that shows it again."""
    report = failed(engine, digraph("0 → 1, 1 → 2", [0], [2]))
    (check,) = report.failures
    with pytest.raises(CheckFailure, match=detail):
        report.or_raise()
    assert check.counterexample is not None
    assert check.counterexample.reproduce[-1] == f"check_saving({engine.__name__}, problem)"


class Floors(SearchProblem["Floor", str]):
    """A lift between floors."""

    def initial_states(self) -> list["Floor"]:
        return [Floor(0)]

    def is_goal(self, state: "Floor") -> bool:
        return state.number == 9

    def successors(self, state: "Floor") -> list[tuple[str, "Floor"]]:
        return [(f"up {by}", Floor(state.number + by)) for by in (1, 2) if state.number + by <= 9]


@frozen
class Floor:
    """A state."""

    number: int


class Counting(Floors):
    """A problem with an attribute that changes during a search."""

    def __init__(self) -> None:
        self.asked = 0

    def successors(self, state: Floor) -> list[tuple[str, Floor]]:
        self.asked += 1
        return super().successors(state)


def test_a_problem_that_changes_while_it_is_searched() -> None:
    """The file names the problem as it was."""
    assert check_saving("bfs", Floors()).examples == 1
    (check,) = failed("bfs", Counting()).failures
    assert "one of its attributes changes during a search, such as a cache" in check.detail


def test_the_smallest_problem_is_shown() -> None:
    """Of those drawn, one whose start is a goal."""
    (check,) = failed(keeps_a_function, weighted_digraphs(), examples=5).failures
    assert check.counterexample is not None
    assert check.counterexample.problem.edges == ()


@compiled
def test_machine_code() -> None:
    """The kernel's nodes are inserted again."""
    assert check_saving("astar", grid(["S.#G", "...."]), backend="compiled").examples == 1


def test_what_can_not_be_checked() -> None:
    """An engine without a compiled form is skipped with the reason; wrong use is an error."""
    (check,) = check_saving("dfs", mazes(size=5), backend="compiled").checks
    assert check.outcome == "skipped"
    assert "compiled" in check.detail
    with pytest.raises(InvalidOptionError, match="is a function of a problem, which can't be paused"):
        check_saving(lambda problem: None)
    with pytest.raises(InvalidOptionError, match="'auto': expected python or compiled"):
        check_saving("astar", backend="auto")
