"""`check_compiled` passes the views of all plugins and finds what is planted in one."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from searchkit import available_problems
from searchkit.compiled.view import CSR, CompiledProblem
from searchkit.errors import MissingCapabilityError
from searchkit.testing import CheckFailure, check_compiled, digraph
from searchkit.testing.strategies import weighted_digraphs
from tests.kernels.views import FORMS, as_rows, compilable, view_of

GRAPH = digraph("0 -2→ 1, 0 -3→ 2, 1 -1→ 2", [0], [2], {0: 3, 1: 1})


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize("name", sorted(available_problems()))
def test_every_plugin(name: str, share: Callable[[int], int], chance: int) -> None:
    """The views of all registered problems are correct; problems without a view are skipped."""
    assert check_compiled(name, examples=share(100) // 2, seed=chance)


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form(form: str) -> None:
    """Rows and functions, with costs of every kind that fits."""
    problems = weighted_digraphs("float", heuristic="inadmissible").map(lambda graph: compilable(graph, form))
    assert check_compiled(problems, examples=60).examples == 60


def test_numbers_that_machine_code_refuses() -> None:
    """Costs and heuristic values from 2⁵³ on may be any float of that size; smaller ones have to be equal."""
    large = digraph(f"0 -{2**53 + 1}→ 1, 1 -{10**400}→ 2", [0], [2], {0: 10**400})
    assert check_compiled(compilable(large, "rows"))
    view = as_rows(large)
    with pytest.raises(CheckFailure, match="costs"):
        check_compiled(view_of(large, evolve(view, graph=CSR([0, 1, 2, 2], [1, 2], [2.0**53, 2.0**53 - 1]))))


DEFECTS: dict[str, tuple[str, Callable[[CompiledProblem], CompiledProblem]]] = {
    "one number for two states": ("packing", lambda view: evolve(view, pack=lambda node: node // 2)),
    "a number that is too large": ("packing", lambda view: evolve(view, pack=lambda node: 2**64 - 1)),
    "unpacking is not the inverse": ("packing", lambda view: evolve(view, unpack=lambda number: number + 1)),
    "unpacking many differs": (
        "packing",
        lambda view: evolve(view, unpack_all=lambda numbers: [number + 1 for number in numbers.tolist()]),
    ),
    "a goal left out": ("starts and goals", lambda view: evolve(view, goals=())),
    "another order": ("actions", lambda view: evolve(view, graph=CSR([0, 2, 3, 3], [2, 1, 2], [3.0, 2, 1]))),
    "an action left out": ("actions", lambda view: evolve(view, graph=CSR([0, 2, 2, 2], [1, 2], [2.0, 3]))),
    "another cost": ("costs", lambda view: evolve(view, graph=CSR([0, 2, 3, 3], [1, 2, 2], [2.0, 3, 2]))),
    "no heuristic": ("heuristic", lambda view: evolve(view, heuristic=None)),
    "no way back": ("undirected", lambda view: evolve(view, undirected=True)),
    "another heuristic value": ("heuristic", lambda view: evolve(view, table=view.table * 0)),
}


@pytest.mark.parametrize("defect", sorted(DEFECTS))
def test_defects_are_found(defect: str) -> None:
    """Each planted defect fails the promise that it breaks, and the report says how."""
    promise, damage = DEFECTS[defect]

    class Damaged(type(GRAPH)):  # type: ignore[misc]
        def compiled(self) -> CompiledProblem:
            return damage(as_rows(GRAPH))

    problem = Damaged(GRAPH.edges, GRAPH.starts, GRAPH.goals, GRAPH.table)
    with pytest.raises(CheckFailure) as failure:
        check_compiled(problem)
    (failed,) = failure.value.report.failures
    assert failed.name == promise
    assert failed.detail
    assert failed.counterexample is not None


def test_a_view_that_is_not_whole() -> None:
    """A view with a cost of 1.5 that declares that all its numbers are integers."""
    graph = digraph("0 -1.5→ 1", [0], [1])

    class Whole(type(graph)):  # type: ignore[misc]
        def compiled(self) -> CompiledProblem:
            return evolve(as_rows(graph), whole=True)

    with pytest.raises(CheckFailure, match="whole numbers"):
        check_compiled(Whole(graph.edges, graph.starts, graph.goals, graph.table))


def test_the_smallest_case_of_a_strategy() -> None:
    """A strategy's failing problem is shrunk: a cost that is off by one needs one edge."""

    def damaged(graph: Any) -> Any:
        class Damaged(type(graph)):  # type: ignore[misc]
            def compiled(self) -> CompiledProblem:
                view: Any = as_rows(self)
                graph = view.graph
                return evolve(
                    view, graph=CSR(graph.indptr, graph.indices, [cost + 1 for cost in graph.costs])
                )

        return Damaged(graph.edges, graph.starts, graph.goals, graph.table)

    with pytest.raises(CheckFailure) as failure:
        check_compiled(weighted_digraphs("int").map(damaged))
    (failed,) = failure.value.report.failures
    assert failed.counterexample is not None
    assert len(failed.counterexample.problem.edges) == 1


def test_what_can_not_be_checked() -> None:
    """A problem without a view, and a kind without a strategy, are errors that say so."""
    with pytest.raises(MissingCapabilityError, match="has no compiled view"):
        check_compiled(GRAPH)
    spec = evolve(available_problems()["dungeon"], strategies={})
    with pytest.raises(MissingCapabilityError, match="'dungeon' has no Hypothesis strategy"):
        check_compiled(spec)
