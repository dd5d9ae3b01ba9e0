"""States that the problem changes after it returned them are an error, and not a wrong answer or an endless search."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from searchkit import Limits, Search, problem_from, solve
from searchkit.errors import InvalidProblemError
from searchkit.plugin import SearchTree


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


def test_parents_in_a_circle_are_an_error() -> None:
    """A path is not longer than the number of states that were reached."""
    line = problem_from([0], lambda n: [("+1", n + 1)], lambda n: n == 3)
    search: Search[Any, Any] = Search(line, "bfs")
    search.run(Limits(expansions=2))
    tree: SearchTree[Any, Any] = search.tree
    tree.reached[0] = (0, 2, "back")
    with pytest.raises(InvalidProblemError, match="a state was changed after it was returned"):
        tree.path_to(2)
