"""Jump point search: the least cost of the oracle, by whole paths, with a fraction of the expansions."""

import gc
from functools import cache
from math import inf
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, certify, solve
from searchkit.plugin import MissingCapabilityError
from searchkit.plugin.loading import load_scenario
from searchkit.testing import explore
from searchkit.testing.strategies.frames import Draft, drafts, far_goal, nearest, pick
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.spec import MAPS
from searchkit_dungeon.strategies import ACROSS, SAME, grounds, terrain_of
from searchkit_dungeon.terrain import LENGTHS

FLOORS = ((1, 1, 1, 0), (1, 1, 0), (1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 0), (1, 0))
SHIPPED = ("random512-25-0", "maze512-8-0", "32room_000")

scenario = cache(load_scenario)


@st.composite
def floors(draw: st.DrawFn, size: int = 10) -> Grid:
    """Draw a grid with 8 moves and no terrain: either corner rule, one to three starts, any number of goals.

    Mostly solvable, sometimes not; now and then a start is a goal.
    """
    draft: Draft = draw(drafts(size, choices=6, places=9))
    weights, corners, more, further, same, across = draft.choices
    marks, spare = draft.marks, draft.corners
    if across >= ACROSS:
        marks[:5] = [nearest(spare, place) for place in marks[:5]]
    starts = [marks[0], *marks[5 : 5 + (more >= 192) + (more >= 224)]]
    goals = [far_goal(starts, marks[1:5], spare)]
    goals += [place for place in marks[7 : 7 + (further >= 192) + (further >= 224)] if place not in starts]
    if same >= SAME:
        goals = starts[-1:]
    elif same >= SAME - 16:
        goals = []
    ground = terrain_of(grounds(draft.cells, pick(weights, FLOORS)), [*starts, *goals])
    return Grid(ground, starts, goals, 8, pick(corners, ("no", "cut")))


@given(floors())
@settings(max_examples=600)
def test_finds_the_least_cost(problem: Grid) -> None:
    """With steps of the grid, and without reopening."""
    result = solve(problem, "jps")
    best = explore(problem).least_cost
    assert (inf if result.cost is None else result.cost) == best
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    assert result.lower_bound == best
    assert result.warnings == ()
    assert certify(problem, result).accepted
    if result.solution is not None:
        states, actions = result.solution.states, result.solution.actions
        for before, action, after in zip(states, actions, states[1:], strict=False):
            assert (action, after) in problem.successors(before)


@given(floors(), st.integers(1, 4))
@settings(max_examples=200)
def test_can_be_stopped_at_any_jump_point(problem: Grid, step: int) -> None:
    """In steps it ends with the same path and the same counters; the tree has whole paths to what was reached."""
    whole = solve(problem, "jps")
    search = Search(problem, "jps")
    while not search.ended:
        result = search.run(Limits(expansions=step))
        assert result.lower_bound <= whole.lower_bound
        reached = search.tree.reached
        assert len(list(reached)) == len(reached) == len(set(reached))
        assert search.tree.expanded_states() <= set(reached)
        for cell in reached:
            states, actions = search.tree.path_to(cell)
            assert (states[0] in problem.starts, states[-1]) == (True, cell)
            for before, action, after in zip(states, actions, states[1:], strict=False):
                assert (action, after) in problem.successors(before)
            assert sum(LENGTHS[action] for action in actions) <= reached[cell][0]
    assert search.run().solution == whole.solution
    assert search.statistics.expanded == whole.statistics.expanded
    assert search.statistics.generated == whole.statistics.generated
    for other in ((-1, 0), (0, -1), (-3, 1), (problem.terrain.width, 0), (0, 99), "x", None):
        assert other not in search.tree.reached


def test_its_memory_is_freed_with_its_result() -> None:
    """Without the garbage collector: one search after the other then uses the same memory."""
    search = Search(grid(["S....", "..#..", "....G"], moves=8), "jps")
    search.run()
    reached = ref(search.tree.reached)
    gc.disable()
    try:
        del search
        assert reached() is None
    finally:
        gc.enable()


def test_it_is_machine_code_only() -> None:
    """In Python there is A*."""
    with pytest.raises(
        MissingCapabilityError, match=r"machine code of the extra fast.*recorded or saved; use 'astar'"
    ):
        solve(grid(["S.G"], moves=8), "jps", backend="python")


@pytest.mark.parametrize("name", SHIPPED)
def test_expands_fewer_cells_than_astar(name: str) -> None:
    """On evenly spread lines of each shipped map."""
    queries = scenario(MAPS / f"{name}.map.scen").queries
    problems = [scenario(MAPS / f"{name}.map.scen").problem(query) for query in queries[:: len(queries) // 6]]
    jps, astar = (
        sum(solve(problem, engine, backend="compiled").statistics.expanded for problem in problems)
        for engine in ("jps", "astar")
    )
    assert jps < astar / 2


@pytest.mark.parametrize(
    ("name", "every"),
    [(SHIPPED[0], 10), *(pytest.param(name, 1, marks=pytest.mark.long) for name in SHIPPED)],
)
def test_every_line_of_a_scenario(name: str, every: int) -> None:
    """The suite tries one line in ten of one file."""
    loaded = scenario(MAPS / f"{name}.map.scen")
    for query in loaded.queries[::every]:
        result = solve(loaded.problem(query), "jps")
        assert query.agrees(result.cost), f"line {query.line}: {result.cost}, published {query.expected}"
        assert result.optimal


@pytest.mark.parametrize("options", [{"moves": 4}, {"moves": 8, "terrain": "5"}])
def test_other_grids_are_refused(options: dict[str, object]) -> None:
    """With 4 moves, or with floor that costs more, another engine is named."""
    chosen = dict(options)
    rows = [f"S.{chosen.pop('terrain', '.')}G"]
    with pytest.raises(MissingCapabilityError, match=r"needs jumps .of a grid with 8 moves.*astar"):
        solve(grid(rows, **chosen), "jps")
