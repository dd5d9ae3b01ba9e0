"""The places of the puzzles of blocks: the boards, and where the boxes, cars and blocks are in a state."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from colorsys import hls_to_rgb
from itertools import pairwise
from string import ascii_uppercase
from typing import Any

from searchkit.plugin import Cell, Drawing, Mark, Places, Route
from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.pieces import WALL
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import Sokoban, SokobanPushes

GREY, DARK = "#9aa3b2", "#2a2f3a"
GOLDEN = 0.618
"""The golden section: steps of this share of the colour circle keep any number of hues apart."""
RED = "#ff5c5c"
EXIT = "e"

BRICK, OUTSIDE, FLOOR, DEAD, GOAL, BOX, STORED, PLAYER, ON_GOAL, WALK, PUSHED = "# .,gb*@+wp"
WAREHOUSE = {
    OUTSIDE: Mark(" ", "#14171c"),
    BRICK: Mark("█", GREY, "wall"),
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


def _sokoban(problem: Sokoban) -> Places[Any]:
    """Return the places of a warehouse, with dead squares shaded.

    A path is that of the player; if only pushes count, those of the boxes, because states don't have the player's cell.
    """
    level, pushes = problem.level, isinstance(problem, SokobanPushes)
    below = {
        (x, y): BRICK if mark == "#" else OUTSIDE
        for y, row in enumerate(level.rows)
        for x, mark in enumerate(row)
    }
    below |= dict.fromkeys(level.floor, FLOOR) | dict.fromkeys(problem.distances.dead, DEAD)
    below |= dict.fromkeys(level.goals, GOAL)

    def shown(player: Cell, boxes: Iterable[Cell]) -> dict[Cell, str]:
        found = {box: STORED if below[box] == GOAL else BOX for box in boxes}
        return found | {player: ON_GOAL if below[player] == GOAL else PLAYER}

    def changes(state: Any) -> dict[Cell, str]:
        return {cell: below[cell] for cell in start} | shown(*state)

    def boxes_of(path: Sequence[Any]) -> list[Route]:
        ways = {box: [box] for box in path[0][1]}
        for (_, before), (_, after) in pairwise(path):
            for box, to in zip(set(before) - set(after), set(after) - set(before), strict=True):
                ways[to] = [*ways.pop(box), to]
        return [Route(way, dict.fromkeys((FLOOR, DEAD), PUSHED)) for _, way in sorted(ways.items())]

    def player_of(path: Sequence[Any]) -> list[Route]:
        return [Route([player for player, _ in path], dict.fromkeys((FLOOR, DEAD), WALK))]

    def label(state: Any) -> str:
        here = below | shown(*state)
        rows = ("".join(here[x, y] for x in range(width)) for y in range(height))
        return "\n".join(row.translate(AS_XSB).rstrip() for row in rows)

    start = shown(level.player, level.boxes)
    width, height = len(level.rows[0]), len(level.rows)
    ground = below | start
    rows = ["".join(ground[x, y] for x in range(width)) for y in range(height)]
    return Places(
        Drawing(rows, WAREHOUSE),
        cells=lambda state: () if pushes else state[:1],
        label=label,
        routes=boxes_of if pushes else player_of,
        changes=changes,
    )


def _pieces(
    rows_of: Callable[[Any], Sequence[str]], start: Any, red: str, out: Iterable[Cell]
) -> Places[Any]:
    """Return the places of a board on which every state has rows of letters; those of piece A are red."""
    marks = {
        ".": Mark("·", DARK, "empty"),
        WALL: Mark("█", GREY, "wall"),
        EXIT: Mark("◌", "#5c2f35", "exit"),
        "A": Mark("A", RED, red, rank=2),
    }
    for number, letter in enumerate(ascii_uppercase[1:], 1):
        channels = hls_to_rgb(0.1 + 0.8 * (number * GOLDEN % 1), 0.7, 0.7)  # no red, which is that of A
        marks[letter] = Mark(letter, "#" + bytes(round(255 * part) for part in channels).hex(), rank=2)
    goal = set(out)

    def cells(state: Any) -> dict[Cell, str]:
        return {
            (x, y): EXIT if mark == "." and (x, y) in goal else mark
            for y, row in enumerate(rows_of(state))
            for x, mark in enumerate(row)
        }

    first = cells(start)
    width, height = (1 + max(side) for side in zip(*first, strict=True))
    return Places(
        Drawing(["".join(first[x, y] for x in range(width)) for y in range(height)], marks),
        cells=lambda state: (),
        label=lambda state: "\n".join(rows_of(state)),
        changes=lambda state: {cell: key for cell, key in cells(state).items() if key != first[cell]},
    )


def _rush_hour(problem: RushHour) -> Places[Any]:
    car = problem.cars[0]
    out = car.cells(problem.width - car.length)
    return _pieces(problem.rows, problem.start, "the car that has to get out", out)


def _klotski(problem: Klotski) -> Places[Any]:
    return _pieces(
        problem.rows, problem.start, "the block that has to get to the exit", problem.cells(0, problem.exit)
    )


LOOKS: Mapping[type, Callable[[Any], Places[Any]]] = {
    Sokoban: _sokoban,
    RushHour: _rush_hour,
    Klotski: _klotski,
}
