"""Hypothesis strategies of small grids with regions, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit_corridor.grid import CorridorGrid
from searchkit_dungeon import Cell, Terrain

FLOORS = ((1, 1, 1, 0), (1, 1, 0), (1, 0), (1, 1, 1, 1, 1, 0))
"""What cells are drawn from; 0 is a wall."""


@st.composite
def corridor_grids(draw: st.DrawFn, most: int = 12, depths: bool | None = None) -> CorridorGrid:
    """Draw a problem: blocks of 1 to 4 cells, one to three starts and goals, and depths if `depths` (None: perhaps).

    Solvable or not, about as often.
    """
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    floor = st.sampled_from(draw(st.sampled_from(FLOORS)))
    row = st.lists(floor, min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    if not any(map(any, rows)):
        rows[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = 1
    terrain = Terrain([bytes(row) for row in rows])
    passable: list[Cell] = [(x, y) for y, row in enumerate(rows) for x, free in enumerate(row) if free]
    cell = st.sampled_from(passable)
    starts = draw(st.lists(cell, min_size=1, max_size=3, unique=True))
    goals = draw(st.lists(cell, min_size=1, max_size=3, unique=True))
    deep = draw(st.booleans()) if depths is None else depths
    size = len(terrain.weights)
    levels = draw(st.binary(min_size=size, max_size=size)) if deep else None
    return CorridorGrid(
        terrain,
        starts,
        goals,
        draw(st.integers(1, 4)),
        None if levels is None else bytes(level % 4 for level in levels),
    )
