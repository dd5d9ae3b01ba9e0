"""Correct searches and heuristics have every property; each kind of mistake fails the property that it breaks."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import SearchProblem, solve
from searchkit.testing import WeightedDigraph, digraph
from searchkit.testing.strategies import heuristics_for, weighted_digraphs
from searchkit_coursework.maps import Failure
from searchkit_coursework.properties import PROPERTIES
from searchkit_coursework.service import GarbledError, Service
from searchkit_coursework.tests.conftest import instance_of, observed

SEARCHES = [name for name, each in PROPERTIES.items() if each.kind == "search"]
MAP = digraph("0 -1→ 1, 1 -1→ 2, 0 -3→ 2, 2 -1→ 3, 1 -9→ 3, 3 -1→ 4", starts=[0], goals=[3])
"""The least cost from 0 to 3 is 3, along 0, 1, 2, 3."""
CLOSED = digraph("0 -1→ 1, 1 -1→ 0", starts=[0], goals=[2])


def judged(
    name: str, problem: SearchProblem[Any, Any], function: Callable[..., Any], **settings: Any
) -> str | None:
    """Return what is wrong with a function for a problem; "" if nothing is, None if the problem has no say."""
    chosen, instance = PROPERTIES[name], instance_of(problem)
    given = {each.name: each.default for each in chosen.settings} | settings
    if not chosen.can_decide(instance, **given):
        return None
    fault = chosen.fault(instance, observed(function, Service(instance, chosen.kind)), given)
    return fault.reason if fault else ""


def by(engine: str) -> Callable[[Any], Any]:
    """Return one of searchkit's engines as a student's function."""

    def find(problem: Any) -> Any:
        result = solve(problem, engine, backend="python")
        return None if result.solution is None else result.solution.states

    return find


def returning(*states: Any, expanding: Iterable[Any] | None = None) -> Callable[[Any], Any]:
    """Return a student's function that always returns these states, and has expanded some, or else all."""

    def find(problem: Any) -> Any:
        reached = list(problem.initial_states())
        for state in reached if expanding is None else expanding:
            reached += [after for _, after in problem.successors(state) if after not in reached]
        return list(states)

    return find


@given(weighted_digraphs())
@pytest.mark.parametrize("name", ["terminates", "valid", "complete", "optimal"])
def test_a_right_search_has_every_property(name: str, problem: WeightedDigraph) -> None:
    """On every graph, with and without a reachable goal."""
    assert not judged(name, problem, by("dijkstra"))


@given(weighted_digraphs())
@pytest.mark.parametrize(("engine", "order"), [("dijkstra", "g"), ("bfs", "depth")])
def test_a_right_search_expands_in_its_order(engine: str, order: str, problem: WeightedDigraph) -> None:
    """Dijkstra's algorithm by the cost from a start, breadth-first search by the number of actions."""
    assert not judged("order", problem, by(engine), by=order)


@given(st.data())
def test_a_star_expands_in_the_order_of_f(data: st.DataObject) -> None:
    """With a consistent heuristic; with others, the map does not count."""
    problem = data.draw(weighted_digraphs())
    shown = data.draw(heuristics_for(problem))
    assert not judged("order", shown, by("astar"), by="f")


@given(weighted_digraphs())
def test_exact_distances_have_every_property_of_a_heuristic(problem: WeightedDigraph) -> None:
    """They are admissible, consistent and as large as possible."""
    rest = instance_of(problem).space.to_goals

    def h(state: Any, problem: Any) -> Any:
        return rest.get(state, inf)

    for name in ("admissible", "consistent", "informed"):
        assert not judged(name, problem, h)


