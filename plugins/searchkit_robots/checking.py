"""Checking plans by the rules. This module shares no code with the moves of the problem or with the engines."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from searchkit_dungeon import Cell
from searchkit_robots.problem import MultiAgentGrid


def check_plan(problem: MultiAgentGrid, states: Sequence[Any]) -> list[str]:
    r"""Return the errors of a plan as sentences; an empty list for a valid plan.

    Args:
        problem: the problem of the plan.
        states: the joint states of the plan at times 0, 1, 2, …, as in `result.solution.states`.

    Checked are the starts, the goals, walls and the edge of the map, steps longer than one cell, two robots on one
    cell, and two robots that swap places. O(length · robots).

    Example:
        >>> from searchkit import solve
        >>> from searchkit_robots import check_plan, robots
        >>> problem = robots("..\n..", [((0, 0), (1, 0)), ((1, 0), (0, 0))])
        >>> check_plan(problem, solve(problem, "cbs").solution.states)
        []
        >>> swapped = problem.joint_steps([[(0, 0), (1, 0)], [(1, 0), (0, 0)]])
        >>> check_plan(problem, [state for _, state in swapped])
        ['robots 0 and 1 change places between (0, 0) and (1, 0) at time 1']

    """
    plan = [problem.positions(state) for state in states]
    if not plan:
        return ["the plan has no states"]
    terrain, faults = problem.terrain, []
    for what, cells, expected in (("starts", plan[0], problem.starts), ("ends", plan[-1], problem.goals)):
        faults += [
            f"robot {robot} {what} at {cell}, not at {wanted}"
            for robot, (cell, wanted) in enumerate(zip(cells, expected, strict=True))
            if cell != wanted
        ]
    for time, cells in enumerate(plan):
        for robot, (x, y) in enumerate(cells):
            if not (0 <= x < terrain.width and 0 <= y < terrain.height and terrain.weight((x, y))):
                faults.append(f"robot {robot} is off the map or inside a wall at {(x, y)} at time {time}")
        robot_at: dict[Cell, int] = {}
        for robot, cell in enumerate(cells):
            other = robot_at.setdefault(cell, robot)
            if other != robot:
                faults.append(f"robots {other} and {robot} are both at {cell} at time {time}")
    for time, (before, after) in enumerate(pairwise(plan), 1):
        for robot, ((x, y), (to_x, to_y)) in enumerate(zip(before, after, strict=True)):
            if abs(x - to_x) + abs(y - to_y) > 1:
                faults.append(f"robot {robot} jumps from {(x, y)} to {(to_x, to_y)} at time {time}")
        robot_on = {move: robot for robot, move in enumerate(zip(before, after, strict=True))}
        for robot, (here, there) in enumerate(zip(before, after, strict=True)):
            other = robot_on.get((there, here), robot)
            if here != there and robot < other:
                faults.append(
                    f"robots {robot} and {other} change places between {here} and {there} at time {time}"
                )
    return faults


def plan_cost(problem: MultiAgentGrid, states: Sequence[Any]) -> int:
    """Return the cost of a plan by the definition of its objective.

    The time of a robot is the last one at which it arrives at its goal; 0 if it never leaves the goal.
    """
    plan = [problem.positions(state) for state in states]
    times = [
        max((time for time in range(1, len(plan)) if plan[time - 1][robot] != goal), default=0)
        for robot, goal in enumerate(problem.goals)
    ]
    return max(times) if problem.objective == "makespan" else sum(times)
