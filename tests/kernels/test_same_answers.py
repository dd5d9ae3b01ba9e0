"""A kernel and its engine in Python give the same answer: cost, path, counters and warnings, tie for tie."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Result, Search, available_engines, available_problems
from searchkit.capabilities import has_heuristic
from searchkit.errors import InvalidProblemError
from searchkit.problem import Compilable
from searchkit.testing.strategies import problems, weighted_digraphs
from tests.kernels.views import FORMS, compilable

ENGINES = [spec for spec in available_engines().values() if spec.kernel and not spec.requires]
MOST = 3_000
"""Expansions that are compared: an engine that keeps one path alone may need millions on a small map of open floor."""
COSTS: list[Any] = ["int", "float", "zero-one", "unit"]
HEURISTICS: dict[str, list[Any]] = {
    "unused": [False],
    "optional": [False, "admissible", "inconsistent", "inadmissible"],
    "required": ["admissible", "inconsistent", "inadmissible"],
}


def answer(result: Result[Any, Any]) -> dict[str, Any]:
    """Return everything that a result says but the time and the backend."""
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
        "peak frontier": counters.peak_frontier,
    }


def options_of(draw: Any, spec: EngineSpec) -> dict[str, Any]:
    """Draw the engine's options."""
    chosen = {option.name: draw(st.sampled_from(option.choices)) for option in spec.options if option.choices}
    if any(option.name == "weight" for option in spec.options):
        chosen["weight"] = draw(st.sampled_from([1, 1.5, 2, 3.25]))
    return chosen


def hold_together(problem: Any, spec: EngineSpec, options: dict[str, Any], step: int) -> None:
    """Run both, in steps of so many expansions, and compare them at each pause and in the end."""
    python = Search(problem, spec, backend="python", **options)
    kernel = Search(problem, spec, backend="compiled", **options)
    while True:
        limits = Limits(expansions=step)
        try:
            expected = python.run(limits)
        except InvalidProblemError as error:  # costs that the engine does not take
            with pytest.raises(InvalidProblemError, match=f"^{re.escape(str(error))}$"):
                kernel.run(limits)
            assert kernel.next_state == python.next_state
            assert kernel.statistics.expanded == python.statistics.expanded
            assert kernel.tree.generated == python.tree.generated
            break
        found = kernel.run(limits)
        assert found.backend == "compiled"
        assert answer(found) == answer(expected)
        if problem.compiled().whole:
            assert type(found.lower_bound) is type(expected.lower_bound), "integers stay integers"
        if python.ended:
            break
        assert kernel.next_state == python.next_state
        if python.tree.expanded > MOST:
            break
    assert dict(kernel.tree.reached) == dict(python.tree.reached)


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=150)
def test_on_digraphs(spec: EngineSpec, form: str, data: st.DataObject) -> None:
    """On graphs full of traps, with heuristics that are inconsistent, overestimate, or see dead ends."""
    heuristic: Any = data.draw(st.sampled_from(HEURISTICS[spec.heuristic]))
    graph = data.draw(weighted_digraphs(data.draw(st.sampled_from(COSTS)), heuristic=heuristic))
    step = data.draw(st.sampled_from([1, 2, 5, 1000]))
    hold_together(compilable(graph, form), spec, options_of(data.draw, spec), step)


@pytest.mark.parametrize("name", sorted(available_problems()))
@given(data=st.data())
@settings(max_examples=100)
def test_on_every_compilable_problem(name: str, data: st.DataObject) -> None:
    """On problems of every kind that is registered, where they have a compiled form."""
    problem = data.draw(problems(name))
    if not isinstance(problem, Compilable):
        return
    spec = data.draw(st.sampled_from(ENGINES))
    if spec.heuristic == "required" and not has_heuristic(problem):
        return
    step = data.draw(st.sampled_from([1, 7, 1000]))
    hold_together(problem, spec, options_of(data.draw, spec), step)


@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=100)
def test_a_search_that_moves_over_ends_as_if_it_had_not(spec: EngineSpec, data: st.DataObject) -> None:
    """`auto` may move after any number of expansions; nothing but the backend shows it."""
    heuristic: Any = "admissible" if spec.heuristic != "unused" else False
    costs = "zero-one" if spec.costs == "zero-one" else "int"
    graph = compilable(data.draw(weighted_digraphs(costs, 9, heuristic=heuristic)), "rows")
    options = options_of(data.draw, spec)
    expected = Search(graph, spec, backend="python", **options).run()
    search = Search(graph, spec, **options)
    search.run(Limits(expansions=data.draw(st.integers(0, 6))))
    search.move()
    found = search.run()
    assert found.backend == "compiled" or search.ended
    assert answer(found) == answer(expected)
