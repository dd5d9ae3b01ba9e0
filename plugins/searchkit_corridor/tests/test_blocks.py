"""The coarse map: its blocks, the steps between them, and distances over them."""

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit_corridor import Blocks, CorridorGrid
from searchkit_corridor.plan import around_over, coarse_path_over, detour_over
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


@settings(max_examples=300)
@given(problem=masked_grids(depths=False), data=st.data())
def test_layers_of_bits_find_what_plain_searches_find(problem: CorridorGrid, data: st.DataObject) -> None:
    """Paths of the same length as breadth-first search's, and detours as cheap as Dijkstra's."""
    blocks, goals = problem.blocks, problem.goal_regions()
    sources = [problem.region(start) for start in problem.starts]
    fast, plain = blocks.shortest_path(sources, goals), coarse_path_over(blocks.neighbours)(sources, goals)
    assert (fast is None) == (plain is None)
    if fast is not None and plain is not None:
        assert len(fast) == len(plain)
        connected(blocks, fast)
        assert fast[0] in sources
        assert fast[-1] in goals
    open_blocks = [block for block in range(len(blocks.passable)) if blocks.passable[block]]
    searched = data.draw(st.sets(st.sampled_from(open_blocks))) | set(sources)
    exits = data.draw(st.sets(st.sampled_from(open_blocks), min_size=1)) - searched
    way = blocks.detour(sources, searched, exits, goals)
    reference = detour_over(blocks.neighbours, lambda: goals)(sources, searched, exits)
    assert (way is None) == (reference is None)
    if way is not None and reference is not None:
        connected(blocks, way)
        assert way[0] in exits
        assert way[-1] in goals


def connected(blocks: Blocks, path: list[int]) -> None:
    """Check that each block is a neighbour of the one before."""
    assert all(after in blocks.neighbours(before) for before, after in itertools.pairwise(path))


def without(problem: CorridorGrid, column: int) -> Blocks:
    """Return the coarse map with a wall in one column of blocks."""
    terrain, side = problem.terrain, problem.blocks.cell
    rows = [
        bytes(terrain.weight((x, y)) if x // side != column else 0 for x in range(terrain.width))
        for y in range(terrain.height)
    ]
    return Blocks(Terrain(rows), side)


@settings(max_examples=200)
@given(problem=masked_grids(depths=False), divided=st.booleans(), column=st.integers(0, 11))
def test_king_distances(problem: CorridorGrid, divided: bool, column: int) -> None:
    """The same as rings around the goals over blocks that can be entered, corners cut; the map may be in two parts."""
    blocks = without(problem, column % problem.blocks.columns) if divided else problem.blocks
    goals = {block for block in problem.goal_regions() if blocks.passable[block]}
    distance = blocks.distances_to(goals)
    kings = around_over(lambda block: blocks.around([block], 1))
    for block in range(len(blocks.passable)):
        if not blocks.passable[block]:
            continue
        found = distance(block)
        if found is None:
            assert block not in kings(goals, len(blocks.passable))
        else:
            assert block in kings(goals, found)
            assert found == 0 or block not in kings(goals, found - 1)


@settings(max_examples=300)
@given(problem=masked_grids(depths=True), least=st.integers(1, 5))
def test_the_map_at_a_depth(problem: CorridorGrid, least: int) -> None:
    """It has the blocks with a cell that deep, and the steps of the whole map between two of them."""
    depth = problem.depth
    assert depth is not None
    deep = {problem.region(cell) for cell in cells_of(problem) if depth(cell) >= least}
    blocks, part = problem.blocks, problem.blocks_at_depth(least)
    assert {block for block, free in enumerate(part.passable) if free} == deep
    for block in range(len(blocks.passable)):
        expected = [beside for beside in blocks.neighbours(block) if beside in deep] if block in deep else []
        assert part.neighbours(block) == expected


def test_distances_are_right_whoever_asks_at_the_same_time() -> None:
    """Eight threads that take turns all the time extend the same layers."""
    side = 300
    blocks = Blocks(Terrain([b"\1" * side] * side), 1)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            for _ in range(5):
                distance = blocks.distances_to([0])
                found = list(threads.map(distance, [blocks.stride * (side - 1) + x for x in range(side)] * 2))
                assert found == [side - 1] * (2 * side)
    finally:
        sys.setswitchinterval(before)
