"""Results that are held while others are made and dropped: none of them changes."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest

from searchkit import Search, distance_map, solve
from searchkit.testing.spaces.digraphs import digraph
from searchkit_dungeon import Grid, Terrain, grid, make_grid
from tests.kernels.views import compilable

SIDES = (6, 7, 12)
MOST_HELD = 12
ROUNDS = 60
LEAST_SHARE = 0.3
"""Cells of a map that a draw has to reach."""


def rough(rng: Random, side: int, moves: int, weights: str = "1112300") -> Grid:
    """Return a square map with a start that is not walled in."""
    while True:
        rows = [bytes(int(rng.choice(weights)) for _ in range(side)) for _ in range(side)]
        rows[0], rows[-1] = b"\1" + rows[0][1:], rows[-1][:-1] + b"\1"
        task = make_grid(Terrain(rows), [(0, 0)], [(side - 1, side - 1)], moves=moves)
        if len(distance_map(task, backend="python")) > LEAST_SHARE * side**2:
            return task


def line(rng: Random, form: str) -> Any:
    """Return a line whose states are found by hashing, with shortcuts."""
    edges = [f"{node} -{rng.randint(1, 3)}→ {node + 1}" for node in range(40)]
    edges += [f"{rng.randrange(40)} -{rng.randint(1, 9)}→ {rng.randrange(40)}" for _ in range(20)]
    return compilable(digraph(", ".join(edges), [0], [40], {node: 40 - node for node in range(41)}), form)


def drawn(rng: Random, moves: Sequence[int]) -> tuple[Any, str]:
    """Return a problem and an engine for it.

    With 4 moves alone, which is all that the suite tries, few engines search grids: compiling the others takes seconds,
    and they take the same arrays for rows of edges.
    """
    side, steps, few = rng.choice(SIDES), rng.choice(moves), 8 not in moves
    on_grids = (
        ("bfs", "dijkstra", "astar") if few else ("bfs", "dijkstra", "astar", "bucket", "greedy", "wastar")
    )
    kinds: list[Callable[[], tuple[Any, str]]] = [
        lambda: (rough(rng, side, steps), rng.choice(on_grids)),
        lambda: (rough(rng, side, steps, "110"), "astar" if few or steps == 8 else "zero_one"),
        lambda: (rough(rng, side, 8, "1110"), "jps"),
        lambda: (rough(rng, side, 4, "1110"), "corridor"),
        lambda: (line(rng, rng.choice(("rows", "functions", "two words"))), rng.choice(("bfs", "astar", "idastar"))),
        lambda: (line(rng, "rows"), rng.choice(("bucket", "greedy"))),
    ]  # fmt: skip
    return rng.choice(kinds)()


class Held(NamedTuple):
    """A part of an ended search that is still held, and its contents at first."""

    read: Callable[[], object]
    said: object


def searched(rng: Random, moves: Sequence[int]) -> Held:
    """Search, and return one of the objects that a search leaves behind; nothing else of it is held."""
    problem, engine = drawn(rng, moves)
    search: Search[Any, Any] = Search(problem, engine, backend="compiled")
    result = search.run()
    assert result.cost == solve(problem, engine, backend="python").cost
    tree = search.tree
    ways: list[Callable[[], object]] = [
        partial(lambda held: dict(held.tree.reached), search),
        partial(lambda held: dict(held.reached), tree),
        partial(dict, tree.reached),
    ]
    if tree.closed is not None:
        states, closed = list(tree.reached), tree.closed
        ways.append(lambda: [state in closed for state in states])
    if result.solution is not None:
        ways.append(partial(tree.path_to, result.solution.goal))
    read = rng.choice(ways)
    return Held(read, read())


def mapped(rng: Random, moves: Sequence[int]) -> Held:
    """Return a distance map and the contents of the one made in Python."""
    task = rough(rng, rng.choice(SIDES), rng.choice(moves), rng.choice(("1112300", "110")))
    distances = distance_map(task, backend="compiled")
    return Held(lambda: list(distances.items()), list(distance_map(task, backend="python").items()))


def churn(seed: int, rounds: int) -> None:
    """Make results and drop them in random order; each time, check whether a held one is still right."""
    rng, held = Random(seed), list[Held]()
    moves = (4,) if rounds < ROUNDS else (4, 8)
    for _ in range(rounds):
        held.append(rng.choice((searched, mapped))(rng, moves))
        if len(held) > MOST_HELD or rng.random() < 0.3:
            held.pop(rng.randrange(len(held)))
        if rng.random() < 0.1:
            gc.collect()
        if held:
            chosen = rng.choice(held)
            assert chosen.read() == chosen.said
    for one in held:
        assert one.read() == one.said


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_two_distance_maps_at_once() -> None:
    """The second search does not write over the first, whose run is over."""
    first = distance_map(grid(["S.", ".#"], goal=()), backend="compiled")
    second = distance_map(grid(["..", "#S"], goal=()), backend="compiled")
    third = distance_map(grid(["#.", ".S"], goal=()), backend="compiled")
    assert list(first.items()) == [((0, 0), 0), ((1, 0), 1), ((0, 1), 1)]
    assert list(second.items()) == [((1, 1), 0), ((1, 0), 1), ((0, 0), 2)]
    assert list(third.items()) == [((1, 1), 0), ((1, 0), 1), ((0, 1), 1)]


@pytest.mark.seeds(3)
def test_results_that_are_dropped_in_any_order(seed: int, share: Callable[[int], int]) -> None:
    """Results of several engines, problems and sizes."""
    churn(seed, share(ROUNDS))


@pytest.mark.usefixtures("quick_turns")
def test_results_that_are_held_by_several_threads(share: Callable[[int], int]) -> None:
    """Each thread makes and drops its own; the arrays go from one to the other."""
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(partial(churn, rounds=share(ROUNDS)), range(10, 14)))


@pytest.mark.parametrize(
    "engine",
    [
        *("bfs", "astar", "jps", "corridor"),
        # their records are those of `astar`, and it takes seconds to compile them for grids
        *(pytest.param(engine, marks=pytest.mark.long) for engine in ("bucket", "dijkstra", "greedy")),
    ],
)
def test_arrivals_alone_keep_their_arrays(engine: str) -> None:
    """A mapping of arrivals, held without the rest of its search, still reads the same."""
    rng = Random(3)
    moves = 8 if engine.startswith("jps") else 4
    task = rough(rng, 12, moves, "1110")
    search: Search[Any, Any] = Search(task, engine, backend="compiled")
    search.run()
    reached = search.tree.reached
    before = dict(reached)
    del search
    for _ in range(8):
        solve(rough(rng, 12, moves, "1110"), engine, backend="compiled")
        solve(task.aimed([(0, 0)], [(0, 0)]), engine, backend="compiled")
    assert dict(reached) == before
