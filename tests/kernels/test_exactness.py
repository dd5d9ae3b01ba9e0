"""If machine code can't calculate exactly, the search continues in Python and reports it: the answer is the same."""

import re
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    EngineSpec,
    Limits,
    Result,
    Search,
    Status,
    available_engines,
    distance_map,
    problem_from,
    solve,
    solve_many,
)
from searchkit.errors import InvalidProblemError
from searchkit.testing import Edge, WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from searchkit_graph import graph as explicit_graph
from tests.kernels.together import answer, hold_equal, options_of
from tests.kernels.views import FORMS, compilable

ENGINES = {spec.name: spec for spec in available_engines().values() if spec.kernel and not spec.requires}
PRICED = sorted(name for name, spec in ENGINES.items() if spec.costs != "unit" and name != "zero_one")
EDGES = [2**30, 2**31, 2**32, 2**52, 2**53, 2**63, 10**308]
"""Numbers that some representation can just hold, or just not."""
OTHERS = [0.1, 1 / 3, 1e15 + 0.3, 2.0**53, 1e300, 1e308, Fraction(1, 3), Fraction(2**53, 3)]
NOTICE = re.compile("the search (stayed|began again) in Python: ")


def numbers() -> st.SearchStrategy[Any]:
    """Draw a cost that some representation may not hold."""
    near = st.builds(lambda edge, more: max(0, edge + more), st.sampled_from(EDGES), st.integers(-3, 3))
    halves = st.builds(lambda number, parts: number // parts, near, st.integers(2, 3))
    return st.one_of(st.integers(0, 5), near, halves, st.sampled_from(OTHERS))


@st.composite
def dear_digraphs(draw: st.DrawFn, heuristic: bool) -> WeightedDigraph:
    """Draw a digraph with such costs: all of one kind, so that sums are close too, or of any kind."""
    drawn = draw(weighted_digraphs("int", 8))
    kinds = draw(st.lists(numbers(), min_size=1, max_size=3))
    cost = st.one_of(
        st.sampled_from(kinds), st.integers(0, 2), st.sampled_from(kinds).map(lambda kind: kind + 1)
    )
    edges = [Edge(edge.tail, edge.head, draw(cost)) for edge in drawn.edges]
    if not heuristic:
        return digraph(edges, drawn.starts, drawn.goals)
    exact = explore(digraph(edges, drawn.nodes, drawn.goals)).to_goals
    of: dict[str, Any] = {
        "none": lambda node: 0,
        "exact": lambda node: exact.get(node, inf),
        "wild": lambda node: draw(st.one_of(numbers(), st.just(inf))),
    }
    estimate = of[draw(st.sampled_from(sorted(of)))]
    return digraph(edges, drawn.starts, drawn.goals, {node: estimate(node) for node in drawn.nodes})


def said(result: Result[Any, Any]) -> tuple[dict[str, Any], bool]:
    """Return the answer without the notice that the search is in Python, and whether there was one."""
    whole = answer(result)
    warnings = whole["warnings"]
    whole["warnings"] = tuple(warning for warning in warnings if not NOTICE.match(warning))
    return whole, whole["warnings"] != warnings


def hold_exactly(problem: Any, spec: EngineSpec, options: dict[str, Any], step: int) -> bool:
    """Run both backends in steps, and compare all results; return whether the compiled one moved to Python."""
    python = Search(problem, spec, backend="python", **options)
    kernel = Search(problem, spec, backend="compiled", **options)
    for _ in range(200):
        limits = Limits(expansions=step)
        try:
            expected = python.run(limits)
        except InvalidProblemError as error:
            with pytest.raises(InvalidProblemError, match=f"^{re.escape(str(error))}$"):
                kernel.run(limits)
            assert kernel.backend == "python"
            return True
        found = kernel.run(limits)
        whole, noticed = said(found)
        hold_equal(whole, answer(expected), python)
        if kernel.kernel is None or kernel.kernel.view.whole:
            assert type(found.lower_bound) is type(expected.lower_bound), "integers stay integers"
        assert noticed == (found.backend == "python")
        if python.ended:
            assert dict(kernel.tree.reached) == dict(python.tree.reached)
            break
        assert kernel.next_state == python.next_state
    return bool(kernel.backend == "python")


@pytest.mark.parametrize(  # the queue of costs that are not whole is compiled anew for each form
    "form", [pytest.param(form, marks=[] if form == "rows" else pytest.mark.long) for form in sorted(FORMS)]
)
@pytest.mark.parametrize("name", PRICED)
@given(data=st.data(), step=st.sampled_from([1, 3, 1000]))
@settings(max_examples=150)
def test_costs_that_some_representation_can_not_hold(
    name: str, form: str, data: st.DataObject, step: int
) -> None:
    """The same answers, counters and errors, step by step, on either backend."""
    spec = ENGINES[name]
    graph = data.draw(dear_digraphs(spec.heuristic != "unused"))
    options = options_of(data.draw, spec)
    if "weight" in options:
        options["weight"] = data.draw(st.sampled_from([1, 1.5, 2, 1000, 2**40 + 1, 2**60, 1e200]))
    hold_exactly(compilable(graph, form), spec, options, step)


@given(data=st.data(), expansions=st.one_of(st.none(), st.integers(0, 6)))
@settings(max_examples=100)
def test_distance_maps(data: st.DataObject, expansions: int | None) -> None:
    """The same numbers in the same order, or the same error; the map says if it stayed in Python."""
    graph = compilable(data.draw(dear_digraphs(heuristic=False)), "rows")
    limits = Limits(expansions=expansions)
    try:
        expected = distance_map(graph, backend="python", limits=limits)
    except InvalidProblemError as error:
        with pytest.raises(InvalidProblemError, match=f"^{re.escape(str(error))}$"):
            distance_map(graph, backend="compiled", limits=limits)
        return
    found = distance_map(graph, backend="compiled", limits=limits)
    assert list(found.items()) == list(expected.items())
    if found.warnings:  # it was made in Python
        assert type(found) is type(expected)
        assert list(map(type, found.values())) == list(map(type, expected.values()))


def test_a_distance_of_2_to_the_53_and_1() -> None:
    """It is not reported as 2⁵³, and the more expensive of two paths is not taken."""
    graph = compilable(digraph(f"0 -{2**53}→ 1, 0 -{2**53 - 1}→ 2, 2 -2→ 1, 1 -1→ 3", [0], [3]), "rows")
    assert distance_map(graph, backend="compiled")[3] == 2**53 + 1
    result = solve(graph, "dijkstra", backend="compiled")
    assert (result.cost, result.optimal, result.backend) == (2**53 + 1, True, "python")
    (warning,) = result.warnings
    assert NOTICE.match(warning)
    near = digraph(f"0 -{2**53 + 1}→ 1, 0 -{2**53}→ 1", [0], [1])
    assert solve(compilable(near, "rows"), "dijkstra", backend="compiled").cost == 2**53


def test_limits_hold_while_a_search_begins_again() -> None:
    """Expansions that are repeated count once; an interruption in between loses none of them."""
    line = (
        ", ".join(f"{node} -1→ {node + 1}" for node in range(40)) + f", 40 -{2**60}→ 41, 41 -1→ 42, 42 -1→ 43"
    )
    graph = compilable(digraph(line, [0], [43]), "rows")
    python, search = (
        Search(graph, "dijkstra", backend="python"),
        Search(graph, "dijkstra", backend="compiled"),
    )
    for expansions in (30, 9):
        assert answer(search.run(Limits(expansions=expansions))) == answer(
            python.run(Limits(expansions=expansions))
        )
    assert search.backend == "compiled"
    result = search.run(Limits(seconds=0, expansions=2))
    assert (result.status, result.backend) == (Status.CUTOFF, "compiled")
    found, expected = search.run(Limits(expansions=2)), python.run(Limits(expansions=2))
    assert (said(found)[0], found.backend) == (answer(expected), "python")
    assert said(search.run())[0] == answer(python.run())
    assert len(search.run().warnings) == 1


def test_who_steps_sees_each_state_once() -> None:
    """Iterating does not show that the search began again."""
    graph = compilable(digraph(f"0 -1→ 1, 1 -1→ 2, 2 -{2**60}→ 3, 3 -1→ 4", [0], [4]), "rows")
    assert list(Search(graph, "dijkstra", backend="compiled")) == [0, 1, 2, 3]


def test_many_queries() -> None:
    """A query that machine code can't answer is answered in Python, and the others as before."""
    tasks = [compilable(digraph(f"0 -{cost}→ 1, 1 -{cost}→ 2", [0], [2]), "rows") for cost in (1, 2**53, 3)]
    results = list(solve_many(tasks, engine="dijkstra", backend="compiled"))
    assert [(result.cost, result.backend) for result in results] == [
        (2, "compiled"),
        (2**54, "python"),
        (6, "compiled"),
    ]


@pytest.mark.parametrize("name", sorted(available_engines()))
def test_costs_that_overflow(name: str) -> None:
    """One error on both backends that says what to do; integers of that size are handled."""
    spec = available_engines()[name]
    if spec.requires or spec.costs not in ("any", "unit"):
        pytest.skip("does not take these problems, or not these costs")
    options: dict[str, Any] = {"weight": 2} if name == "wastar" else {}
    table = dict.fromkeys(range(3), 0) if spec.heuristic != "unused" else None
    floats = compilable(digraph("0 -1e308→ 1, 1 -1e308→ 2", [0], [2], table), "rows")
    for backend in ("python", "compiled") if spec.kernel else ("python",):
        with pytest.raises(
            InvalidProblemError, match=r"costs more than the largest float.*scale the costs.*int"
        ):
            solve(floats, name, backend=backend, **options)
        integers = compilable(digraph(f"0 -{10**308}→ 1, 1 -{10**309}→ 2", [0], [2], table), "rows")
        assert solve(integers, name, backend=backend, **options).cost == 11 * 10**308


def test_a_cheaper_way_beside_one_that_overflows() -> None:
    """A number that no cheapest path contains does no harm."""
    graph = compilable(digraph("0 -1e308→ 1, 1 -1e308→ 2, 0 -1.5e308→ 2", [0], [2]), "rows")
    for backend in ("python", "compiled"):
        assert solve(graph, "dijkstra", backend=backend).cost == 1.5e308


def test_an_integer_that_no_float_holds_beside_a_float() -> None:
    """Python can't add them, and the message is that of an overflow."""
    line = problem_from(
        [0], lambda x: [(x, x + 1)], lambda x: x == 3, lambda x, action, to: 10**400 if x else 0.5
    )
    for engine in ("dijkstra", "bucket"):
        with pytest.raises(InvalidProblemError, match="costs more than the largest float"):
            solve(line, engine)


def test_a_graph_of_large_costs() -> None:
    """The view of the plugin `graph`, with costs that are whole numbers of 64 bits, and floats near the largest."""
    for cost in (2**53 - 1, 2**53, 2**62, 1e308, 3.2e16):
        text = f"a b {cost}\nb c 1\na c {cost}\n"
        problem = explicit_graph(text.splitlines(), start="a", goal="c")
        results = [solve(problem, "dijkstra", backend=backend) for backend in ("python", "compiled")]
        assert results[0].cost == results[1].cost == cost
