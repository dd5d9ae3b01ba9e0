"""The compiled form gives the same answers as the engine in Python, tie for tie and phase by phase."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, Search, solve
from searchkit.plugin import MissingCapabilityError
from searchkit_corridor import corridor_grid
from searchkit_corridor.spec import ENGINE
from searchkit_corridor.strategies import masked_grids
from searchkit_corridor.tests.test_invariants import OPTIONS
from searchkit_dungeon import Cell, Grid
from searchkit_dungeon.strategies import grids

pytestmark = pytest.mark.long  # its kernels take long to compile


def answer(result: Result[Any, Any]) -> tuple[object, ...]:
    """Return what both backends promise to be equal."""
    counters = evolve(result.statistics, seconds=0.0, peak_frontier=0)
    return result.status, result.solution, result.lower_bound, result.warnings, result.details, counters


@settings(max_examples=400)
@given(
    st.one_of(masked_grids(), grids(size=13), masked_grids(40)),
    OPTIONS,
    st.sampled_from(["restart", "proved"]),
    st.sampled_from([1, 3, 1000]),
)
def test_the_compiled_form_is_the_same(
    problem: Any, options: dict[str, Any], variant: str, step: int
) -> None:
    """At each pause and at the end: path, bound, counters, phases, and the arrivals of all cells."""
    python, compiled = (
        Search[Any, Any](problem, ENGINE, backend=backend, variant=variant, **options)
        for backend in ("python", "compiled")
    )
    while True:
        expected, found = (search.run(Limits(expansions=step)) for search in (python, compiled))
        assert found.backend == "compiled"
        assert answer(found) == answer(expected)
        if python.ended:
            break
        assert compiled.next_state == python.next_state
    assert dict(compiled.tree.reached) == dict(python.tree.reached)


def test_only_two_variants_on_grids_have_it() -> None:
    """The others say so; a subclass may have other steps than its map, and stays in Python."""

    class OneWay(Grid):
        def successors(self, state: Cell) -> list[tuple[str, Cell]]:
            return [step for step in super().successors(state) if step[0] in ("E", "S")]

    plain = corridor_grid(["S...", "....", "...G"])
    one_way = OneWay(plain.terrain, plain.starts, plain.goals)
    with pytest.raises(MissingCapabilityError, match="grids alone, and OneWay may have other steps"):
        solve(one_way, ENGINE, backend="compiled")
    assert solve(one_way, ENGINE).cost == 5
    with pytest.raises(
        MissingCapabilityError, match="variant=fast of corridor runs in Python; variant=restart"
    ):
        solve(plain, ENGINE, backend="compiled", variant="fast")
