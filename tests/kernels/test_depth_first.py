"""Iterative deepening in machine code: long paths, the tree at a pause, and errors."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Search, Status, solve
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.errors import InvalidProblemError
from searchkit.kernels import idastar
from searchkit.testing import WeightedDigraph, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.kernels.views import FORMS, compilable, view_of

LONG = 3_000


def line(length: int) -> WeightedDigraph:
    """Return a path with an exact heuristic; each of its states has a dead end as well."""
    edges = ", ".join(f"{node} -1→ {node + 1}, {node} -1→ {length + 1 + node}" for node in range(length))
    return digraph(edges, [0], [length], {node: max(length - node, 0) for node in range(2 * length + 1)})


@pytest.mark.parametrize("form", sorted(FORMS))
def test_paths_and_stacks_grow(form: str) -> None:
    """A path of thousands of states, and a stack as long, in arrays that begin with some hundred places."""
    graph = compilable(line(LONG), form)
    python, kernel = (solve(graph, "idastar", backend=backend) for backend in ("python", "compiled"))
    assert kernel.cost == LONG
    assert kernel.solution == python.solution
    assert kernel.statistics.peak_frontier == python.statistics.peak_frontier > idastar.FIRST_DEPTH


def test_memory_that_runs_out_is_a_cutoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an array can't grow, nothing is lost, and the search continues when it can."""
    search = Search(compilable(line(LONG), "rows"), "idastar", backend="compiled")

    def no_memory(self: Any, array: Any, used: int, room: int) -> Any:
        raise MemoryError

    monkeypatch.setattr(idastar.IterativeDeepeningAStar, "grown", no_memory)
    result = search.run()
    assert (result.status, result.cutoff) == (Status.CUTOFF, "the memory of this machine")
    monkeypatch.undo()
    assert search.run().solution == solve(line(LONG), "idastar").solution


@pytest.mark.parametrize("form", sorted(FORMS))
@given(data=st.data())
@settings(max_examples=100)
def test_the_tree_at_a_pause(form: str, data: st.DataObject) -> None:
    """Path, stack and thresholds are those of the engine in Python."""
    graph = compilable(data.draw(weighted_digraphs("int", heuristic="admissible")), form)
    python = Search(graph, "idastar", backend="python")
    moved = Search(graph, "idastar", backend="compiled")
    before = Limits(expansions=data.draw(st.integers(0, 9)))
    after = Limits(expansions=data.draw(st.integers(0, 9)))
    python.run(before), moved.run(before)
    python.run(after), moved.run(after)
    tree, expected = moved.tree, python.tree
    assert moved.ended == python.ended
    assert list(tree.reached.items()) == list(expected.reached.items())
    assert [tree.frontier[index] for index in range(len(tree.frontier))] == list(expected.frontier)
    assert tree.frontier[:] == list(expected.frontier)
    assert (tree.threshold, tree.next_threshold) == (expected.threshold, expected.next_threshold)
    assert tree.expanded_states() == expected.expanded_states()


def test_bad_costs_and_estimates_are_named() -> None:
    """The error is that of the engine in Python, or names the view if only that is wrong. The search stays there."""
    negative = compilable(digraph("0 -1→ 1, 1 --1→ 2", [0], [2], {0: 0}), "functions")
    left = []
    for backend in ("python", "compiled"):
        search = Search(negative, "idastar", backend=backend)
        with pytest.raises(InvalidProblemError, match=r"cost\(1, .*2\) is -1; expected a finite number ≥ 0"):
            search.run()
        left.append((search.tree.expanded, search.tree.generated, search.next_state))
    assert left[0] == left[1] == (2, 2, 1)

    estimated = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {1: float("nan")}), "rows")
    with pytest.raises(InvalidProblemError, match=r"heuristic\(1\) is nan; expected a number ≥ 0"):
        solve(estimated, "idastar", backend="compiled")

    graph = digraph("0 -1→ 1, 1 -1→ 2", [0], [2], {0: 0})
    right = compilable(graph, "rows").compiled()
    wrong = CompiledProblem(
        CSR([0, 1, 2, 2], [1, 2], [1.0, -1.0]),
        int,
        int,
        goals=[2],
        heuristic=right.heuristic,
        table=right.table,
    )
    with pytest.raises(
        InvalidProblemError, match=r"compiled view .* has a cost at 2 .* the problem itself has not"
    ):
        solve(view_of(graph, wrong), "idastar", backend="compiled")
