"""Expansions that machine code interrupted because of faults in the problem or its view are repeated first."""

from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Search, available_engines, solve
from searchkit.compiled.view import CSR
from searchkit.errors import InvalidProblemError
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from tests.kernels.together import answer, options_of
from tests.kernels.views import as_rows, compilable, view_of

NODES = 30
QUEUED = ("dijkstra", "astar", "wastar", "bucket", "greedy", "zero_one")
TIES = [(name, ties) for name in ("astar", "bucket") for ties in ("high-g", "low-h", "lifo", "fifo")]


@pytest.mark.parametrize("name", QUEUED)
@given(data=st.data())
def test_what_was_broken_off_counts_once(name: str, data: st.DataObject) -> None:
    """After the bad cost is corrected, the search ends like one that never had it."""
    random = Random(data.draw(st.integers(0, 10_000)))
    spec = available_engines()[name]
    options = options_of(data.draw, spec)
    graph = at_random(random, largest=1 if name == "zero_one" else data.draw(st.sampled_from([1, 3, 50])))
    view = as_rows(graph)
    costs = np.array(view.graph.costs, np.float64)  # type: ignore[union-attr]  # it is a CSR
    edge = random.randrange(len(costs))
    right, costs[edge] = costs[edge], -1.0
    faulty = view_of(graph, evolve(view, graph=CSR(view.graph.indptr, view.graph.indices, costs)))  # type: ignore[union-attr]
    search = Search(faulty, spec, backend="compiled", **options)
    for _ in range(2):
        try:
            search.run()
            break
        except InvalidProblemError as error:
            assert "compiled view" in str(error)  # noqa: PT017  # the edge may never be looked at
            costs[edge] = right
    expected = answer(solve(compilable(graph, "rows"), spec, backend="compiled", **options))
    found = answer(search.run())
    assert found == expected


def at_random(random: Random, largest: int) -> WeightedDigraph:
    """Return a digraph of three edges from each node, with whole costs and heuristic values up to the largest."""
    edges = [
        Edge(tail, random.randrange(NODES), random.randint(0, largest))
        for tail in range(NODES)
        for _ in range(3)
    ]
    table = {node: random.randint(0, largest) for node in range(NODES)}
    return digraph(edges, [0], [random.randrange(NODES)], table)


@pytest.mark.parametrize(("name", "ties"), TIES)
def test_a_warning_that_the_problem_breaks_off_is_not_lost(name: str, ties: str) -> None:
    """The heuristic raises when it is called for the warning: the resumed search warns first, as if it had not."""
    edges = "0 -5→ 2, 0 -1→ 1, 2 -9→ 3, 1 -1→ 2, 3 -1→ 4"
    graph = compilable(digraph(edges, [0], [4], {0: 0, 1: 7, 2: 0, 3: 1, 4: 0}), "rows")
    expected = solve(graph, name, backend="compiled", ties=ties)
    assert len(expected.warnings) == 1
    search = Search(graph, name, backend="compiled", ties=ties)
    heuristic, failing = graph.heuristic, [False, True]  # called for the start, and then for the warning

    def fails_once(state: Any) -> Any:
        if failing and failing.pop(0):
            raise OSError("the disk is gone")
        return heuristic(state)

    object.__setattr__(graph, "heuristic", fails_once)
    said = (
        r"Viewed.heuristic raised OSError: the disk is gone, while 1 was being expanded; .* resume the search"
    )
    with pytest.raises(InvalidProblemError, match=said) as raised:
        search.run()
    assert isinstance(raised.value.__cause__, OSError)
    assert not failing
    assert search.next_state not in search.tree.closed
    assert search.tree.warnings == []
    assert answer(search.run()) == answer(expected)
