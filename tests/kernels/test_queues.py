"""The priority queue of the best-first kernels: entries come out in order, for any distribution of f."""

from operator import itemgetter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Search, available_engines
from searchkit.compiled.kit import run
from searchkit.testing import Edge, digraph
from searchkit_graph import explicit_graph
from tests.kernels.together import hold_together, options_of
from tests.kernels.views import FORMS, compilable


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["dijkstra", "astar", "wastar", "bucket", "greedy"])
@given(data=st.data(), seed=st.integers(0, 10_000))
@settings(max_examples=100)
def test_graphs_whose_costs_differ_much(name: str, form: str, data: st.DataObject, seed: int) -> None:
    """As in Python, tie for tie, if few entries are close to each other and the oldest are far away."""
    random, spec = Random(seed), available_engines()[name]
    nodes, largest = data.draw(
        st.sampled_from([(60, 50), (60, 3_000), (150, 1_000), (3_000, 40), (1_000, 10**6), (60, 10**10)])
    )
    edges = [
        Edge(tail, random.randrange(nodes), random.randint(0, largest))
        for tail in range(nodes)
        for _ in range(3)
    ]
    estimates: Any = {node: random.randint(0, largest) for node in range(nodes)}
    graph = digraph(edges, [0], [], None if spec.heuristic == "unused" else estimates)
    hold_together(
        compilable(graph, form), spec, options_of(data.draw, spec), data.draw(st.sampled_from([3, 1000]))
    )


@pytest.mark.parametrize("largest", [1.0, 1e9])
def test_stops_while_a_long_bucket_is_opened(largest: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """40,000 entries of one bucket, or all of them too far away for any, are moved in pieces; none is lost."""
    random, leaves = Random(0), 40_000
    edges = [(0, leaf, 1 + largest * random.random()) for leaf in range(1, leaves)]
    problem = explicit_graph([*edges, *((leaf, leaves, 2 * largest) for leaf in range(1, leaves))], 0, leaves)
    search, waiting = Search(problem, "dijkstra", backend="compiled"), list[int]()

    def few_steps(steps: int, seconds: float) -> int:
        waiting.append(len(search.tree.frontier or ()))
        return 1 << 10

    monkeypatch.setattr(run, "next_steps", few_steps)
    result, (_, nearest, cost) = search.run(), min(edges, key=itemgetter(2))
    assert waiting.count(leaves - 1) > 1
    assert (result.cost, result.states) == (cost + 2 * largest, (0, nearest, leaves))
    assert result.statistics.expanded == leaves
