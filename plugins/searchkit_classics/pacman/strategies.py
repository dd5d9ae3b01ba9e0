"""Hypothesis strategies of Pac-Man's problems on small mazes, for property tests. Needs the extra `testing`."""

from typing import Any

from hypothesis import strategies as st

from searchkit.plugin import parameters_of
from searchkit.testing.strategies.frames import Draft, drafts, far_goal, pick
from searchkit_classics.pacman.layout import Cell, Layout
from searchkit_classics.pacman.problems import Corners, Food, PathToDot

CLUTTER = (1, 1, 1, 0)
"""Floor and walls, in their proportion."""
SAME = 248
"""The byte from which on (1 in 32) there is no dot but the start."""
DOTS = (1, 2, 2, 3)


def _maze(draft: Draft, start: Cell, dots: list[Cell], free: list[Cell]) -> Layout:
    """Return a maze with a wall one cell thick around it; start, dots and the cells `free` are floor."""
    floor = {
        (x, y)
        for y, row in enumerate(draft.cells)
        for x, byte in enumerate(row)
        if pick(byte, CLUTTER) or (x, y) in (start, *dots, *free)
    }
    (x, y), *places = [(x + 1, y + 1) for x, y in (start, *dots)]
    inside = frozenset((x + 1, y + 1) for x, y in floor)
    return Layout(draft.width + 2, draft.height + 2, inside, (x, y), frozenset(places))


def _heuristic(kind: Any, byte: int) -> Any:
    (heuristic,) = parameters_of(kind)
    return pick(byte, heuristic.choices)


@st.composite
def paths(draw: st.DrawFn, width: int = 6, height: int = 5) -> PathToDot:
    """Draw a path to one dot or the nearer of two, in a maze of at most `width` by `height` cells within its walls."""
    draft: Draft = draw(drafts(width, height, choices=3, places=5))
    heuristic, same, more = draft.choices
    start, *candidates, other = draft.marks
    goal = start if same >= SAME else far_goal([start], candidates, draft.corners)
    dots = [goal] + [other] * (more >= 200 and other != start)
    return PathToDot(_maze(draft, start, dots, []), _heuristic(PathToDot, heuristic))


@st.composite
def corners(draw: st.DrawFn, width: int = 4, height: int = 3) -> Corners:
    """Draw the four corners of a maze of at most `width` by `height` cells within its walls."""
    draft: Draft = draw(drafts(width, height, choices=1, places=1))
    (start,) = draft.marks
    maze = _maze(draft, start, [], list(draft.corners))
    return Corners(maze, _heuristic(Corners, draft.choices[0]))


@st.composite
def food(draw: st.DrawFn, width: int = 5, height: int = 4) -> Food:
    """Draw one to three dots in a maze of at most `width` by `height` cells within its walls, rarely none."""
    draft: Draft = draw(drafts(width, height, choices=3, places=7))
    heuristic, same, many = draft.choices
    start, *candidates = draft.marks
    dots: list[Cell] = []
    for number in range(0 if same >= SAME else pick(many, DOTS)):
        near = candidates[2 * number : 2 * number + 2]
        dots.append(far_goal([start, *dots], near, draft.corners))
    return Food(_maze(draft, start, [dot for dot in dots if dot != start], []), _heuristic(Food, heuristic))
