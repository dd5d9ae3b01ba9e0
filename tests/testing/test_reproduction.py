"""Failures are drawn, and written as lines of Python that repeat them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import problem_from, solve
from searchkit.plugin.loading import write
from searchkit.testing import CheckFailure, check_heuristic, digraph, explore, strategies
from searchkit.testing.reports import express, picture, reproduce
from searchkit_classics.pacman import Corners


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_lines_show_the_problem_again(data: st.DataObject) -> None:
    """They run unchanged, and end with the same result."""
    graphs = strategies.weighted_digraphs(heuristic="admissible")
    problem = data.draw(st.one_of(graphs, strategies.grids(4), strategies.vaults(3)))
    if not isinstance(problem, type(digraph("", [0], [], {}))):
        problem = data.draw(strategies.heuristics_for(problem))
    lines = reproduce(problem, 'solve(problem, "astar")')
    assert len(lines) == 3
    namespace: dict[str, Any] = {}
    exec("\n".join(lines[:2]), namespace)
    assert explore(namespace["problem"]).least_cost == explore(problem).least_cost
    assert eval(lines[2], namespace).cost == solve(problem, "astar").cost


def test_the_imports_are_those_that_the_lines_need() -> None:
    """Names inside texts and after dots do not count."""
    graph = digraph("0 -1/2→ 1", [0], [1])
    lines = reproduce(graph, 'check_engine("astar", problems=problem, limits=Limits(expansions=3)).solve')
    assert lines[0] == (
        "from searchkit import Limits; from searchkit.testing import check_engine; "
        "from searchkit.testing.spaces.digraphs import digraph"
    )


def test_a_problem_that_nobody_can_write() -> None:
    """The lines given for that case; none is the default."""
    problem = problem_from([0], lambda state: [], lambda state: True)
    assert write(problem) is None
    assert express(problem) is None
    assert reproduce(problem, "solve(problem)") == ()


class Bare:
    """A problem of a file, made without arguments; its repr is not an expression."""


def test_a_class_that_needs_no_arguments_is_imported_and_called() -> None:
    """The lines to see a failure again run as they are."""
    problem: Any = Bare()
    assert reproduce(problem, "check_problem(problem)")[1:] == ("problem = Bare()", "check_problem(problem)")


def test_a_path_can_be_drawn_in_its_first_state() -> None:
    """What was collected before is not shown, and what the path collects is; other problems are drawn as ever."""
    corners = Corners("%%%%%\n%P  %\n%   %\n%%%%%")
    path = [((2, 2), ((3, 1), (3, 2))), ((3, 2), ((3, 1),)), ((3, 1), ())]
    drawn = picture(corners, path).splitlines()
    assert drawn[:4] == ["█████", "█  ◆█", "█ P◆█", "█████"]
    assert drawn[-1].endswith("-1→ ((3, 1), ()), cost 2")
    assert picture(corners).splitlines()[1] == "█P ◇█"


def test_the_counterexample_of_a_heuristic_is_drawn_in_its_state() -> None:
    """Here one corner is left, and the heuristic is wrong in no other state."""
    corners = Corners("%%%%%\n%P  %\n%   %\n%%%%%")
    wrong = ((2, 2), ((3, 2),))
    with pytest.raises(CheckFailure) as failure:
        check_heuristic(corners, lambda state, problem: 5 * (state == wrong), promises=["admissible"])
    case = failure.value.report.failures[0].counterexample
    assert case is not None
    assert case.paths[0][1].splitlines()[:4] == ["█████", "█   █", "█ P◆█", "█████"]
