"""The guarantees of each heuristic, checked state by state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import solve
from searchkit.testing import check_heuristic
from searchkit_keys import ContractedVault, ExpandedVault, generate_vault
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.strategies import mazes, vaults
from searchkit_keys.vault import Vault


@settings(max_examples=300, deadline=None)
@given(st.one_of(vaults(), mazes()), st.sampled_from(list(HEURISTICS)))
def test_each_heuristic_is_admissible_and_consistent(vault: Vault, name: str) -> None:
    """On every reachable state of any vault, with loops and with robots that share a region."""
    assert check_heuristic(ContractedVault(vault, name), promises=("admissible", "consistent")).holds


@settings(max_examples=200, deadline=None)
@given(vaults(most_robots=1, width=5, height=4), st.sampled_from(["bounding-box", "zero"]))
def test_expanded_heuristics(vault: Vault, name: str) -> None:
    """The bounding box is admissible and consistent for one robot."""
    assert check_heuristic(ExpandedVault(vault, name), promises=("admissible", "consistent")).holds


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
