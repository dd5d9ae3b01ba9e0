"""Hypothesis strategies of small crossings, for property tests. Needs the extra `testing`."""

from itertools import combinations

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import blocks, pick
from searchkit_classics.crossings.bridge import HEURISTICS as OF_BRIDGES
from searchkit_classics.crossings.bridge import Bridge
from searchkit_classics.crossings.river import HEURISTICS as OF_RIVERS
from searchkit_classics.crossings.river import River

THINGS = ("cat", "dog", "egg", "fox")


@st.composite
def rivers(draw: st.DrawFn) -> River:
    """Draw what eats what, among two to four things, and a boat."""
    things, boat, heuristic, *eats = draw(blocks(9))
    pairs = list(combinations(THINGS[: pick(things, (3, 4, 2, 3))], 2))
    kept = [pair for pair, byte in zip(pairs, eats, strict=False) if byte >= 128] or pairs[:1]
    return River(",".join("-".join(pair) for pair in kept), pick(boat, (1, 2)), pick(heuristic, OF_RIVERS))


@st.composite
def bridges(draw: st.DrawFn) -> Bridge:
    """Draw two to four people, and room on the bridge for two or three."""
    people, room, heuristic, *times = draw(blocks(7))
    chosen = [1 + time // 20 for time in times[: pick(people, (2, 3, 3, 4))]]
    return Bridge(chosen, pick(room, (2, 2, 2, 3)), pick(heuristic, OF_BRIDGES))
