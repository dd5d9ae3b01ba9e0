"""The expanded problem: robots walk on the grid step by step and collect keys."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import option, with_options
from searchkit_keys.vault import DIRECTIONS, Cell, CellState, Keys, Vault, bit, collected_in_order

_Move: TypeAlias = tuple[str, tuple[Cell, ...], Keys, Keys]


@with_options
class ExpandedVault(SearchProblem[CellState, str]):
    """Collect every key in the fewest steps; one robot takes one step at a time, and keys are shared.

    A state is the cells of the robots and the keys held. Robots are interchangeable: their cells are sorted, so states
    that differ only in which robot is where are equal. Several robots may stand on one cell. An action is a direction,
    preceded by the cell of the robot that moves if there are several robots.
    """

    vault: Vault = field()
    heuristic_name: str = option(
        "bounding-box (box around the missing keys, with several robots the key that is furthest from its nearest "
        "robot; admissible, consistent) or zero",
        default="bounding-box",
        choices=("bounding-box", "zero"),
        alias="heuristic",
    )

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The cells that a robot can ever enter, with their characters."""
        return self.vault.cells()

    @cached_property
    def _all(self) -> Keys:
        return self.vault.all_keys

    @cached_property
    def _key_cells(self) -> list[tuple[Keys, int, int]]:
        return [(bit(letter), *cell) for letter, cell in self.vault.keys.items()]

    @cached_property
    def _boxes(self) -> dict[Keys, tuple[int, int, int, int]]:
        """Keys held → the bounding box of the missing ones."""
        return {}

    @cached_property
    def _moves(self) -> dict[tuple[Cell, ...], list[_Move]]:
        """Cells of the robots → their moves."""
        return {}

    def initial_states(self) -> Iterable[CellState]:
        """Return the start state: every robot at its start, no key held."""
        return [(tuple(sorted(self.vault.starts)), 0)]

    def successors(self, state: CellState) -> Iterable[tuple[str, CellState]]:
        """Return a successor for each robot and each direction without a wall or a locked door."""
        robots, keys = state
        moves = self._moves.get(robots)
        if moves is None:
            moves = self._moves[robots] = self._moves_from(robots)
        return [
            (action, (moved, keys | found)) for action, moved, door, found in moves if door & keys == door
        ]

    def is_goal(self, state: CellState) -> bool:
        """Whether every key is held."""
        return state[1] == self._all

    def heuristic(self, state: CellState) -> int:
        """Return a lower bound on the steps to the goal on a map without walls.

        For one robot: the width and the height of the bounding box of the missing keys, plus the distances to the
        nearer end of each. For several robots: the largest distance of a missing key from its nearest robot. Both are
        admissible and consistent.
        """
        robots, keys = state
        if keys == self._all or self.heuristic_name == "zero":
            return 0
        if len(robots) > 1:
            return max(
                min(abs(x - kx) + abs(y - ky) for x, y in robots)
                for key, kx, ky in self._key_cells
                if not key & keys
            )
        box = self._boxes.get(keys)
        if box is None:
            xs = [x for key, x, _ in self._key_cells if not key & keys]
            ys = [y for key, _, y in self._key_cells if not key & keys]
            box = self._boxes[keys] = min(xs), max(xs), min(ys), max(ys)
        (x, y), (left, right, top, bottom) = robots[0], box
        return (
            (right - left)
            + min(abs(x - left), abs(x - right))
            + (bottom - top)
            + min(abs(y - top), abs(y - bottom))
        )

    def path_details(self, states: Sequence[CellState]) -> Mapping[str, object]:
        """Return the keys in the order in which a path collects them."""
        return collected_in_order([keys for _, keys in states])

    def __repr__(self) -> str:
        return self.vault.shown(type(self).__name__, self.heuristic_name)

    def _moves_from(self, robots: tuple[Cell, ...]) -> list[_Move]:
        moves: list[_Move] = []
        for x, y in dict.fromkeys(robots):
            others = list(robots)
            others.remove((x, y))
            for direction, (dx, dy) in DIRECTIONS:
                cell = (x + dx, y + dy)
                mark = self.cells.get(cell)
                if mark is not None:
                    moves.append(
                        (
                            direction if not others else f"({x}, {y}) {direction}",
                            tuple(sorted([*others, cell])),
                            bit(mark) if mark.isupper() else 0,
                            bit(mark) if mark.islower() else 0,
                        )
                    )
        return moves
