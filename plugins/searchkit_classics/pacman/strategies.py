"""Hypothesis strategies of Pac-Man's problems on small mazes, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.plugin import parameters_of
from searchkit.testing.strategies.frames import Draft, drafts, far_goal, pick
from searchkit_classics.pacman.layout import Cell, Layout
from searchkit_classics.pacman.problems import Corners, Food, PathToDot

CLUTTER = (1, 1, 1, 0)
"""Floor and walls, in their proportion."""
SAME = 248
"""The byte from which on (1 in 32) the start is the goal."""
DOTS = (1, 2, 2, 3)


def _maze(draft: Draft, free: list[Cell]) -> tuple[int, int, frozenset[Cell]]:
    """Return the size of a maze and its floor, inside a wall one cell thick; the cells `free` are floor."""
    floor = {
        (x + 1, y + 1)
        for y, row in enumerate(draft.cells)
        for x, byte in enumerate(row)
        if pick(byte, CLUTTER) or (x, y) in free
    }
    return draft.frame.width + 2, draft.frame.height + 2, frozenset(floor)


def _heuristic(kind: type, byte: int) -> str:
    (heuristic,) = parameters_of(kind)
    return str(pick(byte, heuristic.choices))


def _inside(cell: Cell) -> Cell:
    return cell[0] + 1, cell[1] + 1


@st.composite
def paths(draw: st.DrawFn, width: int = 6, height: int = 5) -> PathToDot:
    """Draw a path to one dot or the nearer of two, in a maze of at most `width` by `height` cells within its walls."""
    draft: Draft = draw(drafts(width, height, choices=3, places=5))
    heuristic, same, more = draft.choices
    start, *candidates, other = draft.marks
    goal = start if same >= SAME else far_goal([start], candidates, draft.frame.corners)
    dots = [goal] + [other] * (more >= 200 and other != start)
    layout = Layout(*_maze(draft, [start, *dots]), _inside(start), frozenset(map(_inside, dots)))
    return PathToDot(layout, _heuristic(PathToDot, heuristic))


@st.composite
def corners(draw: st.DrawFn, width: int = 4, height: int = 3) -> Corners:
    """Draw the four corners of a maze of at most `width` by `height` cells within its walls."""
    draft: Draft = draw(drafts(width, height, choices=1, places=1))
    (start,) = draft.marks
    layout = Layout(*_maze(draft, [start, *draft.frame.corners]), _inside(start))
    return Corners(layout, _heuristic(Corners, draft.choices[0]))


@st.composite
def food(draw: st.DrawFn, width: int = 5, height: int = 4) -> Food:
    """Draw one to three dots in a maze of at most `width` by `height` cells within its walls, rarely none."""
    draft: Draft = draw(drafts(width, height, choices=3, places=7))
    heuristic, same, many = draft.choices
    start, *candidates = draft.marks
    dots: set[Cell] = set()
    for number in range(0 if same >= SAME else pick(many, DOTS)):
        here = [start, *dots]
        dots.add(far_goal(here, candidates[2 * number : 2 * number + 2], draft.frame.corners))
    dots -= {start}
    layout = Layout(*_maze(draft, [start, *dots]), _inside(start), frozenset(map(_inside, dots)))
    return Food(layout, _heuristic(Food, heuristic))
