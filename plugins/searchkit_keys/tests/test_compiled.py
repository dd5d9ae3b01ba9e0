"""Machine code has the same results as Python: the contraction, all successors and heuristic values, every answer."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Limits, Result, SearchProblem, available_engines, solve
from searchkit.compiled.view import CompiledProblem
from searchkit.plugin import MissingCapabilityError
from searchkit.testing import check_compiled
from searchkit_keys import ContractedVault, ExpandedVault, generate_vault
from searchkit_keys.heuristics import HEURISTICS
from searchkit_keys.options import EXPANDED_HEURISTICS
from searchkit_keys.strategies import forests, mazes, vaults
from searchkit_keys.tests.helpers import ANSWERS, shipped
from searchkit_keys.vault import Vault

pytestmark = pytest.mark.long  # its kernels take long to compile
ENGINES = [
    spec.name
    for spec in available_engines().values()
    if spec.kernel and not spec.requires and spec.costs != "zero-one"
]
SOME, LONG = ("astar", "bfs", "idastar"), pytest.mark.long
"""The suite compiles these for states of this form: compiling another takes seconds. Python takes as long to contract
the big vaults; the suite contracts `generated81.txt`, and compares the results there."""
ANY = st.one_of(vaults(), mazes(), forests(), vaults(7, 3, 14, 12), vaults(3, 12))
"""With loops, with open areas, with a dozen robots, whose names are not in the order of their numbers."""


class Apart(ContractedVault):
    """A problem whose compiled view is that of another one, so that the two have nothing in common."""

    def compiled(self) -> CompiledProblem:
        return ContractedVault(self.vault, self.heuristic_spec.name).compiled()


def said(result: Result[Any, Any]) -> dict[str, Any]:
    """Return the contents of a result, with actions as text, because each problem creates its own."""
    counters, solution = result.statistics, result.solution
    return {
        "status": result.status,
        "states": solution and solution.states,
        "actions": solution and list(map(str, solution.actions)),
        "cost": result.cost,
        "lower bound": result.lower_bound,
        "warnings": result.warnings,
        "counters": (counters.expanded, counters.generated, counters.reopened, counters.reached),
    }


@settings(max_examples=300, deadline=None)
@given(ANY, st.sampled_from([*HEURISTICS]))
def test_the_contracted_problem_state_by_state(vault: Vault, bound: str) -> None:
    """The same successors in the same order, the same costs, and every heuristic."""
    assert check_compiled(Apart(vault, bound), max_states=300).holds


@settings(max_examples=200, deadline=None)
@given(st.one_of(vaults(), mazes(), vaults(5, 2, 12, 8)), st.sampled_from(EXPANDED_HEURISTICS))
def test_the_expanded_problem_state_by_state(vault: Vault, bound: str) -> None:
    """The same for cells and keys, with one robot and with several that may stand on one cell."""
    assert check_compiled(ExpandedVault(vault, bound), max_states=300).holds


@pytest.mark.long  # smaller vaults of each kind are compared above
@pytest.mark.one_in(6)
@pytest.mark.parametrize("bound", HEURISTICS)
def test_large_vaults_state_by_state(bound: str) -> None:
    """With all letters, one robot with loops around it and four with a region each; and with loops everywhere."""
    vault = shipped("generated81.txt")
    for drawn in (vault, generate_vault(81, 26, 0), vault.split(), generate_vault(61, 20, 1, loops=20)):
        assert check_compiled(Apart(drawn, bound), max_states=400).holds


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "engine", [name if name in SOME else pytest.param(name, marks=LONG) for name in ENGINES]
)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG) if "big" in name else name for name in sorted(ANSWERS)]
)
def test_the_same_answer_on_every_vault_that_ships(name: str, engine: str) -> None:
    """With every heuristic, also one that is not consistent and makes A* open states again."""
    for bound in HEURISTICS if available_engines()[engine].heuristic != "unused" else ["zero"]:
        results = [
            solve(
                ContractedVault(shipped(name), bound), engine, backend=backend, limits=Limits(expansions=500)
            )
            for backend in ("python", "compiled")
        ]
        assert said(results[0]) == said(results[1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ContractedVault(generate_vault(13, 2, 0)), None),
        (
            lambda: ContractedVault(Vault.of(("@" * 26 + "." * 26, "abcdefghijklmnopqrstuvwxyz" * 2))),
            "takes 182 bits",
        ),
        (
            lambda: ExpandedVault(generate_vault(81, 26, 0).split()),
            r"takes 74 bits, 26 .* 12 for each of 4 .*=true",
        ),
    ],
)
def test_what_does_not_fit_into_a_word(
    make: Callable[[], SearchProblem[Any, Any]], message: str | None
) -> None:
    """The error says how many bits each part takes; `auto` searches in Python."""
    problem = make()
    if message is None:
        assert solve(problem, backend="compiled").cost == solve(problem).cost
        return
    with pytest.raises(MissingCapabilityError, match=message):
        solve(problem, backend="compiled")
    assert solve(problem, limits=Limits(expansions=1)).backend == "python"
