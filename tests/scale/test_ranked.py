"""Breadth-first search in two bits a state: the same counts for any number of threads, and if it is broken off."""

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from time import sleep
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings

from searchkit.compiled.functions import rank_function, unrank_function
from searchkit.compiled.kit import Probe
from searchkit.compiled.kit.graph import arrays_of
from searchkit.compiled.view import CompiledProblem, Ranking
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.scale.ranked import search as module
from searchkit.scale.ranked.kernels import EXPANDED, NEXT, expand_marked
from searchkit.scale.ranked.search import RankedSearch, memory_of
from searchkit.testing import CheckFailure, check_compiled, explore
from searchkit.testing.spaces.digraphs import WeightedDigraph
from searchkit.testing.strategies import weighted_digraphs
from searchkit_classics.cubes.cube2 import Cube2
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_tiles.problem import SlidingTiles
from tests.kernels.views import INVERSE, SPREAD, as_functions


@rank_function
def unspread(table: Any, state: Any) -> Any:
    """Return the node of a spread state."""
    return state * np.uint64(INVERSE)


@unrank_function
def spread(table: Any, index: Any) -> Any:
    """Return the spread state of a node."""
    return index * np.uint64(SPREAD)


@rank_function
def always_zero(table: Any, state: Any) -> Any:
    """Return the same number for all states."""
    return np.uint64(0)


def search_of(problem: Any, threads: int = 1, view: CompiledProblem | None = None) -> RankedSearch:
    """Return a search from the starts of a problem."""
    view = view or problem.compiled()
    return RankedSearch(view, map(view.pack, problem.initial_states()), threads)


def ended(search: RankedSearch) -> RankedSearch:
    """Run a search to its end."""
    while not search.ended:
        assert search.expand_layer(lambda: True)
    return search


def eight_puzzle() -> SlidingTiles:
    """Return the 8-puzzle, solved."""
    return SlidingTiles(3, 3, range(9))


def pancakes(count: int, burnt: bool = False) -> Pancakes:
    """Return a sorted stack."""
    return Pancakes(range(1, count + 1), burnt=burnt)


PUBLISHED: dict[str, tuple[Any, list[int]]] = {
    # Reinefeld, "Complete solution of the eight-puzzle", IJCAI 1993
    "8-puzzle": (eight_puzzle, [181_440, 31, 2]),
    # Korf and Schultze, "Large-scale parallel breadth-first search", AAAI 2005, has the sizes and depths of the boards
    "2×4 tiles": (lambda: SlidingTiles(4, 2, range(8)), [20_160, 36, 1]),
    # OEIS A058986 and A067607; A078941
    "7 pancakes": (lambda: pancakes(7), [5_040, 8, 35]),
    "8 pancakes": (lambda: pancakes(8), [40_320, 9, 455]),
    "9 pancakes": (lambda: pancakes(9), [362_880, 10, 5_804]),
    "4 burnt pancakes": (lambda: pancakes(4, burnt=True), [384, 8]),
    "5 burnt pancakes": (lambda: pancakes(5, burnt=True), [3_840, 10]),
}
"""The number of states, the largest distance from the solved state, and in most how many states are there."""
MORE: dict[str, tuple[Any, list[int]]] = {
    # jaapsch.net/puzzles/cube2.htm
    "2×2×2 cube": (lambda: Cube2(0), [3_674_160, 11, 2_644]),
    "2×2×2 cube, quarter turns": (lambda: Cube2(0, metric="quarter"), [3_674_160, 14, 276]),
    "10 pancakes": (lambda: pancakes(10), [3_628_800, 11, 73_232]),
    "2×5 tiles": (lambda: SlidingTiles(5, 2, range(10)), [1_814_400, 55, 2]),
}


@pytest.mark.parametrize("name", [*PUBLISHED, *(pytest.param(name, marks=pytest.mark.long) for name in MORE)])
def test_published_figures(name: str) -> None:
    """The number of states and the diameter of puzzles are those that were published."""
    problem, figures = {**PUBLISHED, **MORE}[name]
    search = ended(search_of(problem()))
    complete = sum(search.counts) == search.size  # then nothing can follow the last layer
    assert search.expanded == sum(search.counts[:-1] if complete else search.counts)
    assert [sum(search.counts), len(search.counts) - 1, search.counts[-1]][: len(figures)] == figures


