"""Hypothesis strategies of small puzzles of blocks, for property tests. Needs the extra `testing`."""

from collections.abc import Collection
from string import ascii_uppercase

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks as bytes_of
from searchkit.testing.strategies.frames import pick, steps
from searchkit_classics.blocks.klotski import Klotski
from searchkit_classics.blocks.level import DIRECTIONS, Cell, Level
from searchkit_classics.blocks.rushhour import RushHour
from searchkit_classics.blocks.sokoban import METRICS, Sokoban

SOLID, ANYHOW, SAME, SHUT = 228, 204, 252, 246
"""Thresholds of bytes: from them on a cell is a wall, boxes are put anywhere (unsolvable, as a rule), boxes are on the
goals, and a car as long as its column shuts the exit."""
MOSTLY_STEPS = (*["steps"] * 5, "moves")
PULLED = 60
"""The number of starts of a level that a search backwards from the goals meets."""


@st.composite
def levels(draw: st.DrawFn, width: int = 4, height: int = 4) -> Sokoban:
    """Draw a level of one or two boxes, in a room of at most `width` by `height` cells with some walls.

    Most are made by pulling the boxes away from the goals, and are solvable.
    """
    drawn = draw(bytes_of(6 + 2 * width * height))
    metric, heuristic, deadlocks, many, made, turn = drawn[:6]
    every = [(x, y) for y in range(height) for x in range(width)]
    solid = dict(zip(every, drawn[6:], strict=False))
    order = dict(zip(every, drawn[6 + width * height :], strict=False))
    floor = _connected(every[0], {cell for cell in every if solid[cell] < SOLID})
    if len(floor) < 4:
        floor = set(every)
    count = 1 + (many >= 176)
    spare = sorted(floor, key=lambda cell: (not _inside(cell, floor), order[cell], cell))
    *goals, player = spare[: count + 1]
    boxes = tuple(goals)
    if ANYHOW <= made < SAME:
        boxes = tuple(sorted(floor - {player}, key=lambda cell: (-order[cell], cell))[:count])
    elif made < SAME:
        boxes, player = _pulled(floor, boxes, player, turn)
    marks = dict.fromkeys(floor, " ") | dict.fromkeys(goals, ".")
    marks |= {box: "*" if box in goals else "$" for box in boxes}
    marks[player] = "+" if player in goals else "@"
    rows = ["".join(marks.get((x, y), "#") for x in range(-1, width + 1)) for y in range(-1, height + 1)]
    made_as = METRICS[pick(metric, ("moves", "moves", "moves", "pushes"))]
    return made_as(
        Level.of("\n".join(rows)),
        pick(heuristic, ("matching", "goals", "zero")),
        pick(deadlocks, ("none", "squares", "frozen")),
    )


def _inside(cell: Cell, floor: set[Cell]) -> bool:
    """Whether a box can be pulled away from a cell, if the player gets there."""
    (x, y), offsets = cell, DIRECTIONS.values()
    return any({(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)} <= floor for dx, dy in offsets)


def _connected(first: Cell, free: Collection[Cell]) -> set[Cell]:
    """Return the free cells that are connected to the first one, and that one."""
    reached, frontier = {first}, [first]
    while frontier:
        x, y = frontier.pop()
        for dx, dy in DIRECTIONS.values():
            if (x + dx, y + dy) in free and (x + dx, y + dy) not in reached:
                reached.add((x + dx, y + dy))
                frontier.append((x + dx, y + dy))
    return reached


def _pulled(
    floor: set[Cell], goals: tuple[Cell, ...], player: Cell, turn: int
) -> tuple[tuple[Cell, ...], Cell]:
    """Return boxes and a player from which the goals can be reached.

    They are among the last that a search backwards meets, and the player is as far off as he can be.
    """
    reached = [(goals, player)]
    for boxes, here in reached:
        free = floor.difference(boxes)
        walked = _connected(here, free)
        for number, (x, y) in enumerate(boxes):
            for dx, dy in DIRECTIONS.values():
                beside, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                after = tuple(sorted((*boxes[:number], beside, *boxes[number + 1 :]))), beyond
                if beside in walked and beyond in free and after not in reached:
                    reached.append(after)
        if len(reached) > PULLED:
            break
    away = [start for start in reached if start[0] != goals] or reached
    boxes, here = pick(turn, away[::-1][: 1 + len(away) // 3])
    walked = _connected(here, floor.difference(boxes))
    return boxes, max(walked, key=lambda cell: (steps(cell, boxes[0]), cell))


@st.composite
def jams(draw: st.DrawFn, width: int = 5, height: int = 4, most: int = 4) -> RushHour:
    """Draw a jam of at most `most` cars besides A on `width` by `height` cells; most cross the row of A."""
    metric, heuristic, row, many, parked, *rest = draw(bytes_of(5 + 3 * most))
    line = pick(row, range(height))
    cells = {(0, line): "A", (1, line): "A"}
    if parked >= SHUT:
        cells |= {(width - 1, y): "Z" for y in range(height)}
    for number in range(pick(many, range(2, most + 1))):
        first, second, third = rest[3 * number : 3 * number + 3]
        length = 3 if first % 4 == 0 and line in (0, height - 1) else 2
        across = first >= 200
        x = pick(second, range(width - length + 1) if across else range(2, width))
        y = pick(third, range(height) if across else range(height - length + 1))
        if across and y == line and parked < 216:  # such a car never lets A pass
            continue
        car = [(x + i, y) if across else (x, y + i) for i in range(length)]
        if not cells.keys() & set(car):
            cells |= dict.fromkeys(car, ascii_uppercase[number + 1])
    rows = ["".join(cells.get((x, y), "o") for x in range(width)) for y in range(height)]
    return RushHour("\n".join(rows), pick(metric, MOSTLY_STEPS), pick(heuristic, ("blocking", "zero")))


@st.composite
def blocks(draw: st.DrawFn, width: int = 2, height: int = 5) -> Klotski:
    """Draw a board of `width` by `height` cells: block A in the highest rows, and one or two others.

    A block as wide as the board can't be passed.
    """
    metric, heuristic, large, many, *rest = draw(bytes_of(4 + 2 * width * height))
    cells = dict.fromkeys(pick(large, ALL_LARGE), "A")
    letters = iter(ascii_uppercase[1:])
    last = pick(many, (1, 2, 1))
    every = [(x, y) for y in range(height) for x in range(width)]
    for place, order in sorted(zip(every, rest, strict=False), key=lambda pair: pair[1]):
        x, y = place
        if place in cells or len(set(cells.values())) > last:
            continue
        beside = (x + 1, y) if order % 16 in (2, 6, 10) else (x, y + 1)
        pair = [place, beside] if beside in every and beside not in cells and order % 2 == 0 else [place]
        cells |= dict.fromkeys(pair, next(letters))
    rows = ["".join(cells.get((x, y), ".") for x in range(width)) for y in range(height)]
    return Klotski("\n".join(rows), pick(metric, MOSTLY_STEPS), pick(heuristic, ("distance", "zero")))


ALL_LARGE: tuple[list[Cell], ...] = ([(0, 0), (0, 1)], [(1, 0), (1, 1)], [(1, 0)])
"""The cells of block A."""
