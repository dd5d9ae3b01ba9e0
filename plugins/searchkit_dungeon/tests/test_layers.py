"""Breadth-first search layer by layer, and when a search ends."""

import pytest

from searchkit import Limits, Search, Status, distance_map, solve
from searchkit_dungeon import Grid, Terrain, grid, make_grid


def open_grid(width: int, height: int, start: tuple[int, int]) -> Grid:
    """Return a map without walls or goals."""
    return make_grid(Terrain([bytes([1] * width)] * height), [start])


def test_the_frontier_after_each_expansion() -> None:
    """A cell is marked when it is entered: the start does not come back, and no cell is entered twice."""
    search = Search(open_grid(50, 50, (9, 9)), "bfs")
    search.run(Limits(expansions=1))
    assert list(search.tree.frontier) == [(9, 8), (10, 9), (9, 10), (8, 9)]
    search.run(Limits(expansions=1))
    assert len(search.tree.frontier) == 6
    assert (9, 9) not in search.tree.frontier
    assert len(set(search.tree.frontier)) == 6


def test_the_second_wave_on_a_small_map() -> None:
    """5×5 from its centre: one expansion finds 4 cells, four more exactly 8."""
    search = Search(open_grid(5, 5, (2, 2)), "bfs")
    search.run(Limits(expansions=1))
    first = set(search.tree.frontier)
    search.run(Limits(expansions=4))
    second = set(search.tree.frontier)
    assert (len(first), len(search.tree.frontier), len(second), first & second) == (4, 8, 8, set())


def test_run_to_the_end_every_cell_is_at_its_manhattan_distance() -> None:
    """On an open map."""
    distances = distance_map(open_grid(50, 50, (9, 9)))
    assert (distances[7, 9], distances[49, 49], distances[0, 0]) == (2, 80, 18)
    assert dict(distances) == {(x, y): abs(x - 9) + abs(y - 9) for x in range(50) for y in range(50)}


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "bucket"])
def test_a_search_ends_at_its_target(engine: str) -> None:
    """Of 2,500 cells, those nearer than the target at most are expanded; the same finder can be asked again."""
    terrain = Terrain([bytes([1] * 50)] * 50)
    near, far = make_grid(terrain, [(9, 9)], [(9, 11)]), make_grid(terrain, [(9, 9)], [(49, 49)])
    first = solve(near, engine)
    assert first.cost == 2
    assert first.statistics.expanded <= 1 + 4 + 8
    assert solve(far, engine).cost == 80
    again = solve(near, engine)
    assert (again.solution, again.statistics.expanded) == (first.solution, first.statistics.expanded)


def test_an_unreachable_target() -> None:
    """It is a status: no exception, and no path of one cell."""
    result = solve(grid(["S.#G"]))
    assert (result.status, result.solution, result.partial) == (Status.UNSOLVABLE, None, None)


def test_the_source_is_the_target() -> None:
    """A path of one cell, cost 0, nothing expanded."""
    result = solve(grid(["S."], goal=(0, 0)), "bfs")
    assert result.solution is not None
    assert (result.solution.states, result.cost, result.statistics.expanded) == (((0, 0),), 0, 0)
