"""After an exception in the problem's code, or Ctrl-C, a search is resumed to the right answer."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import EngineSpec, Result, Search, solve
from searchkit.errors import InvalidProblemError
from tests.contract.cases import ENGINES, cases_for, hold, is_close
from tests.contract.faults import Injected, faulty
from tests.contract.interrupted import ENGINES as ENDURING

SMALL = 24
"""States of the problems in which each call raises once."""
CALLS = 150
"""Of more calls, so many are tried, evenly spread."""


def same(one: Result[Any, Any], other: Result[Any, Any]) -> bool:
    """Whether two results are the same answer."""
    if one.cost is None or other.cost is None:
        return one.status is other.status and one.cost is other.cost
    return one.status is other.status and is_close(one.cost, other.cost)


@pytest.mark.fewest(2)
@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_any_call_may_raise_once(spec: EngineSpec, data: st.DataObject) -> None:
    """Also while the starts are entered; the error names the member, and the resumed search has the same answer."""
    case = data.draw(cases_for(spec, SMALL))
    whole = solve(case.problem, spec, backend="python")
    counting = faulty(case.problem)
    solve(counting, spec, backend="python")
    for failing in range(0, counting.calls, max(1, counting.calls // CALLS)):
        search: Search[Any, Any] = Search(faulty(case.problem, failing), spec, backend="python")
        try:
            result = search.run()
        except InvalidProblemError as error:
            assert "the disk is gone" in str(error)  # noqa: PT017  # not every call is an expansion's
            result = search.run()
        except Injected:  # while the path was added up, outside the engine
            result = search.run()
        hold(spec, case, result)
        assert same(result, whole), f"call {failing} of {counting.calls}"


def test_ctrl_c_may_come_at_any_moment() -> None:
    """In a process of its own, which says how often each engine was interrupted, and whether it was right."""
    if os.name == "nt":
        pytest.skip("a thread can't be sent a signal")
    told = subprocess.run(
        [sys.executable, "-m", "tests.contract.interrupted", "0"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.count("right") == len(ENDURING)
