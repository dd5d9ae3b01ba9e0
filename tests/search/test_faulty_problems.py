"""Mistakes of newcomers, and their errors: whose fault it is, what was expected, what to do next."""

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pytest

import searchkit
from searchkit import Limits, Search, SearchProblem, certify, problem_from, solve, solve_many
from searchkit.errors import (
    InvalidLimitError,
    InvalidOptionError,
    InvalidProblemError,
    SearchkitError,
    UnknownNameError,
)
from searchkit.testing import CheckFailure, check_problem

Cell = tuple[int, int]


class Walk(SearchProblem[Cell, str]):
    """Right and down, to (2, 2). Sound; the cases below replace one member."""

    def initial_states(self) -> list[Cell]:
        return [(0, 0)]

    def successors(self, state: Cell) -> list[tuple[str, Cell]]:
        x, y = state
        return [("right", (x + 1, y)), ("down", (x, y + 1))]

    def is_goal(self, state: Cell) -> bool:
        return state == (2, 2)


def walk(**members: Callable[..., Any]) -> Any:
    """Return the walk with other members."""
    return type("Walk", (Walk,), members)()


def counting(successors: Callable[[int], Any]) -> Any:
    """Return the problem of getting from 0 to 3 by these successors."""
    return problem_from([0], successors, lambda state: state == 3)


Rows: Any = type("Rows", (tuple,), {"__hash__": lambda a: 1, "__eq__": lambda a, b: np.array(a) == b})
"""States that numpy compares."""


class Unshown(int):
    """A state whose `__repr__` has a mistake."""

    def __repr__(self) -> str:
        raise AttributeError("no attribute 'nam'")


