"""Work that grows with a search, such as growing arrays, is done in pieces, and within the memory limit."""

from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from searchkit import Limits, Search, Status, solve
from searchkit.compiled.kit import arrays, records
from searchkit.kernels.queue import frontier
from searchkit.kernels.queue.entries import FAR, Real, Whole
from searchkit.kernels.queue.ladder import waiting
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit_dungeon import Terrain, make_grid
from tests.kernels.together import answer
from tests.kernels.views import FORMS, compilable, view_of


def long_line(form: str, length: int = 9_000) -> Any:
    """Return a line so long that all arrays grow."""
    edges = [Edge(node, head, 1) for node in range(length) for head in (node + 1, length + 1 + node)]
    estimates = {node: max(0, length - node) for node in range(2 * length + 1)}
    graph = digraph(edges, [0], [length], estimates)
    view = FORMS[form](graph)
    return view_of(graph, evolve(view, graph=evolve(view.graph, branching=2)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", ["functions", "two words"])
@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "bucket", "greedy", "idastar"])
def test_growing_goes_in_pieces(engine: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two pieces, the driver checks limits; the answer is the same."""
    monkeypatch.setattr(arrays, "PIECE", 1 << 12)
    monkeypatch.setattr(arrays, "NODES_PIECE", 1 << 8)
    monkeypatch.setattr(frontier, "ENTRIES", 1 << 8)
    monkeypatch.setattr("searchkit.kernels.idastar.PIECE", 1 << 8)
    graph = long_line(form)
    search: Search[Any, Any] = Search(graph, engine, backend="compiled")
    search.run(Limits(expansions=0))
    unsettled = 0
    while not search.ended:
        search._advance(1_000)
        unsettled += not search.kernel.settled
    assert unsettled > 10, "between pieces, it stands at no state"
    assert answer(search.run()) == answer(solve(graph, engine, backend="python"))


@pytest.mark.parametrize("ties", ["high-g", "low-h", "lifo", "fifo"])
def test_entries_become_wider_and_get_new_turns_in_pieces(ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of times, with numbers that are close to each other and far apart: they come out in the same order."""
    monkeypatch.setattr(frontier, "ENTRIES", 8)
    random, nodes = Random(4), 300
    edges = [
        Edge(tail, random.randrange(nodes), random.randint(0, 20)) for tail in range(nodes) for _ in range(3)
    ]
    # a third of the nodes have f that are close to each other and come out first; the others are of too many f
    estimates = {node: random.randint(0, node) * (2**20 if node % 3 else 4) for node in range(nodes)}
    graph = compilable(digraph(edges, [0], [], estimates), "rows")
    search: Search[Any, Any] = Search(graph, "astar", backend="compiled", ties=ties)
    search.run(Limits(expansions=1))
    pieces, unsettled, forms = 0, 0, set()
    while not search.ended:
        search._advance(10)
        unsettled += not search.kernel.settled
        if search.kernel.settled and not search.ended:
            pieces += sum(1 for _ in search.kernel.renumber())
            forms.add(type(search.kernel.queue.arrays))
    assert forms == {Whole, Real}
    assert unsettled > 1
    assert pieces > 100
    assert answer(search.run()) == answer(solve(graph, "astar", backend="python", ties=ties))


@pytest.mark.parametrize("ties", ["lifo", "fifo"])
def test_entries_are_saved_in_pieces(ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of any size: each entry is there once, with its node and the cost at which it was reached."""
    random, nodes = Random(5), 400
    edges = [
        Edge(tail, random.randrange(nodes), random.randint(1, 9)) for tail in range(nodes) for _ in range(9)
    ]
    graph = compilable(digraph(edges, [0], []), "rows")
    search: Search[Any, Any] = Search(graph, "dijkstra", backend="compiled", ties=ties)
    search.run(Limits(expansions=60))
    queue, saved = search.kernel.queue, []
    assert queue.arrays.sizes[FAR] > 100
    for size in (1, 5, 1 << 15):
        monkeypatch.setattr(frontier, "ENTRIES", size)
        saved.append(queue.saved()["entries"])
        assert np.array_equal(saved[0], saved[-1])
    f, turns, g = saved[0][:, 0] >> 32, saved[0][:, 0] & 0xFFFFFFFF, saved[0][:, 1] >> 32
    assert len(set(turns.tolist())) == len(saved[0]) == int(waiting(queue.arrays))
    assert np.array_equal(f, g)
    costs = search.kernel.records.costs((saved[0][:, 1] & 0xFFFFFFFF).astype(np.int64))
    assert (costs <= g).all()
    assert (costs == g).sum() > 50


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_long_path_is_read_in_pieces(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is the same for any size of pieces."""
    graph = compilable(digraph(", ".join(f"{node} -1→ {node + 1}" for node in range(50)), [0], [50]), form)
    expected = solve(graph, "bfs", backend="python").solution
    for piece in (1, 7, 50, 51, 52):
        monkeypatch.setattr(records, "PIECE", piece)
        assert solve(graph, "bfs", backend="compiled").solution == expected


def test_a_long_path_over_a_grid_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a grid, parents follow from moves."""
    task = make_grid(Terrain([b"\1" * 9] * 9), [(0, 0)], [(8, 8)])
    for engine in ("bfs", "dijkstra"):
        expected = solve(task, engine, backend="python").solution
        for piece in (1, 3, 16, 17, 18):
            monkeypatch.setattr("searchkit.compiled.kit.records.PIECE", piece)
            assert solve(task, engine, backend="compiled").solution == expected


@pytest.mark.parametrize("form", ["functions"])
@pytest.mark.parametrize("engine", ["bfs", "dijkstra", "astar", "bucket", "greedy", "idastar"])
def test_no_array_grows_beyond_the_limit_of_memory(
    engine: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Growth that would need more than is allowed is a cutoff before it begins; nothing is lost."""
    graph = long_line(form)
    resident = 100.0
    monkeypatch.setattr("searchkit.search.limits.resident_memory", lambda: resident)
    monkeypatch.setattr("searchkit.search.backend.resident_memory", lambda: resident)
    expected = solve(graph, engine, backend="python")
    search: Search[Any, Any] = Search(graph, engine, backend="compiled")
    result = search.run(Limits(memory=100.05))
    assert (result.status, result.cutoff) == (Status.CUTOFF, "the limit of 100.05 MB of memory")
    assert 0 < result.statistics.expanded < expected.statistics.expanded
    again = search.run(Limits(memory=100.05))
    assert again.statistics.expanded == result.statistics.expanded
    found = search.run(Limits(memory=200))
    assert answer(found) == answer(expected)