@settings(max_examples=100, deadline=None)
@given(weighted_digraphs("int"))
def test_counts_are_those_of_the_oracle(graph: WeightedDigraph) -> None:
    """Several starts, one-way edges, loops, and states that can't be reached. Costs are not used."""
    nodes = max(graph.nodes, default=0) + 1
    view = evolve(as_functions(graph), ranking=lambda: Ranking(unspread, spread, nodes))
    depths: dict[Any, int] = dict.fromkeys(graph.initial_states(), 0)
    for node in (waiting := list(depths)):
        for _, successor in graph.successors(node):
            if successor not in depths:
                depths[successor] = depths[node] + 1
                waiting.append(successor)
    assert set(depths) == set(explore(graph).from_starts())
    counted = Counter(depths.values())
    search = ended(search_of(graph, view=view))
    assert search.counts == [counted[depth] for depth in range(len(counted))]


def test_rankings_are_perfect() -> None:
    """Every rank is that of another state that can be reached; the orders of pancakes are in lexicographic order."""
    for problem in (
        SlidingTiles(2, 2, range(4)),
        SlidingTiles(3, 2, (5, 1, 2, 3, 4, 0), goal="blank-last"),
        SlidingTiles(2, 3, range(6)),
        SlidingTiles(2, 2, (1, 2, 3, 0), goal="blank-last"),
        pancakes(1),
        pancakes(5),
        pancakes(3, burnt=True),
    ):
        view = problem.compiled()
        probe = Probe(view)
        assert probe.ranking is not None
        states = [view.unpack(probe.unrank(rank)) for rank in range(probe.ranking.size)]
        assert set(states) == set(explore(problem).from_starts())
        assert [probe.rank(view.pack(state)) for state in states] == list(range(len(states)))
        if isinstance(problem, Pancakes) and not problem.burnt:
            assert states == list(permutations(range(1, len(states[0]) + 1)))


@pytest.mark.parametrize(
    "problem",
    [
        SlidingTiles(5, 1, range(5)),
        SlidingTiles(1, 4, range(4)),
        SlidingTiles(2, 2, (0, 2, 1, 3)),
        pytest.param(SlidingTiles(5, 5, range(25)), marks=pytest.mark.long),  # wide states: other kernels
    ],
)
def test_what_has_no_perfect_ranking(problem: SlidingTiles) -> None:
    """Tiles in a single row can't pass each other; an unsolvable board has no successors; large boards are wide."""
    assert problem.compiled().ranking is None
    with pytest.raises(MissingCapabilityError, match="has no ranking"):
        search_of(problem)


