"""Python and machine code give the same status, cost, path, expanded and generated."""

import re
from typing import Any

import pytest

from searchkit import Compilable, EngineSpec, Limits, Result, Search, Status
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from tests.contract.cases import ENGINES, KINDS, Case, counters, pool

pytest.importorskip("numba")
COMPILED = [spec for spec in ENGINES if spec.kernel]
SUITE = {("astar", "dungeon"), ("bfs", "dungeon")}
"""What the suite compiles: each pair takes a second or more with an empty cache."""
PAIRS = [
    pytest.param(
        spec, kind, id=f"{spec.name}-{kind}", marks=[] if (spec.name, kind) in SUITE else [pytest.mark.long]
    )
    for spec in COMPILED
    for kind in KINDS
    if spec.name == "astar" or kind == "dungeon"
]
STEP = 7


def answer(spec: EngineSpec, result: Result[Any, Any]) -> list[Any]:
    """Return what has to be equal. The order within a layer, on which the path depends, may not be defined."""
    actions = None if result.solution is None else result.solution.actions
    return [result.status, result.cost, actions, result.lower_bound, *counters(result.statistics)]


@pytest.mark.parametrize(("spec", "kind"), PAIRS)
def test_they_agree_at_every_pause(spec: EngineSpec, kind: str) -> None:
    """On the problems of each kind that have a compiled view, a few expansions at a time and in one run."""
    cases = [case for case in pool(spec) if case.kind == kind]
    if not any(isinstance(case.problem, Compilable) or not spec.kernel_needs_view for case in cases):
        pytest.skip("the engine takes no such problem as machine code")
    for case in cases:
        hold_together(spec, case)


def hold_together(spec: EngineSpec, case: Case) -> None:
    """Run both, some expansions at a time and at once, and compare them at each pause."""
    for step in (STEP, None):
        try:
            kernel: Search[Any, Any] = Search(case.problem, spec, backend="compiled")
            first = kernel.run(Limits(expansions=0))
        except MissingCapabilityError:  # this instance has no view
            return
        python: Search[Any, Any] = Search(case.problem, spec, backend="python")
        assert answer(spec, first) == answer(spec, python.run(Limits(expansions=0)))
        while not python.ended:
            limits = Limits(expansions=step)
            try:
                expected = python.run(limits)
            except InvalidProblemError as error:  # costs that the engine does not take
                with pytest.raises(InvalidProblemError, match=f"^{re.escape(str(error))}$"):
                    kernel.run(limits)
                break
            found = kernel.run(limits)
            assert found.backend == "compiled"
            assert answer(spec, found) == answer(spec, expected)
            assert found.status is Status.CUTOFF or kernel.ended
