"""Grids of hexagons: six moves, an exact heuristic, and pictures."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import draw, record, solve
from searchkit.plugin import InvalidOptionError
from searchkit.testing import check_heuristic, explore
from searchkit.trace import load_recording
from searchkit_dungeon import Grid, Terrain, grid
from searchkit_dungeon.heuristics import hexagons

CELLS = st.tuples(st.integers(0, 6), st.integers(0, 6))


@given(st.lists(st.binary(min_size=7, max_size=7), min_size=7, max_size=7), CELLS, CELLS)
@settings(max_examples=100)
def test_least_costs_are_those_of_the_oracle(rows: list[bytes], start: Any, goal: Any) -> None:
    """Around walls and over terrain; each step leads back."""
    ground = [bytearray((0, 1, 1, 1, 2)[byte % 5] for byte in row) for row in rows]
    for x, y in (start, goal):
        ground[y][x] = 1
    problem: Any = Grid(Terrain([bytes(row) for row in ground]), [start], [goal], 6)
    space = explore(problem)
    least = space.least_cost
    for engine in ("astar", "bidirectional"):
        assert solve(problem, engine).cost == (None if least == float("inf") else least)
    for cell in space.edges:
        for action, other in problem.successors(cell):
            assert (action, cell) in problem.predecessors(other)


@given(CELLS, CELLS)
def test_the_heuristic_is_exact_on_open_floor(start: Any, goal: Any) -> None:
    """So that A* goes straight to the goal."""
    problem: Any = Grid(Terrain([bytes([1] * 7)] * 7), [start], [goal], 6)
    assert solve(problem, "bfs").cost == hexagons(start, goal) == problem.heuristic(start)
    assert check_heuristic(problem).holds


def test_other_heuristics_are_refused() -> None:
    """They count other moves."""
    with pytest.raises(InvalidOptionError, match="heuristic=octile is not one of grids with 6 moves"):
        grid(["S.G"], moves=6, heuristic="octile")
    with pytest.raises(InvalidOptionError, match="heuristic=hexagonal is not one of grids with 4 moves"):
        grid(["S.G"], heuristic="hexagonal")


def test_a_picture_has_hexagons() -> None:
    """Rows are shifted, and the path leads through the middle of each."""
    problem = grid(["S..#.", ".#...", "...#G"], moves=6)
    result = solve(problem)
    svg = draw(problem, result).svg()
    assert svg.count("<polygon") == 15
    assert "<polyline" in svg
    assert str(draw(problem)).split("\n")[:3] == ["S · · █ ·", " · █ · · ·", "· · · █ G"]


def test_a_saved_recording_has_hexagons(tmp_path: Path) -> None:
    """So pictures and the player draw them."""
    record(grid(["S.G"], moves=6), "astar").save(tmp_path / "hexagons.trace")
    ground = load_recording(tmp_path / "hexagons.trace").appearance.ground
    assert ground is not None
    assert ground.hexagonal


def test_machine_code_is_made_from_it() -> None:
    """It is the same search."""
    rows = ["." * 30] * 30
    problem = grid(rows, moves=6, start=(0, 0), goal=(29, 17))
    one, other = (solve(problem, "astar", backend=backend) for backend in ("python", "compiled"))
    assert (one.cost, one.statistics.expanded) == (other.cost, other.statistics.expanded)
