"""Sokoban: push all boxes onto the goals."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from searchkit import SearchProblem
from searchkit.plugin import InvalidOptionError
from searchkit_classics.blocks.deadlocks import DEADLOCKS, Deadlocks
from searchkit_classics.blocks.level import DIRECTIONS, Cell, Level
from searchkit_classics.blocks.matching import HEURISTICS, PushDistances

Boxes: TypeAlias = tuple[Cell, ...]
SokobanState: TypeAlias = tuple[Cell, Boxes]
"""The player's cell, and the cells of the boxes, sorted."""


class Sokoban(SearchProblem[SokobanState, str]):
    r"""Push all boxes of a warehouse onto the goals, in the fewest moves.

    A state is the player's cell and those of the boxes. An action is `u`, `d`, `l` or `r`, in this order, and a capital
    letter if a box is pushed: together they are a solution in Sokoban's notation (LURD). Each move costs 1. The
    player never pulls, and pushes one box at a time. The game is by Hiroyuki Imabayashi (1981); to solve it is
    PSPACE-complete (Culberson 1997).

    Args:
        level: the warehouse, as a `Level` or as text in the format XSB.
        heuristic: `matching`: the pushes of a cheapest assignment of boxes to goals; `goals`: those of each box to its
            nearest goal; `zero`: none. The first two ignore other boxes. All are consistent.
        deadlocks: the pushes that are left out, because no solution contains them: `squares`: onto a cell from which
            no goal can be reached; `frozen`: also those after which a box that is not on a goal can never move again;
            `none`.

    Raises:
        InputFormatError: the text is not a level.
        InvalidOptionError: the heuristic or the kind of deadlocks is unknown.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.blocks import Sokoban
        >>> "".join(solve(Sokoban("######\n#@ $.#\n######")).actions)
        'rR'

    """

    def __init__(self, level: Level | str, heuristic: str = "matching", deadlocks: str = "frozen"):
        for name, value, known in (
            ("heuristic", heuristic, HEURISTICS),
            ("deadlocks", deadlocks, DEADLOCKS),
        ):
            if value not in known:
                raise InvalidOptionError(f"{name}={value}: expected one of {', '.join(known)}")
        self.level = Level.of(level)
        self.heuristic_name, self.deadlocks_name = heuristic, deadlocks
        self.distances = PushDistances(self.level.floor, self.level.goals)
        self._deadlocks = Deadlocks(self.level, self.distances.dead, deadlocks)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments: the distances are computed again."""
        return type(self), (self.level, self.heuristic_name, self.deadlocks_name)

    def initial_states(self) -> list[SokobanState]:
        """Return the start of the level."""
        return [(self.level.player, self.level.boxes)]

    def successors(self, state: SokobanState) -> Iterator[tuple[Any, SokobanState]]:
        """Yield each step and each push that no kind of deadlock forbids."""
        (x, y), boxes = state
        for name, (dx, dy) in DIRECTIONS.items():
            entered = x + dx, y + dy
            if entered in boxes:
                pushed = self.pushed(boxes, entered, (dx, dy))
                if pushed is not None:
                    yield name.upper(), (entered, pushed)
            elif entered in self.level.floor:
                yield name, (entered, boxes)

    def pushed(self, boxes: Boxes, box: Cell, direction: Cell) -> Boxes | None:
        """Return the boxes after a push, or None if it is not possible or leads to a deadlock."""
        beyond = box[0] + direction[0], box[1] + direction[1]
        if beyond not in self.level.floor or beyond in boxes:
            return None
        after = tuple(sorted([beyond if other == box else other for other in boxes]))
        return None if self._deadlocks.found(after, beyond) else after

    def is_goal(self, state: SokobanState) -> bool:
        """Whether each box is on a goal."""
        return state[1] == self.level.goals

    def heuristic(self, state: SokobanState) -> float:
        """Return a lower bound of the pushes; infinity if a box can't reach a goal."""
        return HEURISTICS[self.heuristic_name](self.distances, state[1])

    def path_details(self, states: Sequence[SokobanState]) -> Mapping[str, object]:
        """Return the number of pushes on a path."""
        pushes = sum(boxes != after for (_, boxes), (_, after) in pairwise(states))
        return {"pushes": pushes} if pushes else {}

    def __repr__(self) -> str:
        rows = self.level.rows
        facts = (
            f"{len(self.level.boxes)} boxes, heuristic {self.heuristic_name}, deadlocks {self.deadlocks_name}"
        )
        return f"<{type(self).__name__} {len(rows[0])}x{len(rows)}, {facts}>\n" + "\n".join(rows)


class SokobanPushes(Sokoban):
    r"""Push all boxes of a warehouse onto the goals, in the fewest pushes; steps between them cost nothing.

    A state is the first cell, in sorted order, that the player can walk to, and the cells of the boxes. An action is
    the cell of a box and `U`, `D`, `L` or `R`, the direction in which it is pushed; each costs 1. Arguments and errors
    are those of `Sokoban`.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.blocks import SokobanPushes
        >>> solve(SokobanPushes("######\n#@ $.#\n######")).actions
        (((3, 1), 'R'),)

    """

    def initial_states(self) -> list[SokobanState]:
        """Return the start of the level."""
        return [(min(reachable(self.level, self.level.player, self.level.boxes)), self.level.boxes)]

    def successors(self, state: SokobanState) -> Iterator[tuple[Any, SokobanState]]:
        """Yield each push of a box that the player can walk to."""
        player, boxes = state
        reached = reachable(self.level, player, boxes)
        for x, y in boxes:
            for name, (dx, dy) in DIRECTIONS.items():
                if (x - dx, y - dy) in reached:
                    pushed = self.pushed(boxes, (x, y), (dx, dy))
                    if pushed is not None:
                        yield ((x, y), name.upper()), (min(reachable(self.level, (x, y), pushed)), pushed)

    def path_details(self, states: Sequence[SokobanState]) -> Mapping[str, object]:
        """Return all moves of a path in the notation of Sokoban, with a shortest walk to each push."""
        player = self.level.player if states[0] in self.initial_states() else states[0][0]
        moves = ""
        for (_, boxes), (_, after) in pairwise(states):
            (box,), (beyond,) = set(boxes) - set(after), set(after) - set(boxes)
            dx, dy = beyond[0] - box[0], beyond[1] - box[1]
            name = next(name for name, offset in DIRECTIONS.items() if offset == (dx, dy))
            moves += walks(self.level, player, boxes)[box[0] - dx, box[1] - dy] + name.upper()
            player = box
        return {"moves": moves} if moves else {}


METRICS: dict[str, type[Sokoban]] = {"moves": Sokoban, "pushes": SokobanPushes}


def reachable(level: Level, player: Cell, boxes: Boxes) -> set[Cell]:
    """Return the cells that the player can walk to without a push."""
    reached, frontier = {player}, [player]
    while frontier:
        x, y = frontier.pop()
        for beside in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if beside in level.floor and beside not in reached and beside not in boxes:
                reached.add(beside)
                frontier.append(beside)
    return reached


def walks(level: Level, player: Cell, boxes: Boxes) -> dict[Cell, str]:
    """Return the same cells, with a shortest walk to each."""
    reached, frontier = {player: ""}, deque([player])
    while frontier:
        x, y = cell = frontier.popleft()
        for name, (dx, dy) in DIRECTIONS.items():
            beside = x + dx, y + dy
            if beside in level.floor and beside not in reached and beside not in boxes:
                reached[beside] = reached[cell] + name
                frontier.append(beside)
    return reached
