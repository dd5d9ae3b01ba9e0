"""The contracted problem: robots walk from key to key along routes."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from searchkit import SearchProblem
from searchkit.plugin import option, with_options
from searchkit_keys.contraction import Contraction, contract
from searchkit_keys.heuristics import HEURISTICS, Heuristic
from searchkit_keys.vault import Keys, NodeState, Vault, bit, collected_in_order


@frozen
class Walk:
    """An action: one robot walks to a key that is not held yet and collects it. The other robots wait."""

    origin: str
    key: str
    steps: int

    def __repr__(self) -> str:
        return f"{self.key} ({self.steps} steps from {self.origin})"


@with_options
class ContractedVault(SearchProblem[NodeState, Walk]):
    """Collect every key in the fewest steps, on the contraction of a vault.

    The least cost is that of `ExpandedVault`, and `lift` turns solutions into steps on the grid. A state is the nodes
    of the robots and the keys held. Robots are interchangeable, and those that can never reach a key are left out.
    Whether the vault is solvable is computed before the search; an unsolvable vault has no successors.

    The contraction is computed at the first use.
    """

    vault: Vault = field()
    heuristic_name: str = option(
        "combined (in each region crossings or mst, whichever is larger at the start); crossings (how often the order "
        "of the keys makes robots cross each bridge); regions (the furthest missing key of each); mst (a minimum "
        "spanning tree of robots and missing keys); zero; all are admissible and consistent",
        default="combined",
        choices=HEURISTICS,
        alias="heuristic",
    )

    @cached_property
    def contraction(self) -> Contraction:
        """The graph of keys. Raises `InvalidProblemError` if it would be too large: see `contract`."""
        return contract(self.vault)

    @cached_property
    def _all(self) -> Keys:
        return self.vault.all_keys

    @cached_property
    def _heuristic(self) -> Heuristic:
        return HEURISTICS[self.heuristic_name](self.contraction)

    @cached_property
    def _walks(self) -> dict[str, list[tuple[Keys, Keys, Walk]]]:
        """Node → its walks, each with its key and the keys it needs."""
        contraction = self.contraction
        return {
            node: [
                (bit(route.target), route.needs, Walk(node, route.target, route.length))
                for route in (contraction.reaches[node] if contraction.solvable else ())
            ]
            for node in contraction.nodes
        }

    def initial_states(self) -> Iterable[NodeState]:
        """Return the start state: every robot at its start, no key held."""
        return [(tuple(sorted(self.contraction.robots)), 0)]

    def successors(self, state: NodeState) -> Iterable[tuple[Walk, NodeState]]:
        """Return a successor for each robot and each missing key that it can reach, by the shortest open route."""
        robots, keys = state
        found: list[tuple[Walk, NodeState]] = []
        walks, before = self._walks, ""
        for number, node in enumerate(robots):
            if node == before:
                continue
            before = node
            seen = keys
            for key, needs, walk in walks[node]:
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
        """Return the value of the chosen heuristic; infinity if the vault can't be solved."""
        return self._heuristic(state)

    def path_details(self, states: Sequence[NodeState]) -> Mapping[str, object]:
        """Return the keys in the order in which a path collects them."""
        return collected_in_order([keys for _, keys in states])

    def __repr__(self) -> str:
        return self.vault.shown(type(self).__name__, self.heuristic_name)
