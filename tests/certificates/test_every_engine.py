"""Every engine's certificate is accepted, proves what its result says, and is no larger than the search."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from searchkit import (
    Certificate,
    EngineSpec,
    Limits,
    SearchProblem,
    Status,
    certify,
    load,
    problem_from,
    solve,
)
from searchkit.certificates import make
from searchkit.testing import Edge, WeightedDigraph, digraph, explore
from searchkit.testing.strategies import weighted_digraphs
from tests.certificates.cases import ENGINES, cases
from tests.helpers import distances_to_goals

every_engine = pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)


@every_engine
@given(data=st.data())
@settings(max_examples=50)
def test_a_file_holds_all_of_it(
    spec: EngineSpec, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The loaded certificate equals the saved one, with costs of every type exact to the last bit."""
    case = data.draw(cases(spec))
    path = tmp_path_factory.getbasetemp() / f"{spec.name}.certificate"
    case.certificate.save(path)
    loaded = Certificate.load(path)
    assert loaded == case.certificate
    assert [type(cost) for _, _, cost in loaded.forward.arrivals] == [
        type(cost) for _, _, cost in case.certificate.forward.arrivals
    ]
    assert certify(case.problem, loaded)


class Counted(SearchProblem[int, str]):
    """An endless line that counts its calls."""

    def __init__(self) -> None:
        self.asked = 0

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[str, int]]:
        self.asked += 1
        return [("left", state - 1), ("right", state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 9


@pytest.mark.parametrize("radius", [10**9, float("inf")])
def test_a_certificate_that_claims_too_much_is_soon_refused(radius: float) -> None:
    """A radius far beyond the records costs the checker no more than the records do."""
    certificate = solve(Counted(), "bfs", certificate=True).certificate
    assert certificate is not None
    problem = Counted()
    huge = evolve(certificate, forward=evolve(certificate.forward, radius=radius))
    verdict = certify(problem, huge)
    assert "is not recorded at the cost 9 or less" in verdict.objection
    assert problem.asked <= certificate.size + len(certificate.path)


def test_engines_without_states_search_again_for_the_proof() -> None:
    """A certificate lets IDA* prove what it leaves unproved otherwise; it is the certificate of A*."""
    edges = [Edge(0, 1), Edge(0, 2), Edge(1, 3), Edge(2, 3)]
    problem = digraph(edges, [0], [3], {0: 1, 1: 0, 2: 0, 3: 0})
    assert certify(problem, solve(problem, "idastar")).unproved == (
        "no path costs less than 2: idastar holds no states to prove it by; dijkstra does",
    )
    again, held = (solve(problem, engine, certificate=True).certificate for engine in ("idastar", "astar"))
    assert again is not None
    assert held is not None
    assert (again.lower_bound, again.cost) == (held.lower_bound, held.cost) == (2, 2)
    assert certify(problem, again).proved[1] == "no path costs less than 2"


def test_a_heuristic_of_the_start_can_be_enough() -> None:
    """If the heuristic value of the start equals the cost, nothing has to be recorded; that value is the assumption."""
    problem = digraph([Edge(0, 1)], [0], [1], {0: 1, 1: 0})
    verdict = certify(problem, solve(problem, "idastar"))
    assert verdict.unproved == ()
    assert verdict.assumed == (
        "the heuristic never overestimates at the end of the 1 step that it rules out",
    )


def test_limits_hold_for_the_proof_too() -> None:
    """A proof that would take longer than the limit is not made, and the unproved parts are listed."""
    endless = Counted()
    endless.is_goal = lambda state: False  # type: ignore[method-assign]
    cut = solve(endless, "iddfs", limits=Limits(memory=0), certificate=True)
    assert cut.status is Status.CUTOFF
    assert cut.certificate is not None
    assert cut.certificate.size == 0
    assert certify(endless, cut)


@pytest.mark.parametrize("engine", ["bfs", "iddfs"])
def test_a_proof_that_is_too_large(engine: str) -> None:
    """With or without a search again, the bound is unproved and the reason is named; the path is proved."""
    problem = problem_from([0], lambda x: [("left", x - 1), ("right", x + 1)], lambda x: x == 50)
    with patch.multiple(make, MAX_STATES=20, POLL_INTERVAL=1):
        result = solve(problem, engine, certificate=True)
        verdict = certify(problem, result)
    assert verdict.accepted
    assert not verdict
    assert verdict.proved == ("a path from a start to a goal costs 50",)
    assert "no path costs less than 50: too large for a certificate" in verdict.unproved[0]


@pytest.mark.parametrize("engine", ["astar", "greedy"])
def test_a_proof_without_the_heuristic_clears_what_the_answer_assumes(engine: str) -> None:
    """If the states that were reached prove the bound without the heuristic, nothing is assumed."""
    problem = digraph([Edge(0, 1), Edge(1, 2)], [0], [2], {0: 1, 1: 1, 2: 0})
    assert solve(problem, engine).assumes == "the heuristic never overestimates"
    assert solve(problem, engine, certificate=True).assumes == ""
    aside = digraph("0 -1→ 1, 1 -1→ 2, 0 -1→ 3, 3 -0→ 4", [0], [2], {0: 2, 1: 1, 2: 0, 3: 5, 4: 5})
    assert solve(aside, engine, certificate=True).assumes == "the heuristic never overestimates"


TENTHS = (0.1, 0.2, 0.3, 0.7, 1.1)
"""Tenths are not floats, and their sums depend on the order."""


@pytest.mark.parametrize("spec", [s for s in ENGINES if s.costs == "any"], ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=100)
def test_rounding_is_no_objection(spec: EngineSpec, data: st.DataObject) -> None:
    """If sums of floats are rounded, a true result is still accepted; the verdict mentions rounding if it matters."""
    drawn = data.draw(weighted_digraphs("int", 12))
    edges = [
        Edge(edge.tail, edge.head, (edge.cost or 0) * data.draw(st.sampled_from(TENTHS)))
        for edge in drawn.edges
    ]
    graph = digraph(edges, drawn.starts, drawn.goals)
    problem = digraph(edges, drawn.starts, drawn.goals, distances_to_goals(graph))
    result = solve(problem, spec, certificate=True)
    assert result.certificate is not None
    assert certify(problem, result.certificate)
    verdict = certify(problem, result)
    assert verdict, verdict.objection
    if result.certificate.lower_bound < result.lower_bound:
        assert "rounding of floats" in verdict.assumed[-1]


def first_found(problem: Any, tree: Any) -> Iterator[Any]:
    """Return the first path of breadth-first search as the cheapest, which it need not be."""
    waiting = list(problem.initial_states())
    for start in waiting:
        tree.start(start)
    tree.frontier = waiting
    while waiting:
        state = waiting[0]
        if problem.is_goal(state):
            tree.lower_bound = tree.reached[state][0]
            tree.finish(state)
            return
        yield state
        for action, successor in problem.successors(waiting.pop(0)):
            if successor not in tree.reached:
                cost = problem.cost(state, action, successor)
                tree.reached[successor] = (tree.reached[state][0] + cost, state, action)
                waiting.append(successor)


@given(weighted_digraphs("int"))
@example(digraph("1 -1→ 0, 1 -0→ 0", [1], [0]))
def test_an_engine_that_is_wrong_is_found_out(graph: WeightedDigraph) -> None:
    """A certificate proves what is true, not what the engine claims; a result that claims more is rejected."""
    problem = digraph(graph.edges, graph.starts, graph.goals)
    result = solve(problem, first_found, certificate=True)
    assert result.certificate is not None
    assert certify(problem, result.certificate)
    best = explore(problem).least_cost
    assert result.certificate.lower_bound <= best
    assert bool(certify(problem, result)) == (result.lower_bound <= best)


@pytest.mark.parametrize(("engine", "example"), [("bfs", "maze"), ("dijkstra", "crypt"), ("astar", "crypt")])
def test_a_search_in_machine_code_gives_the_same_certificate(engine: str, example: str) -> None:
    """Its arrivals are read like those of a search in Python, and prove the same."""
    pytest.importorskip("numba")
    problem = load(example)
    compiled, python = (
        solve(problem, engine, backend=backend, certificate=True) for backend in ("compiled", "python")
    )
    assert compiled.certificate is not None
    assert compiled.certificate.forward == python.certificate.forward  # type: ignore[union-attr]
    assert compiled.certificate.lower_bound == compiled.cost
    assert certify(problem, compiled.certificate)
    assert certify(problem, solve(problem, engine, backend="compiled")).unproved == ()


def test_what_greedy_search_saw_proves_that_there_is_no_path() -> None:
    """Its arrivals need not be the cheapest: they are computed again, over the states that it reached."""
    problem = digraph("1 -1→ 0, 1 -0→ 0", starts=[1], goals=[], heuristic={})
    result = solve(problem, "greedy")
    assert certify(problem, result).proved == ("no path exists",)
