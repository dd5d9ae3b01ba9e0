"""Failures are drawn, and written as lines of Python that repeat them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import problem_from, solve
from searchkit.plugin.loading import write
from searchkit.testing import CheckFailure, check_heuristic, explore, strategies
from searchkit.testing.reports import express, path_in_words, picture, reproduce
from searchkit.testing.spaces.digraphs import digraph
from searchkit_classics.pacman import Corners
from searchkit_dungeon import grid


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
    assert explore(namespace["problem"]).least_cost() == explore(problem).least_cost()
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
    assert reproduce(problem, "solve(problem)", ["check_problem(…)"]) == ("check_problem(…)",)


EDGES = "0 -9→ 2, 0 -1→ 1, 1 -1/2→ 2"


def test_a_path_stands_in_words_beside_its_drawing() -> None:
    """With the cost of each step: on a path of one step the drawing shows nothing but start and goal."""
    ground = grid(["3.", "#5"], start=(0, 0), goal=(1, 1))
    lines = picture(ground, [(0, 0), (1, 0), (1, 1)]).splitlines()
    assert lines[:2] == ["❸●", "█⓹"]
    assert lines[-1] == "(0, 0) -1→ (1, 0) -5→ (1, 1), cost 6"
    assert picture(grid(["SG"]), [(0, 0), (1, 0)]).splitlines()[-1] == "(0, 0) -1→ (1, 0), cost 1"


def test_digraphs_have_one_notation() -> None:
    """Tail, cost, head, in lists, in paths and in the expression that makes the graph; edges are not numbered."""
    graph = digraph(EDGES, starts=[0], goals=[2], heuristic={0: 1})
    assert EDGES in repr(graph)
    assert path_in_words(graph, [0, 1, 2]) == "0 -1→ 1 -1/2→ 2, cost 3/2"
    assert picture(graph).splitlines()[1] == "0, h = 1: -9→ 2, -1→ 1"
    assert path_in_words(graph, [0, 2, 1]) == "0 -9→ 2 -?→ 1"


class Bare:
    """A problem of a file, made without arguments; its repr is not an expression."""


def test_a_class_that_needs_no_arguments_is_imported_and_called() -> None:
    """The lines to see a failure again run as they are."""
    problem: Any = Bare()
    assert reproduce(problem, "check_problem(problem)")[1:] == ("problem = Bare()", "check_problem(problem)")


def test_a_long_path_is_cut_in_the_middle() -> None:
    """Its cost is that of the whole path."""
    row: Any = problem_from([0], lambda n: [("on", n + 1)], lambda n: n == 99)
    words = path_in_words(row, range(100))
    assert words.startswith("0 -1→ 1 ")
    assert "… 75 steps more …" in words
    assert words.endswith("-1→ 99, cost 99")


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
