"""`check_engine` passes every engine that keeps its promises, and finds every planted defect, drawn and small."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
import pytest

from searchkit import EngineSpec, Search, available_engines, solve
from searchkit.errors import InvalidOptionError, InvalidProblemError, PluginError, UnknownNameError
from searchkit.testing import CheckFailure, Counterexample, Report, check_engine, digraph, explore
from searchkit.testing.engines import EXAMPLES
from searchkit.testing.strategies import mazes
from searchkit.testing.strategies.engines import sources_for
from searchkit.testing.trials import contender_for
from searchkit_dungeon import grid
from tests.mutants.engines import CONTROLS, FRINGE, MUTANTS, Mutant, fewest_steps, shortest

ENGINES = [spec for _, spec in sorted(available_engines().items()) if not spec.machine_code_only]
"""Those with a form in Python."""


def failed(engine: Any, *arguments: Any, **how: Any) -> Report:
    """Return the report of a check that fails."""
    with pytest.raises(CheckFailure) as caught:
        check_engine(engine, *arguments, **how)
    return caught.value.report


def counterexample(report: Report) -> Counterexample:
    """Return the counterexample of the first failure."""
    case = report.failures[0].counterexample
    assert case is not None
    return case


@pytest.mark.parametrize("spec", ENGINES, ids=lambda spec: spec.name)
def test_every_registered_engine_keeps_its_promises(
    spec: EngineSpec, share: Callable[[int], int], chance: int
) -> None:
    """All promises of its spec, on every kind of problem that it takes; nothing fails, and nothing is untried."""
    report = check_engine(spec.name, examples=share(EXAMPLES // 2), seed=chance)
    assert report.examples == share(EXAMPLES // 2)
    outcomes = {check.name: check.outcome for check in report.checks}
    # It may ask by other members than successors: nothing is counted.
    if spec.memory == "own" or spec.requires:
        del outcomes["statistics"]
    assert set(outcomes.values()) == {"holds"}


def test_an_engine_that_loses_states_after_an_error_is_found() -> None:
    """Fringe search that writes arrivals while it asks: resumed after an error it says that there is no path."""
    report = failed(FRINGE, problems=digraph("0 -1→ 1, 0 -9→ 2, 1 -1→ 3", [0], [3], {}))
    (failure,) = report.failures
    assert failure.name == "repeatable"
    assert "the status is unsolvable instead of solved" in failure.detail
    assert counterexample(report).reproduce[-1] == 'check_engine(fringe, "repeatable", problems=problem)'


def test_an_engine_may_know_the_class_of_a_problem() -> None:
    """Regression: one run was made on the problem that counts calls, whose class is another one, and the other not."""
    assert check_engine("corridor", problems=grid(["G..S."]), radius=0, variant="restart")


def test_a_function_has_the_promises_that_are_declared_above_it() -> None:
    """An engine that may stop short of the optimum was checked for the least cost."""
    beam = available_engines()["beam"]
    assert contender_for(beam.run).spec is beam
    assert Search(grid(["S.G"]), beam.run, width=1).spec is beam


def test_machine_code_is_compared_with_python() -> None:
    """On problems with a compiled view, and on those that are translated; an engine without a kernel says nothing."""
    assert check_engine("astar", ["compiled"], problems=grid(["S.#", "..G"])).checks[1].outcome == "holds"
    graph = digraph("0 -1→ 1", [0], [1], {})
    assert check_engine("astar", ["compiled"], problems=graph).checks[1].outcome == "holds"
    assert check_engine("rbfs", ["compiled"], problems=graph).checks[1].outcome == "skipped"


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_the_engines_of_the_mutants_are_right_without_their_defects(
    control: Mutant, share: Callable[[int], int]
) -> None:
    """So it is the defect that the check finds."""
    assert check_engine(control.engine, examples=share(400))


@pytest.mark.one_in(3)  # making the case smaller takes seconds; CI runs the others
@pytest.mark.parametrize("mutant", MUTANTS[::16], ids=lambda mutant: mutant.name)
def test_a_planted_defect_is_reported(mutant: Mutant) -> None:
    """Under the promise that it breaks, with a drawing, the lines that show it again, and at most ten states."""
    digraphs = sources_for(contender_for(mutant.engine).spec)[0]
    report = failed(mutant.engine, [mutant.promise], problems=digraphs, examples=EXAMPLES // 2)
    assert [check.name for check in report.failures] == [mutant.promise]
    case = counterexample(report)
    assert case.drawing
    assert len(case.reproduce) == 3
    assert len(explore(case.problem).edges) <= 10


def test_problems_can_be_given() -> None:
    """A strategy, or one problem: breadth-first search is optimal on mazes, but not if costs differ."""
    assert check_engine(fewest_steps, problems=mazes(size=7), examples=100)
    assert check_engine("dijkstra", problems="dungeon", examples=20)
    dear = digraph("0 -5→ 2, 0 -1→ 1, 1 -1→ 2", [0], [2])
    assert counterexample(failed(fewest_steps, problems=dear)).problem is dear


def test_an_engine_for_which_there_are_no_problems_is_skipped() -> None:
    """With the reason."""

    class Unheard(Protocol):
        """A capability that no problem has."""

        def unheard(self) -> int: ...

    def engine(problem: Any, tree: Any) -> Iterator[Any]:
        yield from ()

    report = check_engine(EngineSpec("strange", engine, requires=(Unheard,)))
    assert {check.outcome for check in report.checks} == {"skipped"}
    assert "meets Unheard" in report.checks[0].detail
    assert str(report).startswith("engine strange: nothing fails ("), "it is not said to hold"


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        (lambda path, problem: 7, "expected a list of states, the start first, or None if there is no path"),
        (lambda path, problem: tuple(path), r"write list\(path\)"),
        (lambda path, problem: [], "the start first"),
        (lambda path, problem: path[::-1], r"return path\[::-1\]"),
        (lambda path, problem: [("go", state) for state in path], "expected states only"),
        (lambda path, problem: ["east"], "not a state that the problem returned"),
        (lambda path, problem: [*path, path[0]], "no action leads from"),
        (lambda path, problem: path[1:], "which is not a start"),
        (lambda path, problem: path[:-1], "which is not a goal"),
    ],
)
def test_a_beginner_is_told_what_is_wrong_with_the_answer(answer: Any, advice: str) -> None:
    """The advice can be followed."""

    def solver(problem: Any) -> Any:
        path = shortest(problem)
        return path and answer(path, problem)

    report = failed(solver, ["valid"], problems=grid(["S.#", "..G"]))
    assert re.search(advice, report.failures[0].detail)


@pytest.mark.parametrize("wrong", [7, np.array([0, 1])])
def test_a_wrong_type_needs_no_graph(wrong: Any) -> None:
    """A search that returns a number, or an array, is wrong on every problem."""
    (failure,) = failed(lambda problem: wrong, ["valid"], problems=mazes(size=5), examples=5).failures
    assert failure.counterexample is None
    assert f"it returned {wrong!r}; expected a list of states" in failure.detail


def test_a_raising_function_is_reported_with_its_last_line() -> None:
    """The exception, the function and the line."""

    def solver(problem: Any) -> Any:
        return {}["frontier"]

    detail = failed(solver, problems=mazes(size=5), examples=10).failures[0].detail
    assert "it raised KeyError: 'frontier', raised in solver, test_check_engine.py:" in detail


def remembers_nothing(problem: Any) -> Any:
    """Depth-first search on all paths: for ever, and with all the memory that there is."""
    stack = [[start] for start in problem.initial_states()]
    while stack:
        path = stack.pop()
        if problem.is_goal(path[-1]):
            return path
        stack += [[*path, successor] for _, successor in problem.successors(path[-1])]
    return None


STEP_BACK = digraph("0 -1→ 1", starts=[0], goals=[1])
LOOP = digraph("0 -1→ 1, 1 -1→ 0", starts=[0], goals=[])
STEP = digraph("0 -1→ 1", starts=[0, 1], goals=[1], states="opaque")


@pytest.mark.parametrize(
    ("search", "problem", "promise", "said"),
    [
        (remembers_nothing, LOOP, "terminates", "it was still searching after "),
        (lambda problem: [1, 0], STEP_BACK, "valid", "backwards, it is a path: return path[::-1]"),
        (lambda problem: problem.initial_state(), LOOP, "raises nothing", "(did you mean initial_states?)"),
        (
            lambda problem: sorted(problem.initial_states()),
            STEP,
            "raises nothing",
            "no order: put a number ",
        ),
    ],
)
def test_the_mistakes_of_beginners_are_explained(search: Any, problem: Any, promise: str, said: str) -> None:
    """What to do is in the message."""
    checks = {check.name: check.detail for check in failed(search, problems=problem).failures}
    assert said in checks[promise]


def test_wrong_use_is_explained() -> None:
    """What was given, what was expected, what to do."""
    with pytest.raises(UnknownNameError, match="there is no engine 'a-star'"):
        check_engine("a-star")
    with pytest.raises(InvalidOptionError, match="7 is not an engine; expected the name of an engine"):
        check_engine(7)
    with pytest.raises(InvalidOptionError, match="it has a yield, so a call of it returns a generator"):
        check_engine(lambda problem: (yield []))
    with pytest.raises(InvalidOptionError, match="takes two arguments, and has no yield"):
        check_engine(lambda problem, tree: None)
    with pytest.raises(
        InvalidOptionError, match="can't be called with \\(problem, tree\\); a plain function"
    ):
        check_engine(EngineSpec("plain", lambda problem: None))  # type: ignore[arg-type,misc]
    with pytest.raises(PluginError, match="'two' returned None; expected a generator"):  # it was "unsolvable"
        solve(digraph("0 → 1", [0], [1]), EngineSpec("two", lambda problem, tree: None))  # type: ignore[arg-type,return-value]
    with pytest.raises(
        InvalidOptionError, match="there is no promise 'fast'; there are raises nothing, terminates"
    ):
        check_engine("astar", ["fast"])
    with pytest.raises(
        InvalidOptionError, match=r"no promise 'optimum': did you mean optimal\? There are raises"
    ):
        check_engine("astar", ["optimum"])
    with pytest.raises(InvalidOptionError, match="a function of a problem can't promise 'resumable'"):
        check_engine(shortest, ["resumable"])
    with pytest.raises(UnknownNameError, match="has no option 'width'"):
        check_engine("astar", width=3)
    with pytest.raises(InvalidProblemError, match="3 is not a search problem"):
        check_engine("astar", problems=3)


def test_a_search_that_may_end_some_day_is_undecided() -> None:
    """A walk over all paths of a large maze is stopped: no promise is reported as kept that was not checked."""

    def walk(problem: Any) -> list[Any] | None:
        paths = deque([start] for start in problem.initial_states())
        while paths:
            path = paths.popleft()
            if problem.is_goal(path[-1]):
                return path
            paths.extend([*path, successor] for _, successor in problem.successors(path[-1]))
        return None

    report = check_engine(walk, problems=grid(["S" + "." * 9, *["." * 10] * 8, "." * 9 + "G"]))
    outcomes = {check.name: check.outcome for check in report.checks}
    assert outcomes["terminates"] == outcomes["optimal"] == "undecided"
    assert report.holds
