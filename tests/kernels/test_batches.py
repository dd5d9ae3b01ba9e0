"""Large breadth-first searches go on in batches, on several threads, with the result of one state after the other."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, distance_map, solve
from searchkit.compiled.kit import arrays, control, records
from searchkit.compiled.kit.arrays import Alone
from searchkit.compiled.kit.store import LOW
from searchkit.compiled.kit.table import EMPTY
from searchkit.errors import InvalidOptionError
from searchkit.kernels import batches, bfs, shares
from searchkit.kernels.bfs import BreadthFirst
from searchkit.kernels.team import Team
from searchkit.plugin.registry import registry
from searchkit.problem import SearchProblem
from searchkit.search.distances.distance_map import goalless
from searchkit.tree import SearchTree
from searchkit_classics.permutations.pancakes import Pancakes
from searchkit_tiles import SlidingTiles

STACK = Pancakes("3,1,4,5,2,6", heuristic="zero")
"""720 states."""
BOARD = SlidingTiles(
    5, 5, (1, 6, 2, 3, 4, 5, 11, 7, 8, 9, 10, 0, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24)
)
"""States of two words."""
HARD = SlidingTiles(3, 3, (8, 6, 7, 2, 5, 4, 3, 0, 1))
"""181,440 states."""
ALL = 200_000
"""More states than there are."""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let batches begin at once, with few states each, so that there are many, and growth between them."""
    use(monkeypatch, 96)


def use(patch: pytest.MonkeyPatch, steps: int) -> None:
    """Let batches begin at once, with so many successors at most, whatever waits; and let arrays grow often."""
    patch.setattr(records, "FIRST_ROOM", 16)
    patch.setattr(arrays, "MANY", 0)
    patch.setattr(arrays, "GROWTH", 1.5)
    patch.setattr(bfs, "LARGE", 0)
    patch.setattr(batches, "MOST_STEPS", steps)
    patch.setattr(batches, "WORTHWHILE", 1 << 30)


def begun(problem: SearchProblem[Any, Any], threads: int) -> BreadthFirst:
    """Return a search of all states; with 0 threads, without batches."""
    run = BreadthFirst(goalless(problem), SearchTree(), threads=max(1, threads))
    run.may_batch = threads > 0
    return run


