"""Replanning with planted defects: the comparison with new searches catches each."""

from inspect import getsource
from math import inf
from random import Random
from textwrap import dedent
from types import FunctionType
from typing import Any

import pytest

from searchkit import Limits, Replanner, Result
from searchkit.engines.replanning import repair
from searchkit.errors import SearchkitError
from searchkit.search import replanning
from searchkit_dungeon.problem import make_grid
from searchkit_dungeon.terrain import Terrain
from tests.search.changing import GUIDES, NODES, Roads, cost_of

ENGINES = ("lpastar", "dstar_lite")
DEFECTS = {
    "rhs is not computed again": ("_raise", "half.reached[neighbour][1] == state", "False"),
    "rhs of the state itself stays": ("_raise", "{state: None}", "{}"),
    "keys of the larger of g and rhs": ("Queue.value", "return min(", "return max("),
    "a neighbour of a change is left out": ("amend", "_, after in way.successors(state)", "_, after in ()"),
    "old keys stay": ("amend", "key[1] + values[state]", "key[0]"),
}
"""Name → the function with the defect, and what is replaced in it."""


def answers(engine: str, seeds: int) -> bool:
    """Whether all answers are right on random roads and grids that change, and the searches end."""
    for seed in range(seeds):
        chance = Random(seed)
        graph = None
        roads = {(chance.choice(NODES), chance.choice(NODES)): chance.randrange(4) for _ in range(14)}
        changed: list[int] = []
        start, goals = 0, [6]
        guide = GUIDES[chance.choice(("blind", "half", "exact"))]
        planner: Any = None
        for _ in range(6):
            graph = Roads(roads, start, goals, guide)
            if planner is None:
                planner = Replanner(graph, engine)
            else:
                planner.change(graph, changed)
            if not is_right(planner.solve(Limits(expansions=60)), graph.best):
                return False
            pair = chance.choice(NODES), chance.choice(NODES)
            cost = chance.choice((None, None, 0, 1, 3))
            roads = {road: c for road, c in {**roads, pair: cost}.items() if c is not None}
            if chance.random() < 0.2:
                start = chance.choice(NODES)
            changed = [pair[chance.randrange(2)]]
    return all(right_on_a_grid(engine, seed) for seed in range(seeds // 4))


def is_right(result: Result[Any, Any], best: Any) -> bool:
    """Whether the cost is the least, and nothing had to begin anew: the heuristics are consistent."""
    return (inf if result.cost is None else result.cost) == best and not result.warnings


def right_on_a_grid(engine: str, seed: int) -> bool:
    """Whether a robot that is set down here and there, and meets new walls, has an optimal path each time."""
    chance = Random(seed)
    terrain = Terrain([bytes(chance.choice((0, 1, 1, 2)) for _ in range(9)) for _ in range(9)])
    grid = make_grid(terrain.with_cells({(4, 4): 1, (8, 8): 1}), [(4, 4)], [(8, 8)])
    planner: Any = Replanner(grid, engine)
    for turn in range(20):
        grid = planner.problem
        result = planner.solve(Limits(expansions=300))
        if not is_right(result, cost_of(grid)):
            return False
        cell = chance.randrange(9), chance.randrange(9)
        if turn % 5 == 4 and cell not in (*grid.starts, *grid.goals):
            planner.change(grid.with_cells({cell: 0}), [cell])
        elif grid.terrain.weight(cell):
            planner.move(cell)
    return True


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_checks_pass_without_a_defect(engine: str) -> None:
    """So what is caught is the defect."""
    assert answers(engine, 40)


@pytest.mark.parametrize("name", DEFECTS)
def test_planted_defects_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each makes an answer wrong, a search endless, or raises."""
    where, right, wrong = DEFECTS[name]
    owner, _, method = where.rpartition(".")
    holder: Any = getattr(repair, owner) if owner else repair
    source = dedent(getsource(getattr(holder, method)))
    assert right in source
    names = dict(vars(repair))
    exec(source.replace(right, wrong), names)
    for place in (holder, replanning):
        if hasattr(place, method):
            function = names[method]
            monkeypatch.setattr(
                place, method, FunctionType(function.__code__, vars(repair), method, function.__defaults__)
            )
    try:
        caught = not all(answers(engine, 40) for engine in ENGINES)
    except (SearchkitError, LookupError, AssertionError):
        caught = True
    assert caught
