"""Worked examples: what the phases do, and the known weaknesses of `fast`."""

import pytest

from searchkit import problem_from
from searchkit.plugin import InvalidProblemError
from searchkit_corridor import CorridorGrid, corridor_grid, relax
from searchkit_corridor.tests.test_invariants import VARIANTS, phases, run, walk


def serpentine(cell: int, blocks: int) -> CorridorGrid:
    """Return a serpentine of runs up and down in a row of blocks, and above it a straight path parallel to it.

    The straight path lies outside the first corridor, which ends in a false passage just before the goal. It begins
    next to the start, and both paths meet next to the goal.
    """
    length, top, bottom = cell * blocks - 3, cell + 1, 2 * cell - 1
    rows = [["#"] * (cell * blocks + cell) for _ in range(2 * cell)]
    for x in range(cell * blocks + 1):
        rows[cell - 1][x] = "."
    for x in range(0, length, 2):
        for y in range(top, bottom + 1):
            rows[y][x] = "."
        if x + 2 < length:
            rows[bottom if x % 4 == 0 else top][x + 1] = "."
    last = (length - 1) // 2 * 2
    rows[cell][0] = rows[cell][last] = "."
    rows[cell][cell * blocks] = "."
    rows[bottom][cell * blocks - 1] = rows[bottom][cell * blocks] = "."  # the false passage
    return corridor_grid(
        ["".join(row) for row in rows], cell=cell, start=[(0, top)], goal=[(cell * blocks, cell)]
    )


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("learn", [True, False])
def test_a_start_outside_the_first_corridor_is_deferred_not_dropped(variant: str, learn: bool) -> None:
    """The path from the start of the corridor turns out to be blocked, and the other start has one."""
    rows = ["S#.G............", ".#.#............", "##.#............", "..S............."]
    # Blocks of 4 x 4: the start on the left is in the goal's block, and walled in.
    problem = corridor_grid(
        [*rows, *["#" * 15 + "."] * 4, "." * 16], cell=4, start=[(0, 0), (0, 8)], goal=[(3, 0)]
    )
    result = run(problem, variant=variant, radius=0, learn=learn)
    assert result.solution is not None
    assert result.solution.start == (0, 8)
    assert len(phases(result)) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_coarse_path_is_not_no_path(variant: str) -> None:
    """A region graph that lacks an edge sends the search to the fall-back, which finds the path."""
    line = problem_from([0], lambda x: [(1, x + 1)] if x < 9 else [], lambda x: x == 9)
    torn = relax(line, lambda x: x // 3, {0: [1]}, goal_regions=[3])
    result = run(torn, variant=variant)
    assert result.cost == 9
    assert result.details["fall-back"] is True
    assert [phase.kind for phase in phases(result)] == ["unrestricted"]


def test_learning_plans_around_regions_that_do_not_connect() -> None:
    """A wall inside a column of blocks, open at its end: new corridors lead along it, and rings open everything."""
    row = "." * 44 + "#" + "." * 35
    problem = corridor_grid([row] * 39 + ["." * 80], cell=8, start=[(0, 20)], goal=[(79, 20)])
    learned, rings = (run(problem, learn=learn, radius=0) for learn in (True, False))
    walk(problem, learned)
    assert {phase.kind for phase in phases(learned)[1:]} == {"replan"}
    assert {phase.kind for phase in phases(rings)[1:]} == {"ring"}
    assert learned.statistics.expanded < rings.statistics.expanded


def test_fast_can_be_32_times_too_long() -> None:
    """A documented limit: the end of the serpentine, searched without success, is resumed with its beginning."""
    problem = serpentine(cell=68, blocks=3)
    options = {"radius": 0, "learn": False}
    fast, optimal = (run(problem, variant=variant, **options) for variant in ("fast", "optimal"))
    assert fast.cost is not None
    assert optimal.cost is not None
    assert fast.cost >= 32 * optimal.cost
    assert optimal.optimal
    assert fast.lower_bound <= optimal.cost
    assert fast.details["gap"] == fast.cost - fast.lower_bound


def test_relax_needs_to_know_where_the_goals_are() -> None:
    """A problem that can't list its goals can be relaxed only with `goal_regions`."""
    line = problem_from([0], lambda x: [(1, x + 1)], lambda x: x == 9)
    with pytest.raises(InvalidProblemError, match="give goal_regions"):
        relax(line, lambda x: x // 3, lambda r: [r + 1])


def test_depth_and_corridor_together() -> None:
    """The shipped river: the deepest path keeps depth 2, although a shorter one exists."""
    rows = ["S11111G", "2#####2", "2223222"]
    result = run(corridor_grid(rows, cell=2, depth="digits"), variant="proved")
    assert (result.cost, result.details["depth"], result.lower_bound) == (10, 2, 6)
    deep = corridor_grid(
        ["2111112", "2#####2", "2223222"], cell=2, depth="digits", start=[(0, 0)], goal=[(6, 0)]
    )
    result = run(deep, variant="proved")
    assert result.details["depth"] == 2
    assert result.cost == 10
    assert result.lower_bound == 6


def test_clearance_keeps_off_the_shore() -> None:
    """Depth 2 is two steps from the nearest wall or edge."""
    problem = corridor_grid(["......."] * 5, cell=2, depth="clearance", start=[(1, 2)], goal=[(5, 2)])
    assert problem.regions.depth is not None
    assert [problem.regions.depth((x, 2)) for x in range(7)] == [1, 2, 3, 3, 3, 2, 1]
    result = run(problem)
    assert result.details["depth"] == 2
    assert result.cost == 4
