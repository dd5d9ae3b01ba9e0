"""The contracted problem: robots go from key to key along routes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from searchkit import SearchProblem
from searchkit_keys.bounds import BOUNDS, DEFAULT
from searchkit_keys.contraction import Contraction, contract
from searchkit_keys.vault import Keys, Vault, bit, collected_in_order

NodeState: TypeAlias = tuple[tuple[str, ...], Keys]
"""The nodes that the robots are at, sorted, and the keys that they hold together."""


@frozen(eq=False, repr=False)
class Walk:
    """An action: one robot walks to a key that nobody holds yet, and collects it. All else waits."""

    origin: str
    key: str
    steps: int

    def __repr__(self) -> str:
        return f"{self.key} ({self.steps} steps from {self.origin})"


class ContractedVault(SearchProblem[NodeState, Walk]):
    """Collect every key in the fewest steps, on the contraction of a vault.

    It has the least cost of `ExpandedVault`, and `lift` turns its solutions into steps on the grid. A state is the
    nodes that the robots are at and the keys held; robots are interchangeable, and those that can never reach a
    key are left out. A vault that can't be solved is known to be so beforehand, and has no successors at all.

    Args:
        vault: the vault.
        heuristic: one of `searchkit_keys.bounds.BOUNDS`.

    """

    def __init__(self, vault: Vault, heuristic: str = DEFAULT):
        self.vault = vault
        self.contraction: Contraction = contract(vault)
        self.bound = BOUNDS[heuristic]
        self._all = vault.all_keys
        self._estimate: Callable[[NodeState], float] = self.bound.make(self.contraction)
        self._walks: dict[str, list[tuple[Keys, Keys, Walk]]] = {
            node: [
                (bit(route.target), route.needs, Walk(node, route.target, route.length))
                for route in self.contraction.reaches(node)
            ]
            for node in (self.contraction.nodes if self.contraction.solvable else ())
        }

    def initial_states(self) -> Iterable[NodeState]:
        """Return the one start: every robot on its own start, without keys."""
        return [(tuple(sorted(self.contraction.robots)), 0)]

    def successors(self, state: NodeState) -> Iterable[tuple[Walk, NodeState]]:
        """Return one successor for each robot and missing key that it can walk to, by the shortest route open to it."""
        robots, keys = state
        found: list[tuple[Walk, NodeState]] = []
        if not self._walks:
            return found
        before = ""
        for number, node in enumerate(robots):
            if node == before:
                continue
            before = node
            seen = keys
            for key, needs, walk in self._walks[node]:
                if not key & seen and needs & keys == needs:
                    seen |= key
                    moved = (*robots[:number], *robots[number + 1 :], walk.key)
                    found.append((walk, (tuple(sorted(moved)), keys | key)))
        return found

    def is_goal(self, state: NodeState) -> bool:
        """Whether every key is held."""
        return state[1] == self._all

    def cost(self, state: NodeState, action: Walk, successor: NodeState) -> int:
        """Return the steps that the robot walks."""
        return action.steps

    def heuristic(self, state: NodeState) -> float:
        """Estimate the steps to the goal by the chosen bound; infinity where the vault can't be solved."""
        return self._estimate(state)

    def path_details(self, states: Sequence[NodeState]) -> Mapping[str, object]:
        """Return the keys in the order in which they are collected on a path."""
        return collected_in_order([keys for _, keys in states])

    def __repr__(self) -> str:
        return self.vault.shown(type(self).__name__, self.bound.name)
