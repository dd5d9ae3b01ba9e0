"""`lpastar` and `dstar_lite` after changes: as cheap as a new search, valid, and with a fraction of the expansions."""

from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Aimable,
    Limits,
    Replanner,
    Result,
    SearchProblem,
    Status,
    problem_from,
)
from searchkit.engines.replanning.repair import ANEW
from searchkit.errors import InvalidOptionError, InvalidProblemError, MissingCapabilityError
from searchkit.trace import RecordedReplanner, replay
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Terrain
from tests.helpers import walk
from tests.search.changing import GUIDES, NODES, Roads

ENGINES = ("lpastar", "dstar_lite")


def check(
    planner: Replanner[Any, Any], problem: Any, best: float, limits: Limits | None = None
) -> Result[Any, Any]:
    """Solve, cut up by limits, and hold the answer against the least cost."""
    result = planner.solve(limits)
    while result.status is Status.CUTOFF:
        assert result.lower_bound <= best
        result = planner.solve(limits)
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    assert result.lower_bound == best
    if result.solution is not None:
        assert walk(problem, result.solution, problem.initial_states()) == result.cost == best
        assert problem.is_goal(result.solution.goal)
    return result


pairs = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES))


@pytest.mark.parametrize("engine", ENGINES)
@given(
    st.dictionaries(pairs, st.integers(0, 4), min_size=3, max_size=20),
    st.lists(
        st.one_of(
            st.dictionaries(pairs, st.one_of(st.none(), st.integers(0, 4)), min_size=1, max_size=5),
            st.sampled_from(NODES),
            st.lists(st.sampled_from(NODES), min_size=1, max_size=2, unique=True),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(sorted(GUIDES)),
)
@settings(max_examples=300, deadline=None)
def test_edits_of_digraphs_cost_what_a_new_search_costs(
    engine: str, roads: dict[tuple[int, int], int], edits: list[Any], guide: str
) -> None:
    """Roads come, go and cost something else, some nothing; starts and goals change, and so does the heuristic."""
    graph = Roads(roads, 0, [6], GUIDES[guide])
    planner: Replanner[Any, Any] = Replanner(graph, engine)
    check(planner, graph, graph.best)
    for edit in edits:
        changed: list[int] = []
        start, goals = graph.start, graph.goals
        if isinstance(edit, dict):
            changed = [pair[pair[0] % 2] for pair in edit]  # either end of a road
            roads = {pair: cost for pair, cost in {**roads, **edit}.items() if cost is not None}
        elif isinstance(edit, int):
            start = edit
        else:
            goals = edit
        graph = Roads(roads, start, goals, GUIDES[guide])
        planner.change(graph, changed)
        result = check(planner, graph, graph.best)
        assert not result.warnings or guide == "inconsistent"


def room(side: int = 40) -> Grid:
    """Return a room with 20 % walls, from one corner to the other."""
    chance = Random(3)
    terrain = Terrain([bytes(int(chance.random() > 0.2) for _ in range(side)) for _ in range(side)])
    terrain = terrain.with_cells({(0, 0): 1, (side - 1, side - 1): 1})
    return Grid(terrain, [(0, 0)], [(side - 1, side - 1)])


def test_moving_along_the_path_expands_nothing() -> None:
    """What D* Lite knows stays true on each step of an optimal path."""
    planner: Replanner[Any, Any] = Replanner(room(), "dstar_lite")
    result = planner.solve()
    for number, cell in enumerate(result.states[1:], 1):
        planner.move(cell)
        later = planner.solve()
        assert (later.cost, later.statistics.expanded) == (result.cost - number, 0)  # type: ignore[operator]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_refused_change_loses_nothing(engine: str) -> None:
    """The problem is invalid, or raises while the change is taken up: the old one stays, and is solved."""
    grid = room(8)
    planner: Replanner[Any, Any] = Replanner(grid, engine)
    first = planner.solve()
    with pytest.raises(InvalidProblemError, match=r"the start \(0, 0\) is inside a wall"):
        grid.with_cells({(0, 0): 0})
    with pytest.raises(InvalidProblemError, match=r"the start \(8, 0\) is off the map"):
        planner.move((8, 0))
    broken = grid.with_cells({(3, 3): 0})
    vars(broken).update(dict.fromkeys(("predecessors", "successors"), lambda state: 1 // 0))
    with pytest.raises(ZeroDivisionError):
        planner.change(broken, broken.surroundings([first.states[3]]))
    assert (planner.problem, planner.changes) == (grid, 0)
    assert planner.solve().solution == first.solution


def test_what_can_not_be_done_is_an_error_that_says_why() -> None:
    """Other engines, and problems without predecessors or `aimed`; the search stays the same object."""
    line = problem_from([0], lambda x: [("+1", x + 1)], lambda x: x == 3, heuristic=lambda x: 3 - x)
    with pytest.raises(
        InvalidOptionError, match=r"engine 'astar' can't take up changes; expected lpastar or"
    ):
        Replanner(line, "astar")
    with pytest.raises(MissingCapabilityError, match="needs goal_states and predecessors"):
        Replanner(line)
    graph = Roads({(0, 1): 1}, 0, [1], GUIDES["exact"])
    planner = Replanner(graph)
    assert not isinstance(graph, Aimable)
    with pytest.raises(MissingCapabilityError, match=r"Roads is not Aimable: .*use change"):
        planner.move(1)
    with pytest.raises(MissingCapabilityError):
        planner.change(line, [])
    old = planner.solve(Limits(expansions=0))
    planner.change(graph, [])
    assert old.search is planner.search
    assert [*planner] == [0]
    assert planner.solve().cost == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_searches_end_with_heuristics_that_overestimate(engine: str) -> None:
    """By any factor up to 3: a path is found if there is one, and a warning says so if a search began anew."""
    began_anew = 0
    for seed in range(60):
        chance = Random(seed)
        roads = {(chance.choice(NODES), chance.choice(NODES)): chance.randrange(1, 9) for _ in range(16)}
        factors = [Fraction(chance.randrange(13), 4) for _ in NODES]
        planner = Replanner(Roads(roads, 0, [6], factors.__getitem__), engine)
        for _ in range(6):
            result = planner.solve(Limits(expansions=500))
            assert result.status is (Status.UNSOLVABLE if planner.problem.best == inf else Status.SOLVED)  # type: ignore[attr-defined]
            began_anew += ANEW in result.warnings
            road = chance.choice(NODES), chance.choice(NODES)
            roads = {**roads, road: chance.choice((1, 9))} if chance.random() < 0.5 else roads
            gone = chance.choice(list(roads))
            roads = {one: cost for one, cost in roads.items() if one != gone}
            planner.change(Roads(roads, 0, [6], factors.__getitem__), [road[1], gone[1]])
    assert began_anew > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_recording_has_all_phases(engine: str) -> None:
    """At its end, the replay has what the tree has; the answers are those without a recording."""
    grid, plain = room(10), Replanner[Any, Any](room(10), engine)
    recorded: RecordedReplanner[Any, Any] = RecordedReplanner(grid, engine)
    expanded = 0
    for cells in ({}, {(5, 5): 0, (4, 5): 0}, {(8, 9): 0, (9, 8): 0}, {(8, 9): 2}):
        grid = grid.with_cells(cells)
        for planner in (plain, recorded):
            planner.change(grid, grid.surroundings(cells))
        one, other = plain.solve(), recorded.solve()
        assert (one.solution, one.lower_bound) == (other.solution, other.lower_bound)
        assert one.statistics.expanded == other.statistics.expanded
        expanded += other.statistics.expanded
    recording, tree = recorded.recording(), recorded.search.tree
    assert recording.expansions == expanded
    assert [note.text for note in recording.notes if note.kind == "phase"] == [
        f"change {n}" for n in (1, 2, 3, 4)
    ]
    last, half = replay(recording), tree.backward or tree
    arrivals = last.reached if half is tree else last.backward
    assert {state: one for state, one in arrivals.items() if one[0] is not None} == dict(half.reached)


class Aimed(SearchProblem[int, int]):
    """A digraph whose `backward_heuristic` is a table: start → the value at each state."""

    def __init__(self, edges: Any, starts: Any, goals: Any, table: Any):
        self.edges, self.starts, self.goals, self.table = edges, starts, goals, table

    def initial_states(self) -> Any:
        return self.starts

    def goal_states(self) -> Any:
        return self.goals

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def successors(self, state: int) -> Any:
        return [(number, head) for number, (tail, head, _) in enumerate(self.edges) if tail == state]

    def predecessors(self, state: int) -> Any:
        return [(number, tail) for number, (tail, head, _) in enumerate(self.edges) if head == state]

    def cost(self, state: int, action: int, successor: int) -> Any:
        return self.edges[action][2]

    def backward_heuristic(self, state: int) -> Any:
        return self.table[self.starts[0]][state]

    def aimed(self, starts: Any, goals: Any) -> "Aimed":
        return Aimed(self.edges, list(starts), list(goals), self.table)


def test_a_move_to_where_a_dead_end_leads_on() -> None:
    """The heuristic is infinite at the goal, seen from the first start; from the second, it is 1 away."""
    table = {0: [0, 0, inf], 1: [inf, 0, 1], 2: [inf, 0, 0]}
    planner: Replanner[Any, Any] = Replanner(Aimed([(1, 2, 1)], [0], [2], table), "dstar_lite")
    assert planner.solve().status is Status.UNSOLVABLE
    planner.move(1)
    assert planner.solve().cost == 1


def test_moves_with_a_heuristic_that_breaks_the_triangle_inequality() -> None:
    """It is admissible for each start: after two moves, the least cost is 2."""
    table = {0: [0, 0, inf], 1: [3, 0, 2], 2: [4, 1, 0]}
    edges = [(1, 2, 2), (1, 1, 2), (2, 1, 1), (1, 0, 3)]
    planner: Replanner[Any, Any] = Replanner(Aimed(edges, [2], [0, 2], table), "dstar_lite")
    planner.solve()
    planner.move(0)
    planner.solve()
    planner.move(1)
    result = planner.solve()
    assert (result.cost, result.optimal) == (2, True)
