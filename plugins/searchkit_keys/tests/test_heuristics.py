"""The guarantees of each heuristic, checked state by state, and examples where heuristics fail."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import solve
from searchkit.testing import CheckFailure, check_heuristic
from searchkit_keys import ContractedVault, ExpandedVault, generate_vault
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.strategies import forests, mazes, vaults
from searchkit_keys.tests.helpers import ANSWERS, brute_force, shipped
from searchkit_keys.vault import Vault

SAFE = [name for name, bound in HEURISTICS.items() if bound.admissible == "always"]
ON_FORESTS = [name for name, bound in HEURISTICS.items() if bound.admissible != "always"]
CLOSED_SET_WRONG = ["closed_set_wrong_on_forest_2robots.txt", "closed_set_wrong_4robots_a.txt"]


@settings(max_examples=300, deadline=None)
@given(st.one_of(vaults(), mazes()), st.sampled_from(SAFE))
def test_what_is_always_admissible_is(vault: Vault, name: str) -> None:
    """On every reachable state of any vault, with loops and with robots that share a region; consistent as labelled."""
    promises = ("admissible", "consistent")[: 1 + HEURISTICS[name].consistent]
    assert check_heuristic(ContractedVault(vault, name), promises=promises).holds


@settings(max_examples=200, deadline=None)
@given(vaults(most_robots=1, width=5, height=4), st.sampled_from(["bounding-box", "zero"]))
def test_expanded_heuristics(vault: Vault, name: str) -> None:
    """The bounding box is admissible and consistent for one robot."""
    assert check_heuristic(ExpandedVault(vault, name), promises=("admissible", "consistent")).holds


@pytest.mark.parametrize("name", ON_FORESTS)
@settings(max_examples=300, deadline=None)
@given(vault=forests())
def test_what_is_admissible_on_forests_is(name: str, vault: Vault) -> None:
    """On forests with one robot per region it never overestimates, and A* with reopening is optimal."""
    problem = ContractedVault(vault, name)
    assert check_heuristic(problem, promises=("admissible",)).holds
    assert solve(problem, "astar").cost == brute_force(vault)


@pytest.mark.parametrize("name", ON_FORESTS)
def test_not_admissible_where_robots_share_a_region(name: str) -> None:
    """The furthest key of one robot is near another one: A* misses the least cost, and the label warns of it."""
    vault = shipped("two_robots_one_region_inadmissible.txt")
    with pytest.raises(CheckFailure):
        check_heuristic(ContractedVault(vault, name), promises=("admissible",))
    assert "one robot per region" in HEURISTICS[name].label


@pytest.mark.parametrize("bound", HEURISTICS)
@pytest.mark.parametrize("name", CLOSED_SET_WRONG)
def test_closed_set_vaults(name: str, bound: str) -> None:
    """Forests on which A* without reopening fails with some heuristic; each is admissible there, and A* is right."""
    problem = ContractedVault(shipped(name), bound)
    assert check_heuristic(problem, promises=("admissible",)).holds
    assert solve(problem, "astar").cost == ANSWERS[name]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(4))
def test_crossings_are_exact_on_the_generated_forests(seed: int) -> None:
    """Split 81x81 vaults: A* expands one state per key, thousands of times fewer than Dijkstra's algorithm."""
    vault = generate_vault(81, 26, seed).split()
    result = solve(ContractedVault(vault), "astar")
    assert result.statistics.expanded == 26
    assert (
        result.statistics.expanded * 3 <= solve(ContractedVault(vault, "zero"), "bucket").statistics.expanded
    )
