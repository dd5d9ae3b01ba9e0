"""Going on, as machine code, from where the engine in Python has got to."""

from itertools import islice
from typing import Any

import numpy as np

from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.coarse import ADMITTED, OPENED, SEARCHED, VISITED
from searchkit_corridor.compiled.frontier import ArrayFrontier
from searchkit_corridor.compiled.kernels import CLOSED, DEFERRED, REACHED, START
from searchkit_corridor.compiled.mask import NONE, Marked
from searchkit_corridor.compiled.store import Store
from searchkit_corridor.compiled.waiting import ROOM
from searchkit_corridor.deferred import DeferredList
from searchkit_corridor.frontier import Frontier


def adopt(tree: Any, store: Store) -> tuple[ArrayFrontier, Marked]:
    """Enter into the store what a tree holds; return the frontier and the mask."""
    old: Frontier = tree.frontier
    _enter_cells(tree, old, store)
    marks, counters = store.marks, store.counters
    for blocks, mark in ((old.mask or (), ADMITTED), (old.opened, OPENED), (old.searched, SEARCHED)):
        marks[np.array(list(blocks), np.int64)] |= mark
    visited = [store.number(cell) for cell in islice(tree.reached, old.scanned, None)]
    marks[store.ground.regions[np.array(visited, np.int64)]] |= VISITED
    store.opened = len(old.opened)
    store.ground = store.ground._replace(deep=store.deep(old.least_depth))
    queue = np.array([store.number(cell) for cell in old.queue], np.int32)
    store.queue = np.concatenate([queue, np.empty(len(old) + ROOM, np.int32)])
    store.entering = np.array(
        [cost << 32 | store.number(cell) for cost in sorted(old.buckets) for cell in old.buckets[cost]],
        np.int64,
    )
    counters[kernels.LAST], counters[kernels.ENTERING] = len(queue), len(store.entering)
    counters[kernels.CELLS], counters[kernels.PEAK] = len(tree.reached), tree.peak_frontier
    counters[kernels.GENERATED], counters[kernels.REOPENED] = tree.generated, tree.reopened
    if old.incumbent is not None:
        counters[kernels.LIMIT], counters[kernels.GOAL_CELL] = old.incumbent, store.number(old.goal)
    kind = "unrestricted" if old.mask is None else old.phase.kind
    frontier = ArrayFrontier(
        old.starts,
        None,
        old.least_depth,
        store.waiting,
        phases=old.phases,
        widenings=old.widenings,
        fell_back=old.fell_back,
        bound=old.bound,
        goal=old.goal,
        incumbent=old.incumbent,
        store=store,
    )
    return frontier, Marked(kind, marks, NONE, old.least_depth)


def _enter_cells(tree: Any, old: Frontier, store: Store) -> None:
    codes: dict[Any, int] = {name: code for code, name in enumerate(store.names)}
    closed = tree.closed or ()
    for cell, (g, _, action) in tree.reached.items():
        flags = REACHED | CLOSED if cell in closed else REACHED
        store.write(store.number(cell), int(g), codes.get(action, START), flags)
    waiting = []
    for cell, (g, _, action), _ in old.deferred:
        waiting.append(store.number(cell))
        store.write(waiting[-1], int(g), codes.get(action, START), DEFERRED)
    store.waiting.by_region = not isinstance(old.deferred, DeferredList)  # what began again keeps a list
    store.waiting.put(np.array(waiting, np.int32))
    store.waiting.in_order()