@pytest.mark.parametrize(
    ("name", "find", "message"),
    [
        ("valid", lambda problem: None, "it returned None; a path exists, of cost 3"),
        ("valid", lambda problem: [], "it returned an empty list; a path exists, of cost 3"),
        (
            "valid",
            lambda problem: 3,
            "it returned int 3; expected a list of states from a start to a goal, or None",
        ),
        (
            "valid",
            lambda problem: 10**6000,
            "it returned int (it can't be shown); expected",
        ),
        (
            "valid",
            returning(0, 10**6000),
            "item 1 of the list it returned is (it can't be shown), which is not",
        ),
        ("valid", lambda problem: "0123", "it returned str '0123'; expected a list of states"),
        (
            "valid",
            returning(1, 2, 3),
            "the path begins in 1, which is not a start; expected it to begin in 0",
        ),
        ("valid", returning(3, 2, 1, 0), "no action leads from 3 to 2, which follow each other in the path"),
        ("valid", returning(0, 2), "the path ends in 2, which is not a goal"),
        ("valid", returning(0, 3), "no action leads from 0 to 3, which follow each other in the path"),
        (
            "valid",
            returning(0, 7),
            "item 1 of the list it returned is 7, which is not a state that the problem returned",
        ),
        ("optimal", returning(0, 1, 3), "its path costs 10; the least possible is 3"),
        ("optimal", lambda problem: None, "it returned None; a path exists, of cost 3"),
        (
            "expands-at-most",
            returning(0, 1, 2, 3, expanding=[0, 1, 2, 3, 4]),
            "it expanded 5 states; at most 4 are allowed (in 4 states, g is not above that of the best goal)",
        ),
        (
            "valid",
            returning(0, 1, 2, 3, expanding=[0, 1]),
            "the path leads on from 2, but it never asked for the successors of that state: use problem",
        ),
        (
            "valid",
            returning(0, 1, 2, expanding=[0, 1]),
            "the path ends in 2, which is not a goal",
        ),
        (
            "expands-at-most",
            returning(0, 2, 3, expanding=[0, 2]),
            "it did not expand 1 with 1, which comes before the goal: states come in the order of the least cost",
        ),
        (
            "order",
            returning(0, 2, 3, expanding=[0, 2]),
            "it did not expand 1 with 1, which comes before the goal",
        ),
        (
            "order",
            returning(0, 1, 2, 3, expanding=[0, 2, 1]),
            "it expanded 1 with 1 after 2 with 2; states come in the order of the least cost from a start (g)",
        ),
        (
            "order",
            returning(0, 1, 3, expanding=[0, 1, 0]),
            "it expanded 0 twice (the second time as number 3)",
        ),
    ],
)
def test_a_wrong_search_is_told_what_is_wrong(name: str, find: Callable[..., Any], message: str) -> None:
    """With the states or the numbers that show it."""
    settings = {"by": "g"} if name == "expands-at-most" else {}
    assert (judged(name, MAP, find, **settings) or "").startswith(message)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_map_without_a_path(name: str) -> None:
    """`None` is correct there, and a path is not; properties of paths do not count."""
    settings = {"by": "g"} if name == "expands-at-most" else {}
    silent = name in ("valid", "optimal", "expands-at-most", "closest")
    if name == "complete":
        assert "it can't know that" in (judged(name, CLOSED, returning(expanding=[0])) or "")
    assert judged(name, CLOSED, by("dijkstra"), **settings) == (None if silent else "")
    if name in ("complete", "order"):
        said = judged(name, CLOSED, returning(0, 1))
        assert said == "it returned a path of 2 states; no path exists here, so return None"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "admissible",
            lambda s, p: 1,
            "h(3) = 1, and a path of cost 0 leads from there to a goal: 1 too much",
        ),
        (
            "admissible",
            lambda s, p: {0: 4, 2: 2}.get(s, 0),
            "h(2) = 2, and a path of cost 1 leads from there to a goal: 1 too much",
        ),
        ("admissible", lambda s, p: -1, "it returned -1 at 0; expected a number ≥ 0"),
        ("admissible", lambda s, p: nan, "it returned nan at 0; expected a number ≥ 0"),
        ("admissible", lambda s, p: "3", "it returned '3' at 0; expected a number ≥ 0"),
        ("admissible", lambda s, p: True, "it returned True at 0; expected a number ≥ 0"),
        ("admissible", lambda s, p: None, "it returned None at 0; expected a number ≥ 0"),
        (
            "consistent",
            lambda s, p: 1,
            "h(3) = 1, and a path of cost 0 leads from there to a goal: 1 too much",
        ),
        (
            "consistent",
            lambda s, p: 3 if s == 0 else 0,
            "h drops from 3 in 0 to 0 in 1, by more than the cost 1 of the action 0",
        ),
        ("informed", lambda s, p: 0, "it is 0 everywhere; at least 0% is expected"),
        (
            "informed",
            lambda s, p: 0.3 * (s == 0),
            "on average it is 3% of the true cost; at least 50% is expected",
        ),
        ("informed", lambda s, p: 1, "h(3) = 1, and a path of cost 0 leads from there to a goal: 1 too much"),
    ],
)
def test_a_wrong_heuristic_is_told_what_is_wrong(name: str, value: Callable[..., Any], message: str) -> None:
    """With the state that shows it."""
    settings = {"share": 0.5} if "50%" in message else {}
    assert judged(name, MAP, value, **settings) == message


