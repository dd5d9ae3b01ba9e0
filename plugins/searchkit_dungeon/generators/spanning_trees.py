"""Random spanning trees of a rectangle of nodes, from which mazes are made."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from searchkit_dungeon.generators.bank import beside
from searchkit_dungeon.generators.chance import choice, shuffle, take_any
from searchkit_dungeon.terrain import Cell

Passage: TypeAlias = tuple[Cell, Cell]
"""Two neighbouring nodes with no wall between them."""
SpanningTree: TypeAlias = Callable[[int, int, Random], list[Passage]]
"""(columns, rows, rng) → the passages of a tree that connects all nodes."""


def neighbours(node: Cell, columns: int, rows: int) -> list[Cell]:
    """Return the nodes adjacent to a node."""
    return [(x, y) for _, (x, y) in beside(node) if 0 <= x < columns and 0 <= y < rows]


def backtracker(columns: int, rows: int, rng: Random) -> list[Passage]:
    """Depth-first search: continue at the newest node, and go back at dead ends. Makes long, winding passages."""
    first = choice(rng, _nodes(columns, rows))
    reached, active = {first}, [first]
    passages: list[Passage] = []
    while active:
        fresh = [other for other in neighbours(active[-1], columns, rows) if other not in reached]
        if not fresh:
            active.pop()
            continue
        other = choice(rng, fresh)
        passages.append((active[-1], other))
        reached.add(other)
        active.append(other)
    return passages


def prim(columns: int, rows: int, rng: Random) -> list[Passage]:
    """Take a random passage that leads out of the tree (after Prim 1957). Makes many short dead ends."""
    first = choice(rng, _nodes(columns, rows))
    reached = {first}
    leaving = [(first, other) for other in neighbours(first, columns, rows)]
    passages: list[Passage] = []
    while leaving:
        passage = take_any(rng, leaving)
        node = passage[1]
        if node not in reached:
            reached.add(node)
            passages.append(passage)
            leaving += [(node, other) for other in neighbours(node, columns, rows)]
    return passages


def kruskal(columns: int, rows: int, rng: Random) -> list[Passage]:
    """Take passages in random order, unless their ends are already connected (after Kruskal 1956)."""
    nodes = _nodes(columns, rows)
    leader = {node: node for node in nodes}

    def find(node: Cell) -> Cell:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    every = [(node, other) for node in nodes for other in neighbours(node, columns, rows) if node < other]
    shuffle(rng, every)
    passages: list[Passage] = []
    for one, other in every:
        a, b = find(one), find(other)
        if a != b:
            leader[a] = b
            passages.append((one, other))
    return passages


def wilson(columns: int, rows: int, rng: Random) -> list[Passage]:
    """Walk randomly until the tree is reached, with loops erased (Wilson 1996).

    All spanning trees are equally likely.
    """
    nodes = _nodes(columns, rows)
    shuffle(rng, nodes)
    reached = {nodes[0]}
    passages: list[Passage] = []
    for first in nodes:
        leaving: dict[Cell, Cell] = {}
        node = first
        while node not in reached:  # keeping only the last passage from each node erases the loops
            leaving[node] = choice(rng, neighbours(node, columns, rows))
            node = leaving[node]
        node = first
        while node not in reached:
            reached.add(node)
            passages.append((node, leaving[node]))
            node = leaving[node]
    return passages


ALGORITHMS: dict[str, SpanningTree] = {
    "backtracker": backtracker,
    "kruskal": kruskal,
    "prim": prim,
    "wilson": wilson,
}


def _nodes(columns: int, rows: int) -> list[Cell]:
    return [(x, y) for y in range(rows) for x in range(columns)]
