"""Many queries at once have the same results as each query alone, in the same order."""

import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Limits,
    SearchProblem,
    Status,
    available_problems,
    solve,
    solve_many,
)
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    UnknownNameError,
)
from searchkit.search import auto as backends
from searchkit.search.many import AHEAD
from searchkit.testing.strategies import problems
from searchkit_dungeon import Cell, Grid
from searchkit_dungeon.strategies import grids
from tests.helpers import compile_now, facts
from tests.search.many.queries import AISLES, CRYPT, OPEN, alike, line


@given(data=st.data())
@settings(max_examples=200)
def test_each_result_is_that_of_solve(data: st.DataObject) -> None:
    """Every field but the seconds, for any engine, limits, backend and number of threads."""
    problem: Grid = data.draw(grids())
    floor = st.sampled_from(
        [cell for cell in problem.terrain.cells if problem.terrain.weights[_index(problem, cell)]]
    )
    queries = data.draw(st.lists(st.tuples(floor, floor), max_size=12))
    engine = data.draw(st.sampled_from(["auto", "bfs", "dijkstra", "astar", "wastar"]))
    compiled = ["compiled"] if engine in ("bfs", "dijkstra", "astar") else []
    backend = data.draw(st.sampled_from(["auto", "python", *compiled]))
    limits = Limits(expansions=data.draw(st.none() | st.integers(0, 9)))
    threads = data.draw(st.integers(1, 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "WARM_SECONDS", 0.0)
        patch.setattr(backends, "COLD_SECONDS", 0.0)
        answers = list(
            solve_many(
                problem,
                iter(queries),
                engine,
                backend=backend,
                limits=limits,
                workers=f"threads:{threads}",
            )
        )
    assert len(answers) == len(queries)
    for (start, goal), answer in zip(queries, answers, strict=True):
        alone = problem.aimed([start], [goal])
        expected = solve(alone, engine, backend=backend, limits=limits)
        assert alike(answer, backend) == alike(expected, backend)
        assert (answer.search is None) == (answer.status is not Status.CUTOFF)


def _index(problem: Grid, cell: Cell) -> int:
    return cell[1] * problem.terrain.stride + cell[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", sorted(available_problems()))
@given(data=st.data())
@settings(max_examples=10)
def test_one_problem_in_many_threads(name: str, data: st.DataObject) -> None:
    """The data that a problem keeps between calls can be used by several threads that take turns all the time."""
    task: Any = data.draw(problems(name))
    limits = Limits(expansions=300)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        answers = [
            facts(answer)
            for answer in solve_many([task] * 8, limits=limits, backend="python", workers="threads:8")
        ]
    finally:
        sys.setswitchinterval(before)
    assert answers == [facts(solve(task, limits=limits, backend="python"))] * 8


def test_queries_are_taken_as_results_are_asked_for() -> None:
    """None before the first result is asked for, then a bounded number at a time: there may be endlessly many."""
    taken = count()
    answers = solve_many((line(5) for _ in taken), workers="threads:2")
    assert next(taken) == 0
    for asked in range(1, 50):
        assert next(answers).cost == 5
        assert next(taken) <= 2 * AHEAD + 2 * asked
    answers.close()


@given(faulty=st.lists(st.booleans(), max_size=40), threads=st.integers(1, 4))
@settings(max_examples=50)
def test_an_error_is_raised_in_its_turn_and_the_others_are_answered(faulty: list[bool], threads: int) -> None:
    """`next` raises the query's own error, with a note with the number of the query; the next call continues."""
    pairs = [((0, 0), (4, 0) if fault else (3, 2)) for fault in faulty]
    answers = solve_many(CRYPT, pairs, workers=f"threads:{threads}")
    for number, fault in enumerate(faulty):
        if fault:
            with pytest.raises(InvalidProblemError, match=r"the goal \(4, 0\) is inside a wall") as raised:
                next(answers)
            assert raised.value.__notes__ == [
                f"in query {number} of solve_many (the first is 0): ((0, 0), (4, 0))"
            ]
        else:
            assert next(answers).cost == 5
    assert list(answers) == []


def test_an_error_in_the_reading_of_queries_comes_after_the_results_before_it() -> None:
    """The note says that it does not belong to a query; no result follows it."""

    def read() -> Iterator[tuple[Cell, Cell]]:
        yield from AISLES
        raise OSError("the file is gone")

    answers = solve_many(CRYPT, read())
    assert [next(answers).cost for _ in AISLES] == [5, 5, 0]
    with pytest.raises(OSError, match="the file is gone") as raised:
        next(answers)
    assert raised.value.__notes__ == ["while the queries were read"]
    assert list(answers) == []


def test_what_is_wrong_with_the_call_is_said_at_once() -> None:
    """Before any query is read, with advice."""
    with pytest.raises(InvalidOptionError, match="threads:N with a number of threads ≥ 1"):
        solve_many(CRYPT, AISLES, workers="threads:0")
    with pytest.raises(UnknownNameError, match="there is no engine 'astra'"):
        solve_many(CRYPT, AISLES, "astra")
    with pytest.raises(UnknownNameError, match="no backend 'fast'"):
        solve_many(CRYPT, AISLES, backend="fast")
    with pytest.raises(UnknownNameError, match="weight"):
        solve_many(CRYPT, AISLES, "astar", weight=2)
    unaimed: Any = line(3)
    with pytest.raises(
        MissingCapabilityError, match=r"FunctionProblem can't be asked of other starts .* aimed\("
    ):
        solve_many(unaimed, [(0, 3)])
    with pytest.raises(
        InvalidOptionError, match=r"queries=None: expected \(start, goal\) pairs, or the problems"
    ):
        solve_many(CRYPT)
    with pytest.raises(
        InvalidOptionError, match=r"queries='astar': expected .* an engine is given by its name"
    ):
        solve_many([CRYPT], "astar")  # type: ignore[arg-type]
    with pytest.raises(InvalidOptionError, match=r"queries=3: expected \(start, goal\) pairs"):
        solve_many(CRYPT, 3)  # type: ignore[arg-type]


def test_once_machine_code_has_paid_for_one_query_the_others_begin_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With `auto`; a problem without a compiled form stays in Python."""
    monkeypatch.setattr(backends, "WARM_SECONDS", 0.0)
    monkeypatch.setattr(backends, "COLD_SECONDS", 0.0)
    compile_now(OPEN, "bfs")  # a search that may not wait for that continues in Python
    short, long = ((0, 0), (1, 0)), ((0, 0), (19, 19))
    queries = [short, long, short]
    found = [result.backend for result in solve_many(OPEN, queries, "bfs", workers="threads:1")]
    assert found[1:] == ["compiled", "compiled"]
    mixed: list[SearchProblem[Any, Any]] = [OPEN, line(3), OPEN]
    found = [result.backend for result in solve_many(mixed, engine="bfs", workers="threads:1")]
    assert found == ["compiled", "python", "compiled"]
    view = Grid.compiled

    def of_some(problem: Grid) -> Any:
        if (1, 0) in problem.goal_states():
            raise MissingCapabilityError("there is no view for this goal")
        return view(problem)

    monkeypatch.setattr(Grid, "compiled", of_some)
    found = [result.backend for result in solve_many(OPEN, [long, short, long], "bfs", workers="threads:1")]
    assert found == ["compiled", "python", "compiled"]
