"""The compiled form gives the same answers as the engine in Python, tie for tie and phase by phase."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, Search, solve
from searchkit.plugin import MissingCapabilityError
from searchkit_corridor import relax
from searchkit_corridor.spec import ENGINE
from searchkit_corridor.strategies import masked_grids
from searchkit_corridor.tests.test_invariants import OPTIONS, VARIANTS
from searchkit_dungeon import Cell, Grid, grid
from searchkit_dungeon.strategies import grids

pytestmark = pytest.mark.long  # its kernels take long to compile
EVERY_OPTION = st.tuples(OPTIONS, st.sampled_from(VARIANTS), st.sampled_from(["strict", "resume"])).map(
    lambda drawn: {**drawn[0], "variant": drawn[1], "semantics": drawn[2]}
)
PROBLEMS = st.one_of(masked_grids(), grids(size=13))
LARGER = st.one_of(masked_grids(40, depths=False), masked_grids(40, depths=True), grids(size=40))


def answer(result: Result[Any, Any]) -> tuple[object, ...]:
    """Return what both backends promise to be equal."""
    counters = evolve(result.statistics, seconds=0.0, peak_frontier=0)
    said = result.lower_bound, type(result.lower_bound), result.warnings, result.details
    return result.status, result.solution, result.partial, said, counters


def hold_together(problem: Any, options: dict[str, Any], step: int) -> None:
    """Run both, a given number of expansions at a time, and compare them at each pause and at the end."""
    python, compiled = (
        Search[Any, Any](problem, ENGINE, backend=backend, **options) for backend in ("python", "compiled")
    )
    while True:
        expected, found = (search.run(Limits(expansions=step)) for search in (python, compiled))
        assert found.backend == "compiled"
        assert answer(found) == answer(expected)
        if python.ended:
            break
        assert compiled.next_state == python.next_state
        assert sorted(compiled.tree.frontier) == sorted(python.tree.frontier)
        assert len(compiled.tree.frontier) == len(python.tree.frontier)
    assert dict(compiled.tree.reached) == dict(python.tree.reached)
    assert compiled.tree.expanded_states() == python.tree.expanded_states()
    closed = compiled.tree.closed
    assert (closed is None) == (python.tree.closed is None)
    assert closed is None or (
        len(closed) == len(python.tree.closed) and all(cell in closed for cell in closed)
    )


@settings(max_examples=400)
@given(PROBLEMS, EVERY_OPTION, st.sampled_from([1, 3, 1000]))
def test_the_compiled_form_is_the_same(problem: Any, options: dict[str, Any], step: int) -> None:
    """At each pause and at the end: path, bound, counters, phases, and the arrivals of all cells."""
    hold_together(problem, options, step)


@settings(max_examples=200)
@given(LARGER, EVERY_OPTION)
def test_on_larger_maps(problem: Any, options: dict[str, Any]) -> None:
    """If several corridors fail, and the admitted cells have many different costs."""
    hold_together(problem, options, 1000)


def test_only_grids_have_it() -> None:
    """A subclass may have other steps than its map, and `relax` may return other regions: both stay in Python."""

    class OneWay(Grid):
        def successors(self, state: Cell) -> list[tuple[str, Cell]]:
            return [step for step in super().successors(state) if step[0] in ("E", "S")]

    plain = grid(["S...", "....", "...G"])
    one_way = OneWay(plain.terrain, plain.starts, plain.goals)
    with pytest.raises(MissingCapabilityError, match="grids alone, and OneWay may have other steps"):
        solve(one_way, ENGINE, backend="compiled")
    assert solve(one_way, ENGINE).cost == 5
    with pytest.raises(MissingCapabilityError, match="RelaxedProblem has no compiled form"):
        solve(
            relax(plain, lambda cell: cell[0], lambda column: [column - 1, column + 1]),
            ENGINE,
            backend="compiled",
        )
