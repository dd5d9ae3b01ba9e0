"""An engine in Python and its compiled form, compared step by step."""

import re
from typing import Any

import pytest
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Result, Search
from searchkit.errors import InvalidProblemError

MOST = 1_000
"""Expansions that are compared: an engine that keeps only one path may need millions on a small open map."""
HEURISTICS: dict[str, list[Any]] = {
    "unused": [False],
    "optional": [False, "admissible", "inconsistent", "inadmissible"],
    "required": ["admissible", "inconsistent", "inadmissible"],
}
"""The heuristics for `weighted_digraphs`, by what an engine does with one."""


def answer(result: Result[Any, Any]) -> dict[str, Any]:
    """Return everything in a result but the time and the backend."""
    counters = result.statistics
    return {
        "status": result.status,
        "solution": result.solution,
        "partial": result.partial,
        "lower bound": result.lower_bound,
        "warnings": result.warnings,
        "expanded": counters.expanded,
        "generated": counters.generated,
        "reopened": counters.reopened,
        "reached": counters.reached,
    }


def hold_equal(found: dict[str, Any], expected: dict[str, Any], search: Search[Any, Any]) -> None:
    """Compare two answers, by machine code and of this search in Python.

    Until it has ended, the bound of A* is the f of the first entry in machine code, and the largest f so far in Python:
    with an inconsistent heuristic, the first may be less.
    """
    bounds = found.pop("lower bound"), expected.pop("lower bound")
    assert found == expected
    paused = search.spec.name == "astar" and not search.ended
    assert bounds[0] == bounds[1] or (paused and bounds[0] < bounds[1])


def options_of(draw: Any, spec: EngineSpec) -> dict[str, Any]:
    """Draw the engine's options."""
    chosen = {option.name: draw(st.sampled_from(option.choices)) for option in spec.options if option.choices}
    if any(option.name == "weight" for option in spec.options):
        chosen["weight"] = draw(st.sampled_from([1, 1.5, 2, 3.25]))
    return chosen


def hold_together(problem: Any, spec: EngineSpec, options: dict[str, Any], step: int) -> None:
    """Run both, a given number of expansions at a time; compare them at each pause, at an error, and at the end."""
    python = Search(problem, spec, backend="python", **options)
    kernel = Search(problem, spec, backend="compiled", **options)
    while True:
        limits = Limits(expansions=step)
        try:
            expected = python.run(limits)
        except InvalidProblemError as error:  # costs that the engine does not take
            with pytest.raises(InvalidProblemError, match=f"^{re.escape(str(error))}$"):
                kernel.run(limits)
            return
        found = kernel.run(limits)
        assert found.backend == "compiled"
        hold_equal(answer(found), answer(expected), python)
        if problem.compiled().whole:
            assert type(found.lower_bound) is type(expected.lower_bound), "integers stay integers"
        if python.ended:
            break
        assert kernel.next_state == python.next_state
        if python.tree.expanded > MOST:
            break
    assert dict(kernel.tree.reached) == dict(python.tree.reached)
