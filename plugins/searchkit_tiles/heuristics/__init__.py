"""The heuristics. What each guarantees is data, and the tests read it."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import frozen

from searchkit_tiles.board import Board
from searchkit_tiles.heuristics.linear_conflict import linear_conflict, manhattan
from searchkit_tiles.heuristics.patterns import pattern_databases

Estimate: TypeAlias = Callable[[Board], float]


@frozen
class Bound:
    """A heuristic, and what is known of it. All are admissible."""

    name: str
    make: Callable[[int, Board], Estimate]
    """`make(width, goal)` → the function of a board."""
    summary: str
    consistent: bool = True
    """Whether it never drops by more than 1 at a slide."""

    @property
    def label(self) -> str:
        """Name and guarantees in one line."""
        return f"{self.name} ({self.summary}; admissible, {'' if self.consistent else 'not '}consistent)"


def zero(width: int, goal: Board) -> Estimate:
    """Return the heuristic that knows nothing; with it, A* is breadth-first search."""
    return lambda board: 0


DEFAULT = "linear-conflict"
BOUNDS: Mapping[str, Bound] = {
    bound.name: bound
    for bound in (
        Bound(DEFAULT, linear_conflict, "manhattan, and 2 for each tile that has to leave its row or column"),
        Bound("manhattan", manhattan, "sum of the tiles' distances"),
        Bound(
            "pattern-database",
            pattern_databases,
            "sum over groups of up to 5 tiles of the slides of these tiles, looked up in tables",
            consistent=False,
        ),
        Bound("zero", zero, "no estimate"),
    )
}
