"""The engine on the grids of the plugin `dungeon`, as they are: regions come with them."""

from math import inf
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Relaxable, Status
from searchkit.plugin import has_cost
from searchkit_corridor.tests.test_invariants import OPTIONS, VARIANTS, least, run, walk
from searchkit_dungeon import Cell, Grid
from searchkit_dungeon.strategies import grids, mazes


@settings(max_examples=400)
@given(problem=grids(size=13), options=OPTIONS, variant=st.sampled_from(VARIANTS))
def test_any_grid_of_the_dungeon(problem: Grid, options: dict[str, Any], variant: str) -> None:
    """Grids with 4 or 8 moves and terrain need no change. Actions are counted, with a warning if they have costs."""
    assert isinstance(problem, Relaxable)
    result, best = run(problem, variant=variant, **options), least(problem)
    assert (result.status is Status.UNSOLVABLE) == (best == inf)
    costly = has_cost(problem)
    assert bool(result.warnings) == costly
    if result.solution is None:
        return
    assert ("gap" in result.details) != costly
    search: Any = result.search
    steps = len(result.solution.actions)
    assert search.tree.lower_bound <= best <= steps
    if variant == "proved":
        assert steps == best
    if not costly:
        walk(problem, result)


@settings(max_examples=200)
@given(problem=mazes(size=13, kinds="open"), options=OPTIONS, variant=st.sampled_from(VARIANTS))
def test_a_subclass_is_taken_by_its_own_steps(problem: Grid, options: dict[str, Any], variant: str) -> None:
    """A grid with only one-way steps is searched by its own regions, not by those of the map."""

    class OneWay(Grid):
        def successors(self, state: Cell) -> list[tuple[str, Cell]]:
            return [step for step in super().successors(state) if step[0] in ("E", "S")]

    free = sorted((cell for cell in problem.terrain.cells if problem.terrain.weight(cell)), key=sum)
    one_way = OneWay(problem.terrain, free[:1], free[-1:])
    result, best = run(one_way, variant=variant, **options), least(one_way)
    assert (result.status is Status.UNSOLVABLE) == (best == inf)
    if best < inf:
        walk(one_way, result)
        assert result.lower_bound <= best <= result.cost  # type: ignore[operator]  # it is solved
        if variant == "proved":
            assert result.cost == result.lower_bound
