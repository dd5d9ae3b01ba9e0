"""What the defaults of `check_engine` draw, and that no correct search is suspected.

`tests/mutants` has the planted defects; with twenty seeds: `python -m benchmarks power`.
"""

from collections.abc import Callable
from typing import Any

import pytest

from searchkit import ProblemSpec, available_problems
from searchkit.testing import CheckFailure, check_engine
from searchkit.testing.engines import first_fault
from searchkit.testing.strategies import weighted_digraphs
from searchkit.testing.strategies.engines import sources_for
from searchkit.testing.trials import contender_for
from tests.helpers import drawn, hold_shares
from tests.mutants.best_first import plain, searching
from tests.mutants.power import CORRECT, WEIGHTS


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.parametrize("search", CORRECT, ids=lambda search: contender_for(search).name)
def test_a_correct_search_is_not_suspected(search: Any, share: Callable[[int], int]) -> None:
    """Those that the defects are planted in, and two as a textbook has them."""
    assert first_fault(search, seed=1, examples=share(600)) is None


@pytest.mark.long  # CI runs it
@pytest.mark.parametrize("weight", WEIGHTS[1:])
def test_the_smallest_counterexample_for_a_weight_has_few_nodes(weight: str) -> None:
    """Two paths to the goal, of one action and of two, need three."""
    digraphs = sources_for(None)[0]
    with pytest.raises(CheckFailure) as failure:
        check_engine(plain(searching(weight)), ["optimal"], problems=digraphs, examples=300)
    case = failure.value.report.failures[0].counterexample
    assert case is not None
    assert len(case.problem.nodes) <= 5


def test_the_defaults_have_states_without_an_order_and_costs_of_every_type() -> None:
    """Each among the first hundred digraphs."""
    (digraphs, *_) = sources_for(None)
    graphs: list[Any] = list(drawn(digraphs, 100, 0))
    assert {graph.states for graph in graphs} == {"int", "opaque", "mixed"}
    assert {type(edge.cost).__name__ for graph in graphs for edge in graph.edges} == {
        "int",
        "float",
        "Fraction",
        "NoneType",
    }


@pytest.mark.one_in(16)
@pytest.mark.parametrize("heuristic", [False, "consistent", "admissible", "inconsistent", "inadmissible"])
@pytest.mark.parametrize("costs", ["int", "unit", "zero-one", "Fraction", "float", "huge"])
def test_most_digraphs_are_not_trivial(costs: Any, heuristic: Any) -> None:
    """In every mode; an inadmissible heuristic overestimates at a state that leads to a goal."""
    always = ["unsolvable"] if heuristic == "inadmissible" else []
    hold_shares(lambda: weighted_digraphs(costs, heuristic=heuristic), besides=always)


BROUGHT = [
    pytest.param(make, spec, id=f"{spec.name}-{name}")
    for spec in available_problems().values()
    for name, make in {**spec.strategies, "strategy": spec.strategy}.items()
    if make is not None
]


@pytest.mark.long  # strategies change seldom; CI runs it
@pytest.mark.parametrize(("make", "spec"), BROUGHT)
def test_what_plugins_draw_is_not_trivial(make: Callable[[], Any], spec: ProblemSpec) -> None:
    """Starts apart from goals, paths of some length, and sometimes no path at all."""
    hold_shares(make, besides=["unsolvable"] if spec.always_solvable else [])
