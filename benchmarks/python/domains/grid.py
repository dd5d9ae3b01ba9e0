"""A grid with random walls, from the upper left corner to the lower right one, 4 moves of cost 1."""

from random import Random
from typing import TypeAlias

from benchmarks.python.domains.instance import Instance

Cell: TypeAlias = tuple[int, int]
OFFSETS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def random_grid(size: int, seed: int, walls: float = 0.25) -> Instance:
    """Return a square grid of `size` columns in which each cell is a wall with probability `walls`."""
    random = Random(seed)
    rows = [["#" if random.random() < walls else "." for _ in range(size)] for _ in range(size)]
    rows[0][0] = rows[-1][-1] = "."
    return grid_instance(tuple("".join(row) for row in rows), (0, 0), (size - 1, size - 1))


def grid_instance(rows: tuple[str, ...], start: Cell, goal: Cell) -> Instance:
    """Return the problem of walking from `start` to `goal` on the `.` cells of `rows`."""
    # One row and one column of walls at the far ends: index -1 finds them too, so no step needs a bounds check.
    free = [[character == "." for character in row] + [False] for row in rows]
    free.append([False] * len(free[0]))
    goal_x, goal_y = goal

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

    def neighbours(cell: Cell, _traversal: object = None) -> list[Cell]:
        x, y = cell
        row, found = free[y], []
        if free[y - 1][x]:
            found.append((x, y - 1))
        if row[x + 1]:
            found.append((x + 1, y))
        if free[y + 1][x]:
            found.append((x, y + 1))
        if row[x - 1]:
            found.append((x - 1, y))
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
        start=start,
        goal=goal,
        successors=successors,
        neighbours=neighbours,
        edges=edges,
        actions=actions,
        result=result,
        cost=None,
        distance=lambda cell, other: 1,
        heuristic=heuristic,
        rows=rows,
    )