def test_the_fifteen_puzzle_has_one() -> None:
    """16!/2 ranks: rank and unrank are inverse there too."""
    probe = Probe(SlidingTiles(4, 4, range(16)).compiled())
    assert probe.ranking is not None
    assert probe.ranking.size == 10_461_394_944_000
    for rank in range(0, probe.ranking.size, probe.ranking.size // 97):
        assert probe.rank(probe.unrank(rank)) == rank


def test_threads_lose_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four threads that take a few words at a time, and so mark states in each other's words: the same counts."""
    alone = ended(search_of(eight_puzzle()))
    monkeypatch.setattr(module, "CHUNK", 32)
    monkeypatch.setattr(module, "COUNTED", 100)
    together = ended(search_of(eight_puzzle(), threads=4))
    assert (together.counts, together.expanded, together.generated) == (
        alone.counts,
        alone.expanded,
        alone.generated,
    )
    assert (together.cells == alone.cells).all()


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.long)])
def test_a_layer_that_was_broken_off_goes_on(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped in each layer, by an answer or by Ctrl-C: no state is lost, and none is expanded twice."""
    monkeypatch.setattr(module, "CHUNK", 64)
    monkeypatch.setattr(module, "POLL_SECONDS", 0)
    whole = ended(search_of(eight_puzzle()))
    search = search_of(eight_puzzle(), threads)
    refused = interrupted = 0
    while not search.ended:
        depth = len(search.counts)
        refused += not search.expand_layer(lambda: False)
        if len(search.counts) == depth:

            def press() -> bool:
                raise KeyboardInterrupt

            try:
                search.expand_layer(press)
            except KeyboardInterrupt:
                interrupted += 1
        while len(search.counts) == depth and not search.ended:
            search.expand_layer(lambda: True)
    assert search.counts == whole.counts
    assert search.expanded == whole.expanded
    assert refused
    assert interrupted


@pytest.mark.parametrize("fails", [False, True])
def test_threads_end_together(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that finds nothing left to do ends no layer; when it is broken off, or one fails, the others are told."""
    monkeypatch.setattr(module, "CHUNK", 64)
    search, told = search_of(eight_puzzle(), threads=2), []

    def work(worker: Any, spans: Any, goes_on: Callable[[], bool]) -> bool:
        if worker is not search._workers[0]:
            told.append(not all(goes_on() for _ in (sleep(0.01) for _ in range(500))))
            return not told[0]
        if fails:
            raise InvalidProblemError("one failed")
        return True

    monkeypatch.setattr(search, "_work", work)
    if fails:
        with pytest.raises(InvalidProblemError, match="one failed"):
            search.expand_layer(lambda: True)
    else:
        assert not search.expand_layer(lambda: False)
    assert (told, search.counts) == ([True], [1])


def test_a_start_without_a_valid_rank() -> None:
    """A number that is just too large is refused."""
    problem = Damaged(Ranking(RANK, UNRANK, 23))
    with pytest.raises(
        InvalidProblemError, match=r"a start, .*, has the rank 23; expected a number below 23"
    ):
        RankedSearch(problem.view, [problem.view.pack((4, 3, 2, 1))])


def test_states_with_more_successors_than_usually_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for all successors of a state, and for some more."""
    expected = ended(search_of(pancakes(7))).counts
    monkeypatch.setattr(module, "WAITING", 1)
    search = search_of(pancakes(7))
    worker = module._Worker.of(search._view)
    assert len(worker.waiting) > len(worker.out[1])
    assert ended(search).counts == expected


def test_a_call_of_the_kernel_is_short() -> None:
    """It stops at the word at which the steps are used up, and goes on from there."""
    search = search_of(eight_puzzle())
    for _ in range(16):
        search.expand_layer(lambda: True)
    view, probe = search._view, search._probe
    worker, calls = module._Worker.of(view), 0
    finished = False
    while not finished:
        before = int(worker.counters[NEXT]), int(worker.counters[EXPANDED])
        finished = expand_marked(
            arrays_of(view.graph), probe.ranking.rank, probe.ranking.unrank, probe.table, search.cells, search.size,  # type: ignore[union-attr]
            search._mark, len(search.cells), 1, worker.counters, *worker.out, worker.waiting,
        )  # fmt: skip
        calls += 1
        assert worker.counters[NEXT] == before[0] + 1
        assert worker.counters[EXPANDED] - before[1] <= 32
    assert calls == len(search.cells)
    assert worker.counters[EXPANDED] == search.counts[-1]


def test_memory() -> None:
    """Two bits a state: 120 MB for twelve pancakes."""
    assert memory_of(479_001_600) == 119_750_400
    assert memory_of(1) == 8
    assert search_of(pancakes(4)).cells.nbytes == 8


GOOD = pancakes(4).compiled()
assert GOOD.ranking is not None
RANK, UNRANK = GOOD.ranking().rank, GOOD.ranking().unrank
DEFECTS: dict[str, tuple[Ranking, str, str]] = {
    "too small": (Ranking(RANK, UNRANK, 5), "which is not below 5", "expected a number below 5"),
    "too small by one": (Ranking(RANK, UNRANK, 23), "which is not below 23", "expected a number below 23"),
    "one rank for several states": (
        Ranking(always_zero, UNRANK, 24),
        "both have the rank",
        "which is the rank of",
    ),
    "not the inverse": (Ranking(RANK, spread, 24), "which is the rank of", "which is the rank of"),
}


class Damaged:
    """Pancakes whose view has another ranking."""

    def __init__(self, ranking: Any, **changes: Any):
        self.stack = pancakes(4)
        self.view = evolve(GOOD, ranking=lambda: ranking, **changes)
        self.initial_states, self.successors = self.stack.initial_states, self.stack.successors
        self.is_goal = self.stack.is_goal

    def compiled(self) -> CompiledProblem:
        """Return the view."""
        return self.view


@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_found(defect: str) -> None:
    """By `check_compiled`, and by the search itself, which never marks a cell that does not exist."""
    ranking, found, raised = DEFECTS[defect]
    problem = Damaged(ranking)
    with pytest.raises(CheckFailure) as failure:
        check_compiled(problem)
    (failed,) = failure.value.report.failures
    assert failed.name == "ranking"
    assert found in failed.detail
    with pytest.raises(InvalidProblemError, match=raised):
        ended(search_of(problem))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ranking": Ranking(lambda table, state: 0, UNRANK, 24)}, "made by .*rank_function"),
        ({"ranking": Ranking(RANK, None, 24)}, "made by .*unrank_function"),
        ({"ranking": Ranking(RANK, UNRANK, 0)}, "size=0"),
        ({"ranking": Ranking(RANK, UNRANK, 24.0)}, "size=24.0"),  # type: ignore[arg-type]
    ],
)
def test_rankings_that_are_not_made_right(changes: dict[str, Any], message: str) -> None:
    """A function without its decorator, and a size that is not a positive integer."""
    with pytest.raises(InvalidProblemError, match=message):
        search_of(Damaged(**changes))
