"""The arrays of a search: no search sees what memory held before."""

from typing import Any

import numpy as np
import pytest

from searchkit import Search
from searchkit.compiled.kit import records
from searchkit.testing.spaces.digraphs import digraph
from tests.kernels.views import FORMS, compilable

LENGTH = 3_000
LINE = digraph(
    ", ".join(f"{node} -1→ {node + 1}, {node} -1→ {LENGTH + 1 + node}" for node in range(LENGTH)),
    [0],
    [LENGTH],
    {node: max(LENGTH - node, 0) for node in range(2 * LENGTH + 1)},
)


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"rows"}))
@pytest.mark.parametrize("engine", ["bfs", "astar"])
def test_memory_that_is_used_again(engine: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """New arrays may hold the records of an earlier search; records after the last node are ignored."""
    graph = compilable(LINE, form)
    first = Search(graph, engine, backend="compiled")
    expected = first.run()
    before: Any = first.tree.reached
    assert before.room > records.FIRST_ROOM, "the arrays grew"

    empty = np.empty

    def used(shape: Any, kind: Any = float) -> Any:
        return np.resize(before.nodes, shape) if kind == before.nodes.dtype else empty(shape, kind)

    again = Search(graph, engine, backend="compiled")
    monkeypatch.setattr(np, "empty", used)
    result = again.run()
    monkeypatch.undo()
    assert result.solution == expected.solution
    assert result.statistics.expanded == expected.statistics.expanded
    assert dict(again.tree.reached) == dict(before)
