"""`ProblemSpec.places`: whose places are used, and what becomes of faulty ones."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from attrs import evolve

from searchkit import ProblemSpec, SearchProblem, draw, problem_from, solve
from searchkit.errors import PluginWarning
from searchkit.plugin import Drawing, Mark, Places, use_registry
from searchkit.plugin.places import places_of
from searchkit.plugin.registry import registry


class Line(SearchProblem[int, str]):
    """Three places in a row."""

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> list[tuple[str, int]]:
        return [("right", state + 1)]

    def is_goal(self, state: int) -> bool:
        return state == 2


LINE = Line()
FLOOR, SEEN = Mark(".", "#000000", "floor"), Mark("x", "#ffffff", "seen")
GROUND = Drawing(["..."], {".": FLOOR, "x": SEEN})


@contextmanager
def plugged(answer: Callable[[], Any]) -> Iterator[None]:
    """Register the kind of problem `line`, whose places are this answer."""
    spec = ProblemSpec("line", "a line", Line, places=lambda problem: answer())
    with use_registry(evolve(registry(), problems={"line": spec})):
        yield


def placed(cells: Any = lambda x: [(x, 0)], **more: Any) -> Places[Any]:
    """Return the places of the line as a plugin with these members makes them."""
    with plugged(lambda: Places(GROUND, cells, **more)):
        return places_of(LINE)


def test_a_problem_that_no_plugin_knows_has_labels_and_no_ground() -> None:
    """So there are always places."""
    places = places_of(problem_from([0], lambda x: [], lambda x: True))
    assert (places.ground, places.cells(1), places.label(1)) == (None, (), "1")
    assert (places.routes, places.changes, places.regions, places.position) == (None,) * 4


def test_a_key_without_a_mark_is_named() -> None:
    """When the places are made, and not by a KeyError of the drawing."""
    for faulty in ({"path": {".": "*"}}, {"expanded": {".": "*"}}):
        with pytest.warns(
            PluginWarning, match=r"the key '\*' has no mark; the ground has marks for '\.', 'x'"
        ):
            placed(**faulty)


def raising(*arguments: object) -> Any:
    """Raise an exception, as a faulty plugin does."""
    raise ZeroDivisionError("no")


@pytest.mark.parametrize("name", ["cells", "label", "routes", "changes", "regions", "position"])
def test_a_function_that_raises_is_named_once(name: str) -> None:
    """It returns a neutral value then."""
    places = placed(**{name: raising})
    neutral = {"label": "?", "changes": {}, "position": (0.0, 0.0)}.get(name, ())
    argument: Any = [1] if name == "routes" else 1
    with pytest.warns(
        PluginWarning, match=rf"^{name} of problem 'line' raised ZeroDivisionError: no, for \[?1"
    ):
        assert getattr(places, name)(argument) == neutral
    with warnings.catch_warnings(record=True) as later:
        assert getattr(places, name)(argument) == neutral
    assert later == []


def test_a_label_of_another_type_is_made_a_text() -> None:
    """A terminal and a player that expect a text do not fail."""
    assert placed(label=lambda x: None).label(1) == "None"


def test_a_subclass_has_the_places_of_its_class() -> None:
    """Unless a kind of problem of its own has others."""

    class Other(Line):
        """As one that a student writes to try another heuristic."""

    good: Places[int] = Places(GROUND, lambda x: [(x, 0)])
    with plugged(lambda: good):
        assert places_of(Other()).ground is GROUND
        other = ProblemSpec("other", "another line", Other)
        with use_registry(evolve(registry(), problems={**registry().problems, "other": other})):
            assert places_of(Other()).ground is None
            assert places_of(Line()).ground is GROUND


class Pair(Line):
    """Two pieces in a row, drawn by the problem itself."""

    def draw(self, state: int) -> str:
        return "#" * 3 + "\n" + "-" * min(state, 2) + "é"

    def label(self, state: int) -> str:
        return f"at {state}"


def test_a_problem_without_a_plugin_has_its_own_label_and_picture() -> None:
    """Rows of text, or a text; characters that are not in the palette are question marks."""
    places = places_of(Pair())
    assert places.ground is not None
    assert places.ground.rows == ("###", "?  ")
    assert places.changes is not None
    assert places.changes(2) == {(0, 1): "-", (1, 1): "-", (2, 1): "?"}
    assert places.label(1) == "at 1"
    assert "###" in str(draw(Pair(), solve(Pair())))
    assert places_of(problem_from([0], lambda x: [], lambda x: True, label="n{}".format)).label(3) == "n3"


def test_a_picture_of_its_own_that_fails_is_a_warning() -> None:
    """The tree is shown instead."""
    with pytest.warns(PluginWarning, match="ZeroDivisionError"):
        places = places_of(problem_from([0], lambda x: [], lambda x: True, draw=lambda x: [str(1 // x)]))
    assert places.ground is None


def test_a_method_that_takes_no_state_is_something_else() -> None:
    """It is not called."""
    places = places_of(type("Own", (Line,), {"draw": lambda self: 1 // 0, "label": "three places"})())
    assert (places.ground, places.label(1)) == (None, "1")


def test_sets_are_labelled_in_a_stable_order() -> None:
    """Also within tuples."""
    state = (frozenset({"wolf", "goat", "cabbage"}), frozenset({3, 1, 2}))
    label = places_of(problem_from([state], lambda x: [], lambda x: True)).label
    assert label(state) == "({'cabbage', 'goat', 'wolf'}, {1, 2, 3})"
