"""The coarse map: its blocks, the steps between them, and distances over them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit_corridor import CorridorGrid
from searchkit_corridor.strategies import masked_grids


def cells_of(problem: CorridorGrid) -> list[tuple[int, int]]:
    """Return the cells that can be entered."""
    terrain = problem.terrain
    return [cell for cell in terrain.cells if cell in terrain and terrain.weight(cell)]


@settings(max_examples=300)
@given(problem=masked_grids(depths=False))
def test_neighbours_are_exactly_the_blocks_that_a_step_leads_to(problem: CorridorGrid) -> None:
    """By the definition of `Relaxable`; and a block can be entered where one of its cells can."""
    steps: dict[int, set[int]] = {}
    for cell in cells_of(problem):
        here = problem.region(cell)
        steps.setdefault(here, set()).update(problem.region(to) for _, to in problem.successors(cell))
    blocks = problem.blocks
    for block in range(blocks.stride * blocks.rows):
        assert bool(blocks.passable[block]) == (block in steps)
        assert set(blocks.neighbours(block)) == steps.get(block, set()) - {block}


@settings(max_examples=200)
@given(problem=masked_grids(depths=False), radius=st.integers(0, 3))
def test_around_is_the_chebyshev_distance(problem: CorridorGrid, radius: int) -> None:
    """Blocks whose column and row differ by at most the radius, if they can be entered."""
    blocks = problem.blocks
    centre = problem.region(problem.starts[0])
    x, y = blocks.place(centre)
    expected = {
        block
        for block in range(blocks.stride * blocks.rows)
        if blocks.passable[block]
        and max(abs(blocks.place(block)[0] - x), abs(blocks.place(block)[1] - y)) <= radius
    }
    assert blocks.around([centre], radius) == expected
