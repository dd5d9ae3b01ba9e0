"""Pac-Man's problems: figures of our layouts by two engines and a certificate, heuristics, layouts that are faulty."""

from io import StringIO
from itertools import pairwise
from typing import Any

import pytest

from searchkit import Status, certify, load, solve
from searchkit.errors import InputFormatError, InvalidOptionError
from searchkit.plugin import parameters_of
from searchkit.testing import check_heuristic
from searchkit_classics.pacman import Corners, Food, Layout, PathToDot
from searchkit_classics.pacman.strategies import corners, food, paths

KINDS: dict[str, tuple[Any, Any]] = {
    "pacman": (PathToDot, paths),
    "corners": (Corners, corners),
    "food": (Food, food),
}
STEPS = {"pacman": 54, "corners": 61, "corners-small": 21, "food": 39, "food-small": 23, "food-open": 42}


@pytest.mark.parametrize("name", STEPS)
def test_the_steps_of_our_layouts(name: str) -> None:
    """As A* finds them, proved by a certificate; and as another engine finds them, where that is quick."""
    problem = load(name)
    result = solve(problem, "astar", certificate=True)
    assert result.cost == STEPS[name]
    assert f"no path costs less than {STEPS[name]}" in certify(problem, result).proved
    if name not in ("food", "food-open"):
        assert solve(problem, "bfs").cost == STEPS[name]


@pytest.mark.long
@pytest.mark.parametrize("name", ["food", "food-open"])
def test_the_steps_of_our_large_layouts(name: str) -> None:
    """As breadth-first search finds them: 91,726 and 113,967 expanded states."""
    result = solve(load(name), "bfs")
    assert (result.cost, result.statistics.expanded) == (
        STEPS[name],
        {"food": 91_726, "food-open": 113_967}[name],
    )


EXPANDED = {
    "pacman": {"zero": 254, "euclidean": 190, "manhattan": 162, "maze": 54},
    "corners": {
        "zero": 1620,
        "count": 1544,
        "farthest": 800,
        "farthest-maze": 748,
        "tour": 317,
        "tour-maze": 61,
    },
    "food-small": {
        "zero": 569,
        "count": 509,
        "farthest": 239,
        "farthest-maze": 197,
        "mst-manhattan": 101,
        "mst": 45,
    },
}


@pytest.mark.parametrize("name", EXPANDED)
def test_stronger_heuristics_expand_less(name: str) -> None:
    """The figures of the documentation, weakest heuristic first; the exact ones expand the path alone."""
    expanded = {}
    for heuristic in EXPANDED[name]:
        result = solve(load(name, heuristic=heuristic), "astar")
        assert (result.cost, result.statistics.reopened) == (STEPS[name], 0)
        expanded[heuristic] = result.statistics.expanded
    assert expanded == EXPANDED[name]
    assert all(weak > strong for weak, strong in pairwise(expanded.values()))


@pytest.mark.parametrize("kind", KINDS)
def test_all_heuristics_are_consistent(kind: str) -> None:
    """On drawn problems: each of them is drawn."""
    made, strategy = KINDS[kind]
    for heuristic in parameters_of(made)[0].choices:
        drawn: Any = strategy().map(lambda problem, name=heuristic: type(problem)(problem.layout, name))
        check_heuristic(drawn, promises=["admissible", "consistent"], examples=8)


def test_exact_heuristics_are_exact() -> None:
    """The distance in the maze, and the shortest tour of the corners in it."""
    for problem in (load("pacman", heuristic="maze"), load("corners-small", heuristic="tour-maze")):
        facts = check_heuristic(problem).facts
        assert facts["largest error h* − h"] == "0"


def test_a_dot_that_can_not_be_reached() -> None:
    """The heuristics of the maze know it before the search; the others find out."""
    for heuristic in parameters_of(Food)[0].choices:
        result = solve(load("food-closed", heuristic=heuristic), "astar")
        assert result.status is Status.UNSOLVABLE
        assert (result.statistics.expanded == 0) is (heuristic in ("farthest-maze", "mst"))


MAZE = "%%%%%%%\n%P. o %\n%  G .%\n%%%%%%%\n"


def test_a_layout_is_any_of_the_problems() -> None:
    """The path to a dot, if none is named; ghosts are floor, a last row may end in spaces."""
    assert solve(load(StringIO(MAZE))).cost == 1
    assert solve(load(StringIO(MAZE), "food")).cost == 5
    assert solve(load(StringIO(f"\n{MAZE}  \n"), "corners")).cost == 6
    layout = Layout.of(MAZE)
    assert (3, 2) in layout.floor
    assert layout.capsules == {(4, 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the layout is empty"),
        ("%%%\n%P%\n%%\n", "line 3, column 3: this row has 2 cells, and the first has 3; fill it up with %"),
        ("%%%\n%P %.\n%%%\n", "line 2, column 4: this row has 5 cells"),
        ("%%%\n%Q%\n%%%\n", "line 2, column 2: unknown character 'Q'; expected % wall, . dot"),
        ("%%%\n% %\n%%%\n", "there is no Pac-Man; draw one as P"),
        (
            "%%%%\n%P %\n% P%\n%%%%\n",
            "line 3, column 3: Pac-Man is at line 2, column 2 and line 3, column 3; expected one P",
        ),
        (f"{'%' * 1001}\n" * 1000, "line 1: the layout is too large; expected at most 1,000,000 cells"),
    ],
)
def test_what_is_wrong_with_a_layout(text: str, message: str) -> None:
    """One error, with the place, whatever the problem."""
    for kind in KINDS:
        with pytest.raises(InputFormatError) as caught:
            load(StringIO(text), kind)
        assert str(caught.value).startswith(f"<text>: {message}")


def test_other_values_are_refused() -> None:
    """By the option, and by the constructors."""
    with pytest.raises(InvalidOptionError, match="heuristic=best: expected one of mst, mst-manhattan"):
        load("food", heuristic="best")
    with pytest.raises(InvalidOptionError, match="heuristic=mst: expected one of maze, manhattan"):
        PathToDot(Layout.of(MAZE), "mst")
