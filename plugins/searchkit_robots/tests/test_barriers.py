"""Barriers for two robots whose cheapest paths all conflict: no plan is lost, and few nodes are expanded."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from searchkit import Cost
from searchkit_dungeon import Cell
from searchkit_robots import MultiAgentGrid, robots
from searchkit_robots.engines import _barriers, cbs
from searchkit_robots.engines._barriers import Split, split_between
from searchkit_robots.engines._branches import at_goal, disjoint
from searchkit_robots.engines._conflicts import most_costly
from searchkit_robots.engines._constraints import Constraints, Robot
from searchkit_robots.engines._single import Diagram, Traffic, best_path
from searchkit_robots.engines.cbs import ConstraintTree
from searchkit_robots.problem import last_arrival
from searchkit_robots.tests.brute_force import plans as plans_of

slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
Walk = tuple[Cell, ...]


def rectangle(size: int) -> MultiAgentGrid:
    """Return two robots that cross on a square without walls: one goes right, the other one down, both diagonally."""
    return robots(["." * size] * size, [((0, 1), (size - 1, size - 2)), ((1, 0), (size - 2, size - 1))])


def corridor(length: int) -> MultiAgentGrid:
    """Return two robots that change sides through a corridor between two rooms of two cells."""
    rows = [".." + "#" * length + "..", "." * (length + 4)]
    return robots(rows, [((0, 1), (length + 3, 1)), ((length + 3, 0), (0, 0))])


def target(length: int) -> MultiAgentGrid:
    """Return a robot at its goal in a dead straight lane with a bay, and one that passes it after `length` steps."""
    rows = ["." * (length + 2), "#" * length + ".#"]
    return robots(rows, [((length, 0), (length, 0)), ((0, 0), (length + 1, 0))])


KINDS: dict[str, Callable[[int], MultiAgentGrid]] = {
    "rectangle": rectangle,
    "corridor": corridor,
    "target": target,
}


def split_of(problem: MultiAgentGrid) -> Split | None:
    """Return the barriers of the first two robots of a problem, without constraints before."""
    pair = []
    for robot in Robot.all_of(problem)[:2]:
        path = best_path(robot, Constraints(), Traffic(()))
        assert path is not None
        pair.append(Diagram(robot, Constraints(), len(path) - 1))
    return split_between(pair[0], pair[1], Diagram)


def walks(problem: MultiAgentGrid, robot: int, steps: int) -> list[Walk]:
    """Return all paths of a robot to its goal with this number of steps."""
    terrain, (start, goal) = problem.terrain, problem.robots[robot]
    free = {(x, y) for x in range(terrain.width) for y in range(terrain.height) if terrain.weight((x, y))}

    def extend(walk: Walk) -> Iterator[Walk]:
        (x, y), left = walk[-1], steps + 1 - len(walk)
        if abs(x - goal[0]) + abs(y - goal[1]) > left:
            return
        if not left:
            yield walk
            return
        for cell in ((x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in free:
                yield from extend((*walk, cell))

    return list(extend((start,)))


def lost(problem: MultiAgentGrid, split: Split, steps: int) -> bool:
    """Whether a plan of so many steps is in no child: both robots enter their barriers, or arrive too soon."""
    wrong: list[list[Walk]] = []
    for robot, barrier, earliest in zip((0, 1), split.barriers, split.earliest, strict=True):
        wrong.append(
            [
                walk
                for walk in walks(problem, robot, steps)
                if last_arrival(walk) < earliest or any((t, cell) in barrier for t, cell in enumerate(walk))
            ]
        )
    return any(
        all(
            here != there and (not time or (one[time - 1], other[time - 1]) != (there, here))
            for time, (here, there) in enumerate(zip(one, other, strict=True))
        )
        for one in wrong[0]
        for other in wrong[1]
    )


SMALL = {"rectangle": (rectangle(3), 5), "corridor": (corridor(1), 7), "target": (target(2), 5)}
"""A problem of each kind, and the number of steps of the plans that are compared: more than those of a best plan."""


@st.composite
def pairs(draw: st.DrawFn) -> MultiAgentGrid:
    """Draw two robots on at most 9 cells: on a square, in a corridor with a bay, or on a ring with a bridge."""
    rows = draw(
        st.sampled_from([["...", "...", "..."], [".....", "#.##."], ["...", ".#.", "..."], ["....", ".##."]])
    )
    cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "."]
    starts, goals = (draw(st.permutations(cells))[:2] for _ in range(2))
    return robots(rows, list(zip(starts, goals, strict=True)))


@settings(slow, max_examples=60)
@given(pairs())
def test_no_plan_is_lost(problem: MultiAgentGrid) -> None:
    """Each plan of 5 steps is in one of the two children: all pairs of paths are tried."""
    split = split_of(problem)
    event("no barriers" if split is None else f"barriers that raise the cost by {split.gain[0]}")
    assert split is None or not lost(problem, split, 5)


@pytest.mark.parametrize("kind", SMALL)
def test_no_plan_is_lost_in_rectangles_corridors_and_at_goals(kind: str) -> None:
    """The same for a problem of each kind, whose conflicts are of that kind."""
    problem, steps = SMALL[kind]
    split = split_of(problem)
    assert split is not None
    assert not lost(problem, split, steps)


def _with_time_after(barrier: Any) -> Any:
    return barrier | {(time + 1, cell) for time, cell in barrier}


def _with_neighbours(barrier: Any) -> Any:
    return barrier | {
        (time - 1, (x + dx, y + dy))
        for time, (x, y) in barrier
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }


EXPANDED: dict[str, list[tuple[Cost, int]]] = {
    "rectangle": [(13, 1), (13, 1), (13, 17)],
    "corridor": [(24, 1), (24, 63), (24, 26)],
    "target": [(12, 1), (12, 63), (12, 1)],
}
"""The least cost and the expansions with barriers, with those for the cheapest paths, and without any."""


DEFECTS: dict[str, Callable[[Split], Split]] = {
    "a barrier that is too long": lambda split: split._replace(
        barriers=(_with_time_after(split.barriers[0]), _with_time_after(split.barriers[1]))
    ),
    "a barrier one step too early": lambda split: split._replace(
        barriers=(_with_neighbours(split.barriers[0]), _with_neighbours(split.barriers[1]))
    ),
    "an arrival one step too late": lambda split: split._replace(
        earliest=(split.earliest[0] + 1, split.earliest[1] + 1)
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_found(defect: str) -> None:
    """Plans are lost if a barrier has a time too many, or an arrival is later."""
    splits = [(problem, split_of(problem), steps) for problem, steps in SMALL.values()]
    assert any(
        split is not None and lost(problem, DEFECTS[defect](split), steps) for problem, split, steps in splits
    )


def expanded(problem: MultiAgentGrid) -> tuple[Cost, int]:
    """Return the least cost, and the expansions that find it, in order of the costs of nodes alone."""
    tree = ConstraintTree(problem, Robot.all_of(problem), ())
    tree.begin()
    while tree.nodes[0][-1].conflicts:
        tree.replace(tree.nodes[0][-1])
    return tree.nodes[0][-1].cost, tree.expanded


@pytest.mark.parametrize("kind", KINDS)
def test_barriers_save_expansions(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One expansion is enough; with barriers for the cheapest paths alone, or with none, there may be more."""
    problem = KINDS[kind](5)
    results = [expanded(problem)]
    monkeypatch.setattr(_barriers, "MOST_STEPS", 0)
    results.append(expanded(problem))
    monkeypatch.setattr(ConstraintTree, "best_split", lambda tree, node: None)
    results.append(expanded(problem))
    assert results == EXPANDED[kind]


