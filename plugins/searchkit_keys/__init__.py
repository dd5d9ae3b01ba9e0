"""Vaults of keys and doors for searchkit: the grid, its contraction to a graph of keys, one or several robots.

This module defines the hooks of the plugin; the other modules implement them.
"""

from typing import Any

from searchkit import SearchProblem
from searchkit.plugin import ContractedGraph, Places, ProblemSpec, Source, Written, hookimpl
from searchkit_keys.contraction.routes import Contraction, Route, contract
from searchkit_keys.files import VaultProblem, is_vault, make_problem, read_vault, vault, write
from searchkit_keys.generator import generate_vault
from searchkit_keys.problems.contracted import ContractedVault, Walk
from searchkit_keys.problems.expanded import ExpandedVault
from searchkit_keys.problems.lifting import lift
from searchkit_keys.render import places, site_graph
from searchkit_keys.spec import SPEC
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


@hookimpl
def searchkit_load(source: Source, format: str | None, options: dict[str, object]) -> VaultProblem | None:
    """Read a vault. Returns None if the file does not look like one and `format` does not name it."""
    if format != SPEC.name and (format is not None or not is_vault(source.text)):
        return None
    return make_problem(read_vault(source.name, source.text), options)


@hookimpl
def searchkit_places(problem: SearchProblem[Any, Any]) -> Places[Any] | None:
    """Return the places of a vault; None for any other problem."""
    return places(problem) if isinstance(problem, ContractedVault | ExpandedVault) else None


@hookimpl
def searchkit_contract(problem: SearchProblem[Any, Any]) -> ContractedGraph | None:
    """Return the graph of starts, keys, doors and junctions of a vault; None for any other problem."""
    return site_graph(problem.vault) if isinstance(problem, ContractedVault | ExpandedVault) else None


@hookimpl
def searchkit_write(problem: SearchProblem[Any, Any]) -> Written | None:
    """Write either problem of a vault as text; return None for any other problem."""
    return write(problem)
