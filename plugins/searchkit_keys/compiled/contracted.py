"""The compiled view of the contracted problem: keys in the lowest bits of a state, robots' nodes in order above them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from searchkit.compiled import CompiledProblem, Functions
from searchkit.compiling import expand_function, goal_function
from searchkit.errors import MissingCapabilityError
from searchkit_keys.compiled.bounds import (
    ALL,
    BITS,
    FAR,
    LETTERS,
    NODE,
    NODES,
    PARTS,
    ROBOTS,
    SHIFT,
    WALKS,
    WORK,
    estimate_first_one,
    estimate_one,
    furthest_and_missing,
    summed,
)
from searchkit_keys.compiled.contraction import ContractionArrays
from searchkit_keys.compiled.regions import LEVELS, NEVER, RECKONED, describe_regions
from searchkit_keys.vault import Keys

if TYPE_CHECKING:
    from searchkit_keys.contracted import ContractedVault, NodeState

WORD = 63
"""Bits of a state, at most."""
WALK = 4
"""A record for each walk: the key, what it needs, steps, the node where it ends. Those of node i begin where the table says."""


@expand_function
def expand(table: Any, state: Any, out_states: Any, out_costs: Any) -> Any:
    """Let each robot walk to each missing key, by the shortest route open to it."""
    packed = np.int64(state)
    robots, width, shift, walks = table[ROBOTS], table[BITS], table[SHIFT], table[WALKS]
    keys, low = packed & table[ALL], (1 << width) - 1
    count, before = np.uint64(0), -1
    for robot in range(robots):
        place = shift + width * robot
        node = (packed >> place) & low
        if node == before:
            continue
        before = node
        # the others, closed up; then where the walk's end belongs among them
        others = ((packed >> (place + width)) << place) | (packed & ((1 << place) - 1))
        seen = keys
        for walk in range(table[walks + node], table[walks + node + 1], WALK):
            key = table[walk]
            if key & seen or table[walk + 1] & ~keys:
                continue
            seen |= key
            end = table[walk + 3]
            gap = shift
            for _ in range(robots - 1):
                if (others >> gap) & low > end:
                    break
                gap += width
            below = (1 << gap) - 1
            moved = ((others & ~below) << width) | (end << gap) | (others & below)
            out_states[count] = np.uint64(moved | key)
            out_costs[count] = float(table[walk + 2])
            count += np.uint64(1)
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Whether every key is held."""
    return np.int64(state) & table[ALL] == table[ALL]


class CompiledContraction:
    """A contraction in machine code, and the view that is made of it.

    Raises `MissingCapabilityError` where a state does not fit into a word of 63 bits, and `InvalidProblemError` as
    `searchkit_keys.contraction.contract`.
    """

    def __init__(self, problem: "ContractedVault"):
        self.vault, self.heuristic = problem.vault, problem.bound.name
        self.arrays = ContractionArrays(self.vault)
        names, robots = self.arrays.names, len(self.arrays.robots)
        self._all = self.vault.all_keys
        self._shift = self._all.bit_length()
        self._width = max(0, len(names) - 1).bit_length()
        needed = self._shift + robots * self._width
        if needed > WORD:
            raise MissingCapabilityError(
                f"a state of {robots} robots at {len(names)} nodes and keys up to {max(self.vault.keys)} takes {needed} bits; "
                f"a compiled engine has {WORD}; use backend='python'"
            )
        self._numbers = {name: number for number, name in enumerate(names)}
        self._shifts = [self._shift + self._width * robot for robot in range(robots)]
        self.table = self._table()
        self.table.flags.writeable = False
        self._work = np.empty(WORK, np.int64)

    def view(self) -> CompiledProblem:
        """Return the compiled view."""
        return CompiledProblem(
            Functions(expand, is_goal, max(1, len(self._shifts) * len(self.vault.keys))),
            self.pack,
            self.unpack,
            heuristic=summed if self.heuristic in RECKONED or self.heuristic == "zero" else furthest_and_missing,
            table=self.table,
        )

    def pack(self, state: "NodeState") -> int:
        """Return the bits of a state."""
        robots, packed = state
        for shift, name in zip(self._shifts, robots, strict=True):
            packed |= self._numbers[name] << shift
        return packed

    def unpack(self, packed: int) -> "NodeState":
        """Return the state of these bits."""
        names, low = self.arrays.names, (1 << self._width) - 1
        return tuple([names[packed >> shift & low] for shift in self._shifts]), packed & self._all

    def estimate(self, state: "NodeState") -> float:
        """Return the heuristic of a state."""
        packed = np.uint64(self.pack(state))
        if self.heuristic == "furthest+missing-1":
            return int(estimate_first_one(self.table, packed))
        found: float = estimate_one(self.table, packed, self._work)
        return found if found == float("inf") else int(found)

    def reaches(self, node: str) -> Iterable[tuple[str, int, Keys]]:
        """Return target, length and needs of each route from a node; none where the vault can't be solved."""
        routes, number, names = self.arrays.reaches, self._numbers[node], self.arrays.names
        if routes is None:
            return ()
        part = slice(int(routes.begin[number]), int(routes.begin[number + 1]))
        to, length, needs = (array[part].tolist() for array in routes[1:])
        return zip([names[target] for target in to], length, needs, strict=True)

    def _table(self) -> Any:
        arrays, names = self.arrays, self.arrays.names
        reaches = arrays.reaches
        walks = NODES + NODE * len(names)
        first = walks + len(names) + 1
        end = first + (WALK * len(reaches.to) if reaches is not None else 0)
        table = np.zeros(end + LEVELS, np.int64)
        table[ROBOTS], table[BITS], table[SHIFT] = len(arrays.robots), self._width, self._shift
        table[ALL], table[WALKS] = self._all, walks
        table[walks:first] = first
        if reaches is not None:
            table[walks:first] += WALK * reaches.begin
            records = table[first:end].reshape(-1, WALK)
            records[:, 0] = arrays.nodes.key[reaches.to]
            records[:, 1], records[:, 2], records[:, 3] = reaches.needs, reaches.length, reaches.to
        if not arrays.solvable and self.heuristic in NEVER:
            table[PARTS] = -1
        elif self.heuristic in RECKONED:
            describe_regions(arrays, self.heuristic, table, end)
        elif self.heuristic == "furthest+missing-1":
            self._enter_first(table)
        return table

    def _enter_first(self, table: Any) -> None:
        routes, nodes = self.arrays.routes, self.arrays.nodes
        for node in np.flatnonzero(nodes.key == 0).tolist():
            for route in range(int(routes.begin[node]), int(routes.begin[node + 1])):
                letter = int(nodes.key[routes.to[route]]).bit_length() - 1
                place = NODES + NODE * node + FAR + letter
                table[place] = max(table[place], routes.length[route])
