"""Depth-first engines: memory linear in the depth, no recursion limit, an end on finite spaces."""

import pytest

from searchkit import Search, SearchProblem, problem_from, solve

DEPTH_ENGINES = ("dfs", "dls", "iddfs", "idastar", "rbfs")


def line(length: int) -> SearchProblem[int, str]:
    """Return a chain of that length, with a perfect heuristic."""
    return problem_from(
        [0],
        lambda x: [("on", x + 1)] if x < length else [],
        lambda x: x == length,
        heuristic=lambda x: length - x,
    )


@pytest.mark.parametrize("engine", ["dfs", "idastar", "rbfs"])
def test_a_path_of_100_000_actions(engine: str) -> None:
    """No recursion: a path a hundred times deeper than Python's recursion limit is found."""
    result = solve(line(100_000), engine)
    assert result.cost == 100_000
    assert result.statistics.expanded == 100_000


@pytest.mark.parametrize("engine", DEPTH_ENGINES)
def test_memory_is_linear_in_the_depth(engine: str) -> None:
    """On a complete tree of branching 3 and depth 8, the number of stored states stays below branching times depth."""
    tree = problem_from(
        [1],
        lambda n: [(branch, 3 * n + branch) for branch in range(3)] if n < 3**8 else [],
        lambda n: False,
        heuristic=lambda n: 0,
    )
    search = Search(tree, engine)
    for _ in search:
        assert len(search.tree.reached) <= 10
        assert len(search.tree.frontier) <= 3 * 10
    assert search.statistics.expanded > 3**8


def test_iterative_deepening_expands_depth_by_depth() -> None:
    """The textbook order on a binary tree: 1; 1 2 3; 1 2 4 5 3 6 7."""
    binary = problem_from([1], lambda n: [(b, 2 * n + b) for b in (0, 1)] if n < 4 else [], lambda n: False)
    assert list(Search(binary, "iddfs")) == [1, 1, 2, 3, 1, 2, 4, 5, 3, 6, 7]
    assert list(Search(binary, "dfs")) == [1, 2, 4, 5, 3, 6, 7]
