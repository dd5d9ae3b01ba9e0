"""The grid problem against its definition: steps, costs, heuristic, predecessors, starts and goals."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from math import inf, sqrt
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from searchkit import Relaxable, Reversible, Status, solve
from searchkit.plugin import InvalidOptionError, InvalidProblemError
from searchkit.testing import CheckFailure, check_heuristic
from searchkit_dungeon import Cell, Grid, Terrain, grid
from searchkit_dungeon.heuristics import HEURISTICS, distance_to_nearest
from searchkit_dungeon.strategies import grids
from searchkit_dungeon.terrain import DIAGONAL

ORDER = ["N", "E", "S", "W", "NE", "SE", "SW", "NW"]
MOVED = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}


def cells_of(problem: Grid) -> dict[Cell, int]:
    """Return the passable cells and their weights."""
    terrain = problem.terrain
    every = ((x, y) for y in range(terrain.height) for x in range(terrain.width))
    return {cell: terrain.weight(cell) for cell in every if terrain.weight(cell)}


def steps_by_definition(problem: Grid) -> Iterator[tuple[Cell, str, Cell, float]]:
    """Yield each step (cell, direction, cell, cost), found cell by cell."""
    weights = cells_of(problem)
    for x, y in weights:
        for name in ORDER[: problem.moves]:
            dx, dy = MOVED[name]
            beside = {(x + dx, y), (x, y + dy)} if dx and dy else set()
            free = len(beside & weights.keys()) - len(beside)
            if (x + dx, y + dy) in weights and free >= {"no": 0, "one": -1, "cut": -2}[problem.corners]:
                length = sqrt(2) if dx and dy else 1
                yield (x, y), name, (x + dx, y + dy), weights[x + dx, y + dy] * length


def least_cost_by_definition(problem: Grid) -> float:
    """Return the least cost from a start to a goal: Bellman and Ford's algorithm over the steps above."""
    steps = list(steps_by_definition(problem))
    distance = dict.fromkeys(cells_of(problem), inf) | dict.fromkeys(problem.starts, 0.0)
    for _ in distance:
        for before, _, after, cost in steps:
            distance[after] = min(distance[after], distance[before] + cost)
    return min((distance[goal] for goal in problem.goals), default=inf)


@given(grids())
def test_successors_and_costs_are_those_of_the_definition(problem: Grid) -> None:
    """Exactly the possible steps, in the documented order, at their costs."""
    expected: dict[Cell, list[tuple[str, Cell]]] = {cell: [] for cell in cells_of(problem)}
    for before, name, after, cost in steps_by_definition(problem):
        expected[before].append((name, after))
        assert problem.cost(before, name, after) == pytest.approx(cost, rel=1e-10)
    for cell, steps in expected.items():
        assert problem.successors(cell) == steps


@given(grids())
def test_predecessors_are_the_inverse_of_successors(problem: Grid) -> None:
    """(action, p) is a predecessor of s if and only if (action, s) is a successor of p."""
    assert isinstance(problem, Reversible)
    cells = cells_of(problem)
    forwards = {(before, name, after) for before in cells for name, after in problem.successors(before)}
    backwards = [(before, name, after) for after in cells for name, before in problem.predecessors(after)]
    assert len(backwards) == len(set(backwards))
    assert forwards == set(backwards)


@given(grids(), st.sampled_from(["astar", "bucket", "dijkstra", "bidirectional"]))
def test_engines_find_the_least_cost(problem: Grid, engine: str) -> None:
    """Several starts, several goals, weights, unsolvable maps: the cost is that of the definition."""
    result = solve(problem, engine)
    best = least_cost_by_definition(problem)
    assert result.status is (Status.UNSOLVABLE if best == inf else Status.SOLVED)
    assert not result.warnings
    assert result.statistics.reopened == 0
    if result.solution is not None:
        assert result.cost == pytest.approx(best, rel=1e-9)
        assert result.optimal
        assert result.solution.start in problem.starts
        assert result.solution.goal in problem.goals


@given(grids(most_goals=12))
def test_the_heuristic_is_consistent_to_the_last_bit(problem: Grid) -> None:
    """h(s) ≤ cost + h(s'), exactly, for every step, and h is 0 at goals: so it is admissible."""
    for cell in cells_of(problem):
        h = Fraction(problem.heuristic(cell))
        assert h >= 0
        assert not problem.is_goal(cell) or h == 0
        for name, after in problem.successors(cell):
            assert h <= Fraction(problem.cost(cell, name, after)) + Fraction(problem.heuristic(after))


def test_costs_in_small() -> None:
    """Weights count on entering, times √2 on a diagonal; integers stay integers."""
    cost = solve(grid("S39G")).cost
    assert cost == 13
    assert isinstance(cost, int)
    assert solve(grid(["S.", ".5", "..", "G."])).cost == 3
    assert solve(grid(["S#", "#G"], moves=8, corners="cut")).cost == DIAGONAL
    assert solve(grid(["S.", ".4"], moves=8, goal=(1, 1))).cost == 5
    assert solve(grid(["S4", "44"], moves=8, goal=(1, 1))).cost == 4 * DIAGONAL


