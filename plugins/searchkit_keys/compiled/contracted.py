"""The compiled view of the contracted problem: the places of robots are nodes, in the order of their names."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from searchkit.compiled.functions import expand_function, goal_function
from searchkit.compiled.view import CompiledProblem, Functions
from searchkit_keys.compiled.bounds import (
    ALL,
    BITS,
    FAR,
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
from searchkit_keys.compiled.packing import widths, with_robot, without
from searchkit_keys.compiled.regions import LEVELS, NEVER, RECKONED, describe_regions
from searchkit_keys.vault import Keys, NodeState, Vault

FIRST = "furthest+missing-1"
"""The heuristic that is calculated in another way than the others."""
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
WALK = 4
"""A record for each walk: the key, what it needs, steps, the node where it ends."""


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
        others, seen = without(packed, place, width), keys
        walk, last = np.uint64(table[walks + node]), np.uint64(table[walks + node + 1])
        while walk < last:
            key = table[walk]
            if (key & seen) | (table[walk + ONE] & ~keys) == 0:
                seen |= key
                moved = with_robot(others, table[walk + THREE], robots - 1, width, shift)
                out_states[count] = np.uint64(moved | key)
                out_costs[count] = float(table[walk + TWO])
                count += ONE
            walk += FOUR
    return count


@goal_function
def is_goal(table: Any, state: Any) -> Any:
    """Whether every key is held."""
    return np.int64(state) & table[ALL] == table[ALL]


class CompiledContraction:
    """A contraction in machine code, and the view that is made of it.

    Raises `MissingCapabilityError` if a state does not fit into a word, and `InvalidProblemError` as
    `searchkit_keys.contraction.routes.contract` does.
    """

    def __init__(self, vault: Vault, heuristic: str):
        self.vault, self.heuristic = vault, heuristic
        self.arrays = ContractionArrays(self.vault)
        names, robots = self.arrays.names, len(self.arrays.robots)
        self._all = self.vault.all_keys
        self._shift, self._width = widths(self.vault, robots, len(names), "")
        self._numbers = {name: number for number, name in enumerate(names)}
        self._shifts = [self._shift + self._width * robot for robot in range(robots)]
        self.table = self._table()
        self.table.flags.writeable = False

    def view(self) -> CompiledProblem:
        """Return the compiled view."""
        return CompiledProblem(
            Functions(expand, is_goal, max(1, len(self._shifts) * len(self.vault.keys))),
            self.pack,
            self.unpack,
            heuristic=furthest_and_missing if self.heuristic == FIRST else summed,
            table=self.table,
        )

    def pack(self, state: NodeState) -> int:
        """Return the bits of a state. Raises `KeyError` or `ValueError` for anything else."""
        robots, packed = state
        if packed & ~self._all:
            raise KeyError(state)
        for shift, name in zip(self._shifts, robots, strict=True):
            packed |= self._numbers[name] << shift
        return packed

    def unpack(self, packed: int) -> NodeState:
        """Return the state with these bits."""
        names, low = self.arrays.names, (1 << self._width) - 1
        return tuple([names[packed >> shift & low] for shift in self._shifts]), packed & self._all

    def estimate(self, state: NodeState) -> float:
        """Return the heuristic value of a state."""
        packed = np.uint64(self.pack(state))
        if self.heuristic == FIRST:
            return int(estimate_first_one(self.table, packed))
        found: float = estimate_one(self.table, packed, np.empty(WORK, np.int64))
        return found if found == float("inf") else int(found)

    def reaches(self, node: str) -> Iterable[tuple[Keys, Keys, str, int]]:
        """Return key, needs, target and length of each route from a node; no routes if the vault can't be solved."""
        begin, routes = self._reaches
        number = self._numbers[node]
        return routes[begin[number] : begin[number + 1]]

    @cached_property
    def _reaches(self) -> tuple[list[int], list[tuple[Keys, Keys, str, int]]]:
        routes, names = self.arrays.reaches, self.arrays.names
        if routes is None:
            return [0] * (len(names) + 1), []
        to = routes.to
        columns = self.arrays.nodes.key[to], routes.needs, np.array(names, object)[to], routes.length
        return routes.begin.tolist(), list(zip(*(column.tolist() for column in columns), strict=True))

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
        elif self.heuristic == FIRST:
            self._enter_first(table)
        return table

    def _enter_first(self, table: Any) -> None:
        routes, nodes = self.arrays.routes, self.arrays.nodes
        for node in np.flatnonzero(nodes.key == 0).tolist():
            for route in range(int(routes.begin[node]), int(routes.begin[node + 1])):
                letter = int(nodes.key[routes.to[route]]).bit_length() - 1
                place = NODES + NODE * node + FAR + letter
                table[place] = max(table[place], routes.length[route])
