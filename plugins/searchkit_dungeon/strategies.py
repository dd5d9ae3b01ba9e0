"""Hypothesis strategies of grids, for property tests. Needs the extra `testing`.

Nothing is drawn through the seed of a generator: a map is drawn cell by cell, so that it shrinks cell by cell to open
floor, and to few columns and rows (see `searchkit.testing.strategies.frames`).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Frame, frames, places, sheets
from searchkit_dungeon.grid import Grid, make_grid
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import WALL, Terrain

GROUNDS = ((1, 1, 1, 0), (1,), (1, 2, 3, 9, 0), (4, 5, 9, 0))
"""What cells are drawn from, each weight as likely as the others; 0 is a wall. Hypothesis shrinks to the first."""
KINDS = ("open", "caves", "rooms", "braided", "perfect")
"""The kinds of maze, from the simplest to look through."""
CLUTTER = (1, 1, 1, 1, 1, 0)
ROCK = (1, 1, 1, 0, 0)
ROOM = 6
"""The largest side of a room."""

Ground = dict[Cell, int]
"""Cell → what it costs to enter, for the cells that can be entered."""


def grounds(rows: Sequence[bytes], weights: Sequence[int]) -> Ground:
    """Return the ground that bytes stand for: each weight for as large a part of them as the others."""
    return {
        (x, y): weight
        for y, row in enumerate(rows)
        for x, byte in enumerate(row)
        if (weight := weights[byte * len(weights) // 256])
    }


def terrain_of(ground: Ground, frame: Frame, free: Iterable[Cell] = ()) -> Terrain:
    """Return the terrain; what would be a wall among the cells `free` is floor."""
    opened = {**dict.fromkeys(free, 1), **ground}
    return Terrain([bytes(opened.get((x, y), WALL) for x in range(frame.width)) for y in range(frame.height)])


@st.composite
def grids(draw: st.DrawFn, size: int = 6, most_goals: int = 10) -> Grid:
    """Draw a problem: 4 or 8 moves, either corner rule, terrain, one to three starts, any number of goals or none.

    Often solvable, sometimes not; starts may be goals.

    `size` is the most cells in a row and in a column.
    """
    frame = draw(frames(size))
    moves, corners = draw(st.sampled_from([4, 8])), draw(st.sampled_from(["no", "cut"]))
    weights = draw(st.sampled_from(GROUNDS))
    starts = frame.places(draw(st.lists(places(size), min_size=1, max_size=3)))
    goals = frame.places(draw(st.lists(places(size), max_size=most_goals)))
    ground = grounds(frame.bytes(draw(sheets(size))), weights)
    return make_grid(terrain_of(ground, frame, [*starts, *goals]), starts, goals, moves, corners)


@st.composite
def mazes(draw: st.DrawFn, size: int = 15, kinds: Sequence[str] = KINDS) -> Grid:
    """Draw a maze with one start and one goal: 4 moves, every step costs 1.

    `size` is the most cells in a row and in a column. Of the `kinds`, one or several, the first is the one it shrinks
    to: `perfect` (one way between any two cells), `braided` (the same with loops), `rooms` (and corridors), `caves`
    (some of them closed) and `open` (few walls).
    """
    kind = draw(st.sampled_from([kinds] if isinstance(kinds, str) else list(kinds)))
    frame = draw(frames(size))
    start, goal = frame.places([draw(places(size)), draw(places(size))])
    if kind == "rooms":
        ground = dict.fromkeys(draw(_rooms(frame, size)), 1)
    else:
        rows = frame.bytes(draw(sheets(size)))
        if kind == "open":
            ground = grounds(rows, CLUTTER)
        elif kind == "caves":
            ground = _smoothed(grounds(rows, ROCK), frame, draw(st.integers(0, 2)))
        else:
            ground = _passages(rows, loops=kind == "braided")
            # nodes are in even rows and columns
            start, goal = ((x - x % 2, y - y % 2) for x, y in (start, goal))
    return Grid(terrain_of(ground, frame, [start, goal]), [start], [goal])


@st.composite
def dungeons(draw: st.DrawFn, size: int = 24) -> Grid:
    """Draw a dungeon: rooms, corridors between them, some in a loop, rubble, 4 or 8 moves; solvable.

    `size` is the most cells in a row and in a column.
    """
    frame = draw(frames(size))
    moves, corners = draw(st.sampled_from([4, 8])), draw(st.sampled_from(["no", "cut"]))
    floor = draw(_rooms(frame, size))
    numbers = st.integers(0, len(floor) - 1)
    start, goals = (
        floor[draw(numbers)],
        [floor[number] for number in draw(st.lists(numbers, min_size=1, max_size=2))],
    )
    weights = draw(st.sampled_from([(1,), (1, 1, 1, 1, 3), (2, 3, 5)]))
    rubble = grounds(frame.bytes(draw(sheets(size))), weights)
    ground = {cell: rubble[cell] for cell in floor}
    return make_grid(terrain_of(ground, frame), [start], goals, moves, corners)


@st.composite
def _rooms(draw: st.DrawFn, frame: Frame, size: int) -> list[Cell]:
    """Draw the floor of rooms, each joined to the one before by a corridor with one bend, and perhaps to another."""
    room = st.tuples(places(size), st.integers(1, ROOM), st.integers(1, ROOM))
    drawn = draw(st.lists(room, min_size=1, max_size=6))
    corners = frame.places(corner for corner, _, _ in drawn)
    floor: dict[Cell, None] = {}
    for (x, y), (_, wide, high) in zip(corners, drawn, strict=True):
        for row in range(y, min(y + high, frame.height)):
            floor.update(dict.fromkeys((column, row) for column in range(x, min(x + wide, frame.width))))
    number = st.integers(0, len(corners) - 1)
    loops = draw(st.lists(st.tuples(number, number), max_size=2))
    for (x, y), (to_x, to_y) in [*pairwise(corners), *((corners[a], corners[b]) for a, b in loops)]:
        floor.update(dict.fromkeys((column, y) for column in _between(x, to_x)))
        floor.update(dict.fromkeys((to_x, row) for row in _between(y, to_y)))
    return sorted(floor, key=lambda cell: (cell[1], cell[0]))


def _between(one: int, other: int) -> range:
    return range(min(one, other), max(one, other) + 1)


def _smoothed(ground: Ground, frame: Frame, rounds: int) -> Ground:
    """Make a cell floor where at least 5 of the 9 cells around and at it are, and a wall where not; so many times."""
    for _ in range(rounds):
        ground = {
            (x, y): 1
            for y in range(frame.height)
            for x in range(frame.width)
            if sum((x + dx, y + dy) in ground for dx in (-1, 0, 1) for dy in (-1, 0, 1)) >= 5
        }
    return ground


def _passages(rows: Sequence[bytes], loops: bool) -> Ground:
    """Return a maze: the spanning tree of least weight over nodes in even rows and columns (Kruskal 1956).

    The cell between two nodes is open where the tree has a passage; its weight is its byte, and every
    spanning tree is the least for some bytes. With `loops`, light passages beyond the tree are open too.
    """
    width, height = len(rows[0]), len(rows)
    nodes = [(x, y) for y in range(0, height, 2) for x in range(0, width, 2)]
    leader = {node: node for node in nodes}

    def find(node: Cell) -> Cell:
        while leader[node] != node:
            leader[node] = node = leader[leader[node]]
        return node

    walls = [(x + dx, y + dy, dx, dy) for x, y in nodes for dx, dy in ((1, 0), (0, 1))]
    inside = [wall for wall in walls if wall[0] + wall[2] < width and wall[1] + wall[3] < height]
    ground = dict.fromkeys(nodes, 1)
    for x, y, dx, dy in sorted(inside, key=lambda wall: rows[wall[1]][wall[0]]):
        one, other = find((x - dx, y - dy)), find((x + dx, y + dy))
        if one != other or (loops and rows[y][x] < 128):
            leader[one] = other
            ground[x, y] = 1
    return ground
