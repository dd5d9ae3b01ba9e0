"""Plans over blocks in machine code are those in Python, after any searches."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit_corridor import CorridorGrid
from searchkit_corridor.compiled.coarse import ADMITTED, SEARCHED, TARGET, UNSEEN, admit_around, route
from searchkit_corridor.compiled.ground import blocks_for, empty_plan
from searchkit_corridor.compiled.kernels import NEVER, Ground, least_open_cost
from searchkit_corridor.strategies import masked_grids

MAPS = masked_grids(30, depths=False)


def some(data: st.DataObject, blocks: list[int]) -> list[int]:
    """Draw blocks: a part of them, often a large one."""
    part, seed = data.draw(st.sampled_from([0.02, 0.1, 0.5, 0.9])), data.draw(st.integers(0, 99))
    return [block for block in blocks if np.random.default_rng([seed, block]).random() < part]


@settings(max_examples=400)
@given(problem=MAPS, data=st.data())
def test_paths(problem: CorridorGrid, data: st.DataObject) -> None:
    """The first corridor and those around the blocks that were searched in vain, block by block."""
    blocks, (coarse, _) = problem.blocks, blocks_for(problem)
    passable = [block for block, free in enumerate(blocks.passable) if free]
    sources, searched = some(data, passable) or passable[:1], some(data, passable)
    exits, targets = some(data, passable) or passable[-1:], some(data, passable)
    coarse.ways[:] &= ~np.uint8(TARGET)
    coarse.ways[targets] |= TARGET
    marks = np.zeros(len(blocks.passable), np.uint8)
    marks[searched] = SEARCHED

    def plan(learn: bool) -> list[int] | None:
        work = empty_plan(len(marks))
        work.costs.fill(UNSEEN)
        work.begins.fill(UNSEEN)
        inside = SEARCHED if learn else 0
        starts, doors = np.array(sources, np.int32), np.array(exits, np.int32)
        found: list[int] = work.path[: route(coarse, work, marks, inside, starts, doors, learn)].tolist()
        return found[::-1] or None

    assert plan(learn=False) == blocks.shortest_path(sources, targets)
    assert plan(learn=True) == blocks.detour(sources, set(searched), exits, targets)


@settings(max_examples=150)
@given(problem=MAPS, data=st.data(), radius=st.integers(0, 3))
def test_what_is_around(problem: CorridorGrid, data: st.DataObject, radius: int) -> None:
    """Only the new blocks."""
    blocks, (coarse, _) = problem.blocks, blocks_for(problem)
    passable = [block for block, free in enumerate(blocks.passable) if free]
    before, chosen = some(data, passable), some(data, passable)
    marks, opened = np.zeros(len(blocks.passable), np.uint8), np.empty(len(blocks.passable), np.int32)
    marks[before] = ADMITTED
    found = opened[: admit_around(coarse, marks, np.array(chosen, np.int32), radius, opened)].tolist()
    around = blocks.around(chosen, radius)
    assert set(found) == around - set(before)
    assert len(found) == len(set(found))
    assert set(np.flatnonzero(marks).tolist()) == around | set(before)


@settings(max_examples=150)
@given(problem=MAPS, data=st.data(), diagonal=st.booleans())
def test_bounds(problem: CorridorGrid, data: st.DataObject, diagonal: bool) -> None:
    """From each block, in any order of calls."""
    problem.diagonal = diagonal
    _, far = blocks_for(problem)
    passable = [block for block, free in enumerate(problem.blocks.passable) if free]
    regions = np.arange(len(problem.blocks.passable), dtype=np.int32)
    # Each block has a cell of its own, which was reached at cost 0.
    ground: Any = Ground(b"\0", np.zeros(4, np.int64), regions, np.ones(1, np.uint8))
    ground = ground._replace(steps=np.frombuffer(ground.steps, np.uint8))
    for block in data.draw(st.permutations(passable)):
        least = least_open_cost(
            ground, far, np.zeros(len(regions), np.int64), np.array([block], np.int32), False
        )
        expected: Any = problem.to_go(block)
        assert least == (NEVER if expected == float("inf") else expected)
