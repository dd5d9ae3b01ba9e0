"""A kernel and its engine in Python give the same answer: cost, path, counters and warnings, tie for tie."""

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Compilable, EngineSpec, available_engines, solve
from searchkit.plugin import has_heuristic
from searchkit.testing import digraph, explore
from searchkit.testing.strategies import problems, weighted_digraphs
from tests.helpers import kinds_with
from tests.kernels.conftest import ON_EVERY_KIND
from tests.kernels.together import HEURISTICS, hold_together, options_of
from tests.kernels.views import FORMS, compilable

ENGINES = [spec for spec in available_engines().values() if spec.kernel and not spec.requires]
NATIVE: dict[str, Any] = {"unit": "unit", "zero-one": "zero-one", "any": "int"}
"""The costs for `weighted_digraphs`, by the costs that an engine takes."""
COSTS: list[Any] = ["int", "zero-one", "unit"]
"""Those on every form. Others need another queue, which takes seconds to compile: `test_exactness.py` has them."""


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=150)
def test_on_digraphs(spec: EngineSpec, form: str, data: st.DataObject) -> None:
    """On graphs full of traps, with heuristics that are inconsistent, overestimate, or detect dead ends."""
    heuristic: Any = data.draw(st.sampled_from(HEURISTICS[spec.heuristic]))
    costs = data.draw(st.sampled_from([*COSTS, "float"] if form == "rows" else COSTS))
    graph = data.draw(weighted_digraphs(costs, heuristic=heuristic))
    step = data.draw(st.sampled_from([1, 2, 5, 1000]))
    hold_together(compilable(graph, form), spec, options_of(data.draw, spec), step)


@pytest.mark.parametrize("kind", kinds_with(Compilable))
@given(data=st.data())
@settings(max_examples=100)
def test_on_every_compilable_problem(kind: str, data: st.DataObject) -> None:
    """On problems of every registered kind that have a compiled form."""
    problem = data.draw(problems(kind))
    fitting = [
        spec
        for spec in ENGINES
        if spec.name in ON_EVERY_KIND and (spec.heuristic != "required" or has_heuristic(problem))
    ]
    spec = data.draw(st.sampled_from(fitting))
    step = data.draw(st.sampled_from([1, 7, 1000]))
    hold_together(problem, spec, options_of(data.draw, spec), step)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=50)
def test_several_starts_and_goals(spec: EngineSpec, form: str, data: st.DataObject) -> None:
    """Two to five starts, sometimes the same one twice, and as many goals, which may be starts as well."""
    drawn = data.draw(weighted_digraphs(NATIVE[spec.costs], 12))
    node = st.sampled_from(drawn.nodes)
    starts, goals = (data.draw(st.lists(node, min_size=2, max_size=5)) for _ in range(2))
    exact = explore(digraph(drawn.edges, drawn.nodes, goals)).to_goals
    estimates = (
        None if spec.heuristic == "unused" else {state: exact.get(state, inf) for state in drawn.nodes}
    )
    graph = digraph(drawn.edges, starts, goals, estimates)
    hold_together(
        compilable(graph, form), spec, options_of(data.draw, spec), data.draw(st.sampled_from([1, 5]))
    )
    if spec.optimal:
        found = solve(compilable(graph, form), spec, backend="compiled")
        assert found.cost == min((exact[start] for start in starts if start in exact), default=None)
