"""What holds for all classic problems: their options, their heuristics, and how they look."""

from typing import Any

import pytest

from searchkit import ProblemSpec, load, solve
from searchkit.errors import InvalidOptionError
from searchkit.plugin.places import places_of
from searchkit_classics import searchkit_problems

SPECS = {spec.name: spec for spec in searchkit_problems()}
MADE = {name: spec for name, spec in SPECS.items() if spec.instance is not None}
"""Those that need no file."""


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.name)
def test_every_problem_is_whole(spec: ProblemSpec) -> None:
    """It has a heading, a strategy, an example, and places."""
    assert spec.group
    assert spec.strategy or spec.small is not None
    assert places_of(load(spec.examples[0].name)).ground is not None


FAST: dict[str, Any] = {
    "cube2": {"scramble": 5},
    "cube3": {"scramble": 3},
    "knight": {"size": "3x4"},
    "lightsout": {"size": "3x3"},
    "queens": {"n": 5},
}
"""Smaller instances of problems whose spaces are large without a heuristic."""
GUIDED = {
    spec.name: parameter.choices
    for spec in MADE.values()
    for parameter in spec.parameters
    if parameter.name == "heuristic"
}


@pytest.mark.parametrize("name", GUIDED)
def test_heuristics_are_graded(name: str) -> None:
    """The stronger the heuristic, the fewer states A* expands; the cost is the same, and no state is reopened."""
    results = [solve(load(name, **FAST.get(name, {}), heuristic=choice), "astar") for choice in GUIDED[name]]
    expanded = [result.statistics.expanded for result in results]
    assert expanded == sorted(expanded)
    assert GUIDED[name][-1] == "zero"
    assert {(result.cost, result.statistics.reopened) for result in results} == {(results[0].cost, 0)}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "wordladder",
            {"start": "word"},
            "start=word: it is not one of the words: did you mean world or wordy",
        ),
        (
            "wordladder",
            {"goal": "qqqqq"},
            "goal=qqqqq: it is not one of the words; expected one of 5,757 words",
        ),
        ("wordladder", {"words": "a,bb"}, "words=a,bb: expected words of one length"),
        ("missionaries", {"missionaries": 0, "cannibals": 0}, "or none, and at least one person"),
        (
            "missionaries",
            {"missionaries": 2},
            "missionaries=2, cannibals=3: expected at least as many missionaries",
        ),
        ("river", {"eats": "wolf"}, "eats=wolf: expected pairs of names"),
        ("river", {"eats": "a-a"}, "eats=a-a: expected pairs of names"),
        ("bridge", {"times": "1,x"}, "times=1,x: expected whole numbers from 1 to 1000, such as 1,2,5"),
        ("bridge", {"times": "0,1"}, "times=0,1: expected whole numbers from 1"),
        ("vacuum", {"at": 3}, "at=3: expected a number from 1 to 2"),
        ("vacuum", {"dirt": "1x"}, "dirt=1x: expected 2 digits"),
        ("jugs", {"sizes": ""}, "sizes=: expected whole numbers"),
        (
            "jugs",
            {"target": "1,2,3"},
            "target=1,2,3: expected litres, such as 4, or those of each of the 2 jugs",
        ),
        ("jugs", {"target": "-1"}, "target=-1: expected litres"),
        ("knight", {"size": "5"}, "size=5: expected width and height, such as 5x5, each from 1 to 26"),
        ("knight", {"start": "f1"}, "start=f1: expected a square from a1 to e5"),
        ("lightsout", {"size": "11x5"}, "size=11x5: expected width and height"),
        ("pancakes", {"stack": "1,1,2"}, "stack=1,1,2: expected each size from 1 to 3 once, without a sign"),
        ("pancakes", {"stack": "1,-2"}, "without a sign unless burnt=true"),
        ("pancakes", {"stack": "-1,1", "burnt": True}, "expected each size from 1 to 2 once$"),
        ("pancakes", {"stack": "1,x"}, "stack=1,x: expected whole numbers"),
        ("topspin", {"ring": "1,2,3,5"}, "ring=1,2,3,5: expected each number from 1 to 4 once"),
        ("topspin", {"n": 5, "k": 6}, "k=6: expected a number from 2 to 5"),
        ("hanoi", {"start": "AD"}, "start=AD: expected the peg of each disc, of A, B, C"),
        ("lightsout", {"lamps": "101"}, "expected 5 rows of 5 digits"),
    ],
)
def test_errors(name: str, options: dict[str, Any], message: str) -> None:
    """Each says what was given and what was expected."""
    with pytest.raises(InvalidOptionError, match=message):
        load(name, **options)
