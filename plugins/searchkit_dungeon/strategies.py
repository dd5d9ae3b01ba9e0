"""Hypothesis strategies of small grids, for property tests. Needs the extra `testing`."""

from typing import Any

from hypothesis import strategies as st

from searchkit.specs import GeneratorSpec
from searchkit_dungeon.generators import CAVES, DUNGEON, MAZE
from searchkit_dungeon.generators.spanning_trees import ALGORITHMS
from searchkit_dungeon.grid import Grid, make_grid
from searchkit_dungeon.loading import grid
from searchkit_dungeon.moves import Cell
from searchkit_dungeon.terrain import Terrain

GROUNDS = {"plain": (1, 1, 1, 0), "swamp": (1, 2, 3, 9, 0), "mountains": (4, 5, 9, 0), "open": (1,)}
"""The weights that a map is drawn from; 0 is a wall."""


@st.composite
def terrains(draw: st.DrawFn, most: int = 6) -> Terrain:
    """Draw a map of at most `most` by `most` cells, at least one of them passable."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    weight = st.sampled_from(GROUNDS[draw(st.sampled_from(sorted(GROUNDS)))])
    row = st.lists(weight, min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    if not any(map(any, rows)):
        rows[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = 1
    return Terrain([bytes(row) for row in rows])


@st.composite
def grids(draw: st.DrawFn, most: int = 6, most_goals: int = 10) -> Grid:
    """Draw a problem: 4 or 8 moves, either corner rule, terrain, one to three starts, any number of goals or none.

    Often solvable, sometimes not; starts may be goals.
    """
    terrain = draw(terrains(most))
    passable: list[Cell] = [cell for cell in terrain.cells if cell in terrain and terrain.weight(cell)]
    cell = st.sampled_from(passable)
    starts = draw(st.lists(cell, min_size=1, max_size=3, unique=True))
    goals = draw(st.lists(cell, max_size=most_goals, unique=True))
    return make_grid(
        terrain, starts, goals, draw(st.sampled_from([4, 8])), draw(st.sampled_from(["no", "cut"]))
    )


def mazes(most: int = 15) -> st.SearchStrategy[Grid]:
    """Draw a maze of at most `most` by `most` cells, perfect or braided, its start and goal far apart."""
    return _generated(
        MAZE, most, algorithm=st.sampled_from(sorted(ALGORITHMS)), braid=st.sampled_from([0, 0.5, 1])
    )


def dungeons(most: int = 24) -> st.SearchStrategy[Grid]:
    """Draw a dungeon of one to five rooms in at most `most` by `most` cells, its start and goal far apart."""
    return _generated(
        DUNGEON,
        most,
        least=12,
        rooms=st.integers(1, 5),
        room_size=st.just((2, 9)),
        gap=st.integers(0, 1),
        loops=st.integers(0, 2),
        wiggle=st.sampled_from([0, 0.5, 1]),
    )


def caves(most: int = 24) -> st.SearchStrategy[Grid]:
    """Draw caves in at most `most` by `most` cells, the start and the goal far apart."""
    return _generated(CAVES, most, least=12, density=st.sampled_from([0.1, 0.2, 0.3]))


def _generated(
    spec: GeneratorSpec, most: int, least: int = 5, **options: st.SearchStrategy[Any]
) -> st.SearchStrategy[Grid]:
    side = st.integers(least, most)
    return st.builds(
        lambda **drawn: grid(spec.generate(**drawn)),
        size=st.tuples(side, side),
        seed=st.integers(0, 2**32 - 1),
        **options,
    )
