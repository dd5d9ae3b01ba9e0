"""The contracted problem: robots walk from key to key along routes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import frozen

from searchkit import SearchProblem
from searchkit.compiled.view import CompiledProblem
from searchkit_keys.contraction.routes import Contraction, contract
from searchkit_keys.heuristics import DEFAULT, HEURISTICS
from searchkit_keys.heuristics.sums import Heuristic
from searchkit_keys.vault import Keys, NodeState, Vault, bit, collected_in_order

if TYPE_CHECKING:
    from searchkit_keys.compiled.contracted import CompiledContraction


@frozen
class Walk:
    """An action: one robot walks to a key that is not held yet and collects it. The other robots wait."""

    origin: str
    key: str
    steps: int

    def __repr__(self) -> str:
        return f"{self.key} ({self.steps} steps from {self.origin})"


class ContractedVault(SearchProblem[NodeState, Walk]):
    """Collect every key in the fewest steps, on the contraction of a vault.

    The least cost is that of `ExpandedVault`, and `lift` turns solutions into steps on the grid. A state is the nodes
    of the robots and the keys held. Robots are interchangeable, and those that can never reach a key are left out.
    Whether the vault is solvable is computed before the search; an unsolvable vault has no successors.

    The contraction is computed at the first use: in Python, or in machine code if the first user is a compiled engine.
    The contraction and the heuristic values are the same in both cases.

    Args:
        vault: the vault.
        heuristic: one of `searchkit_keys.heuristics.HEURISTICS`.

    """

    def __init__(self, vault: Vault, heuristic: str = DEFAULT):
        self.vault = vault
        self.heuristic_spec = HEURISTICS[heuristic]
        self._all = vault.all_keys
        self._compiled: CompiledContraction | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments; everything else is computed again."""
        return type(self), (self.vault, self.heuristic_spec.name)

    @cached_property
    def contraction(self) -> Contraction:
        """The graph of keys. Raises `InvalidProblemError` if it would be too large: see `contract`."""
        return self._compiled.arrays.contraction() if self._compiled else contract(self.vault)

    @cached_property
    def _heuristic(self) -> Heuristic:
        return self._compiled.estimate if self._compiled else self.heuristic_spec.make(self.contraction)

    @cached_property
    def _walks(self) -> "_Walks":
        if self._compiled:
            return _Walks(self._compiled.reaches)
        contraction = self.contraction

        def reaches(node: str) -> Iterable[tuple[Keys, Keys, str, int]]:
            routes = contraction.reaches(node) if contraction.solvable else ()
            return [(bit(route.target), route.needs, route.target, route.length) for route in routes]

        return _Walks(reaches)

    def compiled(self) -> CompiledProblem:
        """Return the compiled view: the contraction, the walks and the heuristic in machine code.

        Raises `MissingCapabilityError` if the nodes of the robots and the keys don't fit into 63 bits.
        """
        from searchkit_keys.compiled.contracted import CompiledContraction

        if self._compiled is None:
            self._compiled = CompiledContraction(self.vault, self.heuristic_spec.name)
        return self._compiled.view()

    def initial_states(self) -> Iterable[NodeState]:
        """Return the start state: every robot at its start, no key held."""
        robots = self._compiled.arrays.robots if self._compiled else self.contraction.robots
        return [(tuple(sorted(robots)), 0)]

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
        return self.vault.shown(type(self).__name__, self.heuristic_spec.name)


class _Walks(dict[str, list[tuple[Keys, Keys, Walk]]]):
    """Node → its walks, each with its key and the keys it needs; computed at the first access."""

    def __init__(self, reaches: Callable[[str], Iterable[tuple[Keys, Keys, str, int]]]):
        super().__init__()
        self._reaches = reaches

    def __missing__(self, node: str) -> list[tuple[Keys, Keys, Walk]]:
        found = [(key, needs, Walk(node, target, steps)) for key, needs, target, steps in self._reaches(node)]
        self[node] = found
        return found
