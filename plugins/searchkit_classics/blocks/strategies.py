"""Hypothesis strategies of small puzzles of blocks, for property tests. Needs the extra `testing`."""

from collections.abc import Sequence
from itertools import product
from string import ascii_uppercase

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Draft, drafts, far_goal, pick
from searchkit.testing.strategies.frames import blocks as bytes_of
from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.level import DIRECTIONS, Cell, Level, reachable
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import Sokoban

LEVEL_WALL, BOARD_WALL, MISPLACED = 228, 240, 204
"""Thresholds of bytes: from them on a cell of a level is a wall, a cell of a board is one, and a box is put anywhere,
which is unsolvable as a rule."""


@st.composite
def levels(draw: st.DrawFn, width: int = 4, height: int = 4) -> Sokoban:
    """Draw a level of one or two boxes, in a room of at most `width` by `height` cells with some walls.

    Most are made by pulling the boxes away from the goals, and are solvable.
    """
    metric, heuristic, deadlocks, many, *drawn = draw(bytes_of(10 + 2 * width * height))
    every = [(x, y) for y in range(height) for x in range(width)]
    turns, solid, order = drawn[:6], drawn[6:], dict(zip(every, drawn[6 + len(every) :], strict=False))
    walls = {cell: "#" if byte >= LEVEL_WALL else " " for cell, byte in zip(every, solid, strict=False)}
    floor = reachable(walls, every[0])
    spare = sorted(floor if len(floor) > 3 else every, key=lambda cell: (order[cell], cell))
    *goals, player = spare[: 2 + (many >= 176)]
    boxes, free = list(goals), set(spare)
    for number, turn in enumerate(turns):
        box = boxes[number % len(boxes)]
        if turn >= MISPLACED:
            player, boxes[number % len(boxes)] = box, pick(turn, [*spare, box])
            continue
        dx, dy = pick(turn, list(DIRECTIONS.values()))
        beside, beyond = (box[0] + dx, box[1] + dy), (box[0] + 2 * dx, box[1] + 2 * dy)
        if {beside, beyond} <= free - set(boxes):
            boxes[number % len(boxes)], player = beside, beyond
    if player in boxes or len(set(boxes)) < len(boxes):
        boxes, player = list(goals), spare[len(goals)]
    marks: dict[Cell, str] = dict.fromkeys(spare, " ") | dict.fromkeys(goals, ".")
    marks |= {box: "*" if box in goals else "$" for box in boxes}
    marks[player] = "+" if player in goals else "@"
    rows = ["".join(marks.get((x, y), "#") for x in range(-1, width + 1)) for y in range(-1, height + 1)]
    counted = pick(metric, ("moves", "moves", "moves", "pushes"))
    heuristic_name = pick(heuristic, ("matching", "goals", "zero"))
    level = Level.of("\n".join(rows))
    return Sokoban(level, counted, heuristic_name, pick(deadlocks, ("none", "squares", "frozen")))


def rectangle(width: int, height: int) -> list[Cell]:
    """Return the cells of a piece."""
    return [(x, y) for y in range(height) for x in range(width)]


PIECES = 5
"""The number of pieces that are drawn; those that do not fit are left out."""
CARS = [rectangle(2, 1), rectangle(1, 2), rectangle(3, 1), rectangle(1, 3)]
BLOCKS = [rectangle(1, 1), rectangle(2, 1), rectangle(1, 2), rectangle(2, 2)]


@st.composite
def jams(draw: st.DrawFn, width: int = 5, height: int = 4) -> RushHour:
    """Draw a jam of a few cars on a board of at most `width` by `height` cells; some can't be solved."""
    draft: Draft = draw(drafts(max(width, 2), height, choices=1 + PIECES, places=PIECES))
    options, *drawn = draft.choices
    (left, top), *marks = draft.marks
    board = _board(
        draft, [(left // 2, top), *marks], [CARS[0], *(pick(byte, CARS) for byte in drawn[1:])], []
    )
    return RushHour(board, *pick(options, list(product(("steps", "moves"), ("blocking", "zero")))))


@st.composite
def blocks(draw: st.DrawFn, width: int = 3, height: int = 3) -> Klotski:
    """Draw a few blocks on a board of at most `width` by `height` cells; some can't be solved."""
    draft: Draft = draw(drafts(max(width, 2), max(height, 2), choices=1 + PIECES, places=PIECES + 2))
    options, *drawn = draft.choices
    start, *marks = draft.marks
    pieces = [pick(byte, BLOCKS) for byte in drawn]
    goal = _nearest(pieces[0], far_goal([start], marks[-2:], draft.corners), _size(draft, pieces[0]))
    board = _board(draft, [start, *marks[:-2]], pieces, goal)
    metric, heuristic = pick(options, list(product(("steps", "moves"), ("distance", "zero"))))
    return Klotski(board, metric, heuristic, goal[0])


def _size(draft: Draft, piece: Sequence[Cell]) -> Cell:
    """Return the width and the height of a board that has room for a piece."""
    return max(draft.width, 1 + piece[-1][0]), max(draft.height, 1 + piece[-1][1])


def _nearest(piece: Sequence[Cell], mark: Cell, size: Cell) -> list[Cell]:
    """Return the cells of a piece whose first cell is at a mark, or as near to it as the size of the board permits."""
    left, top = (min(at, side - 1 - last) for at, side, last in zip(mark, size, piece[-1], strict=True))
    return [(left + x, top + y) for x, y in piece]


def _board(
    draft: Draft, marks: Sequence[Cell], pieces: Sequence[Sequence[Cell]], free: Sequence[Cell]
) -> str:
    """Return a board with a few walls, but not in the cells `free`, and the pieces that fit near their marks."""
    size, letters = _size(draft, pieces[0]), iter(ascii_uppercase)
    board = dict.fromkeys(rectangle(*size), ".")
    for y, row in enumerate(draft.cells):
        board |= {(x, y): "x" for x, byte in enumerate(row) if byte >= BOARD_WALL and (x, y) not in free}
    for mark, piece in zip(marks, pieces, strict=True):
        cells = _nearest(piece, mark, size)
        if all(board.get(cell, "A") in ".x" for cell in cells):
            board |= dict.fromkeys(cells, next(letters))
    return "\n".join("".join(board[x, y] for x in range(size[0])) for y in range(size[1]))
