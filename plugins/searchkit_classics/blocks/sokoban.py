"""Sokoban: push all boxes onto the goals."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field

from searchkit import SearchProblem
from searchkit.plugin import (
    Drawing,
    Example,
    Mark,
    Parameter,
    Places,
    ProblemSpec,
    Route,
    Source,
    option,
    parameters_of,
    with_options,
)
from searchkit_classics.blocks.level import DIRECTIONS, Cell, Level, is_levels, read_level
from searchkit_classics.blocks.matching import FAR, assignment

Boxes: TypeAlias = tuple[int, ...]
SokobanState: TypeAlias = tuple[int, Boxes]
"""The numbers of the player's cell, and of the cells of the boxes, sorted. Cells are numbered column by column."""
NAMES = "udlr"
"""The directions: numbers differ in their lowest bit if they are opposite."""


@with_options
class Sokoban(SearchProblem[SokobanState, Any]):
    r"""Push all boxes of a warehouse onto the goals, in the fewest moves or pushes.

    A state is the player's cell and those of the boxes. An action is `u`, `d`, `l` or `r`, in this order, and a capital
    letter if a box is pushed: together they are a solution in Sokoban's notation (LURD). Each move costs 1. The
    player never pulls, and pushes one box at a time. The game is by Hiroyuki Imabayashi (1981); to solve it is
    PSPACE-complete (Culberson 1997).

    With the metric `pushes`, steps between pushes cost nothing. The player's cell of a state is then the first one that
    the player can walk to, and an action is the cell of a box and `U`, `D`, `L` or `R`, the direction of the push.

    The level is a `Level` or a text in the format XSB. The heuristics ignore that boxes are in each other's way; all
    are consistent. Raises `InputFormatError` if the text is not a level.

    Example:
        >>> from searchkit import solve
        >>> from searchkit_classics.blocks import Sokoban
        >>> "".join(solve(Sokoban("######\n#@ $.#\n######")).actions)
        'rR'
        >>> solve(Sokoban("######\n#@ $.#\n######", metric="pushes")).actions
        (((3, 1), 'R'),)

    """

    level: Level = field(converter=Level.of)
    metric: str = option("what costs 1: a move or only a push", default="moves", choices=("moves", "pushes"))
    heuristic_name: str = option(
        "the pushes of a cheapest assignment of boxes to goals, of each box to its nearest goal, or zero",
        default="matching",
        choices=("matching", "goals", "zero"),
        alias="heuristic",
    )
    deadlocks: str = option(
        "the pushes that are left out: onto dead squares, also those that freeze a box (frozen), or none",
        default="frozen",
        choices=("none", "squares", "frozen"),
    )

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of the floor, and of boxes and goals behind walls, in the order of their numbers."""
        return sorted(self.level.floor.union(self.level.boxes, self.level.goals))

    @cached_property
    def beside(self) -> list[tuple[int, int, int, int]]:
        """For each cell, the numbers of the cells above, below, to the left and to the right; -1 for a wall."""
        number = {cell: place for place, cell in enumerate(self.cells)}
        up, down, left, right = DIRECTIONS.values()
        return [
            (
                number.get((x + up[0], y + up[1]), -1),
                number.get((x + down[0], y + down[1]), -1),
                number.get((x + left[0], y + left[1]), -1),
                number.get((x + right[0], y + right[1]), -1),
            )
            for x, y in self.cells
        ]

    @cached_property
    def around(self) -> list[list[int]]:
        """For each cell, the numbers of the cells beside it."""
        return [[to for to in beside if to >= 0] for beside in self.beside]

    @cached_property
    def goals(self) -> Boxes:
        """The numbers of the cells of the goals, sorted."""
        return tuple([self.cells.index(goal) for goal in self.level.goals])

    @cached_property
    def is_at_goal(self) -> list[bool]:
        """For each cell, whether it is a goal."""
        return [cell in self.level.goals for cell in self.cells]

    @cached_property
    def pushes(self) -> list[list[int]]:
        """For each cell, the fewest pushes of a single box to each goal, with the player anywhere.

        They are found by pulling a box backwards from the goal; `FAR` if it can't be reached.
        """
        pulls = [[FAR] * len(self.goals) for _ in self.cells]
        for number, goal in enumerate(self.goals):
            pulls[goal][number] = 0
            frontier = [goal]
            for cell in frontier:
                for direction, back in enumerate(self.beside[cell]):
                    if back >= 0 and self.beside[back][direction] >= 0 and pulls[back][number] == FAR:
                        pulls[back][number] = pulls[cell][number] + 1
                        frontier.append(back)
        return pulls

    @cached_property
    def is_dead(self) -> list[bool]:
        """For each cell, whether no goal can be reached from there."""
        return [min(pushes) == FAR for pushes in self.pushes]

    @cached_property
    def matched(self) -> dict[Boxes, float]:
        """The values of assignments that were computed."""
        return {}

    def initial_states(self) -> list[SokobanState]:
        """Return the start of the level."""
        boxes, player = tuple(map(self.cells.index, self.level.boxes)), self.cells.index(self.level.player)
        return [(self.reached(player, boxes).index(True) if self.metric == "pushes" else player, boxes)]

    def successors(self, state: SokobanState) -> Iterator[tuple[Any, SokobanState]]:
        """Return each step and each push, or each push of a box that the player can walk to."""
        return self.pushed(state) if self.metric == "pushes" else self.moved(state)

    def moved(self, state: SokobanState) -> Iterator[tuple[Any, SokobanState]]:
        """Yield each step and each push that no kind of deadlock forbids."""
        player, boxes = state
        for direction, name in enumerate(NAMES):
            to = self.beside[player][direction]
            if to in boxes:
                beyond = self.beside[to][direction]
                if beyond >= 0 and beyond not in boxes:
                    after = tuple(sorted([beyond if box == to else box for box in boxes]))
                    if not self.is_deadlock(after, beyond):
                        yield name.upper(), (to, after)
            elif to >= 0:
                yield name, (to, boxes)

    def pushed(self, state: SokobanState) -> Iterator[tuple[Any, SokobanState]]:
        """Yield each push of a box that the player can walk to, unless a kind of deadlock forbids it."""
        player, boxes = state
        reached = self.reached(player, boxes)
        for box in boxes:
            for direction in range(4):
                behind, beyond = self.beside[box][direction ^ 1], self.beside[box][direction]
                if behind < 0 or not reached[behind] or beyond < 0 or beyond in boxes:
                    continue
                after = tuple(sorted([beyond if other == box else other for other in boxes]))
                if not self.is_deadlock(after, beyond):
                    name = NAMES[direction].upper()
                    yield (self.cells[box], name), (self.reached(box, after).index(True), after)

    def reached(self, player: int, boxes: Boxes) -> list[bool]:
        """Return for each cell whether the player can walk there without a push."""
        reached, frontier = [False] * len(self.cells), [player]
        for cell in (player, *boxes):
            reached[cell] = True
        while frontier:
            for to in self.around[frontier.pop()]:
                if not reached[to]:
                    reached[to] = True
                    frontier.append(to)
        for box in boxes:
            reached[box] = False
        return reached

    def is_deadlock(self, boxes: Boxes, pushed: int) -> bool:
        """Whether no solution is left after a box was pushed, as far as the option `deadlocks` sees it."""
        if self.deadlocks == "none":
            return False
        if self.is_dead[pushed]:
            return True
        return self.deadlocks == "frozen" and any(not self.is_at_goal[box] for box in self.frozen(boxes))

    def frozen(self, boxes: Boxes) -> list[int]:
        """Return the boxes that can never move again (Junghanns 1999).

        These are all boxes without those that can move along an axis if the others can't move, and so on.
        """
        frozen = list(boxes)
        many = len(frozen) + 1
        while len(frozen) < many:
            many = len(frozen)
            frozen = [box for box in frozen if self.is_held(box, 0, frozen) and self.is_held(box, 2, frozen)]
        return frozen

    def is_held(self, box: int, axis: int, frozen: list[int]) -> bool:
        """Whether a wall or a frozen box is beside a box on an axis, or dead squares are on both sides."""
        one, other = self.beside[box][axis], self.beside[box][axis + 1]
        if one < 0 or other < 0 or one in frozen or other in frozen:
            return True
        return self.is_dead[one] and self.is_dead[other]

    def is_goal(self, state: SokobanState) -> bool:
        """Whether each box is on a goal."""
        return state[1] == self.goals

    def heuristic(self, state: SokobanState) -> float:
        """Return a lower bound of the pushes; infinity if a box can't reach a goal."""
        boxes = state[1]
        if self.heuristic_name == "zero":
            return 0
        if self.heuristic_name == "goals":
            nearest = sum([min(self.pushes[box]) for box in boxes])
            return inf if nearest >= FAR else nearest
        if boxes not in self.matched:
            cost = assignment([self.pushes[box] for box in boxes])
            self.matched[boxes] = inf if cost >= FAR else cost
        return self.matched[boxes]

    def path_details(self, states: Sequence[SokobanState]) -> Mapping[str, object]:
        """Return the number of pushes on a path, or with the metric `pushes` all moves, with shortest walks (LURD)."""
        pushes = [(before[1], after[1]) for before, after in pairwise(states) if before[1] != after[1]]
        if self.metric == "moves" or not pushes:
            return {"pushes": len(pushes)} if pushes else {}
        is_start, moves = states[0] in self.initial_states(), ""
        player = self.cells.index(self.level.player) if is_start else states[0][0]
        for boxes, after in pushes:
            (box,), (beyond,) = set(boxes) - set(after), set(after) - set(boxes)
            direction = self.beside[box].index(beyond)
            moves += self.walk(player, self.beside[box][direction ^ 1], boxes) + NAMES[direction].upper()
            player = box
        return {"moves": moves}

    def walk(self, player: int, to: int, boxes: Boxes) -> str:
        """Return the letters of a shortest walk between two cells."""
        ways = {player: ""}
        for cell in (queue := [player]):
            for name, other in zip(NAMES, self.beside[cell], strict=True):
                if other >= 0 and other not in boxes and other not in ways:
                    ways[other] = ways[cell] + name
                    queue.append(other)
        return ways[to]


