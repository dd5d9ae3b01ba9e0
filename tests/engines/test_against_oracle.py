"""Every registered engine keeps its promises, on graphs full of traps, against one oracle."""

import random
from math import inf

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Result, Search, Status, available_engines, problem_from, solve
from searchkit.errors import InvalidProblemError
from searchkit.problem import has_cost
from searchkit.testing import explore
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import engines_for_digraphs, walk

ENGINES = engines_for_digraphs()
COSTS_FOR = {"any": None, "unit": "unit", "zero-one": "zero-one"}


def problems_for(spec: EngineSpec) -> st.SearchStrategy[WeightedDigraph]:
    """Draw problems whose costs the engine handles, with a heuristic where it uses one."""
    costs = COSTS_FOR[spec.costs]
    if spec.heuristic == "required":
        return weighted_digraphs(costs, heuristic="admissible")
    if spec.heuristic == "optional":
        return st.one_of(weighted_digraphs(costs), weighted_digraphs(costs, heuristic="admissible"))
    return weighted_digraphs(costs)


def uncosted(graph: WeightedDigraph) -> WeightedDigraph:
    """Return the graph in which every action costs 1."""
    return digraph([evolve(edge, cost=None) for edge in graph.edges], graph.starts, graph.goals)


def check(spec: EngineSpec, problem: WeightedDigraph, result: Result[int, int], best: float) -> None:
    """Hold a finished search against the least cost, which the oracle found."""
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    if result.solution is None:
        assert result.cost is None
        assert result.lower_bound == inf
        return
    solution = result.solution
    assert walk(problem, solution, problem.starts) == solution.cost == result.cost
    assert solution.start == solution.states[0]
    assert solution.goal in problem.goals
    assert result.lower_bound <= best
    if spec.optimal:
        assert solution.cost == best
        assert result.optimal
        assert result.lower_bound == best


@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=300)
def test_keeps_its_promises(spec: EngineSpec, data: st.DataObject) -> None:
    """Right status, a path that can be walked, the least cost where promised, and a true lower bound."""
    problem = data.draw(problems_for(spec))
    options = {
        option.name: data.draw(st.sampled_from(option.choices), label=option.name)
        for option in spec.options
        if option.choices
    }
    result = solve(problem, spec, **options)
    check(spec, problem, result, explore(problem).least_cost())


@pytest.mark.parametrize(
    "spec", [spec for spec in ENGINES if spec.costs == "unit"], ids=lambda spec: spec.name
)
@given(problem=weighted_digraphs(costs="int").filter(has_cost))  # without edges it has none
@settings(max_examples=100)
def test_engines_that_count_actions_say_so(spec: EngineSpec, problem: WeightedDigraph) -> None:
    """On a problem with costs they warn, are not called optimal unless free, and the cost is the true one."""
    result = solve(problem, spec)
    assert any("ignores costs" in warning for warning in result.warnings)
    if result.solution is not None:
        assert walk(problem, result.solution, problem.starts) == result.cost
        assert result.lower_bound == 0
        assert result.optimal == (result.cost == 0)
        if spec.optimal:
            assert len(result.solution.actions) == explore(uncosted(problem)).least_cost()


@given(problem=weighted_digraphs(heuristic="admissible"), weight=st.sampled_from([1, 1.5, 2, 5]))
@settings(max_examples=300)
def test_weighted_astar_keeps_its_bound(problem: WeightedDigraph, weight: float) -> None:
    """The cost is ≤ w · optimum, and the lower bound proves it."""
    best = explore(problem).least_cost()
    result = solve(problem, "wastar", weight=weight)
    if result.cost is not None:
        assert result.lower_bound <= best <= result.cost <= weight * result.lower_bound * (1 + 1e-12)


def test_astar_is_right_on_the_family_that_breaks_astar_without_reopening() -> None:
    """1,000 random digraphs: 9 nodes, costs 1–10, h(n) uniform in 0..h*(n). None wrong."""
    rng = random.Random(9)
    reopened = 0
    for _ in range(1000):
        edges = [
            Edge(a, b, rng.randint(1, 10))
            for a in range(9)
            for b in range(9)
            if a != b and rng.random() < 0.3
        ]
        graph = digraph(edges, [0], [8])
        exact = explore(graph).to_goals()
        table = {state: rng.randint(0, int(exact[state])) for state in sorted(exact)}
        problem = digraph(edges, [0], [8], table)
        for engine in ("astar", "bucket", "idastar"):
            result = solve(problem, engine)
            assert (inf if result.cost is None else result.cost) == exact.get(0, inf)
            reopened += result.statistics.reopened
            assert bool(result.statistics.reopened) == any("inconsistent" in text for text in result.warnings)
    assert reopened > 20, "the family does make A* reopen, so the test is not an empty one"


def test_closed_states_are_a_list_until_one_may_be_reopened() -> None:
    """Consistent up to rounding: 2 is closed at 0.1 + 0.2, and reached again at 0.3, which rounds to the same f."""
    edges = [Edge(0, 1, 0.1), Edge(1, 2, 0.2), Edge(0, 3, 0.3), Edge(3, 2, 0), Edge(2, 4, 1001)]
    search = Search(digraph(edges, [0], [4], {0: 0, 1: 1000, 2: 1000, 3: 1000, 4: 0}), "astar")
    search.run(Limits(expansions=3))
    assert search.tree.closed == [0, 1, 2]
    result = search.run()
    assert search.tree.closed == {0, 1, 2, 3}
    assert (result.cost, result.statistics.reopened) == (1001.3, 1)
    assert any("rounding" in text for text in result.warnings)


def test_a_state_closed_before_an_interruption_is_reopened_after_it() -> None:
    """State "u" is closed at f = 9; "q", at f = 2, reaches it more cheaply, and is expanded at the second attempt."""
    steps = {"s": {"u": 5, "p": 1}, "p": {"q": 1}, "q": {"u": 1}, "u": {"z": 20}}
    h, fails = {"s": 0, "u": 4, "p": 9, "q": 0, "z": 0}, ["q"]

    def successors(state: str) -> list[tuple[str, str]]:
        if fails == [state]:
            raise ValueError(fails.pop())
        return [(after, after) for after in steps[state]]

    cost = lambda before, action, after: steps[before][after]  # noqa: E731
    search = Search(problem_from(["s"], successors, "z".__eq__, cost=cost, heuristic=h.__getitem__), "astar")
    with pytest.raises(InvalidProblemError, match="ValueError: q"):
        search.run()
    result = search.run()
    assert (result.cost, result.statistics.reopened, result.statistics.expanded) == (23, 1, 5)


def test_the_registry_names_every_engine_of_the_mission() -> None:
    """The names that users type exist, and the oracle tests all of them here."""
    names = (
        "bfs dijkstra astar bucket dfs iddfs greedy wastar idastar zero_one bidirectional nbs anytime k_best "
        "lpastar dstar_lite"
    )
    assert set(names.split()) <= available_engines().keys()
    assert set(names.split()) <= {spec.name for spec in ENGINES}
