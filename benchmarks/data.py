"""The maps, boards and graphs of the measurements of machine code, as arrays: the same for all contenders."""

from functools import cache
from typing import Any

import numpy as np
from attrs import frozen

from searchkit.plugin.loading import load_scenario
from searchkit_tiles import generate_board
from searchkit_tiles.board import Board

SIDE = 1024
MAPS = ("random512", "maze512", "rooms512")
QUERIES = 48
NODES, DEGREE, HEAVIEST = 1_000_000, 5, 99
MEDIUM, HARD = (83, 92, 289), (24, 121)
"""Seeds of 15-puzzles for which A* with the Manhattan distance expands 30 to 75 thousand, 1 to 2 million states in C++.

How many it is elsewhere depends on the order of ties.
"""


def open_ground(side: int) -> Any:
    """Return a map without walls: 1 for each cell that can be entered."""
    return np.ones((side, side), np.uint8)


def maze(side: int) -> Any:
    """Return a perfect maze on every second cell, a binary tree: each cell is open to the north or to the east."""
    ground = np.zeros((side, side), np.uint8)
    ground[::2, ::2] = 1
    half = side // 2
    eastward = np.random.default_rng(1).random((half, half)) < 0.5
    eastward[0], eastward[:, -1] = True, False
    ground[::2, 1::2], ground[1:-1:2, ::2] = eastward, ~eastward[1:]
    return ground


def random_ground(side: int) -> Any:
    """Return a map; a quarter of its cells, at random, are walls."""
    return (np.random.default_rng(1).random((side, side)) >= 0.25).astype(np.uint8)


GROUNDS = {"open": open_ground, "maze": maze, "25 % random": random_ground}


@frozen(eq=False)
class Field:
    """A map and a cell, from which the distances of all others are sought, with 4 moves."""

    ground: Any
    """Array of uint8, row by row: 1 for each cell that can be entered, 0 for a wall."""
    source: tuple[int, int]
    """Column and row; the cell to the right of it is free."""


def field(name: str, side: int = SIDE) -> Field:
    """Return the map of a name in `GROUNDS`, and the cell in its middle."""
    ground = GROUNDS[name](side)
    middle = side // 2
    ground[middle, middle : middle + 2] = 1
    return Field(ground, (middle, middle))


@frozen(eq=False)
class Queries:
    """Pairs of cells on several maps of one size."""

    grounds: Any
    """Array of uint8: the maps, each as `Field.ground`."""
    pairs: Any
    """Array of int32, a row for each query: number of the map, column and row of the start and of the goal."""


@cache
def queries(count: int = QUERIES) -> Queries:
    """Return queries of the MovingAI scenarios that ship, evenly from the shortest to the longest of each map."""
    grounds, pairs = [], []
    for number, name in enumerate(MAPS):
        scenario = load_scenario(name)
        asked = [query for query in scenario.queries if query.expected]
        terrain = scenario.problem(asked[0]).terrain  # type: ignore[attr-defined]  # a grid
        weights = np.frombuffer(terrain.weights, np.uint8).reshape(-1, terrain.stride)
        grounds.append((weights[: terrain.height, : terrain.width] > 0).astype(np.uint8))
        each = count // len(MAPS)
        for query in asked[len(asked) // each - 1 :: len(asked) // each][:each]:
            pairs.append((number, *query.start, *query.goal))  # type: ignore[misc]  # cells
    return Queries(np.array(grounds), np.array(pairs, np.int32))


def few_queries() -> Queries:
    """Return three queries on two maps of 32×32 cells, for tests."""
    return Queries(
        np.array([open_ground(32), maze(32)]),
        np.array([(0, 0, 0, 31, 20), (1, 0, 0, 30, 30), (1, 10, 20, 4, 2)], np.int32),
    )


def boards(seeds: tuple[int, ...]) -> list[Board]:
    """Return 15-puzzles with the blank of the goal in the first cell."""
    return [generate_board(4, 4, seed=seed) for seed in seeds]


@frozen(eq=False)
class Sparse:
    """A digraph in compressed sparse rows; searched from node 0."""

    begins: Any
    """Array of int32, one more than there are nodes: where the edges of each begin."""
    heads: Any
    """Array of int32: where each edge leads."""
    weights: Any
    """Array of int32, each from 1 to `HEAVIEST`."""


def sparse(nodes: int = NODES) -> Sparse:
    """Return a random digraph, `DEGREE` edges from each node."""
    rng = np.random.default_rng(3)
    edges = nodes * DEGREE
    return Sparse(
        np.arange(0, edges + 1, DEGREE, dtype=np.int32),
        rng.integers(nodes, size=edges).astype(np.int32),
        rng.integers(1, HEAVIEST + 1, size=edges).astype(np.int32),
    )
