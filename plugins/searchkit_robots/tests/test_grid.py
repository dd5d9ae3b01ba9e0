"""The problem by itself: what it refuses, its states and actions, and the check of plans."""

import pytest

from searchkit import problem_from, solve
from searchkit.plugin import InputFormatError, InvalidOptionError, InvalidProblemError, MissingCapabilityError
from searchkit_robots import check_plan, plan_cost, robots


@pytest.mark.parametrize(
    ("rows", "pairs", "message"),
    [
        ([".."], [], "there are no robots"),
        ([".."], [((0, 0), (2, 0))], r"robot 0: the goal \(2, 0\) is off the map"),
        ([".#"], [((0, 0), (0, 0)), ((1, 0), (0, 0))], r"robot 1: the start \(1, 0\) is inside a wall"),
        ([".."], [((0, 0), (0, 0)), ((0, 0), (1, 0))], r"robots 0 and 1 have the same start \(0, 0\)"),
        ([".."], [((0, 0), (1, 0)), ((1, 0), (1, 0))], r"robots 0 and 1 have the same goal \(1, 0\)"),
        ([".5"], [((0, 0), (1, 0))], "the map has cells that cost more than 1 to enter"),
    ],
)
def test_faulty_problems_are_one_clear_error(
    rows: list[str], pairs: list[tuple[tuple[int, int], tuple[int, int]]], message: str
) -> None:
    """The message names the robot, the cell and what is wrong with it."""
    with pytest.raises(InvalidProblemError, match=message):
        robots(rows, pairs)


def test_faulty_options_are_errors() -> None:
    """An objective that does not exist, a number of robots that the file does not have."""
    with pytest.raises(InvalidOptionError, match="expected one of sum-of-costs, makespan"):
        robots(["."], [((0, 0), (0, 0))], objective="flowtime")
    with pytest.raises(InvalidOptionError, match="expected a whole number, at least 1"):
        robots(["."], [((0, 0), (0, 0))], agents=0)
    with pytest.raises(InputFormatError, match="agents=2: there are only 1 robots"):
        robots(["."], [((0, 0), (0, 0))], agents=2)


def test_engines_for_robots_refuse_other_problems() -> None:
    """The error names what is missing and engines that would work."""
    line = problem_from([0], lambda x: [("right", x + 1)], lambda x: x == 3)
    for engine in ("cbs", "odid", "lacam"):
        with pytest.raises(MissingCapabilityError, match=rf"{engine}.*endpoints.*several robots.*bfs"):
            solve(line, engine)


def test_actions_say_what_each_robot_does() -> None:
    """A move, and `rest` with the last one."""
    problem = robots(["...", "..."], [((0, 0), (2, 0)), ((0, 1), (1, 1))])
    result = solve(problem, "cbs")
    assert result.solution is not None
    assert result.solution.actions == (("E", "E, rest"), ("E, rest", "rest"))
    assert result.solution.states[1] == (((1, 0), (1, 1)), (False, True))
    assert result.cost == 3


def test_the_objectives_differ() -> None:
    """If letting the other robot pass costs one robot more than the other's detour, the last arrival is not the sum."""
    rows, pairs = ["....", "#.##"], [((1, 0), (1, 0)), ((0, 0), (3, 0))]
    assert solve(robots(rows, pairs), "cbs").cost == 5
    assert solve(robots(rows, pairs, objective="makespan"), "cbs").cost == 3


FAULTY_PLANS = {
    "robot 0 starts at (1, 0), not at (0, 0)": [((1, 0), (2, 1)), ((2, 0), (2, 1))],
    "robot 0 ends at (0, 0), not at (2, 0)": [((0, 0), (2, 1))],
    "robot 0 jumps from (0, 0) to (2, 0) at time 1": [((0, 0), (2, 1)), ((2, 0), (2, 1))],
    "robot 1 is off the map or inside a wall at (1, 1) at time 1": [
        ((0, 0), (2, 1)),
        ((1, 0), (1, 1)),
        ((2, 0), (2, 1)),
    ],
    "robots 0 and 1 are both at (1, 0) at time 2": [
        ((0, 0), (2, 1)),
        ((0, 0), (2, 0)),
        ((1, 0), (1, 0)),
        ((1, 0), (1, 0)),
        ((2, 0), (2, 1)),
    ],
    "robots 0 and 1 change places between (1, 0) and (2, 0) at time 2": [
        ((0, 0), (2, 1)),
        ((1, 0), (2, 0)),
        ((2, 0), (1, 0)),
        ((2, 0), (2, 1)),
    ],
}


@pytest.mark.parametrize("fault", FAULTY_PLANS)
def test_faulty_plans_are_found_out(fault: str) -> None:
    """Each kind of error has its own sentence."""
    problem = robots(["...", "##."], [((0, 0), (2, 0)), ((2, 1), (2, 1))], objective="makespan")
    found = check_plan(problem, FAULTY_PLANS[fault])
    assert fault in found
    assert any("change places" in other for other in found) == ("change places" in fault)


def test_a_plan_costs_what_the_objective_says() -> None:
    """The last arrival counts, not the first."""
    rows, pairs = ["..."], [((0, 0), (0, 0))]
    plan = [((0, 0),), ((1, 0),), ((0, 0),), ((0, 0),)]
    assert plan_cost(robots(rows, pairs, objective="makespan"), plan) == 2
    two = robots(["...", "..."], [((0, 0), (0, 0)), ((0, 1), (1, 1))])
    paths = [[(0, 0), (1, 0), (0, 0)], [(0, 1), (0, 1), (0, 1), (1, 1)]]
    states = [state for _, state in two.joint_steps(paths)]
    assert plan_cost(two, states) == 2 + 3
    assert sum(two.cost(*edge) for edge in zip(states, states, states[1:], strict=False)) == 5