BRICK, OUTSIDE, FLOOR, DEAD, GOAL, BOX, STORED, PLAYER, ON_GOAL, WALK, PUSHED = "# .,gb*@+wp"
MARKS = {
    OUTSIDE: Mark(" ", "#14171c"),
    BRICK: Mark("█", "#9aa3b2", "wall"),
    FLOOR: Mark("·", "#3b414d", "floor"),
    DEAD: Mark("░", "#5a3038", "dead square"),
    GOAL: Mark("○", "#5e8c3a", "goal", rank=2),
    WALK: Mark("•", "#4cc9f0", "path", rank=1),
    PUSHED: Mark("▪", "#ff7043", "path of a box", rank=1),
    BOX: Mark("□", "#ffb000", "box", rank=3),
    STORED: Mark("■", "#3ddc84", "box on a goal", rank=3),
    PLAYER: Mark("@", "#ffffff", "player", rank=4),
    ON_GOAL: Mark("+", "#ffffff", "player on a goal", rank=4),
}
AS_XSB = str.maketrans({FLOOR: " ", DEAD: " ", GOAL: ".", BOX: "$"})
"""Key → character in a file; the others are the same."""


def places(problem: Sokoban) -> Places[SokobanState]:
    """Return the places of a warehouse, with dead squares shaded.

    A path is that of the player; if only pushes count, those of the boxes, because states don't have the player's cell.
    """
    level, cells, pushes = problem.level, problem.cells, problem.metric == "pushes"
    below = {
        (x, y): BRICK if mark == "#" else OUTSIDE
        for y, row in enumerate(level.rows)
        for x, mark in enumerate(row)
    }
    for cell, is_dead in zip(cells, problem.is_dead, strict=True):
        below[cell] = GOAL if cell in level.goals else DEAD if is_dead else FLOOR

    def shown(player: Cell, boxes: Sequence[Cell]) -> dict[Cell, str]:
        found = {box: STORED if below[box] == GOAL else BOX for box in boxes}
        return found | {player: ON_GOAL if below[player] == GOAL else PLAYER}

    def changes(state: SokobanState) -> dict[Cell, str]:
        return {cell: below[cell] for cell in start} | shown(
            cells[state[0]], [cells[box] for box in state[1]]
        )

    def boxes_of(path: Sequence[SokobanState]) -> list[Route]:
        ways = {box: [cells[box]] for box in path[0][1]}
        for (_, before), (_, after) in pairwise(path):
            for box, to in zip(set(before) - set(after), set(after) - set(before), strict=True):
                ways[to] = [*ways.pop(box), cells[to]]
        return [Route(way, dict.fromkeys((FLOOR, DEAD), PUSHED)) for _, way in sorted(ways.items())]

    def player_of(path: Sequence[SokobanState]) -> list[Route]:
        return [Route([cells[player] for player, _ in path], dict.fromkeys((FLOOR, DEAD), WALK))]

    def rows_of(drawn: Mapping[Cell, str]) -> list[str]:
        return ["".join(drawn[x, y] for x in range(len(row))) for y, row in enumerate(level.rows)]

    def label(state: SokobanState) -> str:
        rows = rows_of(below | shown(cells[state[0]], [cells[box] for box in state[1]]))
        return "\n".join(row.translate(AS_XSB).rstrip() for row in rows)

    start = shown(level.player, level.boxes)
    return Places(
        Drawing(rows_of(below | start), MARKS),
        cells=lambda state: () if pushes else (cells[state[0]],),
        label=label,
        routes=boxes_of if pushes else player_of,
        changes=changes,
    )


def read(source: Source, level: int, **options: Any) -> Sokoban:
    """Return a level of a file. Raises `InputFormatError` if it is faulty."""
    return Sokoban(read_level(source.name, source.text, level), **options)


MICROBAN = Path(__file__).parent / "boards" / "microban.xsb"
SPEC = ProblemSpec(
    "sokoban",
    "Sokoban: push all boxes onto the goals, in the fewest moves or pushes",
    Sokoban,
    parameters=(
        Parameter("level", "which level of a file of many, counted from 1", default=1, least=1),
        *parameters_of(Sokoban),
    ),
    examples=(
        Example("sokoban", MICROBAN, "the first six levels of Microban, by David W. Skinner"),
        Example(
            "sokoban-pushes",
            MICROBAN,
            "the sixth of them in the fewest pushes",
            {"level": 6, "metric": "pushes"},
        ),
    ),
    group="Blocks",
    strategies={"sokoban_levels": "searchkit_classics.blocks.strategies:levels"},
    read=read,
    formats=(".xsb", ".sok", lambda source, options: is_levels(source.text)),
    places=places,
    write=lambda problem: str(problem.level),
)
