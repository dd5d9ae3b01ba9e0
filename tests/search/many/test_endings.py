"""Iterators of results that are closed, left or interrupted: the searches end, and no result is lost."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count, repeat
from time import sleep

import pytest

from searchkit import (
    Limits,
    Status,
    solve_many,
)
from tests.search.many.queries import endless, line, wait_for_no_workers, workers


def test_closing_ends_the_searches() -> None:
    """At once, even if they would take long; then the iterator is empty."""
    answers = solve_many((line(n if n < 3 else 0.5) for n in count(1)), workers="threads:3")
    assert [next(answers).cost for _ in range(2)] == [1, 2]
    assert workers()
    answers.close()
    assert not workers()
    assert list(answers) == []
    with closing(solve_many(repeat(line(0.5)), workers="threads:2")) as others:
        pass
    assert list(others) == []


def test_leaving_it_ends_the_searches() -> None:
    """A loop that is left, and whose iterator is not referenced any more."""
    for result in solve_many((line(n if n < 3 else 0.5) for n in count(1)), workers="threads:3"):
        if result.cost == 2:
            break
    wait_for_no_workers()


def once(begun: threading.Event, action: Callable[[], object]) -> threading.Thread:
    """Do something in another thread once an event has happened."""

    def wait() -> None:
        assert begun.wait(60)
        action()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_interrupted_searches_are_cut_off_and_can_go_on() -> None:
    """No other query begins; the results of those that have begun are all returned."""
    begun = threading.Event()
    answers = solve_many((line(n) if n < 5 else endless(begun) for n in count(1)), workers="threads:1")
    assert [next(answers).cost for _ in range(4)] == [1, 2, 3, 4]
    thread = once(begun, answers.interrupt)
    (result,) = answers
    thread.join()
    assert (result.status, result.cutoff) == (Status.CUTOFF, "an interruption")
    assert result.search is not None
    more = result.search.resume(Limits(expansions=10))
    assert more.statistics.expanded == result.statistics.expanded + 10
    assert not workers()


@pytest.fixture
def heard() -> Iterator[None]:
    """Handle Ctrl-C as in a terminal, in child processes too: `nohup` and `&` in a script make them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread alone"
)
def test_control_c_while_waiting() -> None:
    """It is raised soon, the searches end as cutoffs, and no result is lost."""
    begun = threading.Event()
    answers = solve_many([line(1), endless(begun), line(2)], workers="threads:1")
    assert next(answers).cost == 1
    waiting = threading.Event()

    def press() -> None:
        assert waiting.wait(60)
        sleep(0.3)  # until it waits for an answer
        os.kill(os.getpid(), signal.SIGINT)

    thread = once(begun, press)
    waiting.set()
    with pytest.raises(KeyboardInterrupt):
        next(answers)
    thread.join()
    assert {result.cutoff for result in answers} == {"an interruption"}


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("successors", ["[('+1', n + 1)]", "sleep(9999)"])
@pytest.mark.parametrize("end", ["", "next(answers)"])
def test_the_program_ends_whatever_still_runs(successors: str, end: str) -> None:
    """Neither endless searches nor members of a problem that don't return delay the end of the program or Ctrl-C."""
    code = (
        "from time import sleep\n"
        "from searchkit import problem_from, solve_many\n"
        "def line(goal):\n"
        f"    return problem_from([0], lambda n: {successors}, lambda n: n == goal)\n"
        "answers = solve_many([line(0), line(-1), line(-1)], workers='threads:2')\n"
        "print(next(answers).cost, flush=True)\n"
        f"{end}"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        if end:
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGINT if end else 0)
    assert (errors.splitlines() or [""])[-1] == ("KeyboardInterrupt" if end else "")
