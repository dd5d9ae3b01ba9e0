"""`check_heuristic` reports what is true of a heuristic, finds planted defects, and shows the smallest proof."""

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import SearchProblem, available_problems, problem_from
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    UnknownNameError,
)
from searchkit.testing import CheckFailure, Counterexample, Report, check_heuristic, digraph, explore
from searchkit.testing import strategies as drawn
from searchkit_dungeon import grid
from tests.mutants.heuristics import CONTROLS, Mutant

EVERYTHING = ("admissible", "consistent")


def failed(subject: Any, heuristic: Any = None, **how: Any) -> Report:
    """Return the report of a check that fails."""
    with pytest.raises(CheckFailure) as caught:
        check_heuristic(subject, heuristic, **how)
    return caught.value.report


def counterexample(report: Report) -> Counterexample:
    """Return the counterexample of the first failure."""
    case = report.failures[0].counterexample
    assert case is not None
    return case


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_a_sound_heuristic_passes(control: Mutant) -> None:
    """With all promises."""
    assert check_heuristic(drawn.mazes(size=9), control.heuristic, promises=EVERYTHING).holds


@pytest.mark.parametrize(
    "name", sorted(name for name, spec in available_problems().items() if spec.strategy is not None)
)
def test_bundled_heuristics_are_admissible(name: str, share: Callable[[int], int]) -> None:
    """The heuristics of every registered kind of problem."""
    assert check_heuristic(name, max_states=500, examples=share(150) // 2)


KINDS = ("consistent", "admissible", "inconsistent", "inadmissible")


@given(st.sampled_from(KINDS).flatmap(lambda kind: drawn.weighted_digraphs(heuristic=kind)))
def test_verdict_agrees_with_the_definition(problem: Any) -> None:
    """Every state and every action is checked independently, with exact numbers."""
    space = explore(problem)
    exact, h = space.to_goals, problem.heuristic
    admissible = all(h(state) <= exact.get(state, inf) for state in space.edges)
    consistent = all(
        h(state) <= cost + h(to) for state, edges in space.edges.items() for _, to, cost in edges
    )
    try:
        report = check_heuristic(problem, promises=["admissible", "consistent"])
    except CheckFailure as failure:
        report = failure.report
    broken = {check.name for check in report.failures}
    assert ("admissible" in broken) == (not admissible)
    assert ("consistent" in broken) == (not consistent)
    words = f"{'' if admissible else 'in'}admissible, {'' if consistent else 'in'}consistent"
    assert report.facts["verdict"] == words


def test_the_report_shows_numbers_and_statistics() -> None:
    """h, h*, the gap; largest errors in both directions."""
    problem = grid(["S..#G", ".#.#.", "....."])

    def guess(state: Any, problem: Any) -> int:
        return 9 if state == (2, 0) else 0

    report = failed(problem, guess)
    said = "h((2, 0)) = 9, and a path of cost 6 leads from there to a goal: 3 too much"
    assert report.failures[0].detail == said
    assert "check_heuristic(problem, guess, promises=" in counterexample(report).reproduce[-1]
    facts = report.facts
    assert facts["verdict"] == "inadmissible, inconsistent"
    assert facts["largest error h* − h"] == "8"
    assert facts["largest overestimate h − h*"] == "3"


def test_an_inconsistent_step_is_named() -> None:
    """The edge, its cost, and h on both sides."""
    problem = digraph("0 -1→ 1, 1 -5→ 2", [0], [2], {0: 6, 1: 1})
    assert check_heuristic(problem).facts["verdict"] == "admissible, inconsistent"
    (failure,) = failed(problem, promises=["consistent"]).failures
    assert failure.detail == "h drops from 6 in 0 to 1 in 1, by more than the cost 1 of the action 0"


def test_a_strategy_is_broken_on_its_smallest_instance() -> None:
    """The smallest maze on which a wrong step length shows has one step."""
    case = counterexample(failed(drawn.mazes(), lambda state, problem: 2 * (state not in problem.goals)))
    assert len(explore(case.problem).edges) == 2


class Numbers(SearchProblem[int, str]):
    """The natural numbers from 0 to a goal, and on from there without end."""

    def __init__(self, goal: int, over: int = 0):
        self.goal, self.over = goal, over

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("on", state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def heuristic(self, state: int) -> int:
        return max(0, self.goal - state + self.over)


def test_what_a_part_of_a_space_proves() -> None:
    """A broken promise stays broken; an unbroken one is undecided."""
    report = check_heuristic(Numbers(5), promises=EVERYTHING, max_states=20)
    assert {check.name: check.outcome for check in report.checks} == {
        "numbers": "undecided",
        "admissible": "undecided",
        "consistent": "undecided",
    }
    assert report.facts["verdict"] == "undecided whether admissible, undecided whether consistent"
    assert "mean error h* − h" not in report.facts
    broken = failed(Numbers(5, over=1), max_states=20)
    assert [check.name for check in broken.failures] == ["admissible"]
    assert (
        "h(5) = 1, and a path of cost 0 leads from there to a goal: 1 too much" in broken.failures[0].detail
    )
    assert check_heuristic(Numbers(50, over=1), max_states=20).checks[1].outcome == "undecided"


@pytest.mark.parametrize("scale", [0.1, Fraction(1, 10)])
def test_rounding_of_floats_is_no_overestimate(scale: Any) -> None:
    """Ten steps of 0.1 are not quite 1; with fractions, the same heuristic is exact."""
    line = problem_from(
        [10],
        lambda x: [("left", x - 1)] if x else [],
        lambda x: x == 0,
        cost=lambda x, action, to: scale,
        heuristic=lambda x: x * scale,
    )
    assert check_heuristic(line, promises=["admissible", "consistent"])


def test_wrong_use_is_explained() -> None:
    """What was given, what was expected, what to do."""
    plain = digraph("0 → 1", [0], [1])
    with pytest.raises(
        MissingCapabilityError, match=r"has no heuristic; define heuristic\(state\), or give one"
    ):
        check_heuristic(plain)
    with pytest.raises(
        InvalidOptionError, match=r"heuristic=<lambda>: .* two arguments, h\(state, problem\)"
    ):
        check_heuristic(plain, lambda state: 0)  # type: ignore[arg-type, misc]
    with pytest.raises(InvalidOptionError, match="there is no promise 'best'; there are numbers, admissible"):
        check_heuristic(plain, lambda state, problem: 0, promises=["best"])
    with pytest.raises(InvalidOptionError, match=r"no promise 'consistency': did you mean consistent\?"):
        check_heuristic(plain, lambda state, problem: 0, promises=["consistency"])
    with pytest.raises(InvalidProblemError, match="7 is not a search problem"):
        check_heuristic(7)
    with pytest.raises(UnknownNameError, match="there is no problem 'dungeno'"):
        check_heuristic("dungeno")
    with pytest.raises(InvalidProblemError, match="expected a finite number ≥ 0"):
        check_heuristic(digraph("0 --1→ 1", [0], [1], {0: 0}))
