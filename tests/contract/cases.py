"""What the tests of the contract draw: every registered engine, on every problem that it takes, and the one oracle.

All of `tests/contract` imports what is public and nothing deeper, so that everything else can be rewritten.
"""

from collections.abc import Iterable
from functools import cache
from math import inf
from typing import Any

import pytest
from attrs import evolve, field, frozen
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from searchkit import (
    Cost,
    EngineSpec,
    Result,
    SearchProblem,
    Solution,
    Statistics,
    Status,
    available_engines,
    available_problems,
)
from searchkit.plugin import has_cost
from searchkit.testing import StateSpace, WeightedDigraph, accepts, explore
from searchkit.testing.strategies import problems, problems_for

Problem = SearchProblem[Any, Any]
EVERY = sorted(available_engines().values(), key=lambda spec: spec.name)
ENGINES = [spec for spec in EVERY if not spec.machine_code_only]
"""The engines that have a form in Python; the others search on disk, in machine code."""
KINDS = sorted(name for name, spec in available_problems().items() if spec.strategy is not None)
DRAWN, KEPT = 20, 3
"""The problems of each kind that are drawn, and those of different sizes that an engine is tried on."""
MOST_STATES = 260
MOST_EDGES_OF_PATHS = 48
"""For engines that keep one path and may follow all of them."""
every_engine = pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)


@frozen(eq=False)
class Case:
    """A problem and its whole state space."""

    kind: str
    problem: Problem
    space: StateSpace = field(repr=False)

    @property
    def best(self) -> Cost:
        """The least cost from a start to a goal; infinite if no path exists."""
        return self.space.least_cost

    @property
    def fewest(self) -> Cost:
        """The fewest actions from a start to a goal; infinite if no path exists."""
        space = self.space
        edges = {state: tuple((a, to, 1) for a, to, _ in out) for state, out in space.edges.items()}
        return evolve(space, edges=edges).least_cost


@cache
def cases_of(kind: str) -> tuple[Case, ...]:
    """Return small problems of a kind, of different sizes."""
    drawn: list[Case] = []

    @seed(0)
    @settings(max_examples=DRAWN, database=None)
    @given(problems(kind))
    def keep(problem: Any) -> None:
        space = explore(problem, MOST_STATES)
        if space.whole:
            drawn.append(Case(kind, problem, space))

    keep()
    return tuple(sorted(drawn, key=lambda case: len(case.space.edges)))


def takes(spec: EngineSpec, case: Case) -> bool:
    """Whether an engine takes a problem: by what its spec requires, and if it follows all paths, by the size."""
    edges = sum(map(len, case.space.edges.values()))
    too_many = spec.memory == "depth" and edges > MOST_EDGES_OF_PATHS
    return case.space.whole and not too_many and accepts(spec, case.problem)


@cache
def pool(spec: EngineSpec) -> tuple[Case, ...]:
    """Return the small problems of all kinds that an engine takes."""
    found: list[Case] = []
    for kind in KINDS:
        fitting = [case for case in cases_of(kind) if takes(spec, case)]
        step = max(1, len(fitting) // KEPT)
        found += reversed(fitting[::-step][:KEPT])
    return tuple(found)


@cache
def drawn_for(spec: EngineSpec) -> st.SearchStrategy[Case]:
    """Draw digraphs full of traps, mazes and grids that an engine takes."""

    def case_of(problem: Problem) -> Case:
        kind = "digraph" if isinstance(problem, WeightedDigraph) else "map"
        return Case(kind, problem, explore(problem, MOST_STATES))

    return problems_for(spec).map(case_of).filter(lambda case: takes(spec, case))


@st.composite
def cases_for(draw: st.DrawFn, spec: EngineSpec) -> Case:
    """Draw a problem that an engine takes: a difficult one, or one of a registered kind."""
    return draw(st.one_of(drawn_for(spec), st.sampled_from(pool(spec))))


@st.composite
def options_for(draw: st.DrawFn, spec: EngineSpec) -> dict[str, Any]:
    """Draw those options that have choices."""
    return {option.name: draw(st.sampled_from(option.choices)) for option in spec.options if option.choices}


def facts(result: Result[Any, Any]) -> Result[Any, Any]:
    """Return the result without the one figure that differs between runs."""
    return evolve(result, statistics=evolve(result.statistics, seconds=0.0))


def counters(statistics: Statistics) -> tuple[int, int]:
    """Return what is promised to be equal for all backends."""
    return statistics.expanded, statistics.generated


def walk(problem: Problem, solution: Solution[Any, Any], starts: Iterable[Any]) -> Cost:
    """Walk a path step by step by the problem's own rules; return its cost. Fails if a step is not allowed."""
    assert solution.states[0] in starts, "the path begins in a start"
    assert len(solution.states) == len(solution.actions) + 1
    total: Cost = 0
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        steps = list(problem.successors(before))
        assert (action, after) in steps, f"{before} -{action}-> {after} is not a step"
        total += problem.cost(before, action, after) if has_cost(problem) else 1
    return total


def hold(spec: EngineSpec, case: Case, result: Result[Any, Any]) -> None:
    """Hold a finished search against the oracle. Fails if it breaks a promise of the spec."""
    if result.solution is None:
        assert result.cost is None
        if result.status is Status.UNSOLVABLE or spec.complete:
            assert case.best == inf, "a path exists"
            assert result.status is Status.UNSOLVABLE
            assert result.lower_bound == inf
        return
    assert result.status is Status.SOLVED
    cost = walk(case.problem, result.solution, case.space.starts)
    assert is_close(cost, result.cost)
    assert result.solution.goal in case.space.goals
    assert result.lower_bound <= case.best or is_close(result.lower_bound, case.best)
    if spec.optimal:
        assert is_close(cost, case.best)
        assert result.optimal
    elif result.optimal:
        assert is_close(cost, case.best)


def is_close(one: Any, other: Any) -> bool:
    """Whether two costs are equal; sums of floats differ by rounding."""
    if isinstance(one, float) or isinstance(other, float):
        return bool(one == other or abs(one - other) <= 1e-9 * max(abs(one), abs(other)))
    return bool(one == other)
