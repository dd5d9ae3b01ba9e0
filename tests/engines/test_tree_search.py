"""`tree_search`: engines that expand a state on every path to it. Their answers are right, their counters larger."""

from functools import partial
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Limits,
    Result,
    Search,
    SearchProblem,
    Status,
    available_engines,
    certify,
    load,
    problem_from,
    solve,
)
from searchkit.errors import InvalidOptionError, InvalidProblemError, MissingCapabilityError
from searchkit.testing import explore
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit.trace import RecordedSearch, replay
from tests.contract.faults import Injected, faulty
from tests.engines.test_memory_bounded import ROAD, romania
from tests.helpers import facts, uncosted, walk
from tests.trace.live import hold, watched

MOST = 2_000
"""Expansions after which a search counts as endless."""
ENGINES = {
    name: evolve(
        spec, name=f"{name} on trees", run=partial(spec.run, tree_search=True), options=(), kernel=""
    )
    for name, spec in available_engines().items()
    if "tree_search" in {option.name for option in spec.options}
}
PATHS = available_engines()["dfs"]
"""An engine whose `expanded` may be larger by one after an error."""
every_engine = pytest.mark.parametrize("name", sorted(ENGINES))


def dearer(problem: WeightedDigraph) -> WeightedDigraph:
    """Return the graph in which no action is free; the heuristic stays admissible."""
    edges = [
        evolve(edge, cost=edge.cost if edge.cost is None or edge.cost > 0 else 1) for edge in problem.edges
    ]
    return digraph(edges, problem.starts, problem.goals, problem.table)


def problems(name: str) -> st.SearchStrategy[WeightedDigraph]:
    """Draw problems without actions that are free, for an engine of that name."""
    if ENGINES[name].costs == "unit":
        return weighted_digraphs("unit")
    return weighted_digraphs(heuristic="admissible" if name == "astar" else False).map(dearer)


def test_the_option_is_one_of_four_engines() -> None:
    """The tests below are for all that have it."""
    assert set(ENGINES) == {"bfs", "dfs", "dijkstra", "astar"}


@every_engine
@given(data=st.data())
@settings(max_examples=200)
def test_answers_are_right(name: str, data: st.DataObject) -> None:
    """The least cost, true bounds, a path that can be walked; "unsolvable" only if no path exists."""
    problem, spec = data.draw(problems(name)), ENGINES[name]
    best = explore(problem).least_cost()
    result = solve(problem, spec, limits=Limits(expansions=MOST))
    assert result.lower_bound <= best
    if result.solution is not None:
        assert walk(problem, result.solution, problem.starts) == result.cost
        assert result.solution.goal in problem.goals
        if spec.optimal:
            assert result.cost == best == result.lower_bound
    elif result.status is Status.UNSOLVABLE:
        assert best == float("inf")
    else:
        assert result.cutoff == f"the limit of {MOST} expansions"
    assert certify(problem, result).accepted


@every_engine
@given(data=st.data())
@settings(max_examples=60)
def test_everything_is_in_the_tree(name: str, data: st.DataObject) -> None:
    """With a new generator at each pause: the same result."""
    problem, spec = data.draw(problems(name)), ENGINES[name]
    search, whole = Search(problem, spec), solve(problem, spec, limits=Limits(expansions=200))
    while not search.ended and search.tree.expanded < 200:
        search = Search(search.problem, search.spec, tree=search.tree, **search.options)
        left = 200 - search.tree.expanded
        search.run(Limits(expansions=min(left, data.draw(st.integers(1, 60)))))
    result = search.run(Limits(expansions=0))
    assert facts(evolve(result, cutoff="", search=None)) == facts(evolve(whole, cutoff="", search=None))


@every_engine
@given(data=st.data())
@settings(max_examples=100)
def test_an_expansion_that_raised_is_done_again(name: str, data: st.DataObject) -> None:
    """A call that fails once does not change the answer."""
    problem, spec = data.draw(problems(name)), ENGINES[name]
    limit = Limits(expansions=100)
    whole = solve(problem, spec, limits=limit)
    failing = data.draw(st.integers(0, 60))
    search: Search[int, int] = Search(faulty(problem, failing), spec)
    result = None
    while result is None:
        try:
            result = search.resume(Limits(expansions=100 - search.tree.expanded))
        except (InvalidProblemError, Injected) as error:
            assert "the disk is gone" in str(error)  # noqa: PT017  # it may not be raised at all
    if whole.status is not Status.CUTOFF:  # the same state may come twice in succession
        assert (result.status, result.cost) == (whole.status, whole.cost)


@every_engine
@given(data=st.data())
@settings(max_examples=60)
def test_a_replay_is_the_live_tree(name: str, data: st.DataObject) -> None:
    """Recorded like any other search: arrivals, expanded states and counters at every yield."""
    problem, spec = data.draw(problems(name)), ENGINES[name]
    search = RecordedSearch(problem, spec)
    moments = watched(search, 60)
    recording = search.recording()
    if name == "dfs":  # of a state that is on the path twice, the second one is not entered
        moments = [evolve(moment, expanded=None) for moment in moments]
    if search.ended:
        hold(recording, moments)
    else:
        assert replay(recording, recording.expansions_at[-1]).reached == moments[-2].reached


