"""Generated maps: the same for the same seed, solvable at once, and of the requested kind."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from searchkit import Status, distance_map, solve
from searchkit.plugin import GeneratorSpec, InvalidOptionError, UnknownNameError
from searchkit_dungeon import Cell, GenerationError, Grid, grid
from searchkit_dungeon.generators import CAVES, DUNGEON, GENERATORS, MAZE, RANDOM
from searchkit_dungeon.generators.spanning_trees import ALGORITHMS
from searchkit_dungeon.tests.generated import caves, dungeons, mazes

SEEDS = st.integers(0, 2**32 - 1)
PLENTY = settings(max_examples=1000, derandomize=True, database=None, phases=[Phase.generate])


def floor_of(problem: Grid) -> set[Cell]:
    """Return the cells that can be entered."""
    terrain = problem.terrain
    return {cell for cell in terrain.cells if cell in terrain and terrain.weight(cell)}


def connected(problem: Grid) -> bool:
    """Whether straight steps lead from the start to all of the floor."""
    return set(distance_map(problem)) == floor_of(problem)


def leaks(problem: Grid) -> list[Cell]:
    """Return the cells of floor that touch another by a corner alone."""
    floor = floor_of(problem)
    corners = [(1, 1), (-1, 1)]
    return [
        (x, y)
        for x, y in floor
        for dx, dy in corners
        if (x + dx, y + dy) in floor and (x + dx, y) not in floor and (x, y + dy) not in floor
    ]


FINGERPRINTS = {
    "dungeon": "4d76809a3421a864",
    "maze": "b0beaa747ca1ed4f",
    "random": "8dbb89600ea837a5",
    "caves": "5dd2dc82221acb22",
}
"""The digests of the maps with seed 7 and no other option. They change only if a generator changes."""


@pytest.mark.parametrize("spec", GENERATORS, ids=lambda spec: spec.name)
def test_the_same_seed_makes_the_same_map_everywhere(spec: GeneratorSpec) -> None:
    """It is the one made when this was written, on another machine; another seed makes another."""
    text = spec.generate(seed=7)
    assert sha256(text.encode()).hexdigest()[:16] == FINGERPRINTS[spec.name]
    assert spec.generate(seed=8) != text
    assert spec.generate() != spec.generate()


@pytest.mark.parametrize("spec", GENERATORS, ids=lambda spec: spec.name)
@given(seed=SEEDS)
@settings(max_examples=15)
def test_a_map_is_solved_at_once(spec: GeneratorSpec, seed: int) -> None:
    """It has the requested size, one S and one G, and a path between them."""
    rooms = {"rooms": "4", "room_size": "9-20"} if spec is DUNGEON else {}
    text = spec.generate(size="31x23", seed=seed, **rooms)
    assert [len(row) for row in text.split("\n")] == [31] * 23 + [0]
    assert (text.count("S"), text.count("G"), set(text)) == (1, 1, set("#.SG\n"))
    result = solve(grid(text))
    assert result.status is Status.SOLVED
    assert result.cost is not None
    assert result.cost >= max(distance_map(grid(text)).values())


@given(dungeons())
def test_dungeons_hang_together(problem: Grid) -> None:
    """All of it can be reached, none of it by a corner alone, and walls close it on all sides."""
    assert connected(problem)
    assert not leaks(problem)
    terrain = problem.terrain
    assert all(0 < x < terrain.width - 1 and 0 < y < terrain.height - 1 for x, y in floor_of(problem))
    cutting = Grid(terrain, problem.starts, problem.goals, 8, "cut")
    assert distance_map(cutting).keys() == distance_map(problem).keys()


@given(caves())
def test_caves_hang_together(problem: Grid) -> None:
    """As dungeons do."""
    assert connected(problem)
    assert not leaks(problem)


@given(mazes())
def test_mazes_hang_together(problem: Grid) -> None:
    """There are no open squares in them."""
    floor = floor_of(problem)
    assert connected(problem)
    assert not leaks(problem)
    assert not any({(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= floor for x, y in floor)


def passages(problem: Grid) -> int:
    """Return how many pairs of neighbouring cells there are."""
    return sum(len(problem.successors(cell)) for cell in floor_of(problem)) // 2


def dead_ends(problem: Grid) -> int:
    """Return how many cells have one neighbour."""
    return sum(len(problem.successors(cell)) == 1 for cell in floor_of(problem))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@given(seed=SEEDS)
@settings(max_examples=20)
def test_perfect_and_braided_mazes(algorithm: str, seed: int) -> None:
    """Perfect mazes have one path between any two cells. With braid 1 there are no dead ends, so there are loops."""
    perfect = grid(MAZE.generate(size="25x17", algorithm=algorithm, seed=seed))
    assert passages(perfect) == len(floor_of(perfect)) - 1
    assert dead_ends(perfect) >= 2
    half = grid(MAZE.generate(size="25x17", algorithm=algorithm, braid=0.5, seed=seed))
    braided = grid(MAZE.generate(size="25x17", algorithm=algorithm, braid=1, seed=seed))
    assert 0 == dead_ends(braided) < dead_ends(half) < dead_ends(perfect)
    assert passages(braided) >= len(floor_of(braided))


@pytest.mark.parametrize("density", [0, 0.1, 0.25, 0.4])
def test_the_density_of_walls(density: float) -> None:
    """Exactly that part of the cells is wall."""
    problem = grid(RANDOM.generate(size=(40, 25), density=density, seed=1))
    assert 1000 - problem.terrain.passable == 1000 * density


WRONG: list[tuple[GeneratorSpec, dict[str, Any], type[Exception], str]] = [
    (MAZE, {"size": "64"}, InvalidOptionError, "size=64: expected WIDTHxHEIGHT in cells, such as 64x56"),
    (MAZE, {"size": "64x"}, InvalidOptionError, "expected WIDTHxHEIGHT"),
    (MAZE, {"size": (64, 56, 2)}, InvalidOptionError, "expected WIDTHxHEIGHT"),
    (MAZE, {"size": "4x9"}, InvalidOptionError, "expected a width and a height from 5 to 10000 cells"),
    (MAZE, {"size": "9x99999"}, InvalidOptionError, "expected a width and a height from 5 to 10000 cells"),
    (MAZE, {"braid": "1.5"}, InvalidOptionError, "expected a number from 0 to 1"),
    (MAZE, {"braid": "nan"}, InvalidOptionError, "expected a number from 0 to 1"),
    (MAZE, {"braid": "all"}, InvalidOptionError, "expected a number from 0 to 1"),
    (MAZE, {"algorithm": "eller"}, InvalidOptionError, "expected one of backtracker, kruskal,"),
    (MAZE, {"seed": "x"}, InvalidOptionError, "expected a whole number, at least 0"),
    (MAZE, {"seed": 1.5}, InvalidOptionError, "expected a whole number, at least 0"),
    (MAZE, {"seed": -1}, InvalidOptionError, "expected a whole number, at least 0"),
    (MAZE, {"rooms": 3}, UnknownNameError, "generator 'maze' has no option 'rooms'; its options are size, "),
    (DUNGEON, {"rooms": 0}, InvalidOptionError, "expected a whole number, at least 1"),
    (DUNGEON, {"room_size": "90-60"}, InvalidOptionError, "the least comes first; did you mean 60-90?"),
    (DUNGEON, {"room_size": "0-60"}, InvalidOptionError, "expected at least 1 cell"),
    (DUNGEON, {"room_size": "big"}, InvalidOptionError, "expected LEAST-MOST in cells, such as 60-90"),
    (DUNGEON, {"shape": "star"}, InvalidOptionError, "expected one of mixed, rectangle, round, rough"),
    (
        RANDOM,
        {"density": 1},
        GenerationError,
        "with density=1 no cell of 64x32 is left; ask for a lower density",
    ),
    (RANDOM, {"density": 0.5, "size": "2x1"}, GenerationError, "no two cells of floor that are connected"),
    (CAVES, {"density": 0.9}, GenerationError, "there is no cavern of 12 cells in a map of 64x32"),
]


@pytest.mark.parametrize(
    ("spec", "options", "kind", "message"),
    WRONG,
    ids=[f"{spec.name}-{options}" for spec, options, *_ in WRONG],
)
def test_wrong_options(
    spec: GeneratorSpec, options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    """The error says what was expected."""
    with pytest.raises(kind) as caught:
        spec.generate(**{"seed": 1} | options)
    assert message in str(caught.value)


def test_rooms_that_do_not_fit() -> None:
    """The error says how many rooms fit, and that many rooms are possible."""
    with pytest.raises(
        GenerationError,
        match=(
            "30 rooms of 40-40 cells do not fit into a map of 30x30 with a gap of 1: "
            r"in 12 attempts no more than \d+ did; ask for fewer or smaller rooms, or for a larger map"
        ),
    ) as caught:
        DUNGEON.generate(size="30x30", rooms=30, room_size=40, gap=1, seed=5)
    fitting = int(str(caught.value).split("no more than ")[1].split()[0])
    assert 8 <= fitting <= 19
    assert DUNGEON.generate(size="30x30", rooms=fitting, room_size=40, gap=1, seed=5)


KINDS = {
    "dungeon": (dungeons(), lambda problem: problem.terrain.passable > 50),
    "maze with loops": (mazes(), lambda problem: passages(problem) >= problem.terrain.passable),
    "perfect maze": (mazes(), lambda problem: passages(problem) < problem.terrain.passable > 30),
    "caves": (caves(), lambda problem: problem.terrain.passable > 100),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_strategies_draw_all_kinds(name: str) -> None:
    """Otherwise property tests over them would test nothing."""
    strategy, condition = KINDS[name]
    assert isinstance(find(strategy, condition, settings=PLENTY), Grid)
