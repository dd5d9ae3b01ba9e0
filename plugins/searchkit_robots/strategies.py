"""Hypothesis strategies of robots on small maps, for property tests. Needs the extra `testing`."""

from hypothesis import strategies as st

from searchkit_dungeon import Cell, Terrain
from searchkit_robots.grid import OBJECTIVES, MultiAgentGrid


@st.composite
def agents(
    draw: st.DrawFn, most: int = 3, width: int = 4, height: int = 4, objective: str | None = None
) -> MultiAgentGrid:
    """Draw a problem: one to `most` robots on a map of at most `width` by `height` cells, either objective.

    Often solvable, sometimes not, in each way: a robot cut off from its goal, two that can't pass each other.
    Robots may start on their own goals or on those of others.
    """
    columns, rows = draw(st.integers(1, width)), draw(st.integers(1, height))
    cells = [(x, y) for y in range(rows) for x in range(columns)]
    walls = draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 2)) if len(cells) > 1 else set()
    floor: list[Cell] = [cell for cell in cells if cell not in walls]
    count = draw(st.integers(1, min(most, len(floor))))
    distinct = st.lists(st.sampled_from(floor), min_size=count, max_size=count, unique=True)
    terrain = Terrain([bytes((x, y) not in walls for x in range(columns)) for y in range(rows)])
    chosen = objective or draw(st.sampled_from(sorted(OBJECTIVES)))
    return OBJECTIVES[chosen](terrain, zip(draw(distinct), draw(distinct), strict=True))
