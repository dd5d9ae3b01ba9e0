"""Jump point search: the least cost of the oracle, by whole paths, with a fraction of the expansions."""

from functools import cache
from itertools import pairwise
from math import inf

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Cost, Limits, Result, Search, Status, certify, solve
from searchkit.plugin import EngineSpec, MissingCapabilityError
from searchkit.plugin.loading import load_scenario
from searchkit.testing import explore
from searchkit.testing.strategies.frames import Draft, drafts, far_goal, nearest, pick
from searchkit_dungeon import Grid, grid, make_grid
from searchkit_dungeon.problem import OctileGrid
from searchkit_dungeon.spec import JPS, MAPS
from searchkit_dungeon.strategies import ACROSS, SAME, grounds, terrain_of
from searchkit_dungeon.terrain import Cell

FLOORS = ((1, 1, 1, 0), (1, 1, 0), (1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 0), (1, 0))
SHIPPED = ("random512-25-0", "maze512-8-0", "32room_000")
LINES = 12
ENGINES = pytest.mark.parametrize("engine", [JPS], ids=lambda spec: spec.name)

scenario = cache(load_scenario)


@st.composite
def floors(draw: st.DrawFn, size: int = 10) -> Grid:
    """Draw a grid with 8 moves and no terrain: either corner rule, one to three starts, any number of goals.

    Mostly solvable, sometimes not; now and then a start is a goal.
    """
    draft: Draft = draw(drafts(size, choices=6, places=9))
    weights, corners, more, further, same, across = draft.choices
    marks, spare = draft.marks, draft.frame.corners
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
    return make_grid(ground, starts, goals, 8, pick(corners, ("no", "cut")))


@ENGINES
@given(floors())
@settings(max_examples=600)
def test_finds_the_least_cost(engine: EngineSpec, problem: Grid) -> None:
    """With steps of the grid, and without reopening."""
    result = solve(problem, engine, backend="python")
    best = explore(problem).least_cost()
    assert (inf if result.cost is None else result.cost) == best
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    assert result.lower_bound == best
    assert result.statistics.reopened == 0
    assert result.warnings == ()
    assert certify(problem, result).accepted
    if result.solution is not None:
        states, actions = result.solution.states, result.solution.actions
        for before, action, after in zip(states, actions, states[1:], strict=False):
            assert (action, after) in problem.successors(before)


@ENGINES
@given(floors(), st.integers(1, 4))
@settings(max_examples=200)
def test_can_be_stopped_at_any_jump_point(engine: EngineSpec, problem: Grid, step: int) -> None:
    """In steps it ends with the same path and the same counters; each partial path is whole.

    It may cost less than the arrival at the jump point: one of its cells may be on a cheaper run by now.
    """
    whole = solve(problem, engine, backend="python")
    search = Search(problem, engine, backend="python")
    while not search.ended:
        result = search.run(Limits(expansions=step))
        assert result.lower_bound <= whole.lower_bound
        if result.partial is not None:
            for before, after in pairwise(result.partial.states):
                assert after in [successor for _, successor in problem.successors(before)]
            assert result.partial.cost <= search.tree.reached[result.partial.goal][0]
    assert search.run().solution == whole.solution
    assert search.statistics.expanded == whole.statistics.expanded
    assert search.statistics.generated == whole.statistics.generated


def answer(result: Result[Cell, str]) -> tuple[object, ...]:
    """Return everything in a result except the time and the backend."""
    counters = evolve(result.statistics, seconds=0.0)
    return result.status, result.solution, result.partial, result.lower_bound, result.warnings, counters


@ENGINES
@given(floors(), st.sampled_from([1, 2, 1000]))
@settings(max_examples=300)
def test_the_compiled_form_is_the_same(engine: EngineSpec, problem: Grid, step: int) -> None:
    """At each pause and at the end: path, bound and counters, and the arrivals of all cells."""
    python, compiled = (Search(problem, engine, backend=backend) for backend in ("python", "compiled"))
    while True:
        expected, found = (search.run(Limits(expansions=step)) for search in (python, compiled))
        assert found.backend == "compiled"
        assert answer(found) == answer(expected)
        if python.ended:
            break
        assert compiled.next_state == python.next_state
    assert dict(compiled.tree.reached) == dict(python.tree.reached)
    assert compiled.tree.expanded_states() == python.tree.expanded_states()
    for cell in ((-1, 0), (0, -1), (-3, 1), (problem.terrain.width, 0), (0, 99), "x", None):
        assert cell not in compiled.tree.reached


@ENGINES
def test_a_heuristic_of_ones_own_is_not_compiled(engine: EngineSpec) -> None:
    """With backend="compiled" this is an error; otherwise the engine in Python runs, and may reopen states."""

    class Doubtful(OctileGrid):
        def heuristic(self, state: Cell) -> Cost:
            return super().heuristic(state) if sum(state) % 3 else 0

    room = grid(["S.....", "...##.", ".#..#.", "...#.G"], moves=8)
    problem = Doubtful(room.terrain, room.starts, room.goals, 8)
    assert solve(problem, engine).cost == solve(room, "dijkstra").cost
    with pytest.raises(MissingCapabilityError, match="heuristic of Doubtful has no compiled form"):
        solve(problem, engine, backend="compiled")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SHIPPED)
def test_published_lengths(name: str) -> None:
    """Evenly spread lines of each shipped map; `jps` expands fewer cells than A*."""
    queries = scenario(MAPS / f"{name}.map.scen").queries
    expanded = {"jps": 0, "astar": 0}
    for query in [queries[i * (len(queries) - 1) // (LINES - 1)] for i in range(LINES)]:
        problem = scenario(MAPS / f"{name}.map.scen").problem(query)
        result = solve(problem, "jps")
        assert query.agrees(result.cost), f"line {query.line}: {result.cost}, published {query.expected}"
        assert result.optimal
        expanded["jps"] += result.statistics.expanded
        expanded["astar"] += solve(problem, "astar").statistics.expanded
    assert expanded["jps"] < expanded["astar"] / 2


@pytest.mark.parametrize(
    ("name", "every"),
    [(SHIPPED[0], 10), *(pytest.param(name, 1, marks=pytest.mark.long) for name in SHIPPED)],
)
def test_every_line_of_a_scenario(name: str, every: int) -> None:
    """As machine code, `jps` finds the published length of each; the suite tries one line in ten of one file."""
    loaded = scenario(MAPS / f"{name}.map.scen")
    for query in loaded.queries[::every]:
        result = solve(loaded.problem(query), "jps", backend="compiled")
        assert query.agrees(result.cost), f"line {query.line}: {result.cost}, published {query.expected}"
        assert result.optimal


@pytest.mark.parametrize("options", [{"moves": 4}, {"moves": 8, "terrain": "5"}])
def test_other_grids_are_refused(options: dict[str, object]) -> None:
    """With 4 moves, or with floor that costs more, another engine is named."""
    chosen = dict(options)
    rows = [f"S.{chosen.pop('terrain', '.')}G"]
    with pytest.raises(MissingCapabilityError, match=r"engine 'jps' needs JumpGrid \(jump_map\).*astar"):
        solve(grid(rows, **chosen), "jps")
