"""Hypothesis strategies of small puzzles of blocks, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks as bytes_of
from searchkit.testing.strategies.frames import pick
from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.level import DIRECTIONS, Cell, Level, reachable
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import METRICS, Sokoban

SOLID, ANYHOW = 228, 204
"""Thresholds of bytes: from them on a cell is a wall, and a box is put anywhere, which is unsolvable as a rule."""


@st.composite
def levels(draw: st.DrawFn, width: int = 4, height: int = 4) -> Sokoban:
    """Draw a level of one or two boxes, in a room of at most `width` by `height` cells with some walls.

    Most are made by pulling the boxes away from the goals, and are solvable.
    """
    metric, heuristic, deadlocks, many, *drawn = draw(bytes_of(10 + 2 * width * height))
    every = [(x, y) for y in range(height) for x in range(width)]
    turns, solid, order = drawn[:6], drawn[6:], dict(zip(every, drawn[6 + len(every) :], strict=False))
    walls = {cell: "#" if byte >= SOLID else " " for cell, byte in zip(every, solid, strict=False)}
    floor = reachable(walls, every[0])
    spare = sorted(floor if len(floor) > 3 else every, key=lambda cell: (order[cell], cell))
    *goals, player = spare[: 2 + (many >= 176)]
    boxes, free = list(goals), set(spare)
    for number, turn in enumerate(turns):
        box = boxes[number % len(boxes)]
        if turn >= ANYHOW:
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
    kind = METRICS[pick(metric, ("moves", "moves", "moves", "pushes"))]
    heuristic_name = pick(heuristic, ("matching", "goals", "zero"))
    return kind(Level.of("\n".join(rows)), heuristic_name, pick(deadlocks, ("none", "squares", "frozen")))


JAMS = (
    *("AA..", "AAB.\n..B.\n....", ".B...\n.BAA.\n...C.\n...C.", "..B.\nAAB.\n..B.", "BBC.\nAAC.\n..D.\n..D."),
    *("AAB..\n..B.C\nDD..C", "..BC.\nAABC.\n.DD..\nEE...", "AA.BB\n.....", "AABC\n..BC\nDD..\n...."),
)
BOARDS = (
    "A.",
    "AB\n..",
    "A.\nA.\n..",
    "AB\nAB\n..\n..",
    "AB\nCB\n..\n..",
    "xA\nB.\nCC\n..",
    "AA\nBC\n..\n..",
)
"""Small boards of Rush Hour and of Klotski, some of them unsolvable."""


def jams() -> st.SearchStrategy[RushHour]:
    """Draw a jam of a few cars."""
    metrics, heuristics = st.sampled_from(("steps", "moves")), st.sampled_from(("blocking", "zero"))
    return st.builds(RushHour, st.sampled_from(JAMS), metrics, heuristics)


def blocks() -> st.SearchStrategy[Klotski]:
    """Draw a board of a few blocks."""
    metrics, heuristics = st.sampled_from(("steps", "moves")), st.sampled_from(("distance", "zero"))
    return st.builds(Klotski, st.sampled_from(BOARDS), metrics, heuristics)
