"""Hypothesis strategies of small tasks, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.tasks.jugs import Jugs
from searchkit_classics.tasks.vacuum import HEURISTICS, Vacuum

MEASURES = (
    ((3, 5), "4"),
    ((4, 3), "2,?"),
    ((5, 7), "4"),
    ((6, 4), "3"),
    ((8, 5), "4"),
    ((7, 3), "5"),
    ((8, 5, 3), "4"),
    ((9, 4), "6"),
    ((7, 4, 3), "5"),
    ((4, 9), "7"),
)
"""Sizes and targets; one of them can't be measured, and others not without a tap."""


@st.composite
def vacuums(draw: st.DrawFn) -> Vacuum:
    """Draw a row of squares with some dirt."""
    size, at, heuristic, *dirty = draw(blocks(7))
    squares = pick(size, (2, 3, 3, 4))
    dirt = "".join("0" if byte >= 160 else "1" for byte in dirty[:squares])
    return Vacuum(squares, 1 + pick(at, range(squares)), dirt, pick(heuristic, HEURISTICS))


@st.composite
def jugs(draw: st.DrawFn) -> Jugs:
    """Draw two or three jugs and a target, with a tap or without."""
    measure, tap = draw(blocks(2))
    return Jugs(*pick(measure, MEASURES), tap < 235)
