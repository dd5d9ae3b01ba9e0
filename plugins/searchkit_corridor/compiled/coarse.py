"""Planning over blocks as machine code: the same corridors as by `searchkit_corridor.blocks`, tie for tie."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function, kernel
from searchkit_corridor.plan import PENALTY

ADMITTED, VISITED, SEARCHED, OPENED = 1, 2, 4, 8
"""Marks of a block: it is in the mask; the present phase reached a state in it; an earlier phase did; it was in the
mask at some time."""
TARGET = 16
"""A bit of `Coarse.ways`: the block holds a goal."""
UNSEEN = 1 << 30
ZERO = np.uint64(0)


class Coarse(NamedTuple):
    """The blocks of a terrain."""

    passable: Any
    """uint8, by block; the last column of blocks is never passable."""
    ways: Any
    """uint8, by block: bit i stands for a step to the block at offsets[i], in the order N, E, S, W; and `TARGET`."""
    offsets: Any
    """uint64; negative numbers are stored as their complements."""
    stride: Any


class Plan(NamedTuple):
    """The arrays of a search for a path over blocks; int32, by block."""

    costs: Any
    """The least known cost of reaching the block."""
    begins: Any
    """The cost of a path that begins there."""
    lines: Any
    """Three queues, each sorted by cost: where paths begin, blocks that are cheap to enter, and blocks that are
    expensive to enter."""
    path: Any


@compiled_function
def _begin_at_sources(plan: Any, sources: Any) -> Any:
    """Enter the sources with cost 0; return their number."""
    begun = 0
    for source in sources:
        if plan.begins[source] == UNSEEN:
            plan.begins[source] = 0
            plan.lines[0, begun] = source
            begun += 1
    return begun


@compiled_function
def _begin_at_exits(coarse: Any, plan: Any, marks: Any, inside: Any, sources: Any, exits: Any) -> Any:
    """Enter the exits; return their number.

    The cost of each is its distance from a source over blocks inside, or 0 without such a path.
    """
    costs, begins, lines = plan.costs, plan.begins, plan.lines
    head, tail, found, begun = 0, 0, 0, 0
    for door in exits:
        begins[door] = 0
    for source in sources:
        if marks[source] & inside and costs[source] == UNSEEN:
            costs[source] = 0
            lines[1, tail] = source
            tail += 1
    while head < tail:
        here = lines[1, head]
        head += 1
        for side in range(4):
            if coarse.ways[here] >> side & 1:
                there = here + np.int64(coarse.offsets[side])
                if begins[there] == 0:
                    begins[there] = costs[here] + 1
                    lines[2, found] = there
                    found += 1
                if marks[there] & inside and costs[there] == UNSEEN:
                    costs[there] = costs[here] + 1
                    lines[1, tail] = there
                    tail += 1
    for door in exits:
        if begins[door] == 0:
            lines[0, begun] = door
            begun += 1
    for index in range(found):
        lines[0, begun] = lines[2, index]
        begun += 1
    for index in range(tail):
        costs[lines[1, index]] = UNSEEN
    return begun


@compiled_function
def _settle(coarse: Any, plan: Any, marks: Any, inside: Any, begun: Any) -> Any:
    """Find the cost to the nearest block with a goal; return the last such block, or −1 without a path.

    Dijkstra's algorithm, one layer of equal cost at a time. Costs that are appended to a queue never decrease.
    """
    costs, begins, lines, ways = plan.costs, plan.begins, plan.lines, coarse.ways
    for index in range(begun):
        costs[lines[0, index]] = begins[lines[0, index]]
    first, head, tail, dear, dear_tail = 0, 0, 0, 0, 0
    target: Any = -1
    while target < 0:
        begin = begins[lines[0, first]] if first < begun else UNSEEN
        near = costs[lines[1, head]] if head < tail else UNSEEN
        far = costs[lines[2, dear]] if dear < dear_tail else UNSEEN
        cost = min(begin, near, far)
        if cost == UNSEEN:
            break
        while first < begun and begins[lines[0, first]] == cost:
            if costs[lines[0, first]] == cost:  # no path from another beginning is shorter
                lines[1, tail] = lines[0, first]
                tail += 1
            first += 1
        while dear < dear_tail and costs[lines[2, dear]] == cost:
            lines[1, tail] = lines[2, dear]
            tail += 1
            dear += 1
        end, further = tail, cost + 1
        while head < end:
            here = np.uint64(lines[1, np.uint64(head)])
            head += 1
            way = ways[here]
            if way & TARGET:
                target = max(target, np.int64(here))
            for side in range(4):
                # Without a step, use the block itself: choosing a value is faster than a branch.
                there = here + (coarse.offsets[side] if way >> side & 1 else ZERO)
                if further < costs[there]:
                    if not marks[there] & inside:
                        costs[there] = further
                        lines[1, np.uint64(tail)] = there
                        tail += 1
                    elif further + PENALTY < costs[there]:
                        costs[there] = further + PENALTY
                        lines[2, np.uint64(dear_tail)] = there
                        dear_tail += 1
    return target


@kernel
def route(coarse: Any, plan: Any, marks: Any, inside: Any, sources: Any, exits: Any, learn: Any) -> Any:
    """Write a cheapest path over blocks to one with a goal; return its length, or 0 without a path.

    With `learn`, the path begins at an exit and avoids blocks with a mark of `inside`; see
    `searchkit_corridor.plan.detour_over`. Without it, the path begins at a source, and `inside` is 0.
    """
    begun = (
        _begin_at_exits(coarse, plan, marks, inside, sources, exits)
        if learn
        else _begin_at_sources(plan, sources)
    )
    here = _settle(coarse, plan, marks, inside, begun)
    if here < 0:
        return 0
    costs, begins, path = plan.costs, plan.begins, plan.path
    path[0] = here
    length = 1
    while begins[here] != costs[here]:
        cost = costs[here] - 1 - (PENALTY if marks[here] & inside else 0)
        for side in range(4):
            there = here + np.int64(coarse.offsets[side])
            if coarse.ways[here] >> side & 1 and costs[there] == cost:
                here = there
                break
        path[length] = here
        length += 1
    return length


@kernel
def admit_around(coarse: Any, marks: Any, blocks: Any, radius: Any, opened: Any) -> Any:
    """Admit the blocks that can be entered near some blocks (Chebyshev distance); return the number of new ones."""
    stride, count = coarse.stride, 0
    rows = marks.size // stride
    for block in blocks:
        row = block // stride
        column = block - row * stride
        for y in range(max(0, row - radius), min(rows, row + radius + 1)):
            for x in range(max(0, column - radius), min(stride - 1, column + radius + 1)):
                there = y * stride + x
                if coarse.passable[there] and not marks[there] & ADMITTED:
                    marks[there] |= ADMITTED
                    opened[count] = there
                    count += 1
    return count
