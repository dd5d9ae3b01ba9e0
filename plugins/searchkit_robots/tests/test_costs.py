"""All engines find the least cost: that of brute force over plans in time, and of each other."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, Search, Status, solve
from searchkit.plugin import InputFormatError
from searchkit.testing import check_heuristic
from searchkit_dungeon import Terrain
from searchkit_robots import MultiAgentGrid, check_plan, plan_cost
from searchkit_robots.problem import OBJECTIVES
from searchkit_robots.strategies import agents
from searchkit_robots.tests.brute_force import least_cost
from searchkit_robots.tests.instances import maze_instance, random_instance

OPTIMAL = ["cbs", "odid"]
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def solved(problem: MultiAgentGrid, engine: str) -> Result:  # type: ignore[type-arg]  # states of either objective
    """Return the result of an engine, its plan checked for conflicts and its cost for being the plan's."""
    result = solve(problem, engine)
    assert result.status in (Status.SOLVED, Status.UNSOLVABLE)
    if result.solution is not None:
        assert check_plan(problem, result.solution.states) == []
        assert plan_cost(problem, result.solution.states) == result.cost
        assert result.lower_bound <= result.cost
    return result


@slow
@given(agents(most=2, width=3, height=2))
def test_joint_states_cost_what_plans_cost(problem: MultiAgentGrid) -> None:
    """The least cost over joint states, by the definition of a problem, is that over all plans in time."""
    horizon = 5
    expected = least_cost(problem, horizon)
    event(f"brute force finds {'a plan' if expected is not None else 'none'}")
    for engine in ("dijkstra", "astar", *OPTIMAL):
        cost = solved(problem, engine).cost
        if expected is not None:
            assert cost == expected
        else:
            assert cost is None or cost > horizon


@slow
@given(agents())
def test_all_engines_agree(problem: MultiAgentGrid) -> None:
    """CBS, joint A* with decomposition and plain joint A* find the same cost; LaCAM finds a plan where they do."""
    expected = solved(problem, "astar")
    event(expected.status.value)
    for engine in OPTIMAL:
        result = solved(problem, engine)
        assert (result.status, result.cost) == (expected.status, expected.cost)
        assert result.lower_bound == expected.lower_bound
    lacam = solved(problem, "lacam")
    assert lacam.status is expected.status
    if expected.cost is not None:
        assert lacam.cost is not None
        assert lacam.lower_bound <= expected.cost <= lacam.cost


@slow
@given(agents(most=4, width=5, height=5))
def test_cbs_and_odid_agree_on_larger_instances(problem: MultiAgentGrid) -> None:
    """Four robots on up to 25 cells, where plain joint A* is slow."""
    results = [Search(problem, engine).run(Limits(expansions=20_000)) for engine in OPTIMAL]
    event(" ".join(result.status.value for result in results))
    bounds = [result.lower_bound for result in results]
    for result in results:
        if result.solution is not None:
            assert check_plan(problem, result.solution.states) == []
            cost = result.solution.cost
            assert all(bound <= cost for bound in bounds)  # equal where both are solved


def test_the_heuristic_is_consistent() -> None:
    """Along every step it drops by no more than the step costs; it is 0 at goals."""
    drawn = agents(most=2, width=3, height=3)
    check_heuristic(drawn, promises=("admissible", "consistent"), examples=30)


@st.composite
def crowds(draw: st.DrawFn) -> MultiAgentGrid:
    """Draw four or five robots on six cells: in about half of the problems, CBS has more than one node to expand."""
    cells = [(x, y) for y in range(2) for x in range(3)]
    number = draw(st.sampled_from([4, 5]))
    starts, goals = (draw(st.permutations(cells))[:number] for _ in range(2))
    objective = OBJECTIVES[draw(st.sampled_from(sorted(OBJECTIVES)))]
    return objective(Terrain([b"\1" * 3] * 2), tuple(zip(starts, goals, strict=True)))


@slow
@given(crowds())
def test_cbs_that_is_cut_off_shows_the_best_plan_it_knows(problem: MultiAgentGrid) -> None:
    """From the moment that LaCAM has found one: a valid plan, and the gap to the bound. It ends when they are equal."""
    search = Search(problem, "cbs")
    result = search.run(Limits(expansions=1))
    while result.status is Status.CUTOFF:
        assert (result.partial is None) == (search.tree.incumbent is None)
        if result.partial is not None:
            assert check_plan(problem, result.partial.states) == []
            cost = plan_cost(problem, result.partial.states)
            assert cost == result.partial.cost == search.tree.incumbent
            assert result.details["gap"] == cost - result.lower_bound > 0
        if search.tree.expanded > 300:
            return
        result = search.run(Limits(expansions=1))
    event("a plan was known before the end" if search.tree.incumbent is not None else "none was")
    if result.cost is not None:
        assert result.details.get("gap") == 0


@pytest.mark.parametrize(
    ("engine", "options", "pause"),
    [("lacam", {"improve": 300}, 200), ("lacam", {}, 20), ("cbs", {}, 30), ("cbs", {}, 90)],
)
def test_a_search_that_was_saved_continues(
    engine: str, options: dict[str, Any], pause: int, tmp_path: Path
) -> None:
    """In the search for any plan, in its improvement and in the constraint tree: the same plan and counters."""
    problem = random_instance(32, 30, 0.2, 1)
    whole = Search(problem, engine, **options).run()
    search = Search(problem, engine, **options)
    search.run(Limits(expansions=pause))
    search.save(tmp_path / "a.search")
    result = Search.load(tmp_path / "a.search", problem).run()
    assert (result.cost, result.solution, result.lower_bound) == (
        whole.cost,
        whole.solution,
        whole.lower_bound,
    )
    assert result.statistics.expanded == whole.statistics.expanded


def test_goals_in_corridors_of_two_cells_are_closed() -> None:
    """A robot that is at its goal leaves one lane there. With barriers alone, that takes 1,385 expansions."""
    result = Search(maze_instance(32, 20, 2), "cbs").run(Limits(expansions=500))
    assert (result.status, result.cost) == (Status.SOLVED, 702)


def test_paths_of_a_file_that_leave_the_map_are_an_error(tmp_path: Path) -> None:
    """Kernels look at the locations of paths before they use them."""
    problem = random_instance(32, 30, 0.2, 1)
    search = Search(problem, "cbs")
    search.run(Limits(expansions=60))
    for *_, node in search.tree.frontier.nodes:
        for path in node.paths:
            path[1:] = 1 << 29
    search.save(tmp_path / "a.search")
    with pytest.raises(InputFormatError, match="a path leaves the locations of the problem"):
        Search.load(tmp_path / "a.search", problem).run()
