"""Views whose functions are machine code that Numba has not made."""

from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from attrs import evolve

from searchkit import Compilable, SearchProblem, Status, available_engines, solve
from searchkit.compiled.view import CompiledProblem, Functions, MachineCode
from searchkit.errors import InvalidProblemError, MissingCapabilityError
from searchkit.testing import check_compiled

GOAL = 10
CODE = """
%1 = type {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}

define i64 @expand(%1 %table, i64 %state, %1 %out_states, %1 %out_costs) {
  %states = extractvalue %1 %out_states, 4
  %costs = extractvalue %1 %out_costs, 4
  %one = add i64 %state, 1
  %two = add i64 %state, 2
  store i64 %one, ptr %states
  %second = getelementptr i64, ptr %states, i64 1
  store i64 %two, ptr %second
  store double 1.0, ptr %costs
  %other = getelementptr double, ptr %costs, i64 1
  store double 1.0, ptr %other
  %read = extractvalue %1 %table, 4
  %last = load i64, ptr %read
  %late = icmp uge i64 %state, %last
  br i1 %late, label %fail, label %done
fail:
  %at = getelementptr i64, ptr %read, i64 1
  %number = load i64, ptr %at
  %flag = inttoptr i64 %number to ptr
  store i64 7, ptr %flag
  ret i64 0
done:
  ret i64 2
}
define i1 @is_goal(%1 %table, i64 %state) {
  %same = icmp eq i64 %state, 10
  ret i1 %same
}
define double @heuristic(%1 %table, i64 %state) {
  ret double 0.0
}
"""


@pytest.fixture(scope="module")
def engine() -> Any:
    """Return an execution engine with the functions."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(CODE)
    made = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    made.finalize_object()
    return made


class Line(SearchProblem[int, str]):
    """Walk from 0 to 10 by steps of 1 and 2; the machine code gives up at a state."""

    def __init__(self, engine: Any, last: int = 1000):
        self.engine, self.last = engine, last

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("one", state + 1), ("two", state + 2)]

    def is_goal(self, state: int) -> bool:
        return state == GOAL

    def heuristic(self, state: int) -> int:
        return 0

    def compiled(self) -> CompiledProblem:
        functions = [
            MachineCode(role, self.engine.get_function_address(role), owner=self.engine)
            for role in ("expand", "is_goal", "heuristic")
        ]
        failure = np.zeros(1, np.int64)
        table = np.array([self.last, failure.ctypes.data], np.int64)
        return CompiledProblem(
            Functions(functions[0], functions[1], 2, failure), int, int, heuristic=functions[2], table=table
        )


KERNELS = [
    name
    for name, spec in available_engines().items()
    if spec.kernel and spec.kernel_needs_view and set(spec.requires) <= {Compilable}
]


@pytest.mark.parametrize("name", KERNELS)
def test_every_engine_calls_it(name: str, engine: Any) -> None:
    """If it gives up a state, what was found is dropped, and the search begins again in Python."""
    result = solve(Line(engine), name, backend="compiled")
    assert (result.status, result.backend, result.warnings) == (Status.SOLVED, "compiled", ())
    spec = available_engines()[name]
    if spec.machine_code_only:
        assert result.cost == GOAL // 2
        with pytest.raises(MissingCapabilityError, match="machine code only"):
            solve(Line(engine, last=4), name)
        return
    in_python = solve(Line(engine), name, backend="python")
    again = solve(Line(engine, last=4), name, backend="compiled")
    for other in (result, again):
        assert other.solution == in_python.solution
        assert other.statistics.expanded == in_python.statistics.expanded
    assert again.backend == "python"
    assert (
        "in Python: machine code gave up a state or a number of the problem (reason 7)" in again.warnings[0]
    )


def test_it_is_checked_as_other_views_are(engine: Any) -> None:
    """By `check_compiled`, and by its role."""
    assert check_compiled(Line(engine), max_states=100).holds
    view = Line(engine).compiled()
    wrong: Any = Line(engine)
    wrong.compiled = lambda: evolve(view, heuristic=view.graph.is_goal)  # type: ignore[union-attr]
    with pytest.raises(
        InvalidProblemError, match=r"expected MachineCode\(role='is_goal'.*\.heuristic_function"
    ):
        solve(wrong, "astar", backend="compiled")
