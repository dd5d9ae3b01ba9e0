"""Hypothesis strategies of small routes, for property tests. Needs the extra `testing`."""

from itertools import product

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.routes.romania import HEURISTICS, TOWNS, Romania
from searchkit_classics.routes.tram import Tram
from searchkit_classics.routes.wordladder import HEURISTICS as OF_WORDS
from searchkit_classics.routes.wordladder import WordLadder

WORDS = ["".join(letters) for letters in product("abc", repeat=4)]
KEPT = 170
"""Words whose bytes are smaller are left out, so that some words can't be reached."""


@st.composite
def romanias(draw: st.DrawFn) -> Romania:
    """Draw two towns of Romania and a heuristic."""
    start, goal, heuristic = draw(blocks(3))
    towns = sorted(TOWNS)
    return Romania(pick(start, towns), pick(goal, towns), pick(heuristic, HEURISTICS))


@st.composite
def trams(draw: st.DrawFn) -> Tram:
    """Draw a short street, and the minutes of both ways to move."""
    n, walk, tram = draw(blocks(3))
    return Tram(pick(n, range(2, 24)), pick(walk, (1, 0, 2, 3)), pick(tram, (2, 1, 0, 4)))


@st.composite
def wordladders(draw: st.DrawFn) -> WordLadder:
    """Draw some of the words of four letters a, b and c, and two that differ in the first."""
    start, goal, heuristic, *kept = draw(blocks(3 + len(WORDS)))
    first = pick(start, WORDS)
    ends = first, pick(goal, [word for word in WORDS if word[0] != first[0]])
    words = [word for word, byte in zip(WORDS, kept, strict=True) if byte >= KEPT or word in ends]
    return WordLadder(*ends, heuristic=pick(heuristic, OF_WORDS), words=words)
