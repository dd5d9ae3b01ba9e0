"""A changed certificate is rejected, or what it says is still true."""

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import Certificate, Cost, certify
from searchkit.certificates import Ball
from searchkit.certificates.certificate import Record
from searchkit.problem import has_cost
from searchkit.testing import explore
from searchkit.testing.spaces.digraphs import Edge, WeightedDigraph
from tests.certificates.cases import ENGINES, Case, cases
from tests.helpers import distances_to_goals

Draw = Callable[[st.SearchStrategy[Any]], Any]
NUMBERS = st.integers(-1, 9)
COSTS: st.SearchStrategy[Cost] = st.one_of(
    st.integers(-1, 12),
    st.builds(Fraction, st.integers(0, 12), st.integers(1, 4)),
    st.sampled_from([inf, 0.25, float("nan")]),
)


def changed_record(draw: Draw, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Change one field of one record, drop it, repeat it, add one, or swap it with another."""
    other = (draw(NUMBERS), draw(NUMBERS), draw(COSTS))
    if not records:
        return (other,)
    place = draw(st.integers(0, len(records) - 1))
    before, record, after = records[:place], records[place], records[place + 1 :]
    kind = draw(st.sampled_from(["parent", "ordinal", "cost", "drop", "repeat", "add", "swap"]))
    if kind == "swap":
        swapped = list(records)
        second = (place + draw(st.integers(1, max(1, len(records) - 1)))) % len(records)
        swapped[place], swapped[second] = swapped[second], record
        return tuple(swapped)
    put = {
        "parent": [(other[0], *record[1:])],
        "ordinal": [(record[0], other[1], record[2])],
        "cost": [(*record[:2], other[2])],
        "drop": [],
        "repeat": [record, record],
        "add": [other, record],
    }[kind]
    return (*before, *put, *after)


def changed_ball(draw: Draw, ball: Ball) -> Ball:
    """Change the radius, or the records in one place."""
    if draw(st.booleans()):
        return evolve(ball, arrivals=changed_record(draw, ball.arrivals))
    return evolve(ball, radius=draw(COSTS))


def changed_path(draw: Draw, path: tuple[int, ...]) -> tuple[int, ...]:
    """Change, drop or add one ordinal."""
    place = draw(st.integers(0, max(0, len(path) - 1)))
    put = draw(st.lists(NUMBERS, max_size=2))
    return (*path[:place], *put, *path[place + 1 :])


def change(draw: Draw, certificate: Certificate, field: str) -> Certificate:
    """Return the certificate with one field changed."""
    value: Any = {
        "status": lambda: draw(st.sampled_from(["solved", "unsolvable", "cutoff", ""])),
        "cost": lambda: draw(st.one_of(st.none(), COSTS)),
        "lower_bound": lambda: draw(COSTS),
        "path": lambda: changed_path(draw, certificate.path),
        "forward": lambda: changed_ball(draw, certificate.forward),
        "backward": lambda: (
            None
            if certificate.backward is None or draw(st.integers(0, 4)) == 0
            else changed_ball(draw, certificate.backward)
        ),
        "heuristic": lambda: not certificate.heuristic,
    }[field]()
    return evolve(certificate, **{field: value})


def assert_true(problem: WeightedDigraph, certificate: Certificate) -> None:
    """Compare what a certificate says with the oracle."""
    best = explore(problem).least_cost()
    assert certificate.lower_bound <= best
    if certificate.cost is not None:
        assert certificate.cost >= best
        assert len(certificate.path) >= 1
    assert certificate.status == (
        "solved" if certificate.path else "unsolvable" if certificate.lower_bound == inf else "cutoff"
    )
    if certificate.status == "unsolvable":
        assert best == inf


def steps_left_out(problem: WeightedDigraph, ball: Ball) -> list[Record]:
    """Return the steps out of a recorded state that no record describes, each with its cost."""
    states: list[int] = []
    offered: list[Record] = [(-1, ordinal, 0) for ordinal in range(len(problem.starts))]
    for parent, ordinal, _ in ball.arrivals:
        before = states[parent] if parent >= 0 else 0
        states.append(problem.starts[ordinal] if parent < 0 else problem.successors(before)[ordinal][1])
    for number, (state, (_, _, g)) in enumerate(zip(states, ball.arrivals, strict=True)):
        offered += [
            (number, ordinal, g + problem.cost(state, action, successor))
            for ordinal, (action, successor) in enumerate(problem.successors(state))
        ]
    return [record for record in offered if record not in ball.arrivals]


@given(case=cases(), data=st.data())
@settings(max_examples=400)
def test_a_record_too_many_is_rejected(case: Case, data: st.DataObject) -> None:
    """A true step, at its true cost, in its place is rejected too: its state is recorded or outside the ball."""
    ball = case.certificate.forward
    more = steps_left_out(case.problem, ball)
    assume(more)
    records = tuple(sorted([*ball.arrivals, data.draw(st.sampled_from(more))], key=lambda record: record[:2]))
    place = next(number for number, record in enumerate(records) if record not in ball.arrivals)
    shifted = tuple((parent + (parent >= place), ordinal, cost) for parent, ordinal, cost in records)
    for arrivals in (records, shifted):
        assert not certify(case.problem, evolve(case.certificate, forward=evolve(ball, arrivals=arrivals)))


UNIQUE = ("status", "cost", "lower_bound", "forward")


@pytest.mark.parametrize("field", UNIQUE)
@given(case=cases(), data=st.data())
@settings(max_examples=400)
def test_a_change_in_any_claim_or_record_is_rejected(field: str, case: Case, data: st.DataObject) -> None:
    """For a problem, a path and a radius there is exactly one certificate: every other one is rejected."""
    changed = change(data.draw, case.certificate, field)
    assume(changed != case.certificate)
    verdict = certify(case.problem, changed)
    assert not verdict
    assert verdict.objection


@given(case=cases().filter(lambda case: len(case.certificate.forward.arrivals) > 1), data=st.data())
@settings(max_examples=1000)
def test_a_change_in_one_record_is_rejected(case: Case, data: st.DataObject) -> None:
    """Each field of each record, its presence and its place: all of them follow from the problem and the radius."""
    ball = case.certificate.forward
    records = changed_record(data.draw, ball.arrivals)
    assume(records != ball.arrivals)
    assert not certify(case.problem, evolve(case.certificate, forward=evolve(ball, arrivals=records)))


FROM_BOTH_ENDS = next(spec for spec in ENGINES if spec.name == "bidirectional")


@given(case=cases(FROM_BOTH_ENDS).filter(lambda case: case.certificate.backward), data=st.data())
@settings(max_examples=400)
def test_a_change_in_the_other_half_is_rejected(case: Case, data: st.DataObject) -> None:
    """The backward ball of its radius is the only one, too."""
    certificate = case.certificate
    assert certificate.backward is not None
    changed = evolve(certificate, backward=changed_ball(data.draw, certificate.backward))
    assume(changed != certificate)
    assert not certify(case.problem, changed)


@pytest.mark.parametrize("field", ["path", "heuristic"])
@given(case=cases(), data=st.data())
@settings(max_examples=400)
def test_another_path_or_another_proof_is_accepted_only_where_the_claim_is_true(
    field: str, case: Case, data: st.DataObject
) -> None:
    """Two paths can cost the same, and a proof may not need the removed part: the claim stays the same."""
    changed = change(data.draw, case.certificate, field)
    assume(changed != case.certificate)
    if certify(case.problem, changed):
        assert_true(case.problem, changed)


@given(case=cases(), data=st.data())
@settings(max_examples=1000)
def test_whatever_is_accepted_is_true(case: Case, data: st.DataObject) -> None:
    """An adversary may change several fields consistently, or drop one half: no false statement is accepted."""
    changed = case.certificate
    fields = st.sampled_from([*UNIQUE, "path", "heuristic", "backward"])
    for field in data.draw(st.lists(fields, min_size=1, max_size=5)):
        changed = change(data.draw, changed, field)
    verdict = certify(case.problem, changed)
    if verdict:
        assert_true(case.problem, changed)


@st.composite
def neighbouring(draw: st.DrawFn, problem: WeightedDigraph) -> WeightedDigraph:
    """Draw a problem that differs in one edge, or in its starts or goals."""
    edges = list(problem.edges)
    node = st.integers(0, 6)
    kind = draw(st.sampled_from(["edge", "starts", "goals"]))
    if kind == "starts":
        return evolve(problem, starts=draw(st.lists(node, min_size=1, max_size=2)))
    if kind == "goals":
        return evolve(problem, goals=draw(st.frozensets(node, max_size=2)))
    place = draw(st.integers(0, len(edges)))
    cost = st.integers(0, 6) if has_cost(problem) else st.none()
    changed = draw(st.lists(st.builds(Edge, node, node, cost), max_size=1))
    return evolve(problem, edges=[*edges[:place], *changed, *edges[place + 1 :]])


@given(case=cases(), data=st.data())
@settings(max_examples=1000)
def test_a_certificate_of_a_problem_that_has_changed_proves_nothing_false(
    case: Case, data: st.DataObject
) -> None:
    """For a slightly different problem, it is rejected, or it is true of that problem too."""
    problem = data.draw(neighbouring(case.problem))
    if problem.table is not None:
        exact = distances_to_goals(problem)
        table = {node: min(problem.table.get(node, 0), exact.get(node, inf)) for node in range(7)}
        problem = evolve(problem, table=table)
    if certify(problem, case.certificate):
        assert_true(problem, case.certificate)
