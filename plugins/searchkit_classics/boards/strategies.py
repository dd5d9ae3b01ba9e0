"""Hypothesis strategies of small boards, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.boards.knight import HEURISTICS as OF_TOURS
from searchkit_classics.boards.knight import ORDERS, Knight
from searchkit_classics.boards.lightsout import HEURISTICS as OF_LAMPS
from searchkit_classics.boards.lightsout import LightsOut
from searchkit_classics.boards.queens import HEURISTICS, Queens

TOURS = (
    ("3x4", "a1"),
    ("4x3", "a1"),
    ("3x4", "b1"),
    ("4x3", "a3"),
    ("3x3", "a1"),
    ("3x4", "c1"),
    ("2x3", "a1"),
)
"""Boards and first squares; those of 3 × 4 squares have tours from there, but for b1."""


@st.composite
def boards_of_queens(draw: st.DrawFn) -> Queens:
    """Draw a board of one to six rows; those of two and three have no solution."""
    n, heuristic = draw(blocks(2))
    return Queens(pick(n, (4, 5, 6, 4, 5, 2, 4, 5, 3, 1, 4, 5)), pick(heuristic, HEURISTICS))


@st.composite
def tours(draw: st.DrawFn) -> Knight:
    """Draw one of a few small boards."""
    board, order, heuristic = draw(blocks(3))
    return Knight(*pick(board, TOURS), order=pick(order, ORDERS), heuristic=pick(heuristic, OF_TOURS))


@st.composite
def lamps(draw: st.DrawFn) -> LightsOut:
    """Draw a small board after some buttons were pressed; on 5 × 1, mostly one more lamp is switched."""
    size, heuristic, other, *pressed = draw(blocks(9))
    width, height = pick(size, ((6, 1), (2, 2), (4, 1), (6, 1), (5, 1)))
    dark = LightsOut(f"{width}x{height}", "/".join(["0" * width] * height))
    state = dark.lamps
    for button, byte in enumerate(pressed[: width * height]):
        if byte < 190:
            state = dark.pressed(state, *divmod(button, width))
    first, *rest = ["".join(map(str, row)) for row in state]
    if other >= 60 and width == 5:
        first = "01"[first[0] == "0"] + first[1:]
    return LightsOut(f"{width}x{height}", "/".join([first, *rest]), pick(heuristic, OF_LAMPS))
