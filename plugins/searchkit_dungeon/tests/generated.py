"""Hypothesis strategies of maps that the generators make, with any options and seeds: what tests of generators draw."""

from typing import Any

from hypothesis import strategies as st

from searchkit.plugin import GeneratorSpec
from searchkit_dungeon import Grid, grid
from searchkit_dungeon.generators import CAVES, DUNGEON, MAZE
from searchkit_dungeon.generators.spanning_trees import ALGORITHMS


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
