"""The searches that are measured in Python: a grid and sliding tiles, in each of the forms that contenders need.

Every contender gets functions written for its own form, so none pays for a translation. They are plain functions
(closures), the fastest kind: the cheaper they are, the more visible is the work of the search itself.
"""

from collections.abc import Callable
from operator import getitem
from random import Random
from typing import Any, TypeAlias

from attrs import frozen

State: TypeAlias = Any
Action: TypeAlias = Any
Cell: TypeAlias = tuple[int, int]
Tiles: TypeAlias = tuple[int, ...]
OFFSETS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
HARDEST_8_PUZZLES = ((8, 7, 6, 0, 4, 1, 2, 5, 3), (8, 0, 6, 5, 4, 7, 2, 3, 1))
"""The two starts that are 31 moves from the goal, more than any other (Reinefeld 1993)."""


@frozen
class Instance:
    """A start, a goal and what can be done in between. Costs are integers."""

    start: State
    goal: State | None
    """None: no state is a goal, and every state that can be reached is to be seen."""
    successors: Callable[[State], list[tuple[Action, State]]]
    edges: Callable[..., list[tuple[State, int, Action]]]
    """state → (successor, cost, action)."""
    actions: Callable[[State], list[Action]]
    result: Callable[[State, Action], State]
    cost: Callable[[State, Action, State], int] | None
    """None: every action costs 1."""
    heuristic: Callable[..., int]
    """Called with a state; an optional second argument (other libraries pass the goal) is ignored."""

    def goal_test(self) -> Callable[[State], bool]:
        """Return the goal test as a plain function."""
        goal = self.goal
        if goal is None:
            return lambda state: False
        return lambda state: bool(state == goal)


def random_grid(size: int, seed: int, walls: float = 0.25) -> Instance:
    """Return a square grid, each cell a wall with probability `walls`, to be crossed from corner to corner."""
    random = Random(seed)
    rows = [["#" if random.random() < walls else "." for _ in range(size)] for _ in range(size)]
    rows[0][0] = rows[-1][-1] = "."
    # One row and one column of walls at the far ends: index -1 finds them too, so no step needs a bounds check.
    free = [[character == "." for character in row] + [False] for row in rows]
    free.append([False] * len(free[0]))
    goal_x = goal_y = size - 1

    def successors(cell: Cell) -> list[tuple[str, Cell]]:
        x, y = cell
        row, found = free[y], []
        if free[y - 1][x]:
            found.append(("N", (x, y - 1)))
        if row[x + 1]:
            found.append(("E", (x + 1, y)))
        if free[y + 1][x]:
            found.append(("S", (x, y + 1)))
        if row[x - 1]:
            found.append(("W", (x - 1, y)))
        return found

    def edges(cell: Cell, _traversal: object = None) -> list[tuple[Cell, int, str]]:
        x, y = cell
        row, found = free[y], []
        if free[y - 1][x]:
            found.append(((x, y - 1), 1, "N"))
        if row[x + 1]:
            found.append(((x + 1, y), 1, "E"))
        if free[y + 1][x]:
            found.append(((x, y + 1), 1, "S"))
        if row[x - 1]:
            found.append(((x - 1, y), 1, "W"))
        return found

    def actions(cell: Cell) -> list[str]:
        x, y = cell
        return [name for name, (dx, dy) in OFFSETS.items() if free[y + dy][x + dx]]

    def result(cell: Cell, action: str) -> Cell:
        dx, dy = OFFSETS[action]
        return cell[0] + dx, cell[1] + dy

    def heuristic(cell: Cell, _goal: object = None) -> int:
        x, y = cell
        return abs(goal_x - x) + abs(goal_y - y)

    return Instance(
        start=(0, 0),
        goal=(goal_x, goal_y),
        successors=successors,
        edges=edges,
        actions=actions,
        result=result,
        cost=None,
        heuristic=heuristic,
    )


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
    """Return the puzzle of `size` × `size` places from `start` to the goal, or, if exhaustive, without a goal.

    A state is the tuple of tiles, row by row, 0 for the blank; the goal is 0, 1, 2, …. An action is the tile that
    slides; it costs the tile's weight. The heuristic is the weighted sum of the tiles' Manhattan distances. A slide
    moves one tile by one cell, so it is admissible and consistent.
    """
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

    return Instance(
        start=start,
        goal=None if exhaustive else goal,
        successors=successors,
        edges=edges,
        actions=actions,
        result=result,
        cost=cost if weights else None,
        heuristic=heuristic,
    )


def workload(name: str, tiny: bool) -> tuple[str, list[Instance]]:
    """Return the title of a search in `WORKLOADS`, and the problems that are solved one after the other."""
    kind, _, algorithm = name.partition("-")
    if kind == "grid":  # 25 % walls, corner to corner; h is the Manhattan distance
        size = 12 if tiny else 500
        return f"{size}×{size} grid, 25 % walls, corner to corner, {algorithm}", [random_grid(size, seed=0)]
    if name == "puzzle8-whole":
        size = 2 if tiny else 3
        return f"whole {size * size - 1}-puzzle, bfs", [
            puzzle(size, tuple(range(size * size)), exhaustive=True)
        ]
    if kind == "puzzle8":
        size, steps = (2, 3) if tiny else (3, 80)
        starts = [scrambled(size, steps, seed) for seed in range(1, 9 if algorithm == "astar" else 2)]
        starts += HARDEST_8_PUZZLES if algorithm == "astar" and not tiny else ()
        plural = "s" * (len(starts) > 1)
        title = f"{len(starts)} {size * size - 1}-puzzle{plural}, {algorithm}"
        return title, [puzzle(size, start) for start in starts]
    steps = (40 if algorithm == "astar" else 12) // (4 if tiny else 1)
    boards = [scrambled(4, steps, seed) for seed in range(2 if tiny else 10)]
    title = f"{len(boards)} weighted 15-puzzles, walks of {steps}, {algorithm}"
    return title, [puzzle(4, board, weights_of(4, largest=3)) for board in boards]


WORKLOADS = {
    **{f"grid-{algorithm}": algorithm for algorithm in ("bfs", "dijkstra", "astar")},
    "puzzle8-whole": "bfs",
    "puzzle8-bfs": "bfs",
    "puzzle8-astar": "astar",
    "puzzle15-dijkstra": "dijkstra",
    "puzzle15-astar": "astar",
}
"""name → algorithm."""
