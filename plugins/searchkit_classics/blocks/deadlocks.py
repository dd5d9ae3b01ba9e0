"""Deadlocks of Sokoban: pushes after which no solution is left, so that a search need not try them."""

from collections.abc import Collection

from searchkit_classics.blocks.level import Cell, Level

DEADLOCKS = ("none", "squares", "frozen")
"""Which of them are found: none, boxes on dead squares, and also boxes that can never move again."""


class Deadlocks:
    """Finds the deadlocks of a level, or only those of a kind of `DEADLOCKS`."""

    def __init__(self, level: Level, dead: Collection[Cell], kind: str):
        self._floor, self._goals, self._dead, self._kind = level.floor, set(level.goals), dead, kind

    def found(self, boxes: Collection[Cell], pushed: Cell) -> bool:
        """Whether the boxes are known to be deadlocked, one of which was `pushed` last."""
        if self._kind == "none":
            return False
        if pushed in self._dead:
            return True
        return self._kind == "frozen" and any(
            box not in self._goals and self._frozen(box, boxes, frozenset()) for box in boxes
        )

    def _frozen(self, box: Cell, boxes: Collection[Cell], fixed: frozenset[Cell]) -> bool:
        """Whether a box can't move along either axis, if the boxes `fixed` can't either (Junghanns 1999).

        It can't move along an axis if a wall is beside it, if both cells beside it are dead squares, or if a box is
        beside it that can't move in turn.
        """
        x, y = box
        fixed |= {box}
        for one, other in (((x - 1, y), (x + 1, y)), ((x, y - 1), (x, y + 1))):
            beside = [cell for cell in (one, other) if cell in boxes and cell not in fixed]
            if not (
                one not in self._floor
                or other not in self._floor
                or one in fixed
                or other in fixed
                or (one in self._dead and other in self._dead)
                or any(self._frozen(cell, boxes, fixed) for cell in beside)
            ):
                return False
        return True
