"""The coarse map: its blocks, and the steps between them."""

from hypothesis import given, settings

from searchkit_corridor import CorridorGrid
from searchkit_corridor.strategies import masked_grids
from searchkit_dungeon import Terrain


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
    blocks = problem.regions.blocks
    for block in range(blocks.stride * blocks.rows):
        assert bool(blocks.passable[block]) == (block in steps)
        assert set(blocks.neighbours(block)) == steps.get(block, set()) - {block}


def test_problems_with_other_blocks_or_depths_differ() -> None:
    """They are no grids whose fields are all that there is of them."""
    terrain = Terrain([b"\x01\x01\x01"])
    here = CorridorGrid(terrain, [(0, 0)], [(2, 0)])
    assert here == CorridorGrid(terrain, [(0, 0)], [(2, 0)])
    assert here != CorridorGrid(terrain, [(0, 0)], [(2, 0)], cell=2)
    assert here != CorridorGrid(terrain, [(0, 0)], [(2, 0)], depths=terrain.weights)
    assert CorridorGrid(terrain, [(0, 0)], [(2, 0)], cell=2).with_cells({(1, 0): 0}).cell == 2
