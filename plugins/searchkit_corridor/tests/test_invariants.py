"""Properties of every variant on every grid, over drawn problems."""

from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Result, Status, solve
from searchkit.testing import check_engine
from searchkit_corridor import CorridorGrid, PhaseReport, relax
from searchkit_corridor.spec import ENGINE
from searchkit_corridor.strategies import masked_grids
from searchkit_dungeon import Grid

VARIANTS = ("restart", "fast", "optimal", "proved")
OPTIONS = st.fixed_dictionaries(
    {"radius": st.integers(0, 2), "budget": st.integers(0, 4), "learn": st.booleans()}
)
plain = masked_grids(depths=False)


def run(problem: Any, **options: Any) -> Result[Any, Any]:
    """Solve with the engine of this plugin, wherever it is registered."""
    return solve(problem, ENGINE, backend="python", **options)


def phases(result: Result[Any, Any]) -> tuple[PhaseReport, ...]:
    """Return the reports of the phases."""
    reports = result.details["phases"]
    assert isinstance(reports, tuple)
    return reports


def least(problem: Grid, allowed: Any = lambda cell: True) -> float:
    """Return the number of steps to the nearest goal over cells that are allowed, by plain breadth-first search."""
    layer = {cell for cell in problem.starts if allowed(cell)}
    seen, steps = set(layer), 0
    while layer:
        if any(problem.is_goal(cell) for cell in layer):
            return steps
        layer = {to for cell in layer for _, to in problem.successors(cell) if to not in seen and allowed(to)}
        seen |= layer
        steps += 1
    return inf


def walk(problem: Grid, result: Result[Any, Any]) -> None:
    """Check that the solution is a path from a start to a goal, each step a successor of the one before."""
    solution = result.solution
    assert solution is not None
    assert solution.start in problem.starts
    assert solution.goal in problem.goals
    for before, action, after in zip(solution.states, solution.actions, solution.states[1:], strict=False):
        assert (action, after) in problem.successors(before)
    assert result.cost == len(solution.actions)


@settings(max_examples=400)
@given(problem=plain, options=OPTIONS, variant=st.sampled_from(VARIANTS))
def test_paths_are_valid_and_there_is_no_false_no_path(
    problem: CorridorGrid, options: dict[str, Any], variant: str
) -> None:
    """Solved exactly if breadth-first search solves it; the path is valid; the lower bound is one."""
    result, best = run(problem, variant=variant, **options), least(problem)
    if best == inf:
        assert result.status is Status.UNSOLVABLE
        return
    walk(problem, result)
    assert result.lower_bound <= best <= result.cost  # type: ignore[operator]  # it is solved
    assert result.details["gap"] == result.cost - result.lower_bound  # type: ignore[operator]


@pytest.mark.parametrize("variant", VARIANTS[1:])
def test_other_variants_keep_the_promises_of_an_engine(variant: str) -> None:
    """As the default does in the tests of all engines: with pauses, errors of the problem, counters from outside."""
    assert check_engine("corridor", examples=100, variant=variant).holds


@settings(max_examples=400)
@given(problem=plain, options=OPTIONS)
def test_optimal_is_restart_is_breadth_first_in_the_final_mask(
    problem: CorridorGrid, options: dict[str, Any]
) -> None:
    """The mask of the last phase decides the cost; earlier phases do not."""
    restart, optimal = (run(problem, variant=variant, **options) for variant in ("restart", "optimal"))
    assert restart.cost == optimal.cost
    assert restart.lower_bound == optimal.lower_bound
    unrestricted = phases(optimal)[-1].kind == "unrestricted"
    mask = frozenset[Any]().union(*(phase.opened for phase in phases(optimal)))
    best = least(problem, lambda cell: unrestricted or problem.region(cell) in mask)
    assert (inf if optimal.cost is None else optimal.cost) == best


@settings(max_examples=400)
@given(problem=plain, options=OPTIONS)
def test_proved_is_the_unrestricted_optimum(problem: CorridorGrid, options: dict[str, Any]) -> None:
    """The result reports it."""
    result, best = run(problem, variant="proved", **options), least(problem)
    assert (inf if result.cost is None else result.cost) == best == result.lower_bound
    assert result.optimal == (best < inf)


@settings(max_examples=300)
@given(problem=plain, cell=st.integers(1, 4))
def test_the_bound_of_the_coarse_map_is_admissible(problem: CorridorGrid, cell: int) -> None:
    """From every cell; the value plus 1 would not be."""
    for start in [
        cell
        for cell in problem.terrain.cells
        if problem.terrain.weights[cell[1] * problem.terrain.stride + cell[0]]
    ]:
        assert problem.regions.to_go(problem.region(start)) <= least(
            Grid(problem.terrain, [start], problem.goals)
        )


def deepest(problem: CorridorGrid) -> tuple[float, float]:
    """Return the largest depth that a path can keep, and the least steps of such paths, level by level."""
    assert problem.depths is not None
    depth = problem.regions.depth
    assert depth is not None
    for level in sorted(set(problem.depths), reverse=True):
        steps = least(problem, lambda cell, level=level: depth(cell) >= level)
        if steps < inf:
            return level, steps
    return inf, inf


@settings(max_examples=500)
@given(
    problem=masked_grids(depths=True),
    options=OPTIONS,
    variant=st.sampled_from(VARIANTS),
)
def test_the_way_is_the_deepest_possible(
    problem: CorridorGrid, options: dict[str, Any], variant: str
) -> None:
    """For any variant and mask; with `proved`, it is also the shortest of the deepest."""
    result = run(problem, variant=variant, **options)
    level, steps = deepest(problem)
    if level == inf:
        assert result.status is Status.UNSOLVABLE
        return
    walk(problem, result)
    assert result.solution is not None
    assert problem.regions.depth is not None
    assert min(map(problem.regions.depth, result.solution.states)) >= level
    assert result.details["depth"] == level
    assert result.lower_bound <= least(problem)
    if variant == "proved":
        assert result.cost == steps


@settings(max_examples=200)
@given(problem=plain, options=OPTIONS, size=st.integers(1, 5), variant=st.sampled_from(VARIANTS))
def test_any_problem_with_a_region_function(
    problem: CorridorGrid, options: dict[str, Any], size: int, variant: str
) -> None:
    """`relax` on a bare grid with regions of another kind, stripes, and a graph with some additional edges."""
    bare = Grid(problem.terrain, problem.starts, problem.goals)
    stripes = relax(
        bare,
        lambda cell: cell[0] // size,
        lambda stripe: [stripe - 1, stripe + 1] if 0 <= stripe <= 12 else [],
    )
    result, best = run(stripes, variant=variant, **options), least(problem)
    assert (result.status is Status.UNSOLVABLE) == (best == inf)
    if best < inf:
        walk(problem, result)
        assert result.lower_bound <= best
        if variant == "proved":
            assert result.cost == best