def ladder(rungs: int, cost: int = 1) -> WeightedDigraph:
    """Return squares in a row, each with two ways to the next: 2 to the power of their number paths to the end."""
    edges = [
        Edge(tail, head, cost)
        for square in range(rungs)
        for tail, head in ((3 * square, 3 * square + 1), (3 * square, 3 * square + 2))
    ]
    edges += [Edge(3 * square + way, 3 * square + 3, cost) for square in range(rungs) for way in (1, 2)]
    return digraph(edges, [0], [], {})


@pytest.mark.parametrize("rungs", [1, 4, 8])
@every_engine
def test_the_counters_show_why_engines_remember(name: str, rungs: int) -> None:
    """Without a record, each path is expanded: 4·2ⁿ − 3 of them lead to the 3n + 1 states of n squares."""
    problem = uncosted(ladder(rungs)) if ENGINES[name].costs == "unit" else ladder(rungs)
    told, remembered = solve(problem, ENGINES[name]), solve(problem, name)
    assert told.status is remembered.status is Status.UNSOLVABLE
    assert told.statistics.expanded == 4 * 2**rungs - 3
    if name != "dfs":  # which remembers its path only
        assert remembered.statistics.expanded == 3 * rungs + 1


def test_in_romania() -> None:
    """The answers are those of graph search; Dijkstra's algorithm expands every walk that costs less than the best."""
    walks = [("Arad", 0)]
    for town, km in walks:
        if km < 418:
            walks += [
                (to, km + far) for (start, to), far in ROAD.items() if start == town and km + far <= 418
            ]
    figures = {}
    for name in ("bfs", "dijkstra", "astar"):
        told, remembered = solve(romania(), name, tree_search=True), solve(romania(), name)
        assert told.solution == remembered.solution
        figures[name] = (told.statistics.expanded, remembered.statistics.expanded)
    assert figures == {"bfs": (8, 7), "dijkstra": (52, 12), "astar": (5, 5)}
    assert sum(km < 418 for _, km in walks) == 51, "the other one costs as much as the best"


def test_depth_first_goes_round_for_ever() -> None:
    """There is a cycle on its way to the goal: only a limit ends it, and memory grows with the length of the path."""
    ring = problem_from([0], lambda n: [("back", (n - 1) % 3), ("out", 9)], lambda n: n == 9)
    result = solve(ring, "dfs", tree_search=True, limits=Limits(expansions=500))
    assert (result.status, result.statistics.expanded) == (Status.CUTOFF, 500)
    assert result.statistics.reached <= 3
    assert result.partial is not None
    assert walk(ring, result.partial, [0]) == result.partial.cost <= 2
    assert solve(ring, "dfs").cost == 3
    assert solve(ring, "bfs", tree_search=True).cost == 1


def test_on_trees_nothing_changes() -> None:
    """Where one path leads to each state, the order, the path and the counters are the same."""

    def plain(result: Result[Any, Any]) -> Result[Any, Any]:
        return facts(evolve(result, search=None))

    binary: SearchProblem[int, int] = problem_from(
        [1],
        lambda n: [(b, 2 * n + b) for b in (0, 1)] if n < 32 else [],
        lambda n: n == 41,
        heuristic=lambda n: 0,
    )
    for name in ENGINES:
        assert list(Search(binary, name, tree_search=True)) == list(Search(binary, name))
        assert plain(solve(binary, name, tree_search=True)) == plain(solve(binary, name))


def test_an_inconsistent_heuristic_is_no_harm() -> None:
    """C is expanded at a cost of 5 first, and at a cost of 3 later, which counts as reopened and is named."""
    problem = digraph("0 -2→ 1, 0 -5→ 2, 1 -1→ 2, 2 -9→ 3", [0], [3], {0: 0, 1: 9, 2: 0, 3: 0})
    result = solve(problem, "astar", tree_search=True)
    assert (result.cost, result.optimal, result.statistics.reopened) == (12, True, 1)
    assert list(Search(problem, "astar", tree_search=True)) == [0, 2, 1, 2]
    assert "inconsistent between 1 and 2" in result.warnings[0]


def test_it_is_a_search_in_python() -> None:
    """Machine code does not have the option: `compiled` is refused, and `auto` stays in Python without a word."""
    problem = load("crypt")
    for name in ("bfs", "dijkstra", "astar"):
        with pytest.raises(
            MissingCapabilityError, match=f"'{name}' has no compiled form with tree_search=True; use"
        ):
            Search(problem, name, backend="compiled", tree_search=True)
        assert Search(problem, name, tree_search="yes").backend == "python"
    with pytest.raises(InvalidOptionError, match="expected true or false"):
        solve(problem, "bfs", tree_search="maybe")


def test_without_it_machine_code_is_as_before() -> None:
    """An option of Python alone is not passed on at its default."""
    pytest.importorskip("numba")
    problem = load("maze")
    compiled, plain = (
        solve(problem, "bfs", backend=backend, tree_search="false") for backend in ("compiled", "python")
    )
    assert compiled.backend == "compiled"
    assert compiled.solution == plain.solution
