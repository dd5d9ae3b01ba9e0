"""`certify` accepts what is true, rejects what is not, and says what it took for granted."""

from math import inf
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Result, Search, Status, certify, solve
from searchkit.certificates.make import holds_arrivals
from searchkit.testing import explore
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import engines_for_digraphs, problems_for

ENGINES = engines_for_digraphs()
every_engine = pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)


@every_engine
@given(data=st.data())
@settings(max_examples=100)
def test_true_results_are_accepted(spec: EngineSpec, data: st.DataObject) -> None:
    """Solved, unsolvable or cut off anywhere; the bound is proved if the engine holds arrivals."""
    problem = data.draw(problems_for(spec))
    search = Search(problem, spec)
    result = search.run(Limits(expansions=data.draw(st.integers(0, 12))))
    verdict = certify(problem, result)
    assert verdict.accepted, verdict.objection
    assert bool(verdict) == (not verdict.unproved)
    assert not (holds_arrivals(result) and verdict.unproved)
    if spec.heuristic == "unused" and search.tree.backward is None:
        assert not verdict.assumed


@given(weighted_digraphs(), st.data())
@settings(max_examples=200)
def test_a_higher_bound_than_the_truth_is_rejected(graph: WeightedDigraph, data: st.DataObject) -> None:
    """No arrivals prove a bound above the least cost: certify accepts a claim only if it is true."""
    best = explore(graph).least_cost()
    assume(best < inf)
    result = solve(graph, "dijkstra")
    claimed = best + data.draw(st.sampled_from([1, 0.5]))
    assume(claimed > best)  # a float of this size may have no room for the half
    lie = evolve(result, lower_bound=claimed, solution=None, status=Status.CUTOFF)
    assert not certify(graph, lie)
    assert not certify(graph, evolve(lie, lower_bound=inf, status=Status.UNSOLVABLE))


def test_no_path_claimed_without_a_search_is_not_true() -> None:
    """Nothing contradicts it, and nothing supports it: `if certify(…)` must not treat it as proved."""
    lie = evolve(solved(), solution=None, lower_bound=inf, status=Status.UNSOLVABLE, search=None)
    verdict = certify(DETOUR, lie)
    assert not verdict
    assert verdict.accepted
    assert verdict.unproved == (
        "no path exists: dijkstra proved it by its search, which this result is without; solve again, or with "
        "certificate=True",
    )


@given(weighted_digraphs("int", heuristic="admissible"), st.data())
@settings(max_examples=200)
def test_arrivals_that_were_tampered_with_prove_nothing_false(
    problem: WeightedDigraph, data: st.DataObject
) -> None:
    """Whatever arrivals a search holds, a bound that certify accepts is a true one."""
    result = solve(problem, "astar")
    search: Any = result.search
    states = st.sampled_from(sorted(search.tree.reached))
    for state in data.draw(st.lists(states, max_size=3)):
        cost, parent, action = search.tree.reached[state]
        search.tree.reached[state] = (cost + data.draw(st.integers(-2, 2)), parent, action)
    for state in data.draw(st.lists(states, max_size=2, unique=True)):
        search.tree.reached.pop(state)
    claim = evolve(result, solution=None, lower_bound=data.draw(st.integers(1, 12)), status=Status.CUTOFF)
    if certify(problem, claim):
        assert claim.lower_bound <= explore(problem).least_cost()


DETOUR = digraph([Edge(0, 3, 9), Edge(0, 1, 1), Edge(1, 2, 1), Edge(2, 3, 1)], [0], [3])


def solved() -> Result[int, int]:
    """Return a true result for the case above."""
    return solve(DETOUR, "dijkstra")


@pytest.mark.parametrize(
    ("changes", "objection"),
    [
        ({"states": (1, 2, 3), "actions": (2, 3), "cost": 2}, "begins in 1, which is not a start"),
        ({"states": (0, 1, 2), "actions": (1, 2), "cost": 2}, "ends in 2, which is not a goal"),
        ({"states": (0, 2, 3)}, "has 3 states and 3 actions"),
        ({"actions": (1, 3, 2)}, "3 does not lead from 1 to 2"),
        ({"cost": 4}, "its path costs 3, not 4"),
        ({"states": (0, 3), "actions": (0,), "cost": 9}, "objection to the bound"),
    ],
)
def test_a_changed_path_is_rejected(changes: dict[str, Any], objection: str) -> None:
    """Each field of the solution is checked; a path of higher cost is accepted only without the claim of optimality."""
    result = solved()
    assert result.solution is not None
    changed = evolve(result, solution=evolve(result.solution, **changes))
    if objection == "objection to the bound":
        assert certify(DETOUR, changed)
        assert not changed.optimal
        assert not certify(DETOUR, evolve(changed, lower_bound=9))
    else:
        verdict = certify(DETOUR, changed)
        assert not verdict.accepted
        assert objection in verdict.objection


def test_what_a_verdict_says() -> None:
    """What was proved, in words; what was assumed; what could not be proved."""
    assert certify(DETOUR, solved()).proved == (
        "a path from a start to a goal costs 3",
        "no path costs less than 3",
    )
    # 0 ─1→ 1 ─1→ 2, and 3 next to the path, which only the heuristic rules out
    aside = digraph("0 -1→ 1, 1 -1→ 2, 0 -1→ 3, 3 -0→ 4", [0], [2], {0: 2, 1: 1, 2: 0, 3: 5, 4: 5})
    verdict = certify(aside, solve(aside, "astar"))
    assert verdict.assumed == (
        "the heuristic never overestimates at the end of the 1 step that it rules out",
    )
    unsolvable = digraph([Edge(0, 1)], [0], [7])
    assert certify(unsolvable, solve(unsolvable)).proved == ("no path exists",)
    assert certify(unsolvable, solve(unsolvable, "iddfs")).unproved == (
        "no path exists: iddfs holds no states to prove it by; dijkstra does",
    )
    assert (
        certify(DETOUR, evolve(solved(), solution=None)).objection
        == "it is called solved, and has no solution"
    )


def test_a_wrong_claim_of_no_path_is_rejected() -> None:
    """A search that saw only part of the space can't be passed off as one that saw all."""
    result = Search(DETOUR, "dijkstra").run(Limits(expansions=1))
    verdict = certify(DETOUR, evolve(result, status=Status.UNSOLVABLE, lower_bound=inf, partial=None))
    assert verdict.objection == "that no path exists does not follow from the states it reached"
