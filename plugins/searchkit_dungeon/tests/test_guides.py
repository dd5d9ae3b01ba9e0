"""Monsters that follow the ideal path, and that flee."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given

from searchkit import distance_map, solve
from searchkit.plugin import InvalidProblemError
from searchkit_dungeon import Cell, Grid, Terrain, approach_map, flee_map, grid, trail
from searchkit_dungeon.strategies import grids


@given(grids())
def test_the_trail_is_a_cheapest_path(problem: Grid) -> None:
    """On terrain too, where a path and its reverse differ in cost; each step is a step of the map."""
    distances = approach_map(problem, problem.starts)
    for cell in distances:
        there = Grid(problem.terrain, [cell], problem.starts, problem.moves, problem.corners)
        assert distances[cell] == solve(there, "dijkstra").cost
        here = cell
        cost: float = 0
        for step in trail(distances, cell):
            names = [name for name, other in there.successors(here) if other == step]
            cost += float(there.cost(here, names[0], step))
            here = step
        assert (here in problem.starts, cost) == (True, distances[cell])


def test_who_has_no_way() -> None:
    """A monster that is walled in gets a message."""
    distances = approach_map(grid(["S.#."], goal=()), [(0, 0)])
    with pytest.raises(KeyError):
        next(trail(distances, (3, 0)))


@given(grids())
def test_fleeing_ends(problem: Grid) -> None:
    """From every cell, never through a danger, by steps that the map has."""
    dangers = problem.starts
    away = flee_map(problem, dangers)
    for monster in approach_map(problem, dangers):
        here, step = monster, away.descend(monster)
        for _ in range(problem.terrain.passable):
            if step is None:
                break
            assert step not in dangers
            assert step in [other for _, other in problem.successors(here)]
            here, step = step, away.descend(step)
        assert step is None


def worth_by_definition(problem: Grid, dangers: Sequence[Cell]) -> Iterator[tuple[Cell, float]]:
    """Yield for each cell the largest 1.2 × distance to a danger − length of the path there."""
    distances = approach_map(problem, dangers)
    for cell in distances:
        open_cells = [c for c in problem.terrain.cells if c in distances and (c == cell or c not in dangers)]
        rows = [bytearray(problem.terrain.width) for _ in range(problem.terrain.height)]
        for x, y in open_cells:
            rows[y][x] = 1
        ways = distance_map(Grid(Terrain([bytes(row) for row in rows]), [cell]))
        yield cell, max(1.2 * float(distances[end]) - float(ways[end]) for end in ways)


@given(grids())
def test_each_step_keeps_the_worth(problem: Grid) -> None:
    """If steps cost 1, the refuge that a monster reaches is the best by definition, and so is the path to it."""
    problem = Grid(Terrain(_plain(problem.terrain)), problem.starts)
    away, distances = flee_map(problem, problem.starts), approach_map(problem, problem.starts)
    for cell, worth in worth_by_definition(problem, problem.starts):
        length, here, step = 0, cell, away.descend(cell)
        while step is not None:
            length, here = length + 1, step
            step = away.descend(step)
        assert 1.2 * float(distances[here]) - length == pytest.approx(worth)


def _plain(terrain: Terrain) -> list[bytes]:
    return [
        bytes(min(1, terrain.weight((x, y))) for x in range(terrain.width)) for y in range(terrain.height)
    ]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([], "there is no {what}; expected at least one cell"),
        ([(9, 9)], r"the {what} \(9, 9\) is off the map"),
        ([(2, 0)], r"the {what} \(2, 0\) is inside a wall"),
    ],
)
def test_bad_places(cells: list[Cell], message: str) -> None:
    """The error says what was expected."""
    problem = grid(["S.#."], goal=())
    with pytest.raises(InvalidProblemError, match=message.format(what="target")):
        approach_map(problem, cells)
    with pytest.raises(InvalidProblemError, match=message.format(what="danger")):
        flee_map(problem, cells)
