"""`check_engine` finds what is planted into the engines that search in rounds."""

import pytest
from attrs import evolve

from searchkit import available_engines
from searchkit.testing.engines import first_fault
from tests.mutants.memory import mutated

LAYER, GOAL = "state for state in run if state not in reached", "goal = next(filter(is_goal, {}), None)"
MUTANTS = {
    "a layer has states of earlier ones": ("external_bfs", LAYER, "state for state in run"),
    "only the first state of a layer is tested": (
        "external_bfs",
        GOAL.format("layer"),
        "goal = layer[0] if layer and is_goal(layer[0]) else None",
    ),
    "a layer too deep": ("external_bfs", "reached[closed[-1]][0] + 1", "reached[closed[-1]][0] + 2"),
    "the last bucket first": ("external_dijkstra", "runs.popitem(0)", "runs.popitem()"),
    "unit costs assumed": (
        "external_dijkstra",
        "runs.setdefault(g + step, {})",
        "runs.setdefault(g + 1, {})",
    ),
    "the largest f first": ("external_astar", "runs.popitem(0)", "runs.popitem()"),
    "f without g": ("external_astar", "setdefault((g + step + h, g + step)", "setdefault((h, g + step)"),
    "a bucket too cheap": (
        "external_astar",
        "reached[state] = g, parent, action",
        "reached[state] = 0, parent, action",
    ),
}


LONG = ("f without g", "the last bucket first", "unit costs assumed")
"""Only problems with different costs show them."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in MUTANTS]
)
def test_a_planted_defect_is_found(name: str) -> None:
    """With the default number of problems."""
    engine, old, new = MUTANTS[name]
    spec = available_engines()[engine]
    assert first_fault(evolve(spec, run=mutated(engine, old, new), kernel="", options=())) is not None
