"""Files whose sums are right and that hold numbers that are not states: machine code never sees them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from searchkit import Limits, Search
from searchkit.errors import InvalidProblemError
from searchkit.scale.buckets.tasks import expand_bucket, find_parent_at
from searchkit.scale.exchange.blocks import expand_stretches
from searchkit.scale.external.files import RunWriter
from searchkit.scale.external.layers import Layer, RunFile, run_name
from searchkit.scale.external.tasks import Job, Sent, expand, find_parent
from searchkit.testing.spaces.digraphs import digraph
from tests.kernels.views import compilable

CHILD = np.uint64(1)
TASKS: dict[str, Callable[[Job, Layer, RunFile, Any], Any]] = {
    "expand": lambda job, layer, file, _: expand(job, layer, file, 0, 9, 0, 0),
    "expand stretches": lambda job, layer, file, data: expand_stretches(
        job, layer, [(file, 0, 9)], 0, 1, [data]
    ),
    "expand a bucket": lambda job, layer, file, _: expand_bucket(
        job, False, layer, file, 0, 9, (0, 0), 0, "buckets-1.run"
    ),
    "find a parent": lambda job, layer, file, _: find_parent(job, layer, file, CHILD),
    "find a parent in a bucket": lambda job, layer, file, _: find_parent_at(
        job, False, layer, file, CHILD, 1
    ),
}


@pytest.mark.parametrize("strange", [[0, 3], [5, 0], [1 << 40]])
@pytest.mark.parametrize("task", sorted(TASKS))
def test_numbers_that_are_not_states(task: str, strange: list[int], tmp_path: Path) -> None:
    """Also where they are not the last of a file, which need not be sorted."""
    problem = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2]), "rows")
    states = np.array(strange, np.uint64)
    writer, name = RunWriter(1), run_name(0, 0, 0)
    for part in range(len(states)):
        writer.add(0, part, states[part : part + 1])
    written = writer.write(tmp_path / name, False)
    file = RunFile(0, 0, 0, 0, len(states), written)
    job, layer = Job(Sent(problem), tmp_path, False), Layer(0, len(states), (file,))
    assert job.expander.size == 3
    with pytest.raises(InvalidProblemError, match=f"{max(strange)} is not a state of a graph with 3 states"):
        TASKS[task](job, layer, file, np.fromfile(tmp_path / name, np.uint8))


@pytest.mark.parametrize("engine", ["external_bfs", "external_dijkstra"])
def test_layers_that_are_expanded_in_memory(engine: str, tmp_path: Path) -> None:
    """A search reads a layer of its directory, whose last state is a state."""
    problem = compilable(digraph("0 -1→ 1, 1 -1→ 2", [0], [2]), "rows")
    search = Search(problem, engine, backend="compiled", directory=str(tmp_path))
    search.run(Limits(expansions=0))
    writer, name = RunWriter(1), run_name(0, 0, 0)
    for part, state in enumerate([3, 0]):
        writer.add(0, part, np.array([state], np.uint64))
    file = RunFile(0, 0, 1, 0, 2, writer.write(tmp_path / name, False))
    search.kernel.layers[0] = Layer(0, 2, (file,))
    with pytest.raises(InvalidProblemError, match="3 is not a state of a graph with 3 states"):
        search.run()