@pytest.mark.parametrize("value", [Fraction(1, 3), 10**300, inf, 0.1])
def test_any_number_can_be_judged(value: Any) -> None:
    """A value that is too large is reported, in any type of number."""
    for name in ("admissible", "consistent"):
        said = judged(name, MAP, lambda state, problem: value)
        assert "leads from there to a goal" in (said or "")
    assert not judged("admissible", MAP, lambda state, problem: 5e-324)  # far below the cost of an action


@pytest.mark.parametrize(
    "value",
    [Decimal(3), 10**400, 10**6000, Fraction(-1, 3), "\x1b[2J"],
    ids=["decimal", "large", "digits", "fraction", "text"],
)
def test_what_is_no_number_is_shown(value: Any) -> None:
    """Shortened, and without characters that control a terminal."""
    said = judged("admissible", MAP, lambda state, problem: value) or ""
    assert "at 0; expected a number ≥ 0" in said
    assert "\x1b" not in said
    assert len(said) < 200


def test_a_map_is_drawn_with_what_is_wrong() -> None:
    """The path that was found, and a better one."""
    from searchkit_dungeon import grid

    problem = grid(["S..G", "....", "...."])
    long = [(0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (3, 0)]
    instance = instance_of(problem)
    fault = PROPERTIES["optimal"].fault(instance, observed(returning(*long), Service(instance, "search")), {})
    assert fault is not None
    assert fault.drawing.splitlines()[:4] == ["its path:", "S··G", "●●●●", "····"]
    assert fault.drawing.splitlines()[6:8] == ["a best path:", "S●●G"]


@given(st.data())
def test_a_right_a_star_expands_no_more_than_the_bound(data: st.DataObject) -> None:
    """For any ties: the bound counts the states with f ≤ the least cost, and not what one search expands."""
    problem = data.draw(weighted_digraphs())
    shown = data.draw(heuristics_for(problem))
    ties = data.draw(st.sampled_from(["high-g", "lifo", "fifo", "low-h"]))

    def astar(problem: Any) -> Any:
        result = solve(problem, "astar", backend="python", ties=ties)
        return None if result.solution is None else result.solution.states

    assert not judged("expands-at-most", shown, astar, by="f")


QUESTIONS = ["expand", "before", "find", "get"]
ANSWERS = ["path", "values", "state", "failure", "raised", "kind", "detail", "place"]
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 12) | st.floats() | st.sampled_from([*QUESTIONS, *ANSWERS])
)
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SCALARS.map(str), inner, max_size=4)
)


@given(DATA, st.sampled_from(["search", "heuristic"]))
def test_whatever_a_process_says_is_read_as_data(data: Any, kind: str) -> None:
    """A question is answered, an answer is judged, and anything else is refused with one error."""
    service = Service(instance_of(MAP), kind)
    refused = Service(instance_of(MAP), kind, refused=True)
    for read in (
        *(service.answer, service.observation, refused.observation, _judged_path),
        *(lambda said, of=of: of.observation({"failure": said}) for of in (service, refused)),
    ):
        with suppress(GarbledError):
            read(data)


def _judged_path(data: Any) -> None:
    instance = instance_of(MAP)
    seen = Service(instance, "search").observation({"path": data})
    assert not isinstance(seen, Failure)
    for name in SEARCHES:
        chosen = PROPERTIES[name]
        chosen.fault(instance, seen, {each.name: each.default for each in chosen.settings})
