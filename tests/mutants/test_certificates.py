"""Engines that make false claims get no certificate for them: each lie is rejected or left unproved."""

from math import inf
from typing import Any

import pytest
from hypothesis import strategies as st

from searchkit import EngineSpec, Result, Verdict, certify, solve
from searchkit.errors import SearchkitError
from searchkit.testing import explore
from searchkit.testing.reports import smallest
from searchkit.testing.strategies import weighted_digraphs
from tests.helpers import drawn
from tests.mutants.engines import CONTROLS, MUTANTS, Mutant

LIES = ("optimal", "optimal-with-inconsistent-heuristics", "bound", "complete")
"""The promises whose breach is a false claim."""
LIARS = [m for m in MUTANTS if isinstance(m.engine, EngineSpec) and m.promise in LIES]
PROBLEMS = st.one_of(
    weighted_digraphs("int", heuristic="inconsistent"), weighted_digraphs("int", heuristic="admissible")
)


def outcome(mutant: Mutant, problem: Any) -> tuple[Result[Any, Any], Verdict] | None:
    """Return the claims of an engine and the verdict of `certify` on them; None if it fails."""
    try:
        result: Result[Any, Any] = solve(problem, mutant.engine, certificate=True)
    except SearchkitError:
        return None
    return result, certify(problem, result)


def is_a_lie(result: Result[Any, Any], problem: Any) -> bool:
    """Whether the lower bound of a result is above the least cost."""
    return bool(result.lower_bound > explore(problem).least_cost)


def believed(mutant: Mutant, problem: Any) -> bool:
    """Whether a false claim of the engine is accepted as proved."""
    found = outcome(mutant, problem)
    if found is None or not is_a_lie(found[0], problem):
        return False
    result, verdict = found
    claim = "no path exists" if result.lower_bound == inf else f"no path costs less than {result.lower_bound}"
    return verdict.accepted and claim in verdict.proved


def lies(mutant: Mutant, problem: Any) -> bool:
    """Whether the engine makes a false claim."""
    found = outcome(mutant, problem)
    return found is not None and is_a_lie(found[0], problem)


@pytest.mark.parametrize("mutant", LIARS, ids=lambda mutant: mutant.name)
@pytest.mark.seeds(11)
def test_a_lie_is_not_certified(mutant: Mutant, seed: int) -> None:
    """No false claim of the engine is accepted as proved, with any seed."""
    assert smallest(PROBLEMS, lambda problem: believed(mutant, problem), examples=60, seed=seed) is None


HONEST = [control for control in CONTROLS if isinstance(control.engine, EngineSpec)]
"""The engines among the controls: a plain function makes no certificate."""


@pytest.mark.parametrize("mutant", HONEST, ids=lambda mutant: mutant.name)
def test_what_is_true_is_certified(mutant: Mutant) -> None:
    """The same engines without the defect are accepted."""

    def rejected(problem: Any) -> bool:
        found = outcome(mutant, problem)
        return found is not None and not found[1].accepted

    assert smallest(PROBLEMS, rejected, seed=0) is None


def test_they_do_lie() -> None:
    """Some of them claim nothing; at least five make false claims, so that the test above can fail."""
    problems = list(drawn(PROBLEMS, 100, 0))
    caught = [m.name for m in LIARS if any(lies(m, problem) for problem in problems)]
    assert len(caught) >= 5, caught
