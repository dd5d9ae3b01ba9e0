"""The compiled form gives the same answers as the engine in Python, tie for tie and phase by phase."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, Search, Status, solve
from searchkit.plugin import MissingCapabilityError
from searchkit_corridor import CorridorGrid, corridor_grid, relax
from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.mask import Planner
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.spec import ENGINE
from searchkit_corridor.strategies import masked_grids
from searchkit_corridor.tests.test_invariants import OPTIONS, VARIANTS
from searchkit_dungeon import Cell, Grid, grid
from searchkit_dungeon.strategies import grids

EVERY_OPTION = st.tuples(OPTIONS, st.sampled_from(VARIANTS), st.sampled_from(["strict", "resume"])).map(
    lambda drawn: {**drawn[0], "variant": drawn[1], "semantics": drawn[2]}
)
PROBLEMS = st.one_of(masked_grids(), grids(size=13))
LARGER = st.one_of(masked_grids(40, depths=False), masked_grids(40, depths=True), grids(size=40))
WALLS = ["S.......", "######..", "........", "..######", "........", "#######.", "G......."]


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


def test_cells_that_are_none_are_not_reached() -> None:
    """Any key can be looked up in the arrays, even one that would have the number of a cell."""
    search: Search[Any, Any] = Search(corridor_grid(WALLS, cell=2), ENGINE, backend="compiled")
    search.run(Limits(expansions=9))
    for cell in ((-1, 0), (0, -1), (-3, 1), (8, 0), (0, 99), "x", None, (0, 1)):
        assert cell not in search.tree.reached
        assert cell not in search.tree.closed
    with pytest.raises(KeyError):
        search.tree.path_to((0, 1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_memory_is_a_cutoff_and_nothing_is_lost(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither if an array can't grow nor if the mask is widened."""
    problem = corridor_grid(["." * 200] * 200, cell=4, start=[(0, 0)], goal=[(199, 199)], depth="clearance")
    options: dict[str, Any] = {"variant": variant, "radius": 3}
    expected = solve(problem, ENGINE, backend="python", **options)
    search: Search[Any, Any] = Search(problem, ENGINE, backend="compiled", **options)

    def no_memory(*arguments: object) -> None:
        raise MemoryError

    causes = []
    for owner, name in ((Store, "grow"), (Planner, "wider")):
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, no_memory)
            result = search.run()
            causes.append(result.cutoff)
            again = search.run()
            assert answer(again) == answer(result)
    assert "the memory of this machine" in causes
    assert answer(search.run()) == answer(expected)


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


@pytest.mark.parametrize(
    "depths", [[5] * 20, np.full(20, -3), bytes([2] * 20)], ids=["list", "array", "bytes"]
)
def test_depths_in_any_form(depths: Any) -> None:
    """Any container of integers is accepted."""
    plain = grid(["S...", "....", "...G"])
    problem = CorridorGrid(plain.terrain, plain.starts, plain.goals, 2, depths)
    expected, found = (solve(problem, ENGINE, backend=backend) for backend in ("python", "compiled"))
    assert answer(found) == answer(expected)
    assert found.details["depth"] == depths[0]


def test_depths_that_are_no_integers_stay_in_python() -> None:
    """Rounding them would change the path."""
    plain = grid(["S...", "....", "...G"])
    problem: Any = CorridorGrid(plain.terrain, plain.starts, plain.goals, 2, [0.5] * 20)  # type: ignore[list-item]
    assert solve(problem, ENGINE).details["depth"] == 0.5
    with pytest.raises(MissingCapabilityError, match="depths that are integers"):
        solve(problem, ENGINE, backend="compiled")


def test_arrays_are_taken_over_by_the_next_search_and_nothing_is_known_in_them() -> None:
    """At once when a search is gone, without the collector of cycles; also when the stamps are used up."""
    problem = corridor_grid(WALLS, cell=2)
    expected = answer(solve(problem, ENGINE, backend="python"))
    gc.disable()
    try:
        first: Search[Any, Any] = Search(problem, ENGINE, backend="compiled")
        first.run()
        store: Store = first.tree.frontier.store
        words, gone = store.cells.ctypes.data, weakref.ref(store)
        store.counters[kernels.STAMPED] = kernels.LAST_STAMP
        del first, store
        assert gone() is None
    finally:
        gc.enable()
    for _ in range(3):
        search: Search[Any, Any] = Search(problem, ENGINE, backend="compiled")
        assert answer(search.run()) == expected
        assert search.tree.frontier.store.cells.ctypes.data == words
        del search


def test_two_searches_at_once_do_not_share() -> None:
    """Each search has cells of its own."""
    one, other = (
        Search[Any, Any](corridor_grid(WALLS, cell=2), ENGINE, backend="compiled") for _ in range(2)
    )
    expected = answer(solve(one.problem, ENGINE, backend="python"))
    one.run(Limits(expansions=7))
    other.run(Limits(expansions=12))
    assert answer(one.run()) == answer(other.run()) == expected


def test_limits_of_cost() -> None:
    """As in Python: the bound rises from phase to phase."""
    problem = corridor_grid(WALLS, cell=2)
    for limit in (3, 6, 100):
        expected, found = (
            solve(problem, ENGINE, backend=backend, limits=Limits(cost=limit), variant="proved")
            for backend in ("python", "compiled")
        )
        assert answer(found) == answer(expected)
        assert found.status is (Status.SOLVED if limit == 100 else Status.CUTOFF)


@pytest.mark.parametrize("step", [1, 1000])
def test_a_goal_that_comes_in_at_the_same_cost_does_not_stand_for_the_one_found(step: int) -> None:
    """The first goal found stays the answer while the mask is widened to prove it."""
    problem = corridor_grid(["....", "....", "#..."], cell=2, start=[(3, 2)], goal=[(0, 1), (2, 1), (1, 2)])
    hold_together(problem, {"variant": "proved", "radius": 0, "learn": False}, step)
    assert solve(problem, ENGINE, backend="compiled", variant="proved", radius=0, learn=False).cost == 2
