"""Hypothesis strategies of grids with regions, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import frames, places, sheets
from searchkit_corridor.grid import CorridorGrid
from searchkit_dungeon.strategies import grounds, terrain_of

FLOORS = ((1, 1, 1, 0), (1, 1, 0), (1, 0), (1, 1, 1, 1, 1, 0))
"""What cells are drawn from; 0 is a wall."""
DEPTHS = (1, 2, 3, 4)


@st.composite
def masked_grids(draw: st.DrawFn, size: int = 12, depths: bool | None = None) -> CorridorGrid:
    """Draw a problem for the engine `corridor`: regions of 1 to 4 cells a side, one to three starts and goals.

    Solvable or not, about as often.

    `size` is the most cells in a row and in a column; `depths` says whether cells have depths, 1 to 4 (None: perhaps).
    """
    frame = draw(frames(size))
    cell = draw(st.integers(1, 4))
    deep = draw(st.booleans()) if depths is None else depths
    cells = st.lists(places(size), min_size=1, max_size=3)
    starts, goals = frame.places(draw(cells)), frame.places(draw(cells))
    floor = grounds(frame.bytes(draw(sheets(size))), draw(st.sampled_from(FLOORS)))
    terrain = terrain_of(floor, frame, [*starts, *goals])
    if not deep:
        return CorridorGrid(terrain, starts, goals, cell)
    levels = grounds(frame.bytes(draw(sheets(size))), DEPTHS)
    drawn = bytes(
        weight and levels[place] for place, weight in zip(terrain.cells, terrain.weights, strict=False)
    )
    return CorridorGrid(terrain, starts, goals, cell, drawn.ljust(len(terrain.weights), b"\0"))
