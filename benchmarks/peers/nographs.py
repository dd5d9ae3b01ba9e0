"""NoGraphs, written in Python: searches in graphs given by functions."""

from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers.arrays import STEPS4, estimates, grid_edges, length_of, tails_of
from benchmarks.python.domains.puzzle import puzzle

LIBRARIES = ("nographs",)
CANNOT = ""
EASIER = {"vault": "contraction made beforehand"}

STRAIGHT, DIAGONAL = 408, 577
"""Integer lengths, nearly 1 to √2: with floats, rounded heuristic values are inconsistent, and its A* finds no path."""


def field(arrays: dict[str, Any]) -> Callable[[], Any]:
    """`TraversalBreadthFirst` over numbered cells; the gear keeps them in arrays."""
    library, ground = import_module("nographs"), arrays["ground"]
    column, row = arrays["source"].tolist()
    heads, _ = _adjacency(ground.size, *grid_edges(ground, 4))
    start = row * ground.shape[1] + column
    gear = library.GearForIntVerticesAndIDsAndCInts()

    def run() -> int:
        traversal = library.TraversalBreadthFirstFlex(
            library.vertex_as_id, gear, lambda node, _: heads[node]
        ).start_from(start)
        return sum(traversal.depth for _ in traversal)

    return run


def queries8(arrays: dict[str, Any]) -> Callable[[], float]:
    """`TraversalAStar`."""
    return _queries(arrays, 8)


def queries4(arrays: dict[str, Any]) -> Callable[[], float]:
    """Search the same with 4 moves."""
    return _queries(arrays, 4)


def _queries(arrays: dict[str, Any], moves: int) -> Callable[[], float]:
    library, grounds, pairs = import_module("nographs"), arrays["grounds"], arrays["pairs"].tolist()
    edges = []
    for ground in grounds:
        tails, heads, lengths = grid_edges(ground, moves)
        edges.append(_adjacency(ground.size, tails, heads, np.where(lengths > 1, DIAGONAL, STRAIGHT))[1])
    _, height, width = grounds.shape
    gear = library.GearForIntVerticesAndIDsAndCInts()

    def run() -> float:
        total = 0.0
        for number, sx, sy, gx, gy in pairs:
            near = edges[number]
            guess = np.floor(estimates((height, width), gx, gy, moves) * STRAIGHT).astype(int).tolist()
            goal = gy * width + gx
            traversal = library.TraversalAStarFlex(
                library.vertex_as_id, gear, lambda node, _, near=near: near[node]
            ).start_from(guess.__getitem__, sy * width + sx, build_paths=True)
            traversal.go_to(goal)
            total += length_of(traversal.paths[goal], width)
        return total

    return run


def tiles(arrays: dict[str, Any]) -> Callable[[], float]:
    """`TraversalAStar` over tuples of tiles, as the search in Python is measured with."""
    library = import_module("nographs")
    instances = [puzzle(4, tuple(board)) for board in arrays["boards"].tolist()]

    def run() -> float:
        total = 0.0
        for instance in instances:
            traversal = library.TraversalAStar(instance.edges)
            traversal.start_from(instance.heuristic, instance.start, build_paths=True).go_to(instance.goal)
            total += len(traversal.paths[instance.goal]) - 1
        return total

    return run


def eight(arrays: dict[str, Any]) -> Callable[[], float]:
    """`TraversalBreadthFirst`."""
    library, instance = import_module("nographs"), puzzle(3, tuple(range(9)), exhaustive=True)

    def run() -> float:
        traversal = library.TraversalBreadthFirst(instance.neighbours).start_from(instance.start)
        return 1.0 + sum(1 for _ in traversal)

    return run


def graph(arrays: dict[str, Any]) -> Callable[[], float]:
    """`TraversalShortestPaths` over numbered nodes."""
    library, begins = import_module("nographs"), arrays["begins"]
    edges = _adjacency(len(begins) - 1, tails_of(begins), arrays["heads"], arrays["weights"])[1]
    gear = library.GearForIntVerticesAndIDsAndIntsMaybeFloats()

    def run() -> float:
        traversal = library.TraversalShortestPathsFlex(
            library.vertex_as_id, gear, lambda node, _: edges[node]
        ).start_from(0)
        return float(sum(traversal.distance for _ in traversal))

    return run


def vault(arrays: dict[str, Any]) -> Callable[[], float]:
    """`TraversalShortestPaths` over the nodes that the robots are at and the keys they hold."""
    library = import_module("nographs")
    starts, ways, everything = contraction(arrays["text"])

    def edges(state: Any, _: object) -> Any:
        places, keys = state
        for robot, place in enumerate(places):
            for key, distance, needs in ways[place]:
                if not keys >> key & 1 and not needs & ~keys:
                    yield (*places[:robot], key, *places[robot + 1 :]), keys | 1 << key, distance

    def next_edges(state: Any, traversal: object) -> Any:
        return [((places, keys), distance) for places, keys, distance in edges(state, traversal)]

    def run() -> float:
        traversal = library.TraversalShortestPaths(next_edges)
        for _, keys in traversal.start_from((starts, 0), build_paths=True):
            if keys == everything:
                return float(traversal.distance)
        raise LookupError("no plan")

    return run


def contraction(text: Any) -> tuple[tuple[int, ...], dict[int, list[tuple[int, int, int]]], int]:
    """Return the robots' nodes, the routes (key, steps, keys needed) from each node, and all keys.

    The shortest route to each key; correct for vaults without alternatives that need fewer keys. Keys are 0 to 25, then
    starts.
    """
    rows = ["".join(map(chr, row)) for row in text.tolist()]
    marks = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "#"}
    cells = {ord(mark) - 97: cell for cell, mark in marks.items() if mark.islower()}
    everything = sum(1 << key for key in cells)
    robots = [cell for cell, mark in marks.items() if mark == "@"]
    starts = tuple(range(26, 26 + len(robots)))
    cells |= dict(zip(starts, robots, strict=True))
    ways: dict[int, list[tuple[int, int, int]]] = {}
    for node, origin in cells.items():
        ways[node] = []
        waiting, seen = deque([(origin, 0, 0)]), {origin}
        while waiting:
            cell, steps, needs = waiting.popleft()
            mark = marks[cell]
            if mark.isupper():
                needs |= 1 << ord(mark) - 65
            if mark.islower() and cell != origin:
                ways[node].append((ord(mark) - 97, steps, needs))
                needs |= 1 << ord(mark) - 97
            for dx, dy in STEPS4:
                onward = cell[0] + dx, cell[1] + dy
                if onward in marks and onward not in seen:
                    seen.add(onward)
                    waiting.append((onward, steps + 1, needs))
    return starts, ways, everything


def _adjacency(nodes: int, tails: Any, heads: Any, lengths: Any) -> tuple[list[Any], list[Any]]:
    """Return node → heads, and node → (head, length) of each edge."""
    order = np.argsort(tails, kind="stable")
    begins = np.searchsorted(tails[order], np.arange(nodes + 1)).tolist()
    flat = heads[order].tolist()
    pairs = list(zip(flat, lengths[order].tolist(), strict=True))
    rows = [slice(begins[node], begins[node + 1]) for node in range(nodes)]
    return [flat[row] for row in rows], [pairs[row] for row in rows]
