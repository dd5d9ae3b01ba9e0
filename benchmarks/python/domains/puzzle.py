"""Sliding-tile puzzles: the 8-puzzle, the 15-puzzle, and the 15-puzzle with tiles of different weights.

A state is the tuple of tiles, row by row, 0 for the blank; the goal is 0, 1, 2, …. An action is the tile that slides;
it costs the tile's weight. The heuristic is the weighted sum of the tiles' Manhattan distances. A slide moves one
tile by one cell, so the heuristic is admissible and consistent.
"""

from operator import getitem
from random import Random
from typing import TypeAlias

from benchmarks.python.domains.instance import Instance

Tiles: TypeAlias = tuple[int, ...]


def weights_of(size: int, largest: int) -> tuple[int, ...]:
    """Return the weight of each tile: 1, 2, … up to `largest`, and again from 1."""
    return (0, *(1 + tile % largest for tile in range(size * size - 1)))


def adjacent_places(size: int) -> list[tuple[int, ...]]:
    """Return, for each place, the places above, to the right, below and to the left of it."""
    adjacent = []
    for place in range(size * size):
        y, x = divmod(place, size)
        near = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        adjacent.append(tuple(b * size + a for a, b in near if 0 <= a < size and 0 <= b < size))
    return adjacent


def scrambled(size: int, steps: int, seed: int) -> Tiles:
    """Return the goal after a random walk of `steps` slides that never takes the last slide back."""
    random, adjacent = Random(seed), adjacent_places(size)
    tiles, blank, before = list(range(size * size)), 0, -1
    for _ in range(steps):
        place = random.choice([place for place in adjacent[blank] if place != before])
        tiles[blank], tiles[place] = tiles[place], 0
        before, blank = blank, place
    return tuple(tiles)


def puzzle(
    size: int, start: Tiles, weights: tuple[int, ...] | None = None, exhaustive: bool = False
) -> Instance:
    """Return the puzzle of `size` × `size` places from `start` to the goal, or, if exhaustive, without a goal."""
    places = adjacent_places(size)
    goal = tuple(range(size * size))
    weight = weights or (1,) * (size * size)
    far = [
        [
            weight[tile] * (abs(tile % size - place % size) + abs(tile // size - place // size))
            if tile
            else 0
            for tile in goal
        ]
        for place in range(size * size)
    ]

    def successors(state: Tiles) -> list[tuple[int, Tiles]]:
        blank, found = state.index(0), []
        for place in places[blank]:
            tiles = list(state)
            tile = tiles[blank] = tiles[place]
            tiles[place] = 0
            found.append((tile, tuple(tiles)))
        return found

    def neighbours(state: Tiles, _traversal: object = None) -> list[Tiles]:
        blank, found = state.index(0), []
        for place in places[blank]:
            tiles = list(state)
            tiles[blank] = tiles[place]
            tiles[place] = 0
            found.append(tuple(tiles))
        return found

    def edges(state: Tiles, _traversal: object = None) -> list[tuple[Tiles, int, int]]:
        blank, found = state.index(0), []
        for place in places[blank]:
            tiles = list(state)
            tile = tiles[blank] = tiles[place]
            tiles[place] = 0
            found.append((tuple(tiles), weight[tile], tile))
        return found

    def actions(state: Tiles) -> list[int]:
        return [state[place] for place in places[state.index(0)]]

    def result(state: Tiles, action: int) -> Tiles:
        tiles = list(state)
        tiles[state.index(action)] = 0
        tiles[state.index(0)] = action
        return tuple(tiles)

    def heuristic(state: Tiles, _goal: object = None) -> int:
        return sum(map(getitem, far, state))

    def cost(state: Tiles, action: int, successor: Tiles) -> int:
        return weight[action]

    def distance(state: Tiles, successor: Tiles) -> int:
        return weight[successor[state.index(0)]]

    return Instance(
        start=start,
        goal=None if exhaustive else goal,
        successors=successors,
        neighbours=neighbours,
        edges=edges,
        actions=actions,
        result=result,
        cost=cost if weights else None,
        distance=distance if weights else (lambda state, successor: 1),
        heuristic=heuristic,
    )
