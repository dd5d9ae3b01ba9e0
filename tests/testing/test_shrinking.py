"""Counterexamples shrink to what a person can check by hand: planted bugs, in an engine or in a rule."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any

import pytest
from hypothesis import strategies as st

from searchkit import problem_from
from searchkit.testing import strategies
from searchkit.testing.reports import smallest
from tests.testing.drawing import Problem, least


def without_west(problem: Problem) -> Problem:
    """Return the problem as seen by an engine that forgets moves to the west."""
    return problem_from(
        problem.initial_states(),
        lambda state: [(move, to) for move, to in problem.successors(state) if "W" not in str(move)],
        problem.is_goal,
        problem.cost,
    )


def forgets_west(problem: Problem) -> bool:
    """Whether forgetting moves to the west has an effect."""
    return least(without_west(problem)) != least(problem)


def cuts_corners(problem: Any) -> bool:
    """Whether cutting forbidden corners has an effect."""
    if problem.moves == 4 or problem.corners == "cut":
        return False
    cutting = strategies_of("dungeon").make_grid(problem.terrain, problem.starts, problem.goals, 8, "cut")
    return least(cutting) != least(problem)


def strategies_of(plugin: str) -> Any:
    """Return the module of a bundled plugin."""
    from importlib import import_module

    return import_module(f"searchkit_{plugin}")


def astar_without_reopening(problem: Problem) -> float:
    """Return the cost that A* finds if an expanded state is never opened again."""
    ties = count()
    frontier = [(problem.heuristic(start), next(ties), 0, start) for start in problem.initial_states()]
    closed = set()
    while frontier:
        _, _, cost, state = heappop(frontier)
        if problem.is_goal(state):
            return float(cost)
        if state not in closed:
            closed.add(state)
            for action, after in problem.successors(state):
                reached = cost + problem.cost(state, action, after)
                heappush(frontier, (reached + problem.heuristic(after), next(ties), reached, after))
    return inf


def never_reopens(problem: Problem) -> bool:
    """Whether A* without reopening is wrong."""
    return astar_without_reopening(problem) != least(problem)


def extent(problem: Any) -> tuple[int, int]:
    """Return the width and the height of a problem's picture."""
    rows = repr(problem).split("\n")[1:]
    return len(rows[0]), len(rows)


PLANTED: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], bool], int]] = {
    "mazes, no moves west": (strategies.mazes(30), forgets_west, 2),
    "grids, corners cut": (strategies.grids(30, most_goals=1), cuts_corners, 3),
    "vaults, no moves west": (strategies.vaults(30, 2, 1, contracted=False), forgets_west, 2),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", PLANTED)
def test_a_bug_found_on_30x30_shrinks_to_a_picture_that_can_be_checked(name: str) -> None:
    """From any 30×30 map: to at most five by five cells, mostly fewer."""
    strategy, broken, side = PLANTED[name]
    found = False

    def shows(problem: Any) -> bool:
        nonlocal found
        # the first one has to be large
        shown = (found or extent(problem) == (30, 30)) and broken(problem)
        found = found or shown
        return shown

    problem = smallest(strategy, shows, examples=1000)
    assert problem is not None
    assert broken(problem)
    assert max(extent(problem)) <= side <= 5


def test_a_digraph_shrinks_to_the_smallest_that_breaks_astar_without_reopening() -> None:
    """From up to 30 nodes to four nodes and four edges: there is no smaller one."""
    graph = smallest(
        strategies.weighted_digraphs("int", nodes=30, heuristic="inconsistent"), never_reopens, examples=3000
    )
    assert graph is not None
    assert len(graph.nodes) == len(graph.edges) == 4
