"""Heuristics of boards, with their guarantees as data that tests read."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import frozen

from searchkit_tiles.board import Board
from searchkit_tiles.heuristics.linear_conflict import linear_conflict, manhattan
from searchkit_tiles.heuristics.patterns import pattern_databases

Heuristic: TypeAlias = Callable[[Board], float]


@frozen
class HeuristicSpec:
    """A heuristic and its guarantees. All are admissible."""

    name: str
    make: Callable[[int, Board], Heuristic]
    """`make(width, goal)` → the function of a board."""
    summary: str
    consistent: bool = True
    """Whether the value never drops by more than 1 at a slide."""

    @property
    def label(self) -> str:
        """Name and guarantees in one line."""
        return f"{self.name} ({self.summary}; admissible, {'' if self.consistent else 'not '}consistent)"


def zero(width: int, goal: Board) -> Heuristic:
    """Return the heuristic that is always 0; with it, A* is breadth-first search."""
    return lambda board: 0


DEFAULT = "linear-conflict"
HEURISTICS: Mapping[str, HeuristicSpec] = {
    bound.name: bound
    for bound in (
        HeuristicSpec(
            DEFAULT, linear_conflict, "manhattan, and 2 for each tile that has to leave its row or column"
        ),
        HeuristicSpec("manhattan", manhattan, "sum of the tiles' distances"),
        HeuristicSpec(
            "pattern-database",
            pattern_databases,
            "sum over groups of up to 5 tiles of the slides of these tiles, looked up in tables",
            consistent=False,
        ),
        HeuristicSpec("zero", zero, "always 0"),
    )
}
