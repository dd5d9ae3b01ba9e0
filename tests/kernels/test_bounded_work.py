"""Machine code returns after a bounded number of steps, whatever the search."""

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search, solve
from searchkit.compiled.functions import heuristic_function
from searchkit.compiled.kit import run
from searchkit.compiled.kit.control import (
    FIRST_STEPS,
    GENERATED,
    LEAST_STEPS,
    LONG_SECONDS,
    MOST_STEPS,
    PAUSED,
    SHORT_SECONDS,
    next_steps,
)
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.kernels.queue.entries import MOVING, PHASE
from searchkit.kernels.queue.ladder import waiting
from searchkit.kernels.queue.sorting import COUNT, HEAP, INSERT, MOST_MOVED, SPREAD
from searchkit_dungeon import Terrain, make_grid
from tests.kernels.together import answer

LEAVES = 40_000
"""More entries than a slice may go over."""
STEPS = 1 << 12
"""The steps that slices are allowed here, unless the test changes them."""
BOUND = STEPS + 8 * MOST_MOVED
"""Steps: of a slice, and of the one step of opening a bucket at its end."""


def long(engine: str) -> Any:
    """Leave an engine to `--long`: it takes seconds to compile it for these grids, which no other test needs."""
    return pytest.param(engine, marks=pytest.mark.long)


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow each slice `STEPS`, however long it takes."""
    monkeypatch.setattr(run.KernelRun, "steps", STEPS)
    monkeypatch.setattr(run, "next_steps", lambda steps, seconds: steps)


@heuristic_function
def tabled(table: Any, state: Any) -> Any:
    """Return the heuristic value of a node."""
    return table.view(np.float64)[np.int64(state)]


class Star:
    """Edges from node 0 to all others, and from each of these to the last, at arbitrary costs."""

    def __init__(self, costs: Any, estimates: Any):
        self.costs, self.estimates = costs, np.concatenate([[0.0], estimates, [0.0]])
        self.last = len(costs) + 1

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[int, int]]:
        return [(node, node) for node in (range(1, self.last) if state == 0 else ())]

    def is_goal(self, state: int) -> bool:
        return False

    def cost(self, state: int, action: int, successor: int) -> float:
        return float(self.costs[successor - 1])

    def heuristic(self, state: int) -> float:
        return float(self.estimates[state])

    @cached_property
    def view(self) -> CompiledProblem:
        """The compiled view."""
        leaves = self.last - 1
        graph = CSR(np.array([0] + [leaves] * (leaves + 2)), np.arange(1, leaves + 1), self.costs)
        whole = bool((self.costs % 1 == 0).all())
        return CompiledProblem(
            graph, int, int, heuristic=tabled, table=self.estimates.view(np.int64), whole=whole
        )

    def compiled(self) -> CompiledProblem:
        return self.view


def slices(search: Search[Any, Any]) -> Iterator[tuple[int, int, int]]:
    """Run a search to its end; yield for each slice its stop reason, its expansions and the entries that it removed."""
    search.run(Limits(expansions=0))
    kernel = search.kernel
    counted = kernel.slice

    seen = []

    def counting(expansions: int) -> tuple[int, int]:
        before = int(waiting(kernel.queue.arrays)) if hasattr(kernel.queue, "arrays") else 0
        why, expanded = counted(expansions)
        after = int(waiting(kernel.queue.arrays)) if hasattr(kernel.queue, "arrays") else 0
        seen.append((why, expanded, before - after))
        return why, expanded

    kernel.slice = counting
    search.run()
    yield from seen


def spread(kind: str) -> tuple[Any, Any]:
    """Return costs and heuristic values of leaves, with f spread in a given way."""
    rng = np.random.default_rng(5)
    zeros = np.zeros(LEAVES)
    if kind == "equal":
        return np.ones(LEAVES), zeros
    if kind == "whole":
        return rng.integers(0, 2**20, LEAVES).astype(np.float64), zeros
    if kind == "geometric":
        return 10.0 ** rng.uniform(-300, 15, LEAVES), zeros
    if kind == "a bit apart":  # f takes two values that are neighbours, and costs so far are arbitrary
        costs = rng.integers(0, 2**20, LEAVES) / 2**20
        return costs, 2.0 - costs + rng.integers(0, 2, LEAVES) * 2.0**-51
    if kind == "rising":
        return np.arange(LEAVES) / 7, zeros
    return np.arange(LEAVES)[::-1] / 7, zeros


def places(count: int) -> list[int]:
    """Return the places of an order to look at: each 200th, and all around those where a part of sorting begins."""
    begins = [count - 1 - part for part in range(MOST_MOVED, count, MOST_MOVED)]
    return sorted(
        {*range(0, count, 200), *(place for begin in begins for place in range(begin - 4, begin + 5))}
    )


def states_at(search: Search[Any, Any], places: list[int]) -> list[Any]:
    """Return the states that are expanded at these places of the order."""
    found, done = [], 0
    for place in places:
        if place > done:
            search.run(Limits(expansions=place - done))
        found.append(search.next_state)
        done = place
    return found


@pytest.mark.usefixtures("few_steps")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("ties", ["high-g", "low-h", "lifo", "fifo"])
@pytest.mark.parametrize("kind", ["equal", "whole", "geometric", "a bit apart", "rising", "falling"])
def test_opening_a_bucket_of_many_entries_goes_in_steps(kind: str, ties: str) -> None:
    """Entries come out in order, and no slice expands or drops more than it may."""
    costs, estimates = spread(kind)
    search: Search[Any, Any] = Search(Star(costs, estimates), "astar", backend="compiled", ties=ties)
    seen = list(slices(search))
    assert max(max(expanded, gone) for _, expanded, gone in seen[1:]) <= BOUND  # the first expands the hub
    assert sum(why == PAUSED for why, _, _ in seen) >= 2
    assert search.tree.expanded == LEAVES + 1
    turns = np.arange(LEAVES) if ties == "fifo" else -np.arange(LEAVES)
    ranks = {"high-g": -costs, "low-h": estimates}.get(ties, np.zeros(LEAVES))
    f = costs + estimates
    order = np.lexsort((turns, ranks, f))
    search = Search(Star(costs, estimates), "astar", backend="compiled", ties=ties)
    search.run(Limits(expansions=1))
    looked = places(LEAVES)
    assert states_at(search, looked) == (order[looked] + 1).tolist()


class Comb(Star):
    """A line of edges of cost 2,000, and leaves at each of its nodes: f of all leaves is the same, costs so far differ.

    Args:
        costs: the costs of the edges to leaves, in the order in which the leaves are reached.
        teeth: how many nodes of the line have leaves.

    """

    def __init__(self, costs: Any, teeth: int = 10):
        self.teeth, each = teeth, len(costs) // teeth
        self.g = np.repeat(np.arange(teeth) * 2_000.0, each) + costs
        self.costs = np.concatenate([[2_000.0, *costs[tooth * each :][:each]] for tooth in range(teeth)])
        self.estimates = np.concatenate([29_000 - np.arange(teeth + 1) * 2_000.0, 30_000 - self.g])
        heads = [[tooth + 1, *(teeth + 1 + tooth * each + np.arange(each))] for tooth in range(teeth)]
        begins = np.append(np.arange(teeth) * (each + 1), np.full(len(costs) + 2, len(self.costs)))
        graph = CSR(begins, np.concatenate(heads), self.costs)
        table = self.estimates.view(np.int64)
        self.__dict__["view"] = CompiledProblem(graph, int, int, heuristic=tabled, table=table, whole=True)


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize(
    ("kind", "ties"),
    [("spread", "high-g"), ("in a lump", "low-h"), ("spread", "lifo"), ("spread", "fifo")],
)
def test_many_whole_entries_of_one_f_and_many_ranks(kind: str, ties: str) -> None:
    """They come out by rank and turn, from groups or from a heap; meanwhile they are saved in that order."""
    rng, leaves = np.random.default_rng(6), 12_000
    costs = rng.integers(0, 2_000, leaves).astype(np.float64)
    if kind == "in a lump":
        costs[rng.random(leaves) < 0.9] //= 500
    comb = Comb(costs)
    turns = np.arange(leaves) if ties == "fifo" else -np.arange(leaves)
    order = np.lexsort((turns, -comb.g if ties in ("high-g", "low-h") else np.zeros(leaves)))
    search: Search[Any, Any] = Search(comb, "astar", backend="compiled", ties=ties)
    search.run(Limits(expansions=0))
    kernel, phases = search.kernel, set()
    counted = kernel.slice

    def looking(expansions: int) -> tuple[int, int]:
        why, expanded = counted(expansions)
        sizes = kernel.queue.arrays.sizes
        assert expanded <= BOUND
        if sizes[MOVING] and kernel.counters[GENERATED]:
            phases.add(int(sizes[PHASE]))
            rows = kernel.saved()["entries"]
            rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
            assert np.array_equal((rows[:, 1] & 0xFFFFFFFF).astype(np.int64) - comb.teeth - 1, order)
        return why, expanded

    kernel.slice = looking
    search.run(Limits(expansions=comb.teeth + 1))
    kernel.slice = counted
    if ties in ("lifo", "fifo"):
        assert phases == {SPREAD}
    else:
        assert phases == ({COUNT, SPREAD, INSERT} if kind == "spread" else {COUNT, HEAP})
    looked = places(leaves)
    assert states_at(search, looked) == (order[looked] + comb.teeth + 1).tolist()


@pytest.mark.usefixtures("few_steps")
def test_a_run_of_entries_that_are_out_of_date_is_cut_up() -> None:
    """If nearly all waiting entries are outdated, no slice drops more than it may, and none of them is expanded."""
    targets, rounds = 300, 300
    begins, heads, costs = [0], [], []
    for number in range(
        rounds
    ):  # each node of a chain reaches all targets a little more cheaply than the one before
        heads += [number + 1, *range(rounds + 1, rounds + 1 + targets)]
        costs += [0.0, *[float(2 * rounds - number)] * targets]
        begins.append(len(heads))
    begins += [len(heads)] * (targets + 1)
    view = CompiledProblem(CSR(np.array(begins), np.array(heads), np.array(costs)), int, int)

    class Chain(Star):
        def compiled(self) -> CompiledProblem:
            return view

    search: Search[Any, Any] = Search(Chain(np.ones(1), np.zeros(1)), "dijkstra", backend="compiled")
    seen = list(slices(search))
    assert search.tree.expanded == rounds + 1 + targets
    assert sum(why == PAUSED for why, _, _ in seen) >= 2
    assert max(gone for _, _, gone in seen) <= BOUND
    assert search.statistics.peak_frontier > 2 * STEPS


def open_floor(engine: str, side: int = 301) -> Any:
    """Return a grid on which the engine has much to do, because its start and its goal are far from each other."""
    ends = [(0, 0)], [(side - 1, side - 1)]
    rows = [bytes(1 + (x * y) % 3 % 2 for x in range(side)) for y in range(side)]
    if engine in ("zero_one", "idastar", "corridor"):
        rows = [bytes(1 for _ in range(side)) for _ in range(side)]
    if engine.startswith("jps"):
        rows = [bytes(int((x % 3, y % 3) != (2, 2)) for x in range(side)) for y in range(side)]
    return make_grid(Terrain(rows), *ends, moves=8 if engine.startswith("jps") else 4)


def work_of(engine: str, task: Any, steps: int) -> list[tuple[int, int, int]]:
    """Return for each of the first slices how many states it expanded and generated, and its stop reason."""
    search: Search[Any, Any] = Search(task, engine, backend="compiled")
    search.run(Limits(expansions=0))
    kernel, done = search.kernel, list[tuple[int, int, int]]()
    kernel.steps = steps
    for _ in range(40):
        before = search.tree.generated
        why, expanded = kernel.slice(10**9)
        kernel.show()
        done.append((expanded, search.tree.generated - before, why))
        if why != PAUSED and engine != "bfs":
            for _ in kernel.handle(why) or ():
                pass
        if kernel.ended:
            break
    return done


@pytest.mark.parametrize(
    "engine",
    ["jps", "bfs", "dijkstra", "astar", "corridor", *map(long, ("wastar", "greedy", "bucket", "zero_one"))],
)
@pytest.mark.parametrize("steps", [1, 50, 4_000])
def test_a_slice_does_the_steps_that_it_is_allowed_and_ends(engine: str, steps: int) -> None:
    """A billion expansions are allowed, but a slice ends with the expansion that uses its last step."""
    task = open_floor(engine)
    done = work_of(engine, task, steps)
    one = (
        2 * 8 * 300 if engine == "jps" else 9
    )  # the steps of one expansion: jps looks at each cell of its jumps
    assert all(expanded <= steps for expanded, _, _ in done[1:]) or steps < one
    assert all(generated <= steps + one for _, generated, _ in done)
    assert sum(expanded for expanded, _, _ in done) > 0


@pytest.mark.parametrize("engine", ["jps", "bfs", "dijkstra", "idastar", *map(long, ("bucket", "zero_one"))])
def test_steps_do_not_show(engine: str) -> None:
    """It is the same search, with any number of steps in a slice."""
    task = open_floor(engine, 7 if engine == "idastar" else 61)
    expected = answer(solve(task, engine, backend="python"))
    for steps in (1, 7, 300, MOST_STEPS):
        search: Search[Any, Any] = Search(task, engine, backend="compiled")
        search.run(Limits(expansions=0))
        search.kernel.steps = steps
        assert answer(search.run()) == expected


@pytest.mark.parametrize("nanoseconds", [1, 5, 40, 300, 1_500])
def test_steps_adapt_to_the_time_that_slices_take(nanoseconds: int) -> None:
    """Soon no slice takes less than it should, unless it takes the most steps allowed; none ever takes much more."""
    steps, times = FIRST_STEPS, list[float]()
    for _ in range(12):
        times.append(steps * nanoseconds / 1e9)
        steps = next_steps(steps, times[-1])
    assert times[-1] >= SHORT_SECONDS or steps == MOST_STEPS
    assert times[-1] <= LONG_SECONDS or steps == LEAST_STEPS
    assert max(times) <= max(LONG_SECONDS, FIRST_STEPS * nanoseconds / 1e9) <= 0.05


def test_steps_that_become_ten_times_as_long_take_less_than_50_ms() -> None:
    """From one slice to the next, for any earlier speed; the slices after it are short again."""
    for before in (2, 5, 30, 150, 400):
        steps = FIRST_STEPS
        for _ in range(12):
            steps = next_steps(steps, steps * before / 1e9)
        after = 10 * before
        assert steps * after / 1e9 <= 0.05
        for _ in range(3):
            steps = next_steps(steps, steps * after / 1e9)
        assert steps * after / 1e9 <= LONG_SECONDS or steps == LEAST_STEPS


def test_a_long_search_takes_few_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver measures each slice, by a clock of this test here: 5 nanoseconds for each state and its successors."""
    task = open_floor("dijkstra", 500)
    search: Search[Any, Any] = Search(task, "dijkstra", backend="compiled")
    search.run(Limits(expansions=0))
    kernel, now, slices = search.kernel, [0.0], [0]
    original = kernel.slice

    def timed(expansions: int) -> tuple[int, int]:
        why, expanded = original(expansions)
        slices[0] += 1
        now[0] += 5 * 5e-9 * expanded
        assert 5 * expanded <= kernel.steps + 9
        return why, expanded

    kernel.slice = timed
    monkeypatch.setattr(run, "perf_counter", lambda: now[0])
    while not kernel.ended:
        kernel.advance(10**9)
    assert kernel.steps > 8 * FIRST_STEPS
    assert slices[0] <= 20, "with the steps of the first there would be 45"


def test_what_was_short_because_little_was_asked_for_allows_no_more() -> None:
    """A search that is advanced one expansion at a time does not learn how long its slices would be."""
    search: Search[Any, Any] = Search(open_floor("dijkstra"), "dijkstra", backend="compiled")
    for _ in zip(range(200), search, strict=False):
        pass
    assert search.kernel.steps <= FIRST_STEPS


@pytest.mark.parametrize("engine", ["dijkstra", "astar", *map(long, ("bucket", "greedy"))])
def test_a_random_number_of_expansions_at_a_time(engine: str) -> None:
    """Slices of any size have the same result, with outdated entries among those of the frontier."""
    rng = Random(8)
    side = 70
    task = make_grid(
        Terrain([bytes(rng.choice((1, 1, 2, 9)) for _ in range(side)) for _ in range(side)]),
        [(0, 0)],
        [(69, 69)],
    )
    expected = solve(task, engine, backend="python")
    search: Search[Any, Any] = Search(task, engine, backend="compiled")
    while not search.ended:
        search.run(Limits(expansions=rng.randint(0, 900)))
    assert answer(search.run()) == answer(expected)
