"""Hypothesis strategies of robots on small maps, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import Draft, drafts, far_goal, nearest, pick
from searchkit_dungeon import Cell
from searchkit_dungeon.strategies import ACROSS, SAME, grounds, terrain_of
from searchkit_robots.problem import OBJECTIVES, MultiAgentGrid

FLOORS = ((1, 1, 1, 0), (1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 0))
"""The weights that cells are drawn from; 0 is a wall."""
MARKS = 4
"""The number of places drawn for each robot: its start, and three candidates for its goal, of which the farthest is
used."""
HOME = 216
"""The byte from which on (1 in 6) a robot other than the first starts on its goal."""


@st.composite
def agents(
    draw: st.DrawFn, most: int = 3, width: int = 4, height: int = 4, objective: str | None = None
) -> MultiAgentGrid:
    """Draw a problem: one to `most` robots on a map of at most `width` by `height` cells, either objective.

    Most problems are solvable. Others have a robot that can't reach its goal, or robots that can't pass each other.
    Robots may start on their own goals or on those of others; it is rare that all do.
    """
    draft: Draft = draw(drafts(width, height, choices=4 + most, places=MARKS * most))
    chosen, floors, number, across, *home = draft.choices
    pairs: list[tuple[Cell, Cell]] = []
    # several robots are rare, because the space grows with their number
    for robot in range(pick(number, [*range(1, most + 1), *(1, min(2, most)) * 2])):
        start, *candidates = draft.marks[MARKS * robot : MARKS * (robot + 1)]
        if across >= ACROSS:
            start, *candidates = (nearest(draft.corners, place) for place in (start, *candidates))
        at_home = home[robot] >= (HOME if robot else SAME)
        goal = start if at_home else far_goal([start], candidates, draft.corners)
        if all(start != other and goal != end for other, end in pairs):
            pairs.append((start, goal))
    used = [cell for pair in pairs for cell in pair]
    terrain = terrain_of(grounds(draft.cells, pick(floors, FLOORS)), used)
    return OBJECTIVES[objective or pick(chosen, sorted(OBJECTIVES))](terrain, tuple(pairs))
