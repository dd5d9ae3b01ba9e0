"""Problems travel between processes and are copied, before and after they were searched."""

import pickle
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from searchkit import Compilable, Limits, Search, available_problems, certify, load, solve
from searchkit.errors import SearchkitError
from searchkit.testing.problems import compare, survey
from tests.helpers import every_example

STATES = 8
"""States in which a copy is compared with the problem."""
DRAWN = [spec for spec in available_problems().values() if spec.strategy is not None]
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda problem: pickle.loads(pickle.dumps(problem)),
    "deepcopy": deepcopy,
    "copy": copy,
}


def used(problem: Any) -> Any:
    """Return the problem after everything that it may keep was computed."""
    try:
        if isinstance(problem, Compilable):
            problem.compiled()
    except SearchkitError:  # this instance has no compiled form
        pass
    solve(problem, limits=Limits(expansions=20))
    return problem


def differences(problem: Any) -> Iterator[str]:
    """Yield how copies differ from the problem."""
    seen = survey(problem, STATES)
    for name, way in WAYS.items():
        other = way(problem)
        difference = compare(seen, other, seen.answers())
        if type(other) is not type(problem) or repr(other) != repr(problem) or difference:
            yield f"{name}: {difference or other}"


@pytest.mark.one_in(3)  # CI runs the others
@pytest.mark.parametrize(("kind", "example"), every_example())
def test_every_example_can_be_copied(kind: str, example: str) -> None:
    """A copy is the same problem in every state, after everything that the problem may keep was computed."""
    assert list(differences(used(load(example, kind)))) == []


@pytest.mark.one_in(2)  # CI runs the others
@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_every_problem_that_is_drawn_can_be_copied(spec: Any) -> None:
    """So are those with the options that a strategy uses, of which nothing was computed yet."""
    assert spec.strategy is not None

    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(spec.strategy())
    def check(problem: Any) -> None:
        assert list(differences(problem)) == []

    check()


@pytest.mark.one_in(5)  # of two ways for each kind
@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_a_result_travels_without_its_search(spec: Any, way: str) -> None:
    """It has all its fields, is certified as far as possible, and an attempt to continue it names what is missing."""
    problem = load(spec.examples[0].name if spec.examples else spec.name, spec.name)
    for limits in (Limits(expansions=3), Limits(expansions=300)):
        result = solve(problem, limits=limits, certificate=True)
        other = WAYS[way](result)
        assert str(other) == str(result)
        assert (other.status, other.statistics, other.details) == (
            result.status,
            result.statistics,
            result.details,
        )
        assert repr(other.solution) == repr(result.solution)
        assert other.certificate == result.certificate
        assert other.search is None
        assert (
            certify(problem, evolve(other, solution=result.solution, partial=result.partial)).objection == ""
        )


def test_a_search_says_that_it_can_not_be_pickled() -> None:
    """The error explains it, and does not mention generators."""
    with pytest.raises(SearchkitError, match=r"a search can't be pickled or copied: .* its result can"):
        pickle.dumps(Search(load("crypt")))
