"""A limit, an interruption or Ctrl-C ends one expansion with endlessly many successors, and nothing is lost."""

import threading
from collections.abc import Iterator
from itertools import count
from time import perf_counter
from typing import Any

import pytest

from searchkit import EngineSpec, Limits, Search, SearchProblem, Status
from searchkit.engines.kit import enter_starts
from searchkit.tree import SearchTree

BUSY = 1.3
"""Seconds: the 0.3 of the promise, and some for busy machines."""


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


def polls(problem: Any, tree: SearchTree[Any, Any]) -> Iterator[Any]:
    """Search breadth-first, and poll at each successor."""
    if tree.frontier is None:
        tree.frontier = enter_starts(problem, tree)
    while tree.frontier:
        state = tree.frontier[0]
        yield state
        children = []
        for action, child in problem.successors(state):
            tree.poll()
            if child not in tree.reached:
                children = [(child, action)]
        tree.frontier.pop(0)
        for child, action in children:
            tree.reached[child] = (tree.reached[state][0] + 1, state, action)
            if problem.is_goal(child):
                return tree.finish(child)
            tree.frontier.append(child)
    return None


@pytest.mark.parametrize(
    "engine",
    [EngineSpec("polls", polls), "bfs", "dijkstra", "bucket", "dfs"],
    ids=lambda one: getattr(one, "name", one),
)
@pytest.mark.parametrize("way", ["seconds", "interrupt", "memory"])
def test_a_limit_ends_the_expansion(way: str, engine: Any) -> None:
    """Within 0.3 seconds; after a correction, the search continues to the right answer, also with other limits."""
    problem = Endless()
    search: Search[Any, Any] = Search(problem, engine)
    begin = perf_counter()
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
    assert perf_counter() - begin < 0.1 + BUSY
    assert search.statistics.expanded == 0
    problem.corrected = True
    assert search.run(Limits(seconds=60)).status is Status.SOLVED
