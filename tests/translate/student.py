"""Problems as students write them, without a compiled view: in a module that other processes can import."""

import random
from collections.abc import Iterator
from typing import Any

from searchkit import SearchProblem

TILES = (1, 2, 3, 4, 5, 6, 7, 8, 0)


class Tiles(SearchProblem[Any, Any]):
    """The 8-puzzle with a list, a swap and a tuple."""

    def __init__(self, *start: int):
        self.start = start

    def initial_states(self) -> list[Any]:
        return [self.start]

    def is_goal(self, state: Any) -> bool:
        return bool(state == TILES)

    def successors(self, state: Any) -> list[Any]:
        blank = state.index(0)
        row, column = divmod(blank, 3)
        result = []
        for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            if 0 <= row + down < 3 and 0 <= column + right < 3:
                board, other = list(state), blank + 3 * down + right
                board[blank], board[other] = board[other], board[blank]
                result.append((name, tuple(board)))
        return result

    def heuristic(self, state: Any) -> int:
        return sum(
            abs(at // 3 - (tile - 1) // 3) + abs(at % 3 - (tile - 1) % 3)
            for at, tile in enumerate(state)
            if tile
        )


class Errands(SearchProblem[Any, Any]):
    """A walk through a town with errands to run: a frozenset is a part of the state, and streets have costs."""

    shops = frozenset([(2, 3), (5, 1), (7, 7), (0, 6)])

    def __init__(self, size: int = 8):
        self.size = size

    def initial_states(self) -> list[Any]:
        return [((0, 0), self.shops)]

    def is_goal(self, state: Any) -> bool:
        return not state[1]

    def successors(self, state: Any) -> Iterator[Any]:
        (x, y), left = state
        for name, dx, dy in (("E", 1, 0), ("W", -1, 0), ("S", 0, 1), ("N", 0, -1)):
            there = (x + dx, y + dy)
            if 0 <= there[0] < self.size and 0 <= there[1] < self.size and (3 * x + y) % 7 != 5:
                yield name, (there, left - {there})

    def cost(self, state: Any, action: Any, successor: Any) -> int:
        return int(action in "EW")

    def heuristic(self, state: Any) -> int:
        return 0


class Stairs(SearchProblem[Any, Any]):
    """Numbers become much larger behind a door that no sample shows: the layout is outgrown."""

    def __init__(self, end: int = 30_000, door: int = 20_000, factor: int = 70_000):
        self.end, self.door, self.factor = end, door, factor

    def initial_states(self) -> list[Any]:
        return [(0, 0)]

    def is_goal(self, state: Any) -> bool:
        return bool(state[0] >= self.end)

    def successors(self, state: Any) -> list[Any]:
        x = state[0]
        return [(step, (x + step, 0 if x < self.door else (x + step) * self.factor)) for step in (1, 2)]


class Doubling(Stairs):
    """Behind the door, each number takes one more bit."""

    def successors(self, state: Any) -> list[Any]:
        x, y = state
        return [(1, (x + 1, 0 if x < self.door else 2 * y + 1))]


class Printing(Stairs):
    """It prints, if it ever comes to it."""

    def successors(self, state: Any) -> list[Any]:
        if state[0] * 2 == 3:
            print(state)
        return super().successors(state)


class Dice(Stairs):
    """It uses random numbers, if it ever comes to it."""

    def successors(self, state: Any) -> list[Any]:
        return super().successors(state) if state[0] * 2 != 3 else [random.choice([state])]
