"""Threads that share the work of one search."""

import os
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from searchkit.kernels import team
from searchkit.kernels.team import Team


def test_each_share_is_run_once_and_at_the_same_time() -> None:
    """All shares of three threads wait for each other."""
    meeting = threading.Barrier(3, timeout=30)
    crew = Team(3)
    for _ in range(3):
        assert crew.run(lambda number: (number, meeting.wait() >= 0)) == [(0, True), (1, True), (2, True)]


def test_an_error_is_raised_when_all_have_ended() -> None:
    """So nobody works on arrays that somebody else reads again."""
    ended: list[int] = []

    def share(number: int) -> None:
        if number == 0:
            raise KeyboardInterrupt
        threading.Event().wait(0.05)
        ended.append(number)
        raise ValueError

    with pytest.raises(KeyboardInterrupt):
        Team(3).run(share)
    assert sorted(ended) == [1, 2]


def test_without_more_threads_one_does_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under a limit of the number of threads."""

    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    assert Team(4).run(lambda number: number) == [0, 1, 2, 3]


def test_threads_end_with_their_team() -> None:
    """A search that is dropped leaves no threads behind."""
    crew = Team(3)
    helpers = crew.run(lambda number: threading.current_thread())
    del crew
    for helper in helpers[1:]:
        helper.join(30)
        assert not helper.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    """Those of the parent are not there."""
    crew = Team(2)
    assert crew.run(lambda number: number) == [0, 1]
    if (child := os.fork()) == 0:
        os._exit(0 if crew.run(lambda number: number) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_arrays_are_copied_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces that several threads copy."""
    monkeypatch.setattr(team, "PIECE", 56)
    source, target = np.arange(1001), np.zeros(1001, np.int64)
    pieces: Iterator[None] = Team(3).copied(target, source)
    assert sum(1 for _ in pieces) == 1001 // 21
    assert (target == source).all()
