"""`adapt`: what base classes define, and faults of problems of other libraries."""

from math import inf
from pathlib import Path
from typing import Any

import pytest

from searchkit import adapt, solve
from searchkit.errors import InvalidProblemError, MissingCapabilityError, ProgramError
from searchkit.plugin import has_cost, has_heuristic
from searchkit.plugin.programs import problem_in
from tests.plugins.test_adapters import CS188, ROADS

# What a library's base class defines


class Problem:
    """A base class as each of the libraries has it."""

    def cost(self, state: Any, action: Any, state2: Any) -> int:
        return 1

    def heuristic(self, state: Any) -> int:
        return 0

    def path_cost(self, c: Any, state1: Any, action: Any, state2: Any) -> Any:
        return c + 1

    def action_cost(self, s: Any, a: Any, s1: Any) -> int:
        return 1

    def h(self, node: Any) -> int:
        return 0


class Line:
    """What the problems below share."""

    def actions(self, state: int) -> list[int]:
        return [1, -1]

    def result(self, state: int, action: int) -> int:
        return state + action

    def is_goal(self, state: int) -> bool:
        return state == 3


@pytest.mark.parametrize("start", ["initial", "initial_state"])
def test_defaults_of_a_base_class_count_as_not_defined(start: str) -> None:
    """So actions cost 1, bfs proves its answer, and A* without a heuristic is an error."""
    adapted = adapt(type("Problem", (Line, Problem), {start: 0})())
    assert (has_cost(adapted), has_heuristic(adapted)) == (False, False)
    assert solve(adapted).engine == "bfs"
    assert solve(adapted).optimal
    with pytest.raises(MissingCapabilityError, match=r"give adapt\(…, heuristic=…\) one"):
        solve(adapted, "astar")


def test_what_differs_from_the_defaults_is_used() -> None:
    """Also in a base class; and what the problem's own class defines, whatever it is."""

    class Twos(Problem):
        initial_state = 0
        actions, result, is_goal = Line.actions, Line.result, Line.is_goal

        def cost(self, state: int, action: int, state2: int) -> int:
            return 2

        def heuristic(self, state: int) -> int:
            return 0

    assert solve(adapt(Twos()), "astar").cost == 6
    assert solve(adapt(type("Below", (Twos,), {})()), "dijkstra").cost == 6


def test_a_heuristic_can_be_given() -> None:
    """In place of the problem's own, as the library takes it."""

    class Start(Line):
        initial_state = 0

    assert solve(adapt(Start(), heuristic=lambda state: abs(3 - state)), "astar").statistics.expanded == 3


def test_the_first_library_is_meant() -> None:
    """A problem of simpleai that keeps its start in `initial`, too, as one of simpleai's own samples does."""
    library = pytest.importorskip("simpleai.search", reason="the extra bench has it")
    walk = type("Walk", (Line, library.SearchProblem), {"initial": 0})(initial_state=0)
    assert solve(adapt(walk), "bfs").cost == 3


# Planted defects


class Plain:
    """A line with the members of aima-python."""

    initial: Any = 0
    actions, result, goal_test = Line.actions, Line.result, Line.is_goal


def made(base: type = Plain, **members: Any) -> Any:
    """Return an instance of a class with these members in place of those of the base."""
    return type("Wrong", (base,), members)()


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (object(), "for simpleai it lacks initial_state and actions and"),
        (made(goal_test=None), "for aima-python it lacks goal_test or is_goal; for CS188"),
        (Plain, r"make an instance, adapt\(Plain\(…\)\)"),
        (ROADS, "for simpleai it lacks initial_state and actions"),
    ],
)
def test_what_can_t_be_adapted(problem: Any, message: str) -> None:
    """One error, which says what was found and what is missing."""
    with pytest.raises(InvalidProblemError, match=message):
        adapt(problem)


@pytest.mark.parametrize(
    ("problem", "engine", "message"),
    [
        (
            made(h=lambda self, node: node.path_cost),
            "astar",
            r"raised AttributeError: .* no attribute 'path_cost'",
        ),
        (
            made(result=lambda self, state, action: [state]),
            "bfs",
            "gave the state .*, a list, which is not hashable",
        ),
        (
            made(actions=lambda self, state: [][7]),
            "bfs",
            "<lambda> raised IndexError: .*, while 0 was being expanded",
        ),
        (made(actions=lambda self, state: None), "bfs", r"successors\(0\) raised TypeError: 'NoneType'"),
        (
            made(
                CS188,
                __init__=lambda self: None,
                graph=ROADS,
                _expanded=0,
                getSuccessors=lambda self, state: [(1, "a")],
            ),
            "dijkstra",
            r"successors\(0\) raised ValueError: not enough values to unpack \(expected 3, got 2\)",
        ),
        (made(path_cost=lambda self, c, s, a, t: c + inf), "dijkstra", "is inf; expected a finite number"),
        (made(initial=[0, 1]), "bfs", "which is not hashable"),
    ],
)
def test_what_a_search_finds(problem: Any, engine: str, message: str) -> None:
    """A fault of the problem is reported with what to do, and names the problem's own method."""
    with pytest.raises(InvalidProblemError, match=message):
        solve(adapt(problem), engine)


def test_the_method_that_raises_is_named() -> None:
    """As the problem's library names it."""

    class Broken(Plain):
        def goal_test(self, state: int) -> bool:
            raise KeyError(state)

    with pytest.raises(InvalidProblemError, match=r"Broken\.goal_test raised KeyError: 0"):
        solve(adapt(Broken()), "bfs")


def test_a_problem_that_is_not_adapted_yet(tmp_path: Path) -> None:
    """The error says what to do, in Python and for a file on the command line."""
    with pytest.raises(InvalidProblemError, match=r"use searchkit\.adapt\(problem\)"):
        solve(Plain())  # type: ignore[arg-type]
    with pytest.raises(InvalidProblemError, match=r"use searchkit\.adapt\(Plain\(…\)\)"):
        solve(Plain)  # type: ignore[arg-type]
    file = tmp_path / "theirs.py"
    file.write_text("class Maze:\n    def getSuccessors(self, state):\n        return []\n", encoding="utf-8")
    with pytest.raises(ProgramError, match=r"use searchkit\.adapt\(Maze\(…\)\)"):
        problem_in(file, "Maze")
