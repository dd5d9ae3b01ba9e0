"""The records of hashed states."""

from typing import Any

from searchkit import Search
from searchkit.testing.spaces.digraphs import digraph
from tests.kernels.views import compilable


def test_costs_that_do_not_fit_into_a_record() -> None:
    """Small whole costs are kept in the record of a hashed state, all others beside it; both survive growth."""
    step, count = 0.5, 3_000
    graph = digraph(
        ", ".join(f"{node} -{3 if node % 2 else step}→ {node + 1}" for node in range(count)), [0], []
    )
    search = Search(compilable(graph, "functions"), "dijkstra", backend="compiled")
    search.run()
    held: Any = search.tree.reached
    expected = [node // 2 * (3 + step) + node % 2 * step for node in range(count + 1)]
    assert [held[node][0] for node in range(count + 1)] == expected