def arrival_children(problem: MultiAgentGrid) -> list[list[Constraints]]:
    """Return the constraints of the children that are split by when a robot arrives, for the first such conflict."""
    tree = ConstraintTree(problem, Robot.all_of(problem), ())
    tree.begin()
    node = tree.nodes[0][-1]
    conflict, side, arrived = most_costly(node.conflicts, lambda robot: tree.diagram(node, robot))
    assert arrived
    return [constraints for constraints, _, _ in at_goal(node, tree.robots, conflict, side)]


def is_in(child: list[Constraints], problem: MultiAgentGrid, plan: tuple[Walk, ...]) -> bool:
    """Whether a plan obeys the constraints of a child: last arrivals, and what robots claim."""
    arrivals = [last_arrival(walk) for walk in plan]
    if any(arrival < own.earliest for arrival, own in zip(arrivals, child, strict=True)):
        return False
    return all(
        way == (problem.goals[told],) * 2
        and arrivals[told] <= time
        and all(way[0] not in walk[time:] for robot, walk in enumerate(plan) if robot != told)
        for told, time, way in child[0].claims
    )


def lost_plans(problem: MultiAgentGrid, children: list[list[Constraints]], steps: int) -> int:
    """Return how many plans of so many steps are in no child."""
    plans = [tuple(zip(*plan, strict=True)) for plan in plans_of(problem, steps)]
    assert plans
    return sum(not any(is_in(child, problem, plan) for child in children) for plan in plans)


def test_no_plan_is_lost_at_goals() -> None:
    """A robot arrives later than the other one passes its goal, or the goal is closed from then on."""
    problem = robots(["...", "..."], [((1, 1), (1, 0)), ((0, 0), (2, 0))])
    late, closed = arrival_children(problem)
    later = [evolve(own, earliest=own.earliest + (own.earliest > 0)) for own in late]
    told, time, way = closed[0].claims[0]
    sooner = [own.with_claims(((told, time - 1, way),)) for own in closed]
    assert lost_plans(problem, [late, closed], 4) == 0
    for wrong in ([late], [closed], [later, closed], [late, sooner]):
        assert lost_plans(problem, wrong, 4) > 0


def test_goals_that_are_closed_save_expansions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without barriers, one expansion is enough; if only the time of the conflict is forbidden, there are more."""
    monkeypatch.setattr(ConstraintTree, "best_split", lambda tree, node: None)
    assert expanded(target(5)) == (12, 1)
    monkeypatch.setattr(cbs, "at_goal", disjoint)
    assert expanded(target(5)) == (12, 6)