def test_corners() -> None:
    """A diagonal step needs both cells beside it, or one, or neither."""
    costs = {
        corners: [
            solve(grid(rows, moves=8, corners=corners)).cost
            for rows in (["S.", ".G"], ["S#", ".G"], ["S#", "#G"])
        ]
        for corners in ("no", "one", "cut")
    }
    assert costs == {
        "no": [DIAGONAL, 2, None],
        "one": [DIAGONAL, DIAGONAL, None],
        "cut": [DIAGONAL, DIAGONAL, DIAGONAL],
    }
    with pytest.raises(InvalidOptionError, match=r"corners=never: .*xpected one of no, one, cut"):
        Grid(Terrain([b"\1"]), [(0, 0)], corners="never")
    with pytest.raises(InvalidOptionError, match=r"heuristic=best: .*xpected one of manhattan, octile"):
        Grid(Terrain([b"\1"]), [(0, 0)], heuristic="best")


METRICS = st.sampled_from([name for name in HEURISTICS if name != "hexagonal"])


@given(grids(), METRICS, st.sampled_from(["real", "whole"]))
def test_every_admissible_heuristic_finds_the_least_cost(problem: Grid, heuristic: str, lengths: str) -> None:
    """Without a warning; `manhattan` with 8 moves overestimates, and may find a dearer path."""
    assume(problem.moves == 4 or heuristic != "manhattan")
    chosen = Grid(
        problem.terrain, problem.starts, problem.goals, problem.moves, problem.corners, lengths, heuristic
    )
    result, best = solve(chosen, "astar"), solve(chosen, "dijkstra")
    assert (result.cost, result.warnings, result.statistics.reopened) == (best.cost, (), 0)
    for cell in cells_of(chosen):
        values = [
            distance_to_nearest(
                chosen.goals, chosen.moves, chosen.terrain.least_weight, chosen.step_lengths, name
            )(cell)
            for name in ("manhattan", "octile", "euclidean", "chebyshev", "zero")
        ]
        assert values == sorted(values, reverse=True)
        assert values[
            ["manhattan", "octile", "euclidean", "chebyshev", "zero"].index(heuristic)
        ] == chosen.heuristic(cell)


def test_manhattan_overestimates_with_diagonal_moves() -> None:
    """A* then returns a path that costs too much, and the audit of heuristics shows it."""
    rows = ["S....", ".###.", "...#.", ".#.#.", "...#G"]
    wrong = grid(rows, moves=8, corners="cut", heuristic="manhattan")
    with pytest.raises(CheckFailure, match=r"heuristic='manhattan'"):
        check_heuristic(wrong)
    assert check_heuristic(grid(rows, moves=8, corners="cut", heuristic="euclidean")).holds


@pytest.mark.parametrize(
    ("starts", "goals", "message"),
    [
        ([(1, 0)], [], r"the start \(1, 0\) is inside a wall"),
        ([(0, 0)], [(5, 5)], r"the goal \(5, 5\) is off the map, which is 3 wide and 1 high"),
        ([(-1, 0)], [], r"the start \(-1, 0\) is off the map"),
        ([0], [], r"the start 0 is not a cell; expected a pair \(x, y\)"),
        ([(0, 0)], ["G"], r"the goal G is not a cell; expected a pair \(x, y\)"),
    ],
)
def test_cells_nobody_can_stand_in(starts: list[Any], goals: list[Any], message: str) -> None:
    """A problem made in Python is checked like one from a file."""
    with pytest.raises(InvalidProblemError, match=message):
        Grid(Terrain([bytes([1, 0, 1])]), starts, goals)


@pytest.mark.parametrize("rows", [[], [b""], [b"\1\1", b"\1"]])
def test_a_terrain_has_cells_and_rows_of_one_length(rows: list[bytes]) -> None:
    """Anything else is refused."""
    with pytest.raises(InvalidProblemError, match="expected one length"):
        Terrain(rows)


@given(grids(size=10))
def test_regions_are_blocks_and_neighbours_the_blocks_that_a_step_leads_to(problem: Grid) -> None:
    """Exactly those, for all moves and corner rules; each goal is in a goal region."""
    assert isinstance(problem, Relaxable)
    beside: dict[Hashable, set[Hashable]] = {}
    for cell in cells_of(problem):
        assert problem.region(cell) == (cell[0] // 4, cell[1] // 4)
        beside.setdefault(problem.region(cell), set())
    for before, _, after, _ in steps_by_definition(problem):
        if problem.region(before) != problem.region(after):
            beside[problem.region(before)].add(problem.region(after))
    for region, expected in beside.items():
        found = list(problem.neighbours(region))
        assert set(found) == expected
        assert len(found) == len(expected)
    assert set(problem.goal_regions()) == {problem.region(goal) for goal in problem.goals}
