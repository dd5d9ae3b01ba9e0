"""Problems and paths as text: what a drawing hides is written next to it, in one notation."""

from typing import Any

import pytest

from searchkit import problem_from
from searchkit.testing import check_heuristic
from searchkit.testing.reports import CheckFailure, path_in_words, picture
from searchkit.testing.spaces.digraphs import digraph
from searchkit_classics.pacman import Corners
from searchkit_dungeon import grid

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


def test_a_long_path_is_cut_in_the_middle() -> None:
    """Its cost is that of the whole path."""
    row: Any = problem_from([0], lambda n: [("on", n + 1)], lambda n: n == 99)
    words = path_in_words(row, range(100))
    assert words.startswith("0 -1→ 1 ")
    assert "… 75 steps more …" in words
    assert words.endswith("-1→ 99, cost 99")


def test_the_repr_of_a_grid_shows_its_weights() -> None:
    """Starts and goals that would hide a number are listed next to the map."""
    shown = repr(grid(["3.5", ".9G"], start=(0, 0), goal=[(2, 0), (2, 1)]))
    assert shown.splitlines()[1:] == ["3.5", ".9."]
    assert "start (0, 0)" in shown.splitlines()[0]


def test_a_counterexample_says_what_its_path_costs() -> None:
    """On the map, the weights under the ends are visible."""
    try:
        check_heuristic(grid(["G5"], start=(1, 0)), lambda state, problem: 2)
    except CheckFailure as failure:
        text = str(failure)
    assert "(1, 0) -1→ (0, 0), cost 1" in text
    assert "❺" in text


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
