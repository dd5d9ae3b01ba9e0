"""Machine code for jump point search, run by Python: it finds what the engines in Python find, tie for tie.

Maps are wider than the words that runs are scanned in, and arrays have room for one expansion and for no more.
"""

from inspect import signature
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search
from searchkit.compiled.kit import control
from searchkit.plugin import InputFormatError
from searchkit.tree import SearchTree
from searchkit_dungeon import Grid, Terrain, make_grid
from searchkit_dungeon.jumps import making
from searchkit_dungeon.jumps.table import LANDMARKS, JumpTable
from searchkit_dungeon.terrain import LENGTHS, OFFSETS
from tests.kernels.interpreted import Interpreted, interpreted

pytestmark = interpreted
COMPILED = "searchkit_dungeon.jumps.compiled."
SMALL = Interpreted(
    {f"{COMPILED}arrivals": {"FIRST_ROOM": "1"}, f"{COMPILED}tables": {"FIRST_ROOM": "9", "PIECE": "7"}}
)
ARRIVALS, DRIVING, JPS, JPS_PLUS, STOPS, TABLED, TABLES = (
    SMALL.module(COMPILED + name)
    for name in ("arrivals", "driving", "jps", "jps_plus", "stops", "tabled", "tables")
)
FORMS = {"jps": JPS.JumpPointSearch, "jps+": JPS_PLUS.JumpPointSearchPlus}
SEEDS = st.integers(0, 2**32).map(Random)


def room(rng: Random, width: int, height: int, walls: float) -> Grid:
    """Return a grid with several starts and goals, or none, on a terrain that no other search has used."""
    rows = [bytearray(rng.random() >= walls for _ in range(width)) for _ in range(height)]
    cells = rng.sample(list(product(range(width), range(height))), 5)
    for x, y in cells:
        rows[y][x] = 1
    starts, goals = cells[: rng.choice((1, 1, 2))], cells[2 : 2 + rng.choice((0, 1, 1, 2, 3))]
    return make_grid(Terrain([bytes(row) for row in rows]), starts, goals, 8, rng.choice(("no", "cut")))


class Watched:
    """A kernel that is called for one expansion at a time, each time with arrays that are full, too."""

    def __init__(self, kernel: Any):
        self.kernel, self.takes = kernel, signature(kernel)
        self.refused: set[str] = set()
        """What was one place too short in some call."""

    def __call__(self, *arguments: Any) -> Any:
        given = dict(self.takes.bind(*arguments).arguments)
        counters, wanted = given["counters"], given["expansions"]
        why = self.kernel(**{**given, "expansions": 0})
        if why != control.WORKED or wanted == 0:
            return why
        places = self.places(given)
        if any(size > len(self.array(given, name)) for name, size in places.items()):
            return self.kernel(**given)
        for name, size in places.items():
            short = {
                **given,
                **self.cut(given, {name: size - 1}),
                "counters": counters.copy(),
                "expansions": 1,
            }
            assert (self.kernel(**short), short["counters"][DRIVING.EXPANDED]) == (control.FULL, 0), name
            self.refused.add(name)
        why = self.kernel(**{**given, **self.cut(given, places), "expansions": 1})
        assert counters[DRIVING.EXPANDED] == 1
        return why

    @staticmethod
    def places(given: dict[str, Any]) -> dict[str, int]:
        """Return how many places each array has to have for the next expansion."""
        counters = given["counters"]
        places = {"queue": counters[DRIVING.SIZE] + 8, "records": counters[DRIVING.COUNT] + 8}
        if "pushes" in given:  # all cells of a run have records
            places["pushes"] = counters[DRIVING.PUSHED] + 8
            places["records"] = counters[DRIVING.COUNT] + 8 * given["ground"].longest
        return places

    @staticmethod
    def array(given: dict[str, Any], name: str) -> Any:
        """Return an array that may be full."""
        return given[name].entries if name == "queue" else given[name]

    def cut(self, given: dict[str, Any], places: dict[str, int]) -> dict[str, Any]:
        """Return the arrays with so many places each, in the same memory."""
        parts = {name: self.array(given, name)[:size] for name, size in places.items()}
        return {
            name: given[name]._replace(entries=part) if name == "queue" else part
            for name, part in parts.items()
        }


