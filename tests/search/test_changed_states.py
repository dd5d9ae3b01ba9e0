"""States that the problem changes after it returned them are an error, and not a wrong answer or an endless search."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from searchkit import Limits, problem_from, solve
from searchkit.errors import InvalidProblemError
from searchkit.testing import digraph


class Counter(list[int]):
    """A list with a hash: Python can't know that it will be changed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


def undone(state: Counter) -> Iterator[tuple[int, Counter]]:
    """Change the state, yield it, and change it back."""
    for place in range(3):
        state[place] += 1
        yield place, state
        state[place] -= 1


def same(state: Counter) -> list[tuple[int, Counter]]:
    """Change the state three times, and return it three times."""
    out = []
    for place in range(3):
        state[place] += 1
        out.append((place, state))
    return out


@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "bucket"])
@pytest.mark.parametrize("successors", [undone, same])
def test_a_search_of_changed_states_is_an_error(successors: Callable[[Any], Any], engine: str) -> None:
    """The goal is three steps away, and was called unsolvable."""
    problem = problem_from([Counter([0, 0, 0])], successors, lambda state: tuple(state) == (1, 1, 1))
    with pytest.raises(InvalidProblemError, match="a state was changed after it was returned"):
        solve(problem, engine, limits=Limits(expansions=10_000))


@pytest.mark.parametrize("engine", ["dijkstra", "bucket", "astar", "lpastar"])
def test_costs_whose_sums_round_down_are_an_error(engine: str) -> None:
    """1/3 + 0.0 is less than 1/3, so that a loop shortens a path: `lpastar` followed it forever, past all limits."""
    loop = digraph("0 -1/3→ 1, 1 -0.0→ 2, 2 -0.0→ 1, 2 -1→ 3", [0], [3], {} if "astar" in engine else None)
    with pytest.raises(InvalidProblemError, match="or floats were added to fractions"):
        solve(loop, engine, backend="python")
