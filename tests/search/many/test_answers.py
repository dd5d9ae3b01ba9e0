"""Many queries at once have the same results as each query alone, in the same order."""

import sys
import threading
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    Limits,
    Search,
    SearchProblem,
    Status,
    available_problems,
    certify,
    per_slice,
    problem_from,
    solve,
    solve_many,
)
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    UnknownNameError,
)
from searchkit.problem import Aimable, has_heuristic
from searchkit.search import auto as backends
from searchkit.search.many import AHEAD
from searchkit.testing.strategies import problems
from searchkit_dungeon import Cell, Grid
from searchkit_dungeon.strategies import grids
from tests.helpers import compile_now, facts, kinds_with
from tests.search.many.queries import AISLES, CRYPT, OPEN, alike, endless, line
from tests.without_numba import with_numba


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
    certificate, threads = data.draw(st.booleans()), data.draw(st.integers(1, 4))
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
                certificate=certificate,
            )
        )
    assert len(answers) == len(queries)
    for (start, goal), answer in zip(queries, answers, strict=True):
        alone = problem.aimed([start], [goal])
        expected = solve(alone, engine, backend=backend, limits=limits, certificate=certificate)
        assert alike(answer, backend) == alike(expected, backend)
        assert answer.certificate == expected.certificate
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


@pytest.mark.parametrize("name", kinds_with(Aimable))
@given(data=st.data())
@settings(max_examples=50)
def test_an_aimed_problem_differs_in_its_ends_only(name: str, data: st.DataObject) -> None:
    """Starts and goals are the requested ones; steps and costs are the same, and the heuristic is admissible."""
    problem: Any = data.draw(problems(name).filter(lambda problem: isinstance(problem, Aimable)))
    seen = list(islice(Search(problem, "dijkstra"), 30)) or list(problem.initial_states())
    states = st.lists(st.sampled_from(seen), min_size=1, max_size=3, unique=True)
    starts, goals = data.draw(states), data.draw(states)
    other: Any = problem.aimed(starts, goals)
    assert type(other) is type(problem)
    assert list(other.initial_states()) == starts
    assert [state for state in seen if other.is_goal(state)] == [state for state in seen if state in goals]
    for state in seen:
        assert list(other.successors(state)) == list(problem.successors(state))
    again = other.aimed(list(problem.initial_states()), list(problem.goal_states()))
    assert facts(solve(again, "dijkstra", backend="python")) == facts(
        solve(problem, "dijkstra", backend="python")
    )
    result = solve(other, "astar" if has_heuristic(other) else "dijkstra")
    assert result.warnings == ()
    assert result.cost == solve(other, "dijkstra").cost


def test_queries_are_taken_as_results_are_asked_for() -> None:
    """None before the first result is asked for, then a bounded number at a time: there may be endlessly many."""
    taken = count()
    answers = solve_many((line(5) for _ in taken), workers="threads:2")
    assert next(taken) == 0
    for asked in range(1, 50):
        assert next(answers).cost == 5
        assert next(taken) <= 2 * AHEAD + 2 * asked
    answers.close()


def test_the_first_result_waits_for_no_other() -> None:
    """A query that never ends delays only those after it."""
    begun = threading.Event()
    answers = solve_many([line(3), line(4), endless(begun), line(5)], workers="threads:2")
    assert [next(answers).cost, next(answers).cost] == [3, 4]
    assert begun.wait(60)
    answers.interrupt()
    assert next(answers).status is Status.CUTOFF


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


def test_an_error_of_a_problem_names_its_kind() -> None:
    """The note does not contain the whole problem, whose drawing may be large."""

    def broken(n: int) -> list[tuple[str, int]]:
        raise OSError("the disk is gone")

    answers = solve_many([line(1), problem_from([0], broken, lambda n: n == 1)])
    assert next(answers).cost == 1
    with pytest.raises(InvalidProblemError, match="the disk is gone") as raised:
        next(answers)
    assert raised.value.__notes__ == ["in query 1 of solve_many (the first is 0): a FunctionProblem"]


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


@pytest.mark.parametrize("query", [(0, 0), ((0, 0), (1, 0), (2, 0)), "ab", 7, None])
def test_a_query_that_is_no_pair_is_said_so(query: Any) -> None:
    """In its turn, like any error of a query."""
    with pytest.raises((InvalidOptionError, InvalidProblemError, TypeError)) as raised:
        next(solve_many(CRYPT, [query]))
    if query != (0, 0):
        assert f"the query is {query!r}; expected a pair (start, goal)" in str(raised.value)


def test_memory_is_not_filled_with_searches() -> None:
    """A search is released when its result is there, unless a limit cut it off."""
    answers = list(
        solve_many(OPEN, [((0, 0), (x, 19)) for x in range(20)], "bfs", limits=Limits(expansions=395))
    )
    kept = [result.search is not None for result in answers]
    assert kept == [result.status is Status.CUTOFF for result in answers]
    assert {False, True} == set(kept)
    result = answers[kept.index(True)]
    assert result.search is not None
    assert result.search.resume().status is Status.SOLVED


def test_a_certificate_proves_what_the_search_would_have() -> None:
    """Results have no search; those that were requested with a certificate carry the proof."""
    for (start, goal), result in zip(AISLES, solve_many(CRYPT, AISLES, certificate=True), strict=True):
        problem = CRYPT.aimed([start], [goal])
        assert result.certificate is not None
        assert certify(problem, result.certificate)
        assert certify(problem, result).unproved == ()


@with_numba
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
    watched = solve_many(OPEN, queries, "bfs", workers="threads:1", observers=[lambda search, state: None])
    assert [result.backend for result in watched] == ["python"] * 3


def test_observers_watch_every_search() -> None:
    """Once a slice, from the threads that search."""
    ended: list[Search[Any, Any]] = []

    def observe(watched: Search[Any, Any], state: Any) -> None:
        if state is None:
            ended.append(watched)

    list(solve_many(CRYPT, AISLES, observers=[per_slice(observe)], workers="threads:2"))
    assert len(ended) == 2, "the third query needs no expansion"