FAULTS: dict[str, tuple[Any, str]] = {
    "is_goal returns an array": (
        walk(is_goal=lambda self, state: np.array(state) == 2),
        r"Walk.is_goal\(\(0, 0\)\) returned array\(.*neither true nor false",
    ),
    "is_goal yields": (
        problem_from([0], lambda state: [], lambda state: (yield False)),
        r"is_goal\(0\) returned <generator .*, which counts as true for every state; return True or False",
    ),
    "a cached generator": (
        walk(successors=cache(lambda self, state: (yield "on", (2, 2)))),
        "Walk.successors caches generators: return a list",
    ),
    "Decimal plus float": (
        walk(cost=lambda *edge: Decimal("1.5"), heuristic=lambda self, state: 0.5),
        r"cost\(.*\) is Decimal\('1.5'\), of type Decimal; expected a finite int, float or Fraction ≥ 0",
    ),
    "None as a start": (walk(initial_states=lambda self: [None]), r"initial_states\(\) gave None as a state"),
    "None as a successor": (
        counting(lambda state: [("up", None), ("on", 1)] if state == 0 else []),
        r"successors\(0\) gave None as a state; None can't be a state",
    ),
    "None as the goal": (
        problem_from([0], lambda state: [("up", None)], lambda state: state is None),
        r"successors\(0\) gave None as a state",
    ),
    "a state instead of a pair": (
        counting(lambda state: [state + 1]),
        r"successors\(0\) gave 1; expected an \(action, successor\) pair: did successors return a state, or",
    ),
    "a cost beside the pair": (
        counting(lambda state: [("up", state + 1, 1)]),
        r"gave \('up', 1, 1\); .* pair: the cost of an action is returned by cost\(state, action, successor\)",
    ),
    "a state of two parts instead of a pair": (
        walk(successors=lambda self, state: [(state[0] + 1, state[1])]),
        r"while 0 was being expanded \(of type int, and the starts are of type tuple: did successors return a state",
    ),
    "a dictionary of successors": (
        walk(successors=lambda self, state: {"right": (state[0] + 1, state[1])}),
        r"successors\(\(0, 0\)\) returned a dict; expected \(action, successor\) pairs: its items",
    ),
    "no return in successors": (walk(successors=lambda self, state: None), "returned None; expected a coll"),
    "one start without its list": (
        walk(initial_states=lambda self: (0, 0)),
        r"initial_states\(\) returned \(0, 0\), which is taken for 2 states: for one start, return \[\(0, 0\)\]",
    ),
    "a text of starts": (
        walk(initial_states=lambda self: "start"),
        r"returned 'start', whose letters would be states: for one start, return \['start'\]",
    ),
    "a method without self": (
        walk(successors=lambda state: []),
        r"takes 1 positional argument but 2 were given; expected successors\(self, state\)",
    ),
    "a built-in that raises": (counting({0: [(1, 1)]}.__getitem__), r"successors\(1\) raised KeyError: 1"),
    "a goal test with an empty iterator": (
        problem_from([0], lambda state: [], lambda state: next(iter(()))),
        r"is_goal\(0\) raised StopIteration",
    ),
    "a comparison that returns an array": (
        problem_from([Rows((1, 2))], lambda state: [(1, Rows((1, 2)))], lambda state: False),
        r"whether it equals itself is neither true nor false \(ValueError: .*\): its __eq__ must return True or F",
    ),
    "an error of a faulty text": (problem_from([Unshown(0)], {}.__getitem__, bool), r"KeyError \(whose text"),
    "a goal test that raises": (
        problem_from([0], lambda state: [], {}.__getitem__),
        r"is_goal\(0\) raised KeyError: 0",
    ),
    "a negative cost": (walk(cost=lambda *edge: -1), r"cost\(\(0, 0\), 'right', \(1, 0\)\) is -1; exp"),
    "an infinite cost": (walk(cost=lambda *edge: float("inf")), r"cost\(.*\) is inf"),
    "no cost": (walk(cost=lambda *edge: None), r"cost\(.*\) is None, of type N"),
    "a negative heuristic": (walk(heuristic=lambda self, state: -state[0]), r"heuristic\(\(1, 0\)\) is -1"),
    "no heuristic value": (walk(heuristic=lambda self, state: None), r"heuristic\(\(0, 0\)\) is None"),
    "an unhashable state": (
        counting(lambda state: [("on", [state])]),
        r"successors\(0\) gave the state \[0\], a list, which is not hashable; .*use a tuple",
    ),
    "an unhashable start": (
        problem_from([[1]], lambda state: [], lambda state: False),  # type: ignore[type-var]
        r"initial_states\(\) gave the state \[1\], a list, which is not hashable",
    ),
    "no start": (problem_from([], lambda state: [], lambda state: False), "is empty; a search needs a start"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_problem_is_blamed_and_not_the_engine(fault: str) -> None:
    """The error names the member, its arguments, what it returned and what was expected."""
    problem, message = FAULTS[fault]
    with pytest.raises(InvalidProblemError, match=message):
        solve(problem)


def test_starts_that_can_be_read_only_once() -> None:
    """An iterator that `auto` has looked into would lack starts; so would one that was searched before."""
    starts = iter([(0, 0), (1, 1)])
    problem = walk(initial_states=lambda self: starts, cost=lambda *edge: 1.5)
    with pytest.raises(InvalidProblemError, match="the same iterator twice: it can be read only once"):
        solve(problem)
    assert list(starts) == [(0, 0), (1, 1)]


MISUSE: dict[str, tuple[Callable[[], Any], type[SearchkitError], str]] = {
    "limits": (
        lambda: solve(Walk(), limits=10),
        InvalidLimitError,
        r"such as limits=Limits\(expansions=10\)",
    ),  # type: ignore[arg-type]
    "limits of a run": (lambda: Search(Walk()).run(10), InvalidLimitError, "limits=10: expected"),  # type: ignore[arg-type]
    "limits of many": (
        lambda: list(solve_many([Walk()], limits=10)),  # type: ignore[arg-type]
        InvalidLimitError,
        "limits=10: expected",
    ),
    "limits as arguments": (
        lambda: Search(Walk(), "bfs").run(expansions=10),  # type: ignore[arg-type]
        UnknownNameError,
        r"no 'expansions'; a limit is run\(Limits\(expansions",
    ),
    "limits as options of an engine": (
        lambda: solve(Walk(), "bfs", max_expansions=10),
        UnknownNameError,
        r"'max_expansions'; a limit is given as limits=Limits\(expansions",
    ),
    "a class": (lambda: solve(Walk), InvalidProblemError, r"write Walk\(…\)"),  # type: ignore[arg-type]
    "a file": (lambda: solve("crypt"), InvalidProblemError, r"searchkit\.load\('crypt'\)"),  # type: ignore[arg-type]
    "a text": (lambda: solve(searchkit.load("maze"), "wastar", weight="x"), InvalidOptionError, "expect"),
    "no claim": (lambda: certify(Walk(), None), InvalidOptionError, "the claim is None"),  # type: ignore[arg-type]
    "claim and problem in the wrong order": (
        lambda: certify(solve(Walk()), Walk()),  # type: ignore[arg-type]
        InvalidProblemError,
        "Result.* is not a search problem",
    ),
    "costs that are no function": (
        lambda: problem_from([0], lambda n: [], lambda n: True, cost=1),  # type: ignore[arg-type]
        InvalidProblemError,
        "cost is 1, expected a function",
    ),
}


@pytest.mark.parametrize("misuse", MISUSE)
def test_a_value_of_the_wrong_kind(misuse: str) -> None:
    """One error of searchkit says what was given and what was expected; it does not mention attributes."""
    use, kind, message = MISUSE[misuse]
    with pytest.raises(kind, match=message):
        use()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("asta", "astar"),
        ("A*", "astar"),
        ("ucs", "dijkstra"),
        ("Breadth First Search", "bfs"),
    ],
)
def test_the_engine_that_was_meant(given: str, meant: str) -> None:
    """Misspelt names and those of textbooks lead to the engine."""
    with pytest.raises(
        UnknownNameError, match=rf"no engine '.*': did you mean {meant}( or \w+)?\? See: searchkit engines"
    ):
        solve(Walk(), given)


