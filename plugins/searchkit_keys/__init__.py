"""Vaults of keys and doors for searchkit: the grid, its contraction to a graph of keys, one or several robots.

This module defines the hooks of the plugin; the other modules implement them.
"""

from searchkit.plugin import ProblemSpec, hookimpl
from searchkit_keys.contracted import ContractedVault, Walk
from searchkit_keys.contraction import Contraction, Route, contract
from searchkit_keys.expanded import ExpandedVault
from searchkit_keys.generator import generate_vault
from searchkit_keys.lifting import lift
from searchkit_keys.spec import SPEC, vault
from searchkit_keys.vault import Vault

__all__ = [
    "ContractedVault",
    "Contraction",
    "ExpandedVault",
    "Route",
    "Vault",
    "Walk",
    "contract",
    "generate_vault",
    "lift",
    "vault",
]


@hookimpl
def searchkit_problems() -> list[ProblemSpec]:
    """Return the problem kind of this plugin."""
    return [SPEC]