def compare(engine: str, problem: Grid, step: int) -> None:
    """Run the machine code by Python and the engine in Python, `step` expansions at a time."""
    python = Search(problem, engine, backend="python")
    tree: SearchTree[Any, Any] = SearchTree()
    run = FORMS[engine](problem, tree)
    while not python.ended:
        python.run(Limits(expansions=step))
        while not run.ended and not (run.settled and tree.expanded >= python.tree.expanded):
            tree.expanded += run.advance(python.tree.expanded - tree.expanded)
        for name in ("expanded", "generated", "peak_frontier", "lower_bound", "found"):
            assert getattr(tree, name) == getattr(python.tree, name), name
        assert dict(tree.reached) == dict(python.tree.reached)
        assert run.ended == python.ended
        assert run.ended or run.state == python.next_state
    for cell in list(tree.reached)[:: 1 + len(tree.reached) // 3]:
        trail = run.arrivals.path_to(cell)
        for before, action, after in zip(trail.states, trail.actions, trail.states[1:], strict=False):
            assert (action, after) in problem.successors(before)
        assert trail.states[-1] == cell


@pytest.mark.parametrize("engine", FORMS)
def test_searches(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same counters and arrivals; one place too few ends a slice before the expansion, as many as needed do not."""
    module = {"jps": JPS, "jps+": JPS_PLUS}[engine]
    kernel = Watched(module._search)
    monkeypatch.setattr(module, "_search", kernel)
    for seed in range(30):
        rng = Random(seed)
        width, height = rng.choice(((9, 9), (16, 12), (70, 3)))
        compare(engine, room(rng, width, height, rng.choice((0.05, 0.2, 0.35))), rng.choice((1, 2, 1000)))
    assert kernel.refused == {"queue", "records", *(["pushes"] if engine == "jps" else [])}


@given(SEEDS)
@settings(max_examples=400)
def test_straight_runs_over_several_words(rng: Random) -> None:
    """In rows and in columns: to a stop in the same word, in the next one and in the one after."""
    width, height = rng.choice(((200, 3), (3, 200), (64, 2), (2, 63), (129, 1), (1, 127)))
    problem: Any = room(rng, width, height, rng.choice((0.003, 0.01, 0.1)))
    terrain, plain = problem.terrain, problem.jump_map()
    space = STOPS.JumpSpace(terrain, problem.corners)
    space.mark(problem.goals)
    weights = np.frombuffer(terrain.weights, np.uint8)
    ends = {0, 1, 61, 62, 63, 64, 65, 126, 127, 128, 199}
    for x, y in product(*({*ends, *rng.sample(range(size), min(size, 9))} for size in (width, height))):
        if x < width and y < height and terrain.weight((x, y)):
            for code, name in enumerate(list(OFFSETS)[:4]):
                found = STOPS.straight(space.stops, weights, terrain.stride, np.int64(x), np.int64(y), code)
                assert found == plain.run((x, y), name)


def test_goals_that_are_marked_no_longer() -> None:
    """Two goals may share a word: after the next ones are marked, runs pass both."""
    space = STOPS.JumpSpace(Terrain([bytes([1] * 9)] * 9), "no")
    before = [array.copy() for array in space.stops[:4]]
    space.mark([(2, 3), (4, 3), (4, 6), (2, 3)])
    assert not any(map(np.array_equal, space.stops, before))
    assert space.goals.sum() == 3
    space.mark([])
    assert all(map(np.array_equal, space.stops, before))
    assert not space.goals.any()


@given(SEEDS)
@settings(max_examples=400)
def test_bounds_by_landmarks(rng: Random) -> None:
    """The heuristic is that in Python for each cell, whichever landmark gives it."""
    problem: Any = room(rng, 12, 12, 0.35)
    run, jumps = FORMS["jps+"](problem, SearchTree()), problem.tabled_jumps()
    for x, y in problem.terrain.cells:
        if (x, y) in problem.terrain:
            found = TABLED.estimate(run.ground, run.goals, x, y)
            assert found == max(problem.heuristic((x, y)), jumps.landmark_heuristic((x, y)))


def test_each_landmark_counts() -> None:
    """Each of them may be the one that gives the bound."""
    terrain, goals = Terrain([bytes([1] * 5)] * 5), [(2, 2)]
    for landmark in range(LANDMARKS):
        data = memoryview(bytearray(64 * len(terrain.weights)))
        table = JumpTable(data)
        data.cast("I")[4 + landmark] = 9 << 16
        ground = TABLED.Ground(np.frombuffer(data, np.int16), np.frombuffer(data, np.uint32), data, None, 6)
        empty = np.zeros((0, 4), np.int64)
        each = TABLED.Goals(np.array(goals), *np.empty((2, LANDMARKS), np.int64), empty)
        TABLED.aim(ground, each, np.zeros((0, 2), np.int64), None, None, None, None)
        assert TABLED.estimate(ground, each, 0, 0) == table.heuristic(0, table.intervals([14])) == 9


def test_runs_that_lead_off_the_map() -> None:
    """A table that was changed after its check: beyond any side, even if that is the number of another cell."""
    terrain = Terrain([bytes([1] * 7)] * 5)
    whole = making.make_table(terrain, "no")
    for (code, (dx, dy)), steps in product(enumerate(OFFSETS.values()), (1, 2, 3, 4, 5, 6, 8, 11, 30_000)):
        data = memoryview(bytearray(whole.data))
        x, y = 3 + steps * dx, 2 + steps * dy
        data.cast("h")[32 * (2 * terrain.stride + 3) + code] = steps
        terrain.kept.clear()
        terrain.kept["jump table", "no"] = JumpTable(data)
        run = FORMS["jps+"](make_grid(terrain, [(3, 2)], [], 8), SearchTree())
        if 0 <= x < 7 and 0 <= y < 5:
            assert run.advance(1) == 1
            continue
        for _ in range(2):
            with pytest.raises(InputFormatError, match="the jump distances are damaged"):
                run.advance(1)


def test_paths_in_arrays_of_any_length() -> None:
    """With room for fewer steps than there are, for as many, and for more."""
    problem = make_grid(Terrain([bytes([1] * 9)]), [(0, 0)], [(8, 0)], 8)
    for size in range(1, 12):
        tree: SearchTree[Any, Any] = SearchTree()
        run = FORMS["jps"](problem, tree)
        while not run.ended:
            run.advance(9)
        run.arrivals.space.cells, run.arrivals.space.codes = (
            np.zeros(size, np.uint32),
            np.zeros(size, np.uint8),
        )
        trail = run.arrivals.path_to((8, 0))
        assert (trail.states, trail.cost) == (tuple((x, 0) for x in range(9)), 8)


def test_distances_with_a_heap_that_is_often_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece of work begins with room for the neighbours of a cell, and removes at least one entry."""
    spread, grown = TABLES._spread, set()

    def watched(*arguments: Any) -> Any:
        queue, size = arguments[6:8]
        assert size <= len(queue.entries) - 8
        grown.add(len(queue.entries))
        return spread(*arguments)

    monkeypatch.setattr(TABLES, "_spread", watched)
    for seed in range(3):
        terrain = room(Random(seed), 12, 12, 0.1).terrain
        masks = np.frombuffer(terrain.steps(8, "no").masks, np.uint8)
        source = int(np.flatnonzero(masks)[0])
        moves = [
            [(offset, 1 if LENGTHS[name] > 1 else 1 << 16, LENGTHS[name]) for name, offset in steps]
            for steps in (terrain.steps(8, "no").successors[mask] for mask in masks.tolist())
        ]
        expected, found = (
            making.distances_from(source, moves),
            TABLES._distances_from(source, masks, terrain.stride),
        )
        assert [part.tolist() for part in found] == [list(part) for part in expected]
    assert len(grown) > 2


def test_of_parts_of_the_same_size_the_first_one_counts() -> None:
    """It has the landmarks, in both makers; a larger part has them wherever it is."""
    for rows in product(("..", "##", ".#"), repeat=4):
        terrain = Terrain([bytes(cell == "." for cell in row) for row in rows])
        masks, weights = (
            np.frombuffer(part, np.uint8) for part in (terrain.steps(8, "no").masks, terrain.weights)
        )
        sizes: dict[int, int] = {}
        for y, (above, row) in enumerate(pairwise(("##", *rows))):
            if row[0] == "." != above[0]:
                first = y * terrain.stride
                sizes[first] = 0
            if row[0] == ".":
                sizes[first] += row.count(".")
        expected = max(sizes, key=lambda cell: (sizes[cell], -cell), default=-1)
        assert TABLES._largest_part(masks, weights, terrain.stride) == expected