def test_the_example_the_problem_and_the_option_that_were_meant() -> None:
    """Wherever a name is looked up."""
    with pytest.raises(
        UnknownNameError, match=r"crpyt is not a file: did you mean crypt\? Expected the path"
    ):
        searchkit.load("crpyt")
    with pytest.raises(UnknownNameError, match=r"no problem 'dungoen': did you mean dungeon\?"):
        searchkit.load("crypt", "dungoen")
    with pytest.raises(UnknownNameError, match=r"no option 'move': did you mean moves\?"):
        searchkit.load("crypt", move=8)
    with pytest.raises(UnknownNameError, match=r"no backend 'compile': did you mean compiled\?"):
        solve(Walk(), backend="compile")


def test_a_goal_test_without_a_return_is_warned_of() -> None:
    """None counts as no, so such a search finds nothing."""
    result = solve(walk(is_goal=lambda self, state: None), limits=Limits(expansions=10))
    assert result.warnings == ("is_goal((0, 0)) returned None, which counts as no: does it lack a return?",)


@pytest.mark.parametrize("cost", [1, -1])
def test_a_repr_that_raises_hides_neither_the_answer_nor_the_fault(cost: int) -> None:
    """`searchkit solve` and `check problem` said that it was a fault of searchkit."""
    steps = problem_from([Unshown(0)], lambda n: [(n, Unshown(n + 1))], lambda n: n == 2, lambda *edge: cost)
    shown = "<Unshown instance: __repr__ raised AttributeError>"
    if cost == 1:
        assert solve(steps).to_dict()["states"][0] in (0, shown)
        return
    with pytest.raises(InvalidProblemError, match=rf"cost\({shown}, .* is -1"):
        solve(steps)
    with pytest.raises(CheckFailure, match=rf"cost\({shown}, .* is -1"):
        check_problem(steps)
