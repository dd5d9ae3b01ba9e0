"""Ctrl-C ends a run soon, wherever it comes, and the search can be resumed to the same answer."""

import gc
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import sleep
from typing import Any

import pytest

from searchkit import Result, Search, SearchProblem, Status, load, solve
from tests.contract.interrupted import Slow
from tests.helpers import compile_now

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to a thread")


def press(main: int | None) -> None:
    """Press Ctrl-C."""
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


def pressing_after(seconds: float) -> threading.Timer:
    """Return a timer that presses Ctrl-C."""
    return threading.Timer(seconds, press, [threading.main_thread().ident])


def end(timer: threading.Timer) -> None:
    """End a timer. Raises `KeyboardInterrupt` if it has pressed just now."""
    timer.cancel()
    timer.join()
    sleep(0.0001)


def insist(search: Search[Any, Any], rng: random.Random, longest: float) -> tuple[Result[Any, Any], int]:
    """Run a search to its end, and press Ctrl-C at random moments; return the result and how often it was ended."""
    result, times = None, 0
    while result is None:
        timer = pressing_after(rng.uniform(0.0005, longest))
        with suppress(KeyboardInterrupt):  # pressed after the run
            try:
                timer.start()
                result = search.run()
            except KeyboardInterrupt:
                times += 1
            end(timer)
        longest *= 1.2  # so that it ends
    return result, times


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Collect no garbage: Hypothesis measures that in a function in which an exception is only printed."""
    gc.disable()
    yield
    gc.enable()


def answer(result: Result[Any, Any]) -> tuple[Any, ...]:
    """Return what is promised to be the same."""
    return result.status, result.solution, result.lower_bound, result.statistics.reached


@pytest.mark.parametrize("engine", ["bfs", "astar"])
def test_at_random_moments_of_machine_code(engine: str) -> None:
    """The kernel is whole whenever Ctrl-C is raised."""
    problem: Any = load("random512")
    compile_now(problem, engine)
    expected = answer(solve(problem, engine, backend="compiled"))
    for seed in range(3):
        search: Search[Any, Any] = Search(problem, engine, backend="compiled")
        assert answer(insist(search, random.Random(seed), 0.02)[0]) == expected


def test_while_it_is_iterated() -> None:
    """The iteration continues, or begins again where the engine was writing: the answer is the same."""
    problem = Slow(80)
    expected = answer(solve(problem, "astar", backend="python"))
    search = Search(problem, "astar", backend="python")
    rng, times, ended = random.Random(0), 0, False
    while not ended:
        timer = pressing_after(rng.uniform(0.0005, 0.005 * 1.3**times))
        with suppress(KeyboardInterrupt):
            try:
                timer.start()
                for _ in search:
                    pass
                ended = True
            except KeyboardInterrupt:
                times += 1
            end(timer)
    assert times > 0
    assert answer(search.run()) == expected


class Hanging(SearchProblem[int, str]):
    """A line whose successors hang, until they are corrected."""

    def __init__(self) -> None:
        self.hangs = True

    def initial_states(self) -> list[int]:
        return [0]

    def is_goal(self, state: int) -> bool:
        return state == 30

    def successors(self, state: int) -> Iterator[tuple[str, int]]:
        while self.hangs and state == 20:
            sleep(0.01)
        yield "+1", state + 1


def test_code_of_the_problem_that_hangs_is_left_at_once() -> None:
    """In the middle of an expansion, which is repeated."""
    problem = Hanging()
    search = Search(problem, "bfs")
    timer = pressing_after(0.05)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.run()
    timer.join()
    problem.hangs = False
    assert answer(search.run())[:3] == answer(solve(problem, "bfs"))[:3]


def test_the_handler_is_that_of_before() -> None:
    """Neither after a run, nor where the program has a handler of its own, is another one left."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    solve(Slow(10), "bfs", backend="python")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    seen: list[Any] = []

    def own(number: int, frame: Any) -> None:
        seen.append(signal.getsignal(signal.SIGINT))

    before = signal.signal(signal.SIGINT, own)
    try:
        timer = pressing_after(0.01)
        timer.start()
        assert solve(Slow(60), "bfs", backend="python").status is Status.SOLVED
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen in ([own], [])
