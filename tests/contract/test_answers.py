"""Every engine on every kind of problem against one oracle: status, path, cost and lower bound."""

import random
from collections.abc import Callable
from contextlib import suppress
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, SearchProblem, solve
from searchkit.errors import MissingCapabilityError
from searchkit.plugin import has_cost
from searchkit.testing import check_engine, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from tests.contract.cases import (
    ENGINES,
    EVERY,
    Case,
    every_engine,
    hold,
    pool,
    walk,
)

SMALL = 100
"""States of the problems on which an engine is interrupted at many calls."""


@every_engine
def test_on_every_kind_of_problem(spec: EngineSpec) -> None:
    """One problem of each kind that the engine takes, with the default options."""
    kinds = {case.kind: case for case in pool(spec)}
    assert kinds, "no kind of problem that is shipped suits this engine"
    for case in kinds.values():
        hold(spec, case, solve(case.problem, spec, backend="python"))


@pytest.mark.long
@pytest.mark.parametrize(
    "spec", [spec for spec in EVERY if spec.machine_code_only], ids=lambda spec: spec.name
)
def test_on_disk(spec: EngineSpec) -> None:
    """The engines that search on disk, on those problems that they take."""
    pytest.importorskip("numba")
    tried = 0
    for case in pool(spec):
        with suppress(MissingCapabilityError):  # this instance has no view
            hold(spec, case, solve(case.problem, spec))
            tried += 1
    assert tried


@every_engine
def test_every_promise_on_every_kind_of_problem(spec: EngineSpec, share: Callable[[int], int]) -> None:
    """`check_engine`, which otherwise tries digraphs, mazes and grids: with any options, paused, and after errors."""
    problems = [case.problem for case in pool(spec) if len(case.space.edges) <= SMALL]
    assert check_engine(spec, problems=st.sampled_from(problems), examples=share(100))


@pytest.mark.parametrize(
    "spec",
    [spec for spec in ENGINES if spec.costs == "unit" and not spec.requires],
    ids=lambda spec: spec.name,
)
@given(problem=weighted_digraphs(costs="int").filter(has_cost))  # without edges it has none
@settings(max_examples=100)
def test_engines_that_count_actions_say_so(spec: EngineSpec, problem: SearchProblem[int, int]) -> None:
    """On a problem with costs they warn, are not called optimal unless free, and the cost is the true one."""
    result = solve(problem, spec)
    case = Case("digraph", problem, explore(problem))
    assert any("ignores costs" in warning for warning in result.warnings)
    if result.solution is not None:
        assert walk(problem, result.solution, case.space.starts) == result.cost
        assert result.lower_bound == 0
        assert result.optimal == (result.cost == 0)
        if spec.optimal:
            assert len(result.solution.actions) == case.fewest


@given(problem=weighted_digraphs(heuristic="admissible"), weight=st.sampled_from([1, 1.5, 2, 5]))
@settings(max_examples=300)
def test_weighted_astar_keeps_its_bound(problem: SearchProblem[int, int], weight: float) -> None:
    """The cost is ≤ w · optimum, and the lower bound proves it."""
    best = explore(problem).least_cost
    result = solve(problem, "wastar", weight=weight)
    if result.cost is not None:
        assert result.lower_bound <= best <= result.cost <= weight * result.lower_bound * (1 + 1e-12)


def test_astar_is_right_on_the_family_that_breaks_astar_without_reopening() -> None:
    """500 random digraphs: 9 nodes, costs 1–10, h(n) uniform in 0..h*(n). None wrong."""
    rng = random.Random(9)
    reopened = 0
    for _ in range(500):
        edges = ", ".join(
            f"{a} -{rng.randint(1, 10)}→ {b}"
            for a in range(9)
            for b in range(9)
            if a != b and rng.random() < 0.3
        )
        exact = explore(digraph(edges, [0], [8])).to_goals
        problem = digraph(edges, [0], [8], {state: rng.randint(0, int(exact[state])) for state in exact})
        for engine in ("astar", "bucket", "idastar"):
            result = solve(problem, engine)
            assert (inf if result.cost is None else result.cost) == exact.get(0, inf)
            reopened += result.statistics.reopened
            assert bool(result.statistics.reopened) == any("inconsistent" in text for text in result.warnings)
    assert reopened > 10, "the family does make A* reopen, so the test is not an empty one"
