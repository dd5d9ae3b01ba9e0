"""The contraction is exact: it has the cost of the grid, and its solutions can be walked on the grid."""

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import Solution, Status, available_engines, certify, solve
from searchkit.plugin import InvalidProblemError, has_cost
from searchkit_keys import ContractedVault, ExpandedVault, contract, generate_vault, lift
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.strategies import mazes, vaults
from searchkit_keys.tests.helpers import ANSWERS, brute_force, shipped, shortcuts, walk
from searchkit_keys.vault import Vault

OPTIMAL = [spec.name for spec in available_engines().values() if spec.optimal and not spec.requires]
KEPT = [name for name in OPTIMAL if available_engines()[name].arrivals]
"""Engines whose arrivals prove the bound."""
ANY_COST = [name for name in KEPT if available_engines()[name].costs == "any"]


@settings(max_examples=300, deadline=None)
@given(st.one_of(vaults(), mazes()))
@example(shipped("two_robots_same_key_cell_merge.txt"))
@example(shipped("unsolvable_across_regions.txt"))
def test_contracted_expanded_and_brute_force_agree(vault: Vault) -> None:
    """Loops, open areas, several robots, no plan: all three have the same answer, and the lifted plan that cost."""
    answer = brute_force(vault)
    assert solve(ExpandedVault(vault), "bfs").cost == answer
    problem = ContractedVault(vault)
    result = solve(problem, "astar")
    assert result.cost == answer
    assert (result.status is Status.UNSOLVABLE) == (answer is None)
    assert problem.contraction.solvable == (answer is not None)
    if result.solution is not None:
        lifted = lift(problem, result.solution)
        assert lifted.cost == walk(vault, lifted.states) == answer


@settings(max_examples=100, deadline=None)
@given(st.one_of(vaults(most_keys=4), mazes()), st.sampled_from(list(HEURISTICS)), st.sampled_from(ANY_COST))
def test_every_engine_with_every_bound(vault: Vault, bound: str, engine: str) -> None:
    """Each heuristic gives the least cost, without a warning, and nothing is reopened."""
    problem = ContractedVault(vault, bound)
    assert has_cost(problem)
    result = solve(problem, engine)
    assert result.cost == brute_force(vault)
    assert result.warnings == ()
    assert result.statistics.reopened == 0
    assert certify(problem, result)


@pytest.mark.parametrize("name", ANSWERS)
def test_vaults_that_are_shipped(name: str) -> None:
    """Their answers are those of the collection."""
    assert solve(ContractedVault(shipped(name))).cost == ANSWERS[name]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(3))
def test_a_perfect_maze_stays_small(seed: int) -> None:
    """81x81 cells, 26 keys: below a hundred edges, and one route for each pair of nodes."""
    contraction = contract(generate_vault(81, 26, seed, quadrants=False))
    graph = contraction.graph
    edges = sum(map(len, graph.edges)) // 2
    assert edges < 100
    assert edges == len(graph.sites) - 1
    assert all(
        len(routes) == len({route.target for route in routes}) for routes in contraction.reaches.values()
    )


def test_as_many_routes_as_sets_of_doors() -> None:
    """Each shortcut saves steps and costs a door, so all 2ⁿ paths count; too many are an error with advice."""
    routes = [route for route in contract(shortcuts(6)).reaches["@1"] if route.target == "z"]
    assert len(routes) == len({route.needs for route in routes}) == 2**6
    with pytest.raises(InvalidProblemError, match=r"more than 1,000 routes .* contracted=false"):
        solve(ContractedVault(shortcuts(12)))


def test_lift_refuses_what_can_not_be_walked() -> None:
    """An invalid solution, as from a wrong contraction, is an error that gives the reason."""
    vault = shipped("strictly_shorter_door_route_hides_free_one.txt")
    problem = ContractedVault(vault)
    solution = solve(problem).solution
    assert solution is not None
    wrong = Solution(solution.states, (evolve(solution.actions[0], steps=1), *solution.actions[1:]), 1)
    with pytest.raises(InvalidProblemError, match="expected a way of 1 steps"):
        lift(problem, wrong)
