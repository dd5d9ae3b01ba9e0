"""The priority queue of the best-first kernels: entries come out in order, for any distribution of f."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import available_engines
from searchkit.testing import Edge, digraph
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
