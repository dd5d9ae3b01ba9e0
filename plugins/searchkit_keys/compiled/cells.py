"""The contraction of the graph of cells in machine code, as in `searchkit_keys.contraction.reduction`."""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.functions import compiled_function
from searchkit.compiled.kit import heap
from searchkit_keys.vault import WALL

NOTHING, PLAIN, DOOR, PLACE = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
"""Kinds of cells: walls and dropped cells; floor; doors; starts and keys, which stay."""
FAR = np.int32(0x7FFFFFFF)
WALL_BYTE, FIRST_DOOR, LAST_DOOR = np.uint8(ord(WALL)), np.uint8(ord("A")), np.uint8(ord("Z"))


class Cells(NamedTuple):
    """The graph of cells while it is reduced: no cell ever has more than four neighbours."""

    kind: Any
    degree: Any
    near: Any
    """The neighbours of cell c are the first `degree[c]` from index 4 · c on."""
    steps: Any
    """The lengths of the paths to them."""


class Scratch(NamedTuple):
    """Scratch arrays, with arbitrary values."""

    stack: Any
    mark: Any
    distance: Any
    heap: Any


@compiled_function
def unlink(cells: Any, cell: Any, other: Any) -> None:
    """Remove a cell from the neighbours of another one."""
    last = cells.degree[other] - 1
    for slot in range(4 * other, 4 * other + last):
        if cells.near[slot] == cell:
            cells.near[slot], cells.steps[slot] = cells.near[4 * other + last], cells.steps[4 * other + last]
    cells.degree[other] = last


@compiled_function
def link(cells: Any, one: Any, other: Any, steps: Any) -> None:
    """Add an edge, unless there is one that is not longer."""
    for slot in range(4 * one, 4 * one + cells.degree[one]):
        if cells.near[slot] == other:
            if steps < cells.steps[slot]:
                cells.steps[slot] = steps
                for back in range(4 * other, 4 * other + cells.degree[other]):
                    if cells.near[back] == one:
                        cells.steps[back] = steps
            return
    for here, there in ((one, other), (other, one)):
        slot = 4 * here + cells.degree[here]
        cells.near[slot], cells.steps[slot] = there, steps
        cells.degree[here] += 1


@compiled_function
def enter_cells(text: Any, stride: Any, keys: Any, places: Any, cells: Any) -> None:
    """Join each cell that a robot may ever stand on to its neighbours."""
    for cell in range(text.size):
        mark = text[cell]
        if mark == WALL_BYTE:
            cells.kind[cell] = NOTHING
        elif FIRST_DOOR <= mark <= LAST_DOOR:
            cells.kind[cell] = DOOR if keys[mark - FIRST_DOOR] >= 0 else NOTHING
        else:
            cells.kind[cell] = PLAIN
    for cell in places:
        cells.kind[cell] = PLACE
    for cell in range(text.size):
        count = 0
        if cells.kind[cell] != NOTHING:
            for there in (cell - stride, cell + 1, cell + stride, cell - 1):
                if cells.kind[there] != NOTHING:
                    cells.near[4 * cell + count], cells.steps[4 * cell + count] = there, 1
                    count += 1
        cells.degree[cell] = count


@compiled_function
def drop_corridors(cells: Any, stack: Any) -> None:
    """Drop dead ends and corridor cells that are not sites.

    The order makes no difference: no cell ever gets more neighbours than it had.
    """
    size = 0
    for cell in range(cells.kind.size):
        if cells.kind[cell] != NOTHING and cells.degree[cell] <= 2:
            stack[size] = cell
            size += 1
    while size > 0:
        size -= 1
        cell = stack[size]
        kind, degree = cells.kind[cell], cells.degree[cell]
        if degree > 2 or not (kind == PLAIN or (kind == DOOR and degree < 2)):
            continue
        cells.kind[cell] = NOTHING
        for slot in range(4 * cell, 4 * cell + degree):
            unlink(cells, cell, cells.near[slot])
            stack[size] = cells.near[slot]
            size += 1
        if degree == 2:
            length = cells.steps[4 * cell] + cells.steps[4 * cell + 1]
            link(cells, cells.near[4 * cell], cells.near[4 * cell + 1], length)


@compiled_function
def close_areas(cells: Any, scratch: Any, joined: Any) -> Any:
    """Drop the junctions of each area if joining its sites takes fewer edges; return the number of added edges.

    Added edges are appended to `joined`: one site, the other, steps.
    """
    stack, mark, count = scratch.stack, scratch.mark, 0
    mark[:] = -1
    for first in range(cells.kind.size):
        if cells.kind[first] != PLAIN or mark[first] >= 0:
            continue
        stack[0], end, border = first, 1, 0
        mark[first] = first
        here = 0
        rim = stack.size  # the sites around it, from the end of the stack downwards
        twice = 0  # inner edges are counted from both ends, those to sites from one end only
        while here < end:
            cell = stack[here]
            here += 1
            for slot in range(4 * cell, 4 * cell + cells.degree[cell]):
                there = cells.near[slot]
                site = cells.kind[there] != PLAIN
                twice += 2 if site else 1
                if mark[there] != first:
                    mark[there] = first
                    if site:
                        border += 1
                        stack[rim - border] = there
                    else:
                        stack[end] = there
                        end += 1
        if border * (border - 1) >= twice:
            continue
        for number in range(1, border + 1):
            site = stack[rim - number]
            for place in range(end):
                scratch.distance[stack[place]] = FAR
            for place in range(1, border + 1):
                scratch.distance[stack[rim - place]] = FAR
            ways_through(cells, site, first, scratch)
            for other in range(number + 1, border + 1):
                there = stack[rim - other]
                joined[3 * count], joined[3 * count + 1] = site, there
                joined[3 * count + 2] = scratch.distance[there]
                count += 1
        for number in range(end):
            cells.kind[stack[number]] = NOTHING
    return count


@compiled_function
def ways_through(cells: Any, site: Any, area: Any, scratch: Any) -> None:
    """Find the distances from a site through an area to the sites around it (Dijkstra 1959).

    Nothing else around the area has its mark.
    """
    queue, distance, mark = heap.Pairs(scratch.heap), scratch.distance, scratch.mark
    size = heap.push(queue, 0, (0, site))
    distance[site] = 0
    while size > 0:
        steps, cell = heap.load(queue, np.uint64(0))
        size = heap.pop(queue, size)
        if steps > distance[cell] or (cells.kind[cell] != PLAIN and cell != site):
            continue
        for slot in range(4 * cell, 4 * cell + cells.degree[cell]):
            there = cells.near[slot]
            if mark[there] != area or (cell == site and cells.kind[there] != PLAIN):
                continue
            further = steps + cells.steps[slot]
            if further < distance[there]:
                distance[there] = further
                size = heap.push(queue, size, (further, there))
