"""Hypothesis strategies of grids with regions, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Draft, drafts, far_goal, nearest, pick
from searchkit_corridor.problem import CorridorGrid
from searchkit_dungeon.strategies import ACROSS, SAME, grounds, terrain_of

FLOORS = ((1, 1, 1, 0), (1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 0), (1, 1, 0))
"""The weights that cells are drawn from; 0 is a wall."""
SIDES = DEPTHS = (1, 2, 3, 4)


@st.composite
def masked_grids(draw: st.DrawFn, size: int = 12, depths: bool | None = None) -> CorridorGrid:
    """Draw a problem for the engine `corridor`: regions of 1 to 4 cells a side, one to three starts and goals.

    Most problems are solvable; in a few a start is a goal. `size` is the largest number of cells in a row and in a
    column. With `depths` true, cells have depths from 1 to 4; None chooses at random.
    """
    draft: Draft = draw(drafts(size, choices=7, places=9, sheets=1 if depths is False else 2))
    side, deep, floors, more, further, same, across = draft.choices
    marks, corners = draft.marks, draft.corners
    if across >= ACROSS:
        marks[:5] = [nearest(corners, place) for place in marks[:5]]
    starts = [marks[0], *marks[5 : 5 + (more >= 192) + (more >= 224)]]
    goals = [far_goal(starts, marks[1:5], corners)]
    goals += [place for place in marks[7 : 7 + (further >= 192) + (further >= 224)] if place not in starts]
    if same >= SAME:
        goals[0] = starts[-1]
    terrain = terrain_of(grounds(draft.cells, pick(floors, FLOORS)), [*starts, *goals])
    if depths is False or (depths is None and deep < 128):
        return CorridorGrid(terrain, starts, goals, pick(side, SIDES))
    levels = b"".join(bytes(row) + b"\0" for row in grounds(draft.cells_of(draft.sheets[1]), DEPTHS))
    drawn = bytes(weight and level for weight, level in zip(terrain.weights, levels, strict=False))
    return CorridorGrid(terrain, starts, goals, pick(side, SIDES), drawn.ljust(len(terrain.weights), b"\0"))
