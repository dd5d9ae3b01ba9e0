"""`check_pair` finds the smallest problem on which two of a kind differ, and shows the difference."""

from typing import Any

import pytest

from searchkit.errors import InvalidOptionError, UnknownNameError
from searchkit.testing import CheckFailure, Report, check_pair
from searchkit.testing.spaces.digraphs import digraph
from searchkit.testing.strategies import mazes, weighted_digraphs
from searchkit_dungeon import grid
from tests.mutants.engines import fewest_steps, gives_up, shortest, walks_in_circles
from tests.mutants.heuristics import manhattan, one_more_near_walls
from tests.without_numba import with_numba


def failed(*arguments: Any, **how: Any) -> Report:
    """Return the report of a check that fails."""
    with pytest.raises(CheckFailure) as caught:
        check_pair(*arguments, **how)
    return caught.value.report


def test_engines_that_agree() -> None:
    """Two engines of searchkit, one of them and a function, two functions."""
    assert check_pair("dijkstra", "bucket", weighted_digraphs(), examples=100).examples == 100
    assert check_pair("dijkstra", shortest, weighted_digraphs(), examples=100)
    assert check_pair(fewest_steps, "bfs", mazes(size=7), examples=100)
    assert check_pair("auto", shortest, weighted_digraphs(), examples=50)


def test_engines_that_differ_are_shown_on_the_smallest_problem() -> None:
    """A few edges make steps and costs differ; both paths are shown, and the call that shows it again."""
    report = failed("dijkstra", fewest_steps, weighted_digraphs("int", heuristic="admissible"))
    (check,) = report.failures
    assert check.counterexample is not None
    assert len(check.counterexample.problem.edges) <= 6
    assert "the cost is" in check.detail
    names = [name for name, _ in check.counterexample.paths]
    assert names[:2] == ["the path of dijkstra", "the path of fewest_steps"]
    last = check.counterexample.reproduce[-1]
    assert last == "print(solve(problem, \"dijkstra\"), fewest_steps(problem), sep='\\n')"


def test_an_error_and_an_endless_loop_are_differences() -> None:
    """They are reported instead of an answer."""
    assert "an error, RuntimeError: no path" in failed(shortest, gives_up, mazes(size=5)).failures[0].detail
    assert (
        "not settled within"
        in failed(shortest, walks_in_circles, digraph("0 -1→ 1, 1 -1→ 0", [0], [])).failures[0].detail
    )


def test_heuristics() -> None:
    """The state and both values."""
    assert check_pair(manhattan, lambda state, problem: problem.heuristic(state), mazes(size=7))
    (check,) = failed(manhattan, one_more_near_walls, mazes(size=7)).failures
    assert check.counterexample is not None
    assert dict(check.counterexample.numbers).keys() == {"s", "manhattan(s)", "one_more_near_walls(s)"}
    assert check.counterexample.reproduce[-1].startswith("print(manhattan((")


def test_two_functions_of_one_name_are_told_apart() -> None:
    """They are called a and b."""
    report = failed(lambda s, problem: 1, lambda s, problem: 2, grid(["SG"]))
    assert "h (a) is 1, and h (b) is 2" in report.failures[0].detail


@with_numba
def test_backends_agree_in_everything() -> None:
    """One engine on both, or the choice of `auto`."""
    assert check_pair(("astar", "python"), ("astar", "compiled"), mazes(size=7), examples=50).examples == 50
    assert check_pair("python", "compiled", mazes(size=7), examples=50).examples == 50


def test_what_can_not_be_compared_is_skipped_with_the_reason() -> None:
    """An engine without a compiled form, or with a requirement that the problems do not meet."""
    (check,) = check_pair(("dfs", "python"), ("dfs", "compiled"), mazes(size=5)).checks
    assert check.outcome == "skipped"
    assert "compiled" in check.detail
    (check,) = check_pair("cbs", "astar", mazes(size=5)).checks
    assert check.outcome == "skipped"
    assert "Grid does not have" in check.detail


def test_wrong_use_is_explained() -> None:
    """What was given, what was expected."""
    with pytest.raises(InvalidOptionError, match="expected two engines or two heuristics"):
        check_pair("astar", manhattan, mazes())
    with pytest.raises(
        InvalidOptionError, match="expected an engine and a backend out of auto, python, compiled"
    ):
        check_pair(("astar", "gpu"), "astar", mazes())
    with pytest.raises(UnknownNameError, match="there is no engine 'a-star'"):
        check_pair("a-star", "astar", mazes())
    with pytest.raises(InvalidOptionError, match="expected a problem, or a Hypothesis strategy"):
        check_pair("bfs", "astar", 3)
