"""Hypothesis strategies of grids, for property tests. Needs the extra `testing`.

Maps are drawn cell by cell, not from the seed of a generator, so that they shrink cell by cell to open floor and to
few columns and rows (see `searchkit.testing.strategies.frames`).

A wrong engine is right on maps without a choice. So starts and goals lie apart, most maps have paths of different cost,
and some have no path.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from attrs import evolve
from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Draft, drafts, far_goal, nearest, pick
from searchkit_dungeon.problem import Grid
from searchkit_dungeon.terrain import Cell, Terrain

GROUNDS = ((1, 1, 1, 0), (3, 4, 5), (4, 5, 9, 0), (1, 2, 3, 9, 0), (1, 1, 0), (1,))
"""The weights that cells are drawn from, all equally likely; 0 is a wall. Hypothesis shrinks to the first."""
MIXED = ("open", "braided", "open", "braided", "open", "perfect")
"""The kinds of maze in the default proportions. Perfect mazes, which have a single path, are rare."""
CLUTTER = (1, 1, 1, 1, 0)
MOVES, CORNERS = (4, 8), ("no", "cut", "one")
SAME, ACROSS = 248, 100
"""Thresholds of bytes. From them on the start is a goal (1 in 32), and starts and goals are in corners (3 in 5)."""
Ground = list[bytearray]
"""The cost of entering each cell, row by row; 0 for a wall."""


@cache
def _table(weights: Sequence[int]) -> bytes:
    return bytes(pick(byte, weights) for byte in range(256))


def grounds(rows: Iterable[bytes], weights: Sequence[int]) -> Ground:
    """Return the ground that bytes encode; each weight has the same share of the byte values."""
    table = _table(tuple(weights))
    return [bytearray(row.translate(table)) for row in rows]


def terrain_of(ground: Ground, free: Iterable[Cell] = ()) -> Terrain:
    """Return the terrain, with floor instead of walls at the cells `free`."""
    for x, y in free:
        ground[y][x] = ground[y][x] or 1
    return Terrain([bytes(row) for row in ground])


@st.composite
def grids(draw: st.DrawFn, size: int = 6, most_goals: int = 10) -> Grid:
    """Draw a problem: 4 or 8 moves, each corner rule, terrain, one to three starts, any number of goals.

    Most problems are solvable; in a few a start is a goal. `size` is the largest number of cells in a row and in a
    column. With `most_goals=0` there are no goals, as for distance maps.
    """
    draft: Draft = draw(drafts(size, choices=7, places=7 + max(0, most_goals - 1)))
    moves, corners, weights, more, many, same, across = draft.choices
    marks, corners_of_map = draft.marks, draft.corners
    if across >= ACROSS:
        marks[:5] = [nearest(corners_of_map, place) for place in marks[:5]]
    starts = [marks[0], *marks[5 : 5 + (more >= 224) + (more >= 244)]]
    goals = [far_goal(starts, marks[1:5], corners_of_map)] * min(1, most_goals)
    if many >= 224:
        further = marks[7 : 7 + pick(8 * (many - 224), range(1, most_goals + 1))]
        goals += [place for place in further if place not in starts]
    if same >= SAME:
        goals = goals and starts[-1:]
    elif same >= SAME - 16:
        goals = []
    terrain = terrain_of(grounds(draft.cells, pick(weights, GROUNDS)), [*starts, *goals])
    return Grid(terrain, starts, goals, pick(moves, MOVES), pick(corners, CORNERS))


@st.composite
def mazes(draw: st.DrawFn, size: int = 15, kinds: Sequence[str] = MIXED) -> Grid:
    """Draw a maze with one start and one goal: 4 moves, every step costs 1.

    `size` is the largest number of cells in a row and in a column. `kinds` is one kind or several; draws shrink to the
    first: `perfect` (one path between any two cells), `braided` (the same with loops), `open` (scattered walls). Only
    open mazes may be unsolvable, and a perfect maze has no second path, so tests over a single kind find less.
    """
    draft: Draft = draw(drafts(size, choices=4, places=5))
    kind_of, sides, same, across = draft.choices
    kind = pick(kind_of, [kinds] if isinstance(kinds, str) else kinds)
    most = min(size, pick(sides * 37 % 256, (size, 3, 5, size, 7, 9)))  # else half of the mazes would be full
    draft = evolve(draft, columns=draft.columns[:most], rows=draft.rows[:most])
    if kind != "open":
        draft = evolve(draft, columns=_in_pairs(draft.columns), rows=_in_pairs(draft.rows))
    marks, spare = draft.marks, draft.corners
    if kind == "open":
        ground = grounds(draft.cells, CLUTTER)
    else:
        ground = _passages(draft.cells, loops=kind == "braided")
        marks, spare = [_node(place) for place in marks], [_node(place) for place in spare]
    if across >= ACROSS:
        marks = [nearest(spare, place) for place in marks]
    start, *candidates = marks
    goal = start if same >= SAME else far_goal([start], candidates, spare)
    return Grid(terrain_of(ground, [start, goal]), [start], [goal])


def _in_pairs(lines: Sequence[int]) -> tuple[int, ...]:
    """Return the even lines and the line after each: lines of a maze of passages can only be left out in pairs."""
    even = [line for line in lines if line % 2 == 0] or [0]
    pairs = [line for first in even for line in (first, first + 1)]
    return tuple(pairs if pairs[-1] in lines else pairs[:-1])


def _node(place: Cell) -> Cell:
    """Return the node of a maze that a place belongs to. Nodes are in even rows and columns."""
    return place[0] & ~1, place[1] & ~1


def _passages(rows: Sequence[bytes], loops: bool) -> Ground:
    """Return a maze: the spanning tree of least weight over nodes in even rows and columns (Kruskal 1956).

    The cell between two nodes is open if the tree has a passage there; its weight is its byte, and every
    spanning tree is the least for some bytes. With `loops`, light passages beyond the tree are open too.
    """
    width, height = len(rows[0]), len(rows)
    leader = {(x, y): (x, y) for y in range(0, height, 2) for x in range(0, width, 2)}

    def find(node: Cell) -> Cell:
        while leader[node] != node:
            leader[node] = node = leader[leader[node]]
        return node

    ground = [bytearray(width) for _ in range(height)]
    walls = []
    for x, y in leader:
        ground[y][x] = 1
        if x + 2 < width:
            walls.append((rows[y][x + 1], x + 1, y, (x, y), (x + 2, y)))
        if y + 2 < height:
            walls.append((rows[y + 1][x], x, y + 1, (x, y), (x, y + 2)))
    for weight, x, y, one, other in sorted(walls):
        one, other = find(one), find(other)
        if one != other or (loops and weight < 192):
            leader[one] = other
            ground[y][x] = 1
    return ground
