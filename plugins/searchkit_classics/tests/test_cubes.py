"""The cubes: published figures, and the pattern databases."""

from collections import Counter
from typing import Any

import pytest

from searchkit import Limits, SearchProblem, distance_map, load, solve
from searchkit.plugin import InvalidOptionError
from searchkit.plugin.places import places_of
from searchkit.testing import check_heuristic, explore
from searchkit_classics.cube import HOME, turned
from searchkit_classics.cube2 import Cube2
from searchkit_classics.cube3 import Cube3

HALF = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
QUARTER = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276]
"""2×2×2 cubes at each distance from solved: OEIS A079761 and A079762."""
SEARCHED: dict[str, list[int]] = {"half": HALF, "quarter": QUARTER}


def levels(problem: SearchProblem[Any, Any], most: int) -> list[int]:
    """Return the number of states at each distance from the start, up to `most`."""
    reached = set(problem.initial_states())
    newest, counts = list(reached), [len(reached)]
    for _ in range(most):
        after = {state for before in newest for _, state in problem.successors(before)} - reached
        reached |= after
        newest = list(after)
        counts.append(len(newest))
    return counts


@pytest.mark.parametrize(("metric", "most"), [("half", 4), ("quarter", 5)])
def test_the_first_levels_of_the_small_cube(metric: str, most: int) -> None:
    """All levels are in a longer test."""
    assert levels(Cube2("", metric=metric), most) == SEARCHED[metric][: most + 1]


@pytest.mark.long
@pytest.mark.parametrize("metric", SEARCHED)
def test_all_small_cubes(metric: str) -> None:
    """3,674,160 states: 2,644 are 11 half turns away from solved, and 276 are 14 quarter turns away."""
    counts = Counter(distance_map(Cube2("", metric=metric)).values())
    assert [counts[distance] for distance in range(len(counts))] == SEARCHED[metric]


def test_the_first_levels_of_the_large_cube() -> None:
    """Positions; and sequences of turns if a state knows the last face (Korf 1997)."""
    assert levels(Cube3("", pruned=False), 3) == [1, 18, 243, 3240]
    assert levels(Cube3(""), 3) == [1, 18, 243, 3240]


@pytest.mark.long
def test_more_levels_of_the_large_cube() -> None:
    """Some sequences of four turns lead to the same position."""
    assert levels(Cube3("", pruned=False), 4)[4] == 43239
    assert levels(Cube3(""), 4)[4] == 43254


@pytest.mark.parametrize(
    ("turns", "order"), [("R", 4), ("R2", 2), ("R U", 105), ("R U R' U'", 6), ("R L", 4)]
)
def test_how_often_turns_are_repeated_to_undo_them(turns: str, order: int) -> None:
    """105 for R U, on the 3×3×3 cube."""
    places, repeated = HOME, 0
    while not repeated or places != HOME:
        places, repeated = turned(places, tuple(turns.split())), repeated + 1
    assert repeated == order


def test_turns_go_clockwise() -> None:
    """A turn of the right face takes its front to the top: drawn, the unfolded cube shows green there."""
    ground = places_of(Cube3("R")).ground
    assert ground is not None
    top = [row[4:7] for row in ground.rows[:3]]
    assert top == ["UUF"] * 3
    small = places_of(Cube2("R U")).ground
    assert small is not None
    assert [row[3:5] for row in small.rows[:2]] == ["UU", "FF"]


def test_turns_are_undone_by_the_predecessors() -> None:
    """In each metric, whether or not a state knows the last face."""
    for metric in ("half", "quarter"):
        for problem in (
            Cube2("3", metric=metric),
            Cube3("3", metric=metric),
            Cube3("3", metric=metric, pruned=False),
        ):
            space = explore(problem, 20)
            for state in space.edges:
                for action, after in problem.successors(state):
                    assert (action, state) in list(problem.predecessors(after))
                for action, before in problem.predecessors(state):
                    assert (action, state) in list(problem.successors(before))


def test_backends_agree() -> None:
    """The cubes are translated; cost, path and counters are those of Python."""
    for problem, engine in ((Cube2("4"), "astar"), (Cube3("3"), "idastar")):
        python, compiled = (solve(problem, engine, backend=backend) for backend in ("python", "compiled"))
        assert compiled.backend == "compiled"
        assert compiled.solution == python.solution
        assert compiled.statistics.expanded == python.statistics.expanded


def test_heuristics_never_overestimate() -> None:
    """On the group of half turns, and around the solved cube."""
    assert check_heuristic(Cube2("R2 U2 F2", metric="square")).holds
    assert check_heuristic(Cube3("R2 U2 F2", metric="square", faces="URF")).holds
    problem = Cube3("")
    for state, distance in distance_map(problem, limits=Limits(expansions=300)).items():
        assert problem.heuristic(state) <= distance


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scramble": "R X"}, r"scramble=R X: X is not a possible turn; .* such as U U2 U'"),
        ({"scramble": "R", "metric": "square"}, "R is not a possible turn"),
        ({"scramble": "1001"}, "1001 is not a possible turn"),
        ({"scramble": "R " * 1001}, "1,001 turns; expected at most 1,000"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, str], message: str) -> None:
    """The error says what was expected, for both cubes."""
    for kind in ("cube2", "cube3"):
        with pytest.raises(InvalidOptionError, match=message):
            load(kind, **options)
    with pytest.raises(InvalidOptionError, match="faces=X: expected some of URFDLB"):
        Cube3(faces="X")
