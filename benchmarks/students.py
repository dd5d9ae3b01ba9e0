"""Problems as students write them: plain Python without a compiled view, for `python -m benchmarks translate`."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from searchkit import SearchProblem

Moves = Iterator[tuple[Any, Any]]


class Fifteen(SearchProblem[Any, Any]):
    """The 15-puzzle: a list is copied, two cells are swapped."""

    def __init__(self, tiles: tuple[int, ...] = (2, 5, 3, 4, 9, 1, 11, 7, 13, 6, 0, 8, 14, 10, 15, 12)):
        self.start = tiles

    def initial_states(self) -> list[Any]:
        return [self.start]

    def is_goal(self, state: Any) -> bool:
        return state == (*range(1, 16), 0)  # type: ignore[no-any-return]  # a tuple

    def successors(self, state: Any) -> Moves:
        blank = state.index(0)
        row, column = divmod(blank, 4)
        for name, dy, dx in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            if 0 <= row + dy < 4 and 0 <= column + dx < 4:
                other = (row + dy) * 4 + column + dx
                tiles = list(state)
                tiles[blank], tiles[other] = tiles[other], tiles[blank]
                yield name, tuple(tiles)

    def heuristic(self, state: Any) -> int:
        total = 0
        for place, tile in enumerate(state):
            if tile:
                total += abs(place // 4 - (tile - 1) // 4) + abs(place % 4 - (tile - 1) % 4)
        return total


class WaterSort(SearchProblem[Any, Any]):
    """Tubes of coloured water, of which the top is poured: tuples of several lengths."""

    def __init__(self, tubes: str = "abca,cbad,dbca,dcbd,,", room: int = 4):
        self.start, self.room = tuple(tuple(tube) for tube in tubes.split(",")), room

    def initial_states(self) -> list[Any]:
        return [self.start]

    def is_goal(self, state: Any) -> bool:
        return all(not tube or (len(tube) == self.room and len(set(tube)) == 1) for tube in state)

    def successors(self, state: Any) -> Moves:
        for i, source in enumerate(state):
            for j, target in enumerate(state):
                if i != j and source and len(target) < self.room and (not target or target[-1] == source[-1]):
                    tubes = list(state)
                    tubes[i], tubes[j] = source[:-1], (*target, source[-1])
                    yield (i, j), tuple(tubes)


class Car(NamedTuple):
    """A car of `Racetrack`."""

    x: int
    y: int
    dx: int
    dy: int


class Racetrack(SearchProblem[Any, Any]):
    """A game on paper: in each turn, the speed changes by at most one along each axis."""

    def __init__(self, width: int = 60, height: int = 30):
        self.free = {(x, y) for x in range(width) for y in range(height) if x % 9 != 4 or y % 7 > 1}
        self.end = (width - 1, height - 1)

    def initial_states(self) -> list[Any]:
        return [Car(0, 0, 0, 0)]

    def is_goal(self, state: Any) -> bool:
        return (state.x, state.y) == self.end

    def successors(self, state: Any) -> Moves:
        for ax in (-1, 0, 1):
            for ay in (-1, 0, 1):
                dx, dy = state.dx + ax, state.dy + ay
                if (state.x + dx, state.y + dy) in self.free:
                    yield (ax, ay), Car(state.x + dx, state.y + dy, dx, dy)


class Pushing(SearchProblem[Any, Any]):
    """Boxes on an open floor with pillars: a frozenset of cells."""

    goals = frozenset({(1, 5), (3, 5), (5, 5)})

    def initial_states(self) -> list[Any]:
        return [((0, 0), frozenset({(1, 1), (3, 3), (5, 1)}))]

    def is_goal(self, state: Any) -> bool:
        return state[1] == self.goals  # type: ignore[no-any-return]  # frozensets

    def is_free(self, x: int, y: int) -> bool:
        """Whether a cell is no wall."""
        return 0 <= x < 7 and 0 <= y < 7 and not (x % 2 == 0 and y % 3 == 2)

    def successors(self, state: Any) -> Moves:
        (x, y), boxes = state
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if not self.is_free(*cell):
                continue
            if cell not in boxes:
                yield (dx, dy), (cell, boxes)
            elif self.is_free(*beyond) and beyond not in boxes:
                yield (dx, dy), (cell, (boxes - {cell}) | {beyond})


STUDENTS = {"15-puzzle": Fifteen, "water sort": WaterSort, "racetrack": Racetrack, "boxes": Pushing}
"""By name, what makes the problem."""
