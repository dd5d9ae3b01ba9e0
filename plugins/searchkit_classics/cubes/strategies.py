"""Hypothesis strategies of cubes that are a few turns from solved, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.cubes.cube2 import HEURISTICS as OF_CUBE2
from searchkit_classics.cubes.cube2 import Cube2
from searchkit_classics.cubes.cube3 import HEURISTICS as OF_CUBE3
from searchkit_classics.cubes.cube3 import Cube3

SQUARE = "square"
"""The metric of all cubes here: half turns make few states of each other, 24 of the smaller cube."""


def _scramble(drawn: list[int], faces: str) -> str:
    """Return half turns, none of the face of the one before; none for a byte of 0."""
    names: list[str] = []
    for byte in drawn:
        ways = [face for face in faces if not names or names[-1][0] != face]
        names += [f"{pick(byte, ways)}2"] if byte else []
    return " ".join(names)


@st.composite
def small_cubes(draw: st.DrawFn) -> Cube2:
    """Draw a 2×2×2 cube after up to four half turns, mostly three or four."""
    count, heuristic, *turns = draw(blocks(6))
    return Cube2(
        _scramble(turns[: pick(count, (4, 3, 4, 3, 2))], "URF"),
        metric=SQUARE,
        heuristic=pick(heuristic, OF_CUBE2),
    )


@st.composite
def large_cubes(draw: st.DrawFn) -> Cube3:
    """Draw a 3×3×3 cube after up to six half turns of two faces that touch."""
    count, which, pruned, heuristic, *turns = draw(blocks(10))
    faces = pick(which, ("UR", "FL", "DB", "RF"))
    return Cube3(
        _scramble(turns[: pick(count, (4, 3, 5, 2, 6, 3))], faces),
        metric=SQUARE,
        heuristic=pick(heuristic, OF_CUBE3),
        faces=faces,
        pruned=pruned < 128,
    )
