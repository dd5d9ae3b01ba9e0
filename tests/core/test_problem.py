"""The protocol: subclass or look-alike, defaults, capabilities, and clear messages about faults."""

from collections.abc import Iterable
from typing import Any

import pytest

from searchkit import Limits, Reversible, SearchProblem, Status, problem_from, solve
from searchkit.errors import (
    InvalidOptionError,
    InvalidProblemError,
    MissingCapabilityError,
    SearchkitError,
    UnknownNameError,
)
from searchkit.plugin import has_cost, has_heuristic


class Steps(SearchProblem[int, str]):
    """A subclass that defines what has no default."""

    def initial_states(self) -> Iterable[int]:
        return [0]

    def successors(self, state: int) -> Iterable[tuple[str, int]]:
        return [("on", state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3


class LookAlike:
    """The same members; inherits nothing."""

    def initial_states(self) -> Iterable[int]:
        return [0]

    def successors(self, state: int) -> Iterable[tuple[str, int]]:
        return [("on", state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3

    def cost(self, state: int, action: str, successor: int) -> int:
        return 2

    def heuristic(self, state: int) -> int:
        return 2 * (3 - state)


def test_a_subclass_brings_the_defaults() -> None:
    """Cost 1 and heuristic 0, known as defaults, so that they are never called in a search."""
    problem = Steps()
    assert (problem.cost(0, "on", 1), problem.heuristic(0)) == (1, 0)
    assert not has_cost(problem)
    assert not has_heuristic(problem)
    assert solve(problem).cost == 3


def test_a_class_that_inherits_nothing_is_a_problem_too() -> None:
    """Its own cost and heuristic are seen."""
    problem = LookAlike()
    assert has_cost(problem)
    assert has_heuristic(problem)
    assert solve(problem).cost == 6
    assert solve(problem).engine == "astar"
    assert not isinstance(problem, Reversible)


def test_a_look_alike_may_leave_out_what_has_a_default() -> None:
    """Without `cost` and `heuristic`, actions cost 1 and there is no heuristic."""

    class Bare:
        initial_states, successors, is_goal = Steps.initial_states, Steps.successors, Steps.is_goal

    problem: Any = Bare()
    for engine in ("auto", "bfs", "dijkstra", "bucket", "dfs"):
        assert solve(problem, engine).cost == 3


def test_a_forgotten_member_is_an_error_at_construction() -> None:
    """A subclass names it when it is made, a look-alike when it is to be solved."""

    class Forgetful(SearchProblem[int, str]):
        def initial_states(self) -> Iterable[int]:
            return [0]

        def is_goal(self, state: int) -> bool:
            return True

    with pytest.raises(TypeError, match=r"abstract method '?successors"):
        Forgetful()  # type: ignore[abstract]
    nothing: Any = object()
    with pytest.raises(
        InvalidProblemError, match="no method initial_states and no method successors and no method"
    ):
        solve(nothing)


def test_problem_from_knows_its_defaults() -> None:
    """Functions left out are defaults; those given are called as they are."""
    bare = problem_from([0], Steps().successors, lambda x: x == 3)
    assert not has_cost(bare)
    assert not has_heuristic(bare)
    full = problem_from([0], Steps().successors, lambda x: x == 3, lambda *edge: 4, lambda x: 4 * (3 - x))
    assert (has_cost(full), has_heuristic(full), solve(full).cost) == (True, True, 12)
    assert repr(full) == "problem_from([0], …)"
    with pytest.raises(InvalidProblemError, match="successors is 5, expected a function"):
        problem_from([0], 5, lambda x: True)  # type: ignore[arg-type]
    with pytest.raises(
        InvalidProblemError, match=r"initial is 'A', expected a collection of states: \['A'\]"
    ):
        problem_from("A", Steps().successors, lambda x: True)  # type: ignore[arg-type, type-var]


def test_an_engine_that_raises_is_named() -> None:
    """A fault of the engine is not reported as a fault of the problem."""

    def broken(problem: Any, tree: Any) -> Any:
        yield from problem.initial_states()
        raise RuntimeError("lost")

    with pytest.raises(SearchkitError, match="engine 'broken' raised RuntimeError: lost"):
        solve(Steps(), broken)


def test_missing_capabilities_name_the_engines_that_would_work() -> None:
    """Engine, problem, what is missing, and what can be used instead."""
    with pytest.raises(
        MissingCapabilityError, match=r"'astar' needs heuristic\(state\), which Steps .* one of bfs, dijk"
    ):
        solve(Steps(), "astar")
    with pytest.raises(
        MissingCapabilityError,
        match=r"needs goal_states and predecessors \(of a problem whose goals .*\), which Steps",
    ):
        solve(Steps(), "bidirectional")


def test_wrong_names_and_options() -> None:
    """Unknown engine, option or backend: what there is is listed."""
    with pytest.raises(UnknownNameError, match=r"no engine 'astr': did you mean astar"):
        solve(Steps(), "astr")
    with pytest.raises(UnknownNameError, match="engine 'zero_one' has no option 'ties'; it has no options"):
        solve(Steps(), "zero_one", ties="lifo")
    with pytest.raises(UnknownNameError, match="no option 'wait'; its options are weight, ties"):
        solve(LookAlike(), "wastar", wait=2)
    with pytest.raises(UnknownNameError, match="no backend 'gpu'; there are auto, python, compiled"):
        solve(Steps(), backend="gpu")
    for weight in (0.5, "x", float("inf"), None, "1/0"):
        with pytest.raises(InvalidOptionError, match="weight="):
            solve(LookAlike(), "wastar", weight=weight)
    not_an_engine: Any = 5
    with pytest.raises(UnknownNameError, match="5 is not an engine; expected a name"):
        solve(Steps(), not_an_engine)


def test_an_engine_may_be_a_plain_function() -> None:
    """A student's generator over the tree is driven like any other, with its options, limits and statistics."""

    def lifo(problem: Any, tree: Any, stop: int = 100) -> Any:
        if tree.frontier is None:
            tree.frontier = list(problem.initial_states())
            for state in tree.frontier:
                tree.start(state)
        while tree.frontier:
            state = tree.frontier[-1]
            if problem.is_goal(state):
                return tree.finish(state)
            yield state
            tree.frontier.pop()
            for action, successor in problem.successors(state):
                tree.generated += 1
                if successor not in tree.reached and successor < stop:
                    tree.reached[successor] = (tree.reached[state][0] + 1, state, action)
                    tree.frontier.append(successor)
        return None

    result = solve(Steps(), lifo)
    assert (result.cost, result.engine, result.statistics.expanded) == (3, "lifo", 3)
    assert not result.optimal
    assert solve(Steps(), lifo, stop=2).status is Status.UNSOLVABLE


def test_problem_from_with_predecessors_and_goals_is_reversible() -> None:
    """Then engines that search backwards take it; goals alone are refused."""
    line = problem_from(
        [0],
        lambda n: [("+", n + 1)],
        lambda n: n == 9,
        predecessors=lambda n: [("+", n - 1)],
        goals=[9],
    )
    assert isinstance(line, Reversible)
    assert solve(line, "bidirectional").cost == 9
    with pytest.raises(InvalidProblemError, match="goals and predecessors are given together"):
        problem_from([0], lambda n: [], lambda n: True, goals=[0])


class Misspelt(Steps):
    """A heuristic that nobody asks."""

    def heurstic(self, state: int) -> int:
        return 3 - state


def test_misspelt_members_and_limits_are_pointed_out() -> None:
    """In words, where the right name is known."""
    assert solve(Misspelt()).warnings == (
        "the problem has no heuristic; it has a method heurstic: did you mean heuristic?",
    )
    with pytest.raises(InvalidProblemError, match="it has a method sucessors: did you mean successors"):
        solve(type("P", (), {"initial_states": list, "sucessors": list, "is_goal": bool})())
    with pytest.raises(UnknownNameError, match="'max_expansions': did you mean expansions"):
        Limits(max_expansions=3)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="the path is states, actions and solution"):
        solve(Misspelt()).path  # noqa: B018
