"""The frontiers of `bucket`, `greedy` and `zero_one` in machine code: growth and errors."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Search, Status, available_engines, solve
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.kernels import queue
from searchkit.kernels.best_first import BestFirst
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph, digraph
from tests.kernels.together import answer, hold_together, options_of
from tests.kernels.views import FORMS, compilable

ENGINES = {name: available_engines()[name] for name in ("bucket", "greedy", "zero_one")}
NODES = 60


def at_random(seed: int, largest: int, steepest: int) -> WeightedDigraph:
    """Return a digraph of three edges from each node, with costs and heuristic values of any size up to the largest."""
    random = Random(seed)
    edges = [
        Edge(tail, random.randrange(NODES), random.randint(0, largest))
        for tail in range(NODES)
        for _ in range(3)
    ]
    table = {node: random.randint(0, steepest) for node in range(NODES)} if steepest else None
    return digraph(edges, [random.randrange(NODES)], [random.randrange(NODES)], table)


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["bucket", "greedy"])
@given(data=st.data())
@settings(max_examples=120)
def test_priorities_of_all_sizes(name: str, form: str, data: st.DataObject) -> None:
    """Inside and outside the buckets, for drops of any size: as in Python, at every pause."""
    spec = ENGINES[name]
    largest = data.draw(st.sampled_from([3, 50, 200, 400, 5_000]))
    steepest = data.draw(
        st.sampled_from([1, 30, 300, 10_000] if name == "greedy" else [0, 1, 30, 300, 10_000])
    )
    graph = at_random(data.draw(st.integers(0, 10_000)), largest, steepest)
    hold_together(
        compilable(graph, form), spec, options_of(data.draw, spec), data.draw(st.sampled_from([1, 3, 1000]))
    )


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["zero_one"])
@given(seed=st.integers(0, 10_000), step=st.sampled_from([1, 3, 1000]))
def test_a_double_ended_queue_grows_at_both_ends(name: str, form: str, seed: int, step: int) -> None:
    """Its nodes stay in order, at any place where the circle is cut."""
    hold_together(compilable(at_random(seed, 1, 0), form), ENGINES[name], {}, step)


@pytest.mark.parametrize("name", ENGINES)
def test_memory_that_runs_out_is_a_cutoff(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the frontier can't grow, nothing is lost, and the search continues when it can."""
    graph = compilable(at_random(3, 1, 6), "rows")
    options = {} if name == "zero_one" else {"ties": "lifo"}
    expected = solve(graph, name, backend="python", **options)
    search = Search(graph, name, backend="compiled", **options)
    grow = BestFirst.grow_frontier

    def no_memory(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(BestFirst, "grow_frontier", no_memory)
    monkeypatch.setattr(queue, "FIRST_CAPACITY", 4)
    result = search.run()
    assert (result.status, result.cutoff) == (Status.CUTOFF, "the memory of this machine")
    assert result.statistics.expanded < expected.statistics.expanded
    monkeypatch.setattr(BestFirst, "grow_frontier", grow)
    assert answer(search.run()) == answer(expected)


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("name", ["bucket", "greedy"])
@pytest.mark.parametrize("fault", ["cost", "estimate"])
def test_bad_costs_and_estimates_are_named(name: str, form: str, fault: str) -> None:
    """The error is that of the engine in Python, and the search stays where it was."""
    edges, table = "0 -1→ 1, 1 -1→ 2, 1 -1→ 3", {0: 2, 1: 1, 2: 1, 3: 0}
    if fault == "cost":
        edges = edges.replace("1 -1→ 3", "1 --1→ 3")
    else:
        table = {**table, 3: -1}
    hold_together(compilable(digraph(edges, [0], [3], table), form), ENGINES[name], {}, 1000)


def view_of(graph: WeightedDigraph, view: CompiledProblem) -> WeightedDigraph:
    """Return the graph with that compiled view, right or wrong."""

    class Viewed(type(graph)):  # type: ignore[misc]  # the subclass that has the costs and the heuristic
        def compiled(self) -> CompiledProblem:
            return view

    return Viewed(graph.edges, graph.starts, graph.goals, graph.table)  # type: ignore[no-any-return]


def test_costs_that_only_the_view_has_are_its_own_fault() -> None:
    """The error does not blame the problem for them."""
    graph = digraph("0 -1→ 1, 1 -1→ 2", [0], [2])
    view = CompiledProblem(CSR([0, 1, 2, 2], [1, 2], [1.0, 3.0]), int, int, goals=[2])
    with pytest.raises(InvalidProblemError, match=r"compiled view .* a cost at 2 that is neither 0 nor 1"):
        solve(view_of(graph, view), "zero_one", backend="compiled")


@pytest.mark.parametrize("name", ["bucket", "greedy"])
def test_a_view_without_the_heuristic_is_refused(name: str) -> None:
    """If machine code is required, that is an error; `auto` stays in Python."""
    graph = digraph("0 -1→ 1", [0], [1], {0: 1})
    problem = view_of(graph, CompiledProblem(CSR([0, 1, 1], [1], [1.0]), int, int, goals=[1]))
    with pytest.raises(MissingCapabilityError, match="has no heuristic; use backend='python'"):
        solve(problem, name, backend="compiled")
    assert solve(problem, name).backend == "python"
