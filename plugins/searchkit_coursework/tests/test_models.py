"""A student's problem is compared with the map by its actions: right ones have all properties, wrong ones do not."""

from collections.abc import Callable
from io import StringIO
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from searchkit import SearchProblem, load
from searchkit.testing import explore
from searchkit_classics.pacman import Corners, Food, Layout
from searchkit_classics.pacman import strategies as pacman
from searchkit_coursework.maps import Instance
from searchkit_coursework.properties import PROPERTIES
from searchkit_coursework.service import GarbledError, Observation, Service
from searchkit_coursework.tests.conftest import instance_of, observed

NAMES = [name for name, each in PROPERTIES.items() if each.kind == "problem"]
ALLEY = "%%%%%\n%P .%\n%%%%%\n"


def judged(make: Callable[..., Any], problem: SearchProblem[Any, Any]) -> dict[str, str]:
    """Return what is wrong with a student's problem by each property; "" if nothing is."""
    instance = instance_of(problem)
    seen = observed(make, Service(instance, "problem"))
    faults = {name: PROPERTIES[name].fault(instance, seen, {}) for name in NAMES}
    return {name: fault.reason if fault else "" for name, fault in faults.items()}


class Alley:
    """The problem of `ALLEY` as a student could write it, with a fault in one of its methods."""

    def __init__(self, text: str, **faults: Any):
        self.faults = faults

    def initial_states(self) -> Any:
        return self.faults.get("starts", [1])

    def successors(self, state: int) -> Any:
        default = [("East", state + 1)] * (state < 3) + [("West", state - 1)] * (state > 1)
        return self.faults.get("successors", {}).get(state, default)

    def cost(self, state: int, action: str, successor: int) -> Any:
        return self.faults.get("cost", 1)

    def is_goal(self, state: int) -> bool:
        return bool(state == self.faults.get("goal", 3))


def food() -> Food:
    """Return the problem that `Alley` is a model of. Beyond its goal there are more states."""
    return Food(Layout.of(ALLEY))


@given(pacman.corners(), pacman.food())
def test_a_right_problem_has_every_property(corners: Corners, food: Food) -> None:
    """Whatever its states look like: here they are texts."""
    for kind, problem in (("corners", corners), ("food", food)):

        class Texts:
            def __init__(self, text: str, kind: str = kind):
                self.inner = load(StringIO(text), kind)
                self.states = {repr(state): state for state in explore(self.inner).edges}

            def initial_states(self) -> list[str]:
                return [repr(state) for state in self.inner.initial_states()]

            def successors(self, state: str) -> list[tuple[Any, str]]:
                return [(action, repr(after)) for action, after in self.inner.successors(self.states[state])]

            def is_goal(self, state: str) -> bool:
                return self.inner.is_goal(self.states[state])

        assert not any(judged(Texts, problem).values())


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ({"starts": []}, "it has 0 start states; expected one"),
        ({"starts": 7}, "initial_states returned 7; expected a list"),
        ({"starts": [[1]]}, "the state [1] can't be hashed; use tuples of tuples"),
        ({"successors": {2: [("East", 3)]}}, "after 'East': successors does not have 'West'"),
        (
            {"successors": {1: [("East", 2), ("North", 1)]}},
            "at the start: successors has 'North', which is not possible there",
        ),
        ({"successors": {1: [("East", 2), ("East", 1)]}}, "at the start: successors has 'East' twice"),
        ({"successors": {1: [2]}}, "successors gave 2; expected (action, state) pairs"),
        ({"successors": {1: None}}, "successors returned None; expected a list"),
        ({"cost": 2}, "at the start: 'East' costs 2; expected 1"),
        ({"cost": nan}, "at the start: 'East' costs nan; expected 1"),
        ({"cost": "1"}, "the cost of 'East' at 1 is not a number"),
    ],
)
def test_wrong_steps_fail_everything(faults: dict[str, Any], message: str) -> None:
    """The message names the actions that lead to the fault, as few as possible."""
    found = judged(lambda text: Alley(text, **faults), food())
    assert all(found.values())
    assert message in found["same-steps"]


def test_states_that_grow_without_end_are_cut() -> None:
    """A student's problem with the whole path in its states has infinitely many."""

    class Paths:
        def __init__(self, text: str):
            self.inner = Alley(text)

        def initial_states(self) -> list[tuple[int, ...]]:
            return [(1,)]

        def successors(self, state: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
            return [(action, (*state, after)) for action, after in self.inner.successors(state[-1])]

        def is_goal(self, state: tuple[int, ...]) -> bool:
            return state[-1] == 3

    found = judged(Paths, food())
    assert all(found.values())
    assert "states, and 5 are enough" in found["no-more-states"]


@pytest.mark.parametrize(
    "answer",
    [
        {"goals": [], "edges": [[["East", 1, 5]]], "states": 1},
        {"goals": [], "edges": [[]], "states": 0},
        {"goals": [], "edges": [[["East", "1", 0]]], "states": 1},
        {"goals": [], "edges": [7], "states": 1},
        {"goals": [], "edges": [[]] * 2000, "states": 10**6},
        {"path": None},
        {"values": [0] * 6},
    ],
)
def test_a_forged_answer_is_not_a_graph(answer: Any) -> None:
    """Numbers of states that do not exist, and answers to other questions."""
    with pytest.raises(GarbledError):
        Service(instance_of(food()), "problem").observation(answer)


@pytest.mark.parametrize("question", [["expand", 0], ["find", "(1, 1)"], ["get", "layout"], ["expand", 1]])
def test_a_problem_that_is_asked_for_is_not_given(question: list[Any]) -> None:
    """The process gets the text of the map, and an answer to no question."""
    service = Service(instance_of(food()), "problem")
    opening = service.opening()
    assert set(opening) == {"kind", "function", "text", "most"}
    assert opening["text"] == ALLEY
    with pytest.raises(GarbledError):
        service.answer(question)


def test_walks_to_what_is_closest(tmp_path: Path) -> None:
    """The smallest detour is told: from where, how far, and how far the closest dot is."""
    (tmp_path / "row.lay").write_text("%%%%%%%%\n%.P  . %\n%%%%%%%%\n", encoding="utf-8")
    instance = Instance("row.lay", "food", folder=tmp_path)

    def fault(*columns: int) -> str:
        left: tuple[tuple[int, int], ...] = ((1, 1), (5, 1))
        states = []
        for x in columns:
            left = tuple(dot for dot in left if dot != (x, 1))
            states.append(((x, 1), left))
        seen = Observation(path=states, expanded=states)
        found = PROPERTIES["closest"].fault(instance, seen, {"reference": "count"})
        return found.reason if found else ""

    assert not fault(2, 1, 2, 3, 4, 5)
    far = fault(2, 3, 4, 5, 4, 3, 2, 1)
    assert "it goes 3 to the next state where count is lower; the closest one is 1 away" in far
    assert fault(2, 3, 2, 1, 2, 3, 4, 5)
    assert fault(2, 1)
