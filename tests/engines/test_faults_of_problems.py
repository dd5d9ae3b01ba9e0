"""Problems with numbers of other libraries, with states that change, with endless successors, and that raise."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from searchkit import EngineSpec, SearchProblem, available_engines, problem_from, solve
from searchkit.errors import InvalidProblemError
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit.tree import SearchTree


class Walk(SearchProblem[int, str]):
    """A line with a shortcut: states 0 to 3; the goal is 3, at a cost of 3 steps; `number` makes all numbers."""

    def __init__(self, number: Any = int, step: Any = 100):
        self.number, self.step = number, step

    def initial_states(self) -> list[int]:
        return [0]

    def goal_states(self) -> list[int]:
        return [3]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("E", state + 1)] if state < 3 else []

    def predecessors(self, state: int) -> list[tuple[str, int]]:
        return [("E", state - 1)] if state > 0 else []

    def cost(self, state: int, action: str, successor: int) -> Any:
        return self.number(self.step)

    def heuristic(self, state: int) -> Any:
        return self.number(self.step * (3 - state)) if self.step * (3 - state) < 250 else self.number(0)

    def backward_heuristic(self, state: int) -> Any:
        return self.number(0)


ENGINES = [
    spec
    for spec in available_engines().values()
    if all(isinstance(Walk(), needed) for needed in spec.requires)
]
PRICED = [spec for spec in ENGINES if spec.costs == "any"]


@pytest.mark.parametrize("number", [np.uint8, np.int16, np.float32, np.bool_], ids=lambda of: of.__name__)
@pytest.mark.parametrize("spec", PRICED, ids=lambda spec: spec.name)
def test_costs_of_numpy_do_not_wrap_around(spec: EngineSpec, number: Any) -> None:
    """Three costs of 100 in `uint8` are 300, and the result has numbers of Python."""
    step = 1 if number is np.bool_ else 100
    result = solve(Walk(number, step), spec)
    assert result.cost == 3 * step
    assert result.optimal or not spec.optimal
    assert {type(result.cost), type(result.lower_bound)} <= {int, float}


@pytest.mark.parametrize("spec", PRICED, ids=lambda spec: spec.name)
def test_an_array_is_no_cost(spec: EngineSpec) -> None:
    """The error names the call."""

    class Raster(Walk):
        def cost(self, state: int, action: str, successor: int) -> Any:
            return np.array([1])

    with pytest.raises(
        InvalidProblemError, match=r"cost\(., 'E', .\) is array.*, of type ndarray; expected a finite"
    ):
        solve(Raster(), spec)


class Counter(list[int]):
    """A list with a hash: it should not be a state."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


def undone(state: Counter) -> Iterator[tuple[int, Counter]]:
    """Change the state, return it, and change it back."""
    for place in range(3):
        state[place] += 1
        yield place, state
        state[place] -= 1


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "bucket"])
def test_successors_that_change_their_state_do_not_search_without_end(engine: str) -> None:
    """The goal is three steps away, and no such state is ever seen: that is never an optimal answer."""
    problem: Any = problem_from([Counter([0, 0, 0])], undone, lambda state: tuple(state) == (1, 1, 1))
    try:
        assert not solve(problem, engine).cost
    except InvalidProblemError as error:
        assert "changed after it was returned" in str(error)  # noqa: PT017  # where it can be seen at once


class LimitError(Exception):
    """What a limit raises."""


class Endless(Walk):
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


def test_a_heuristic_that_the_engine_does_not_use_neither_raises_nor_weakens_its_bound() -> None:
    """`dstar_lite` uses `backward_heuristic` alone."""

    class Overestimating(Walk):
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
