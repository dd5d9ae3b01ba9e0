"""Hypothesis strategies of robots on small maps, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit.testing.strategies.frames import frames, places, sheets
from searchkit_dungeon import Cell
from searchkit_dungeon.strategies import grounds, terrain_of
from searchkit_robots.grid import OBJECTIVES, MultiAgentGrid

FLOORS = ((1, 1, 1, 1, 0), (1, 1, 1, 0, 0), (1,))
"""What cells are drawn from; 0 is a wall."""


@st.composite
def agents(
    draw: st.DrawFn, most: int = 3, width: int = 4, height: int = 4, objective: str | None = None
) -> MultiAgentGrid:
    """Draw a problem: one to `most` robots on a map of at most `width` by `height` cells, either objective.

    Often solvable, sometimes not, in each way: a robot cut off from its goal, two that can't pass each other.
    Robots may start on their own goals or on those of others.
    """
    frame = draw(frames(width, height))
    chosen = objective or draw(st.sampled_from(sorted(OBJECTIVES)))
    place = places(width, height)
    pairs: list[tuple[Cell, Cell]] = []
    for ends in draw(st.lists(st.tuples(place, place), min_size=1, max_size=most)):
        start, goal = frame.places(ends)
        if all(start != other and goal != end for other, end in pairs):
            pairs.append((start, goal))
    ground = grounds(frame.bytes(draw(sheets(width, height))), draw(st.sampled_from(FLOORS)))
    used = [cell for pair in pairs for cell in pair]
    return OBJECTIVES[chosen](terrain_of(ground, frame, used), pairs)
