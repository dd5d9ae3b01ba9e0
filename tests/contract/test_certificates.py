"""A certificate proves what a result says, and nothing that is false."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Limits, Status, certify, solve
from tests.contract.cases import cases_for, every_engine


@pytest.mark.fewest(3)
@every_engine
@given(data=st.data())
@settings(max_examples=100)
def test_it_proves_the_result(spec: EngineSpec, data: st.DataObject) -> None:
    """Solved, unsolvable or cut off anywhere: accepted, and its bound is true."""
    case = data.draw(cases_for(spec))
    limits = Limits(expansions=data.draw(st.none() | st.integers(0, 8)))
    result = solve(case.problem, spec, backend="python", limits=limits, certificate=True)
    certificate = result.certificate
    assert certificate is not None
    verdict = certify(case.problem, certificate)
    assert verdict, verdict.objection
    assert certify(case.problem, result).accepted
    assert certificate.cost == result.cost
    assert certificate.lower_bound <= case.best
    if spec.arrivals and case.kind == "digraph":
        assert certify(case.problem, result).unproved == ()
        assert certificate.lower_bound >= result.lower_bound
    if result.status is not Status.CUTOFF:
        assert certificate.status == result.status.value
