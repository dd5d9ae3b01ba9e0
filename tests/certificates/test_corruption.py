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
from searchkit.plugin import has_cost
from searchkit.testing import Edge, WeightedDigraph, explore
from tests.certificates.cases import Case, cases
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
    best = explore(problem).least_cost
    assert certificate.lower_bound <= best
    if certificate.cost is not None:
        assert certificate.cost >= best
        assert len(certificate.path) >= 1
    assert certificate.status == (
        "solved" if certificate.path else "unsolvable" if certificate.lower_bound == inf else "cutoff"
    )
    if certificate.status == "unsolvable":
        assert best == inf


UNIQUE = ("status", "cost", "lower_bound", "forward")
FIELDS = (*UNIQUE, "path", "heuristic", "backward")


@pytest.mark.parametrize("field", [*UNIQUE, "path", "heuristic"])
@given(case=cases(), data=st.data())
@settings(max_examples=400)
def test_a_change_in_one_field_is_accepted_only_where_the_claim_is_true(
    field: str, case: Case, data: st.DataObject
) -> None:
    """For a problem, a path and a radius there is one certificate: a change in claims or records is rejected."""
    changed = change(data.draw, case.certificate, field)
    assume(changed != case.certificate)
    verdict = certify(case.problem, changed)
    if field in UNIQUE:
        assert verdict.objection
        assert not verdict
    elif verdict:
        assert_true(case.problem, changed)


@given(case=cases(), data=st.data())
@settings(max_examples=1000)
def test_whatever_is_accepted_is_true(case: Case, data: st.DataObject) -> None:
    """An adversary may change several fields consistently, or drop one half: no false statement is accepted."""
    changed = case.certificate
    for field in data.draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=5)):
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
