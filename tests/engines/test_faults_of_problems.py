"""Problems with endless successors, with heuristics that an engine does not use, and with rounding errors."""

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

import pytest

from searchkit import EngineSpec, Search, available_engines, problem_from, solve
from searchkit.errors import InvalidProblemError
from searchkit.plugin import SearchTree
from searchkit.testing import Edge, digraph
from tests.core.test_numbers import Line

ENGINES = [
    spec
    for spec in available_engines().values()
    if all(isinstance(Line(int), needed) for needed in spec.requires)
]


class LimitError(Exception):
    """What a limit raises."""


class Endless(Line):
    """A walk in which 1 has endlessly many successors, and 3 predecessors, while `endless` is set."""

    endless = True

    def steps(self, state: int, end: int, by: int) -> Iterator[tuple[str, int]]:
        while state != end:
            yield "E", state + by
            if not (self.endless and state in (1, 3)):
                break

    def successors(self, state: int) -> Any:
        return self.steps(state, 3, 1)

    def predecessors(self, state: int) -> Any:
        return self.steps(state, 0, -1)


@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
def test_endless_successors_are_ended_by_poll(spec: EngineSpec) -> None:
    """The expansion is done again after that, and the search finds the path."""

    def stop() -> None:
        raise LimitError

    problem, tree = Endless(int, 1), SearchTree[Any, Any]()
    tree.poll = stop
    with pytest.raises(LimitError):
        list(spec.run(problem, tree))
    problem.endless, tree.poll = False, lambda: None
    list(spec.run(problem, tree))
    assert (tree.found, tree.goal) == (True, 3)


class Fussy(int):
    """A number whose hash raises from the call `at` on."""

    calls, at, error = 0, inf, MemoryError

    def __hash__(self) -> int:
        Fussy.calls += 1
        if Fussy.calls >= Fussy.at:
            raise Fussy.error
        return 1


@pytest.mark.parametrize("error", [MemoryError, AttributeError, StopIteration])
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
def test_an_error_while_the_tree_is_written_loses_no_state(spec: EngineSpec, error: Any) -> None:
    """When resumed after a correction, the search said "unsolvable". It begins again, and the error is explained."""
    around: Any = lambda n: [(by, Fussy((n + by) % 7)) for by in (1, -1)]  # noqa: E731
    more: Any = {"heuristic": lambda n: int(n != 3), "predecessors": around, "goals": [3]}
    problem, at = problem_from([Fussy(0)], around, lambda n: n == 3, **more), 0
    expected, Fussy.error = solve(problem, spec, backend="python"), error
    while Fussy.calls >= at:
        search, at = Search(problem, spec, backend="python"), at + 1
        Fussy.calls, Fussy.at = 0, at
        with suppress(MemoryError, InvalidProblemError):
            search.run()
        Fussy.at = inf
        result = search.run()
        assert (result.status, result.cost) == (expected.status, expected.cost)


def test_a_heuristic_that_the_engine_does_not_use_neither_raises_nor_weakens_its_bound() -> None:
    """`dstar_lite` uses `backward_heuristic` alone."""

    class Overestimating(Line):
        heuristic = lambda self, state: 2 * (3 - state) + (state < 3)  # noqa: E731

    problem = Overestimating(int, 1)
    result = solve(problem, "dstar_lite")
    assert (result.cost, result.optimal, result.warnings) == (3, True, ())
    assert available_engines()["dstar_lite"].heuristic == "backward"


def test_a_rounding_error_of_floats_reopens_and_is_named() -> None:
    """Consistent up to rounding: 2 is closed at 0.1 + 0.2, and reached again at 0.3, which rounds to the same f."""
    edges = [Edge(0, 1, 0.1), Edge(1, 2, 0.2), Edge(0, 3, 0.3), Edge(3, 2, 0), Edge(2, 4, 1001)]
    result = solve(digraph(edges, [0], [4], {0: 0, 1: 1000, 2: 1000, 3: 1000, 4: 0}), "astar")
    assert (result.cost, result.statistics.reopened) == (1001.3, 1)
    assert any("rounding" in text for text in result.warnings)