def held(run: BreadthFirst) -> tuple[Any, ...]:
    """Return all that a search holds, apart from its table, which is checked."""
    count = run.records.count
    nodes = run.records.nodes[:count]
    for node in range(0, count, 1 + count // 200):
        assert run.records.node(run.records.state(node)) == node
    slots, tags = run.records.store.slots, run.records.store.tags
    assert (np.sort(slots[slots != EMPTY] & (LOW & ~tags)) == np.arange(count)).all()
    counters, tree = run.counters.copy(), run.tree
    counters[control.EXPANDED] = 0  # those of the last slice
    if run.ended:
        counters[control.HEAD_NODE] = 0  # there is none
    shown = tree.expanded, tree.generated, tree.peak_frontier, tree.lower_bound, list(tree.frontier or ())[:3]
    return (*shown, counters.tolist(), nodes.tobytes())


def advance(run: BreadthFirst, most: int) -> None:
    """Expand so many states, fewer at the end."""
    wanted = run.tree.expanded + most
    while not run.ended and not (run.settled and run.tree.expanded >= wanted):
        run.tree.expanded += run.advance(wanted - run.tree.expanded)


def differs(problem: SearchProblem[Any, Any], threads: int, stops: list[int]) -> bool:
    """Whether a search in batches ever differs from one without, at any of these stops."""
    run, single = begun(problem, threads), begun(problem, 0)
    for stop in stops:
        advance(run, stop)
        advance(single, stop)
        if held(run) != held(single):
            return True
    return False


@pytest.mark.fewest(3)
@settings(max_examples=12)
@given(
    threads=st.integers(1, 4),
    steps=st.sampled_from([20, 77, 400, 3000]),
    stops=st.lists(st.integers(1, 300), max_size=4),
)
@example(threads=3, steps=96, stops=[1, 100, 300])
def test_batches_change_nothing(threads: int, steps: int, stops: list[int]) -> None:
    """Records, their numbers, the frontier and all counters are the same at every stop, whatever the threads do."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, steps)
        assert not differs(STACK, threads, [*stops, ALL])


@pytest.mark.parametrize("threads", [1, 3])
def test_batches_of_more_than_a_hundred_states_change_nothing(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where arrays have room, a batch is a whole layer."""
    use(monkeypatch, 3000)
    monkeypatch.setattr(records, "FIRST_ROOM", 1 << 13)
    assert not differs(STACK, threads, [ALL])


@pytest.mark.long
@settings(max_examples=20)
@given(
    threads=st.integers(1, 4),
    steps=st.sampled_from([77, 3000]),
    stops=st.lists(st.integers(1, 5000), max_size=3),
)
def test_batches_of_wide_states_change_nothing(threads: int, steps: int, stops: list[int]) -> None:
    """The same for states of two words."""
    with pytest.MonkeyPatch.context() as patch:
        use(patch, steps)
        assert not differs(BOARD, threads, [*stops, 9000])


@pytest.mark.long
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_many_threads_in_tiny_batches_change_nothing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A race between threads would show in the numbers of the nodes."""
    for problem, steps in ((STACK, 8), (Pancakes(n=7, seed=1, heuristic="zero"), 64), (HARD, 4096)):
        use(monkeypatch, steps)
        assert not differs(problem, threads, [ALL])


def test_a_large_search_uses_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the size on that is set, and not before; at the end, threads and arrays are let go."""
    use(monkeypatch, 96)
    monkeypatch.setattr(bfs, "LARGE", 300)
    used: list[int] = []
    search = batches.Batches.search

    def spy(self: Any, store: Any, room: int, asked: int) -> bool:
        done = search(self, store, room, asked)
        used.extend([int(self.done[0])] * done)
        return done

    monkeypatch.setattr(batches.Batches, "search", spy)
    run, single = begun(STACK, 2), begun(STACK, 0)
    advance(run, ALL)
    advance(single, ALL)
    assert 0 < sum(used) < 720 - 100
    assert run.ended
    assert held(run) == held(single)
    assert run.batches is None
    assert isinstance(run.records.helpers, Alone)


finish, expand_share = shares.finish, shares.expand_share


def backwards(*arguments: Any) -> Any:
    """List the successors of a share from the last one to the first."""
    generated = expand_share(*arguments)
    *_, lists, sizes = arguments
    for entries, size in zip(lists, sizes, strict=True):
        entries[:size] = entries[:size][::-1].copy()
    return generated


def lost(store: Any, found: Any, put_off: Any, behind: int, *others: Any) -> None:
    """Take the successors for known ones."""
    found.slots[put_off[:behind]] = EMPTY


DEFECTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "what lies beyond a part of the table is lost": (shares, "look_up_rest", lost),
    "successors are looked up in another order": (shares, "expand_share", backwards),
    "the peak of the frontier is forgotten": (
        shares,
        "finish",
        lambda counters, expanded, generated, count, peak, *rest: finish(
            counters, expanded, generated, count, 0, *rest
        ),
    ),
    "the first share does not end at a layer": (
        shares,
        "finish",
        lambda *arguments: finish(*arguments[:5], 0, arguments[6]),
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_noticed(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests can fail."""
    use(monkeypatch, 300)
    monkeypatch.setattr(*DEFECTS[defect])
    try:
        noticed = differs(STACK, 5, [300, ALL])
    except (AssertionError, ValueError, LookupError):
        noticed = True
    assert noticed


@pytest.mark.parametrize("threads", [1, 3])
def test_a_goal_within_a_batch_ends_the_search_there(threads: int, tiny: None) -> None:
    """The batch is undone, and nothing of it is left."""
    in_batches: Search[Any, Any] = Search(STACK, "bfs", backend="compiled", threads=threads)
    in_python: Search[Any, Any] = Search(STACK, "bfs", backend="python", threads=threads)
    found, expected = in_batches.run(), in_python.run()
    assert found.status is Status.SOLVED
    assert found.solution == expected.solution
    assert evolve(found.statistics, seconds=0) == evolve(expected.statistics, seconds=0)
    assert found.statistics.expanded > 30
    assert dict(in_batches.tree.reached) == dict(in_python.tree.reached)
    assert [state for state in permutations(STACK.stack) if state in in_batches.tree.reached] == sorted(
        in_python.tree.reached, key=list(permutations(STACK.stack)).index
    )


@pytest.mark.parametrize("when", range(1, 16))
def test_an_interrupted_batch_is_done_again(when: int, tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """`KeyboardInterrupt` may come before or after any step of a batch, or of growth."""
    run, single = begun(STACK, 2), begun(STACK, 0)
    advance(run, 100)
    calls, whole = 0, Team.run

    def interrupted(self: Team, share: Callable[[int], Any]) -> Any:
        nonlocal calls
        calls += 1
        if calls == when and when % 2:
            raise KeyboardInterrupt
        answers = whole(self, share)
        if calls == when:
            raise KeyboardInterrupt
        return answers

    monkeypatch.setattr(Team, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        advance(run, ALL)
    monkeypatch.undo()
    advance(single, run.tree.expanded)
    assert run.state == single.state
    assert run.records.node(run.state) == single.records.node(run.state)
    advance(run, ALL)
    advance(single, ALL)
    assert held(run) == held(single)


def test_an_interruption_after_a_batch_counts_it(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is complete is counted, although the slice never returned."""
    run, single = begun(STACK, 2), begun(STACK, 0)
    advance(run, 100)
    kernel, calls = run._run_kernel, 0

    def interrupted(most: int) -> int:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise KeyboardInterrupt
        return kernel(most)

    monkeypatch.setattr(run, "_run_kernel", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.advance(ALL)
    assert run.tree.expanded > 100
    advance(run, ALL)
    advance(single, ALL)
    assert held(run) == held(single)


def test_without_memory_for_batches_the_search_goes_on_without(tiny: None) -> None:
    """The limit of memory is that of the search; batches are not worth a cutoff."""
    run, single = begun(STACK, 2), begun(STACK, 0)
    run.spare = lambda: 1000.0
    run.slice(10)
    assert not run.may_batch
    run.spare = None
    run.tree.expanded += int(run.counters[control.EXPANDED])
    advance(run, ALL)
    advance(single, ALL)
    assert run.batches is None
    assert run.tree.generated == single.tree.generated


def test_limits_of_expansions_are_exact(tiny: None) -> None:
    """Batches end where the limit is."""
    search: Search[Any, Any] = Search(HARD, "bfs", backend="compiled", threads=2)
    for total in (12, 500, 501, 1234):
        result = search.run(Limits(expansions=total - search.statistics.expanded))
        assert result.status is Status.CUTOFF
        assert search.statistics.expanded == total
    whole: Search[Any, Any] = Search(HARD, "bfs", backend="python")
    whole.run(Limits(expansions=1234))
    assert evolve(whole.statistics, seconds=0) == evolve(search.statistics, seconds=0)
    assert whole.next_state == search.next_state


def test_a_distance_map_does_not_depend_on_the_threads(tiny: None) -> None:
    """`distance_map(threads=…)` passes them on, for unit costs; other engines do not use them."""
    one, four = (distance_map(STACK, backend="compiled", threads=threads) for threads in (1, 4))
    assert list(one.items()) == list(four.items())
    assert one.farthest() == four.farthest()
    assert len(four) == 720
    for threads in (0, -1, 1.5, "many"):
        with pytest.raises(
            InvalidOptionError, match=f"threads={threads}: expected all, or a whole number ≥ 1"
        ):
            distance_map(STACK, threads=threads)  # type: ignore[arg-type]


def test_the_option_is_for_machine_code_only() -> None:
    """An engine in Python is run without it, and has the same result."""
    option = next(option for option in registry().engine("bfs").options if option.name == "threads")
    assert option.compiled_only
    assert option.neutral
    assert solve(STACK, "bfs", backend="python", threads="all").cost == solve(STACK, "bfs").cost
    with pytest.raises(InvalidOptionError, match="threads=0: expected all, or a whole number ≥ 1"):
        solve(STACK, "bfs", threads=0)


def test_what_large_searches_call_can_be_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """`rehearse` calls each kernel of batches, and changes nothing."""
    names = {
        name
        for name, kernel in vars(shares).items()
        if getattr(getattr(kernel, "py_func", None), "__module__", "") == shares.__name__
        and not hasattr(kernel, "from_python")  # as those have that only kernels call
    }
    called: set[str] = set()

    def spied(name: str, kernel: Any) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            called.add(name)
            return kernel(*arguments)

        return call

    for name in names:
        monkeypatch.setattr(shares, name, spied(name, getattr(shares, name)))
    run, single = begun(STACK, 2), begun(STACK, 0)
    advance(run, 300)
    advance(single, 300)
    run.rehearse()
    assert called == names
    assert len(names) == 8
    assert held(run) == held(single)
