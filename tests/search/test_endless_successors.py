"""A limit, an interruption or Ctrl-C ends one expansion with endlessly many successors, and nothing is lost."""

import threading
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from searchkit import Limits, Search, SearchProblem, Status


class Endless(SearchProblem[int, int]):
    """The whole numbers, each of which leads to all larger ones, until the problem is corrected."""

    def __init__(self) -> None:
        self.corrected = False

    def initial_states(self) -> list[int]:
        return [1]

    def is_goal(self, state: int) -> bool:
        return state == -1

    def successors(self, state: int) -> Iterator[tuple[int, int]]:
        if self.corrected:
            yield from [(-1, -1)]
        else:
            yield from ((0, 2) for _ in count())


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "bucket", "dfs"])
@pytest.mark.parametrize("way", ["seconds", "interrupt", "memory"])
def test_a_limit_ends_the_expansion(way: str, engine: str) -> None:
    """Else this would not end. After a correction, the search continues to the right answer, also with other limits."""
    problem = Endless()
    search: Search[Any, Any] = Search(problem, engine)
    if way == "interrupt":
        timer = threading.Timer(0.1, search.interrupt)
        timer.start()
        assert search.run().cutoff == "an interruption"
        timer.join()
    elif way == "memory":
        assert search.run(Limits(memory=1)).cutoff == "the limit of 1 MB of memory"
    else:
        for _ in range(2):
            result = search.run(Limits(seconds=0.05))
            assert result.cutoff == "the limit of 0.05 seconds"
    assert search.statistics.expanded == 0
    problem.corrected = True
    assert search.run(Limits(seconds=60)).status is Status.SOLVED
