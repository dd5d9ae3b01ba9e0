"""Saved searches with one thing wrong are rejected before machine code follows their numbers; each check has a case."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit.compiled.kit import control
from searchkit.plugin import InputFormatError
from searchkit.tree import SearchTree
from searchkit_robots import MultiAgentGrid
from searchkit_robots.tests.test_interpreted import CBS, EXPLORER, LACAM, ROADS, crowd
from tests.kernels.damaged import bounds, lengths
from tests.kernels.interpreted import interpreted

pytestmark = interpreted
Saved = dict[str, Any]
Change = Callable[[Saved], Any]


@pytest.fixture(autouse=True)
def _wrapping() -> Iterator[None]:
    """Let products of 64 bits wrap around, as in machine code."""
    with np.errstate(over="ignore"):
        yield


def copied(saved: Saved) -> Saved:
    """Return a copy whose arrays can be changed."""
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in saved.items()}


def rejects(kind: Any, problem: MultiAgentGrid, saved: Saved, change: Change, **options: Any) -> str:
    """Return why a changed copy of a saved search is rejected."""
    changed = copied(saved)
    change(changed)
    with pytest.raises(InputFormatError) as error:
        kind(problem, SearchTree(), **options).restore(changed)
    return str(error.value).partition("continued: ")[2]


@cache
def lacam() -> tuple[MultiAgentGrid, Saved]:
    """Return a search by LaCAM, saved while nodes that became cheaper wait and the edges of one are followed."""
    problem = crowd(Random(25), 4, 4, 8)
    run = EXPLORER.Lacam(problem, SearchTree(), improve=1000)
    run.open_whole()
    while not run.ended:
        why, _ = run.slice(1)
        if why not in (control.PAUSED, control.WORKED):
            list(run.handle(why) or ())
        counters, saved = run.explorer.counters, run.saved()
        if min(counters[[LACAM.EDGE, LACAM.GOAL, LACAM.PENDING]]) >= 0 and len(saved["cheaper"]) > 1:
            return problem, copied(saved)
    raise AssertionError("it ended before")


def put(name: str, row: Any, column: Any, value: Any) -> Change:
    """Return the change of an element of an array; each number may be made of what is saved."""

    def change(saved: Saved) -> None:
        place = [each(saved) if callable(each) else each for each in (row, column)]
        saved[name][tuple(place)] = value(saved) if callable(value) else value

    return change


def count(name: str) -> Change:
    """Return what counts the rows of an array."""
    return lambda saved: len(saved[name])


def size(saved: Saved) -> int:
    """Return the number of locations, which is the same in both problems."""
    return len(ROADS.Numbered((lacam if "constraints" in saved else cbs)()[0]).degrees)


def counter(at: int, value: Any) -> Change:
    """Return the change of a counter."""

    def change(saved: Saved) -> None:
        saved["counters"][at] = value(saved) if callable(value) else value

    return change


def empty(saved: Saved) -> None:
    """Leave no node."""
    for name, value in saved.items():
        if isinstance(value, np.ndarray) and name not in ("counters", "plan"):
            saved[name] = value[:0]
    saved["counters"][:] = 0
    saved["counters"][[LACAM.GOAL, LACAM.EDGE, LACAM.PENDING]] = LACAM.NONE


def unstacked(saved: Saved) -> None:
    """Leave no stack."""
    saved["stack"], saved["counters"][LACAM.SIZE] = saved["stack"][:0], 0


def idle(saved: Saved) -> Any:
    """Return a node that does not wait."""
    return np.flatnonzero(saved["links"][:, LACAM.IN_RING] == 0)[0]


def twice(saved: Saved) -> None:
    """Let a node wait twice instead of another one."""
    one, other = saved["cheaper"][:2]
    saved["links"][other, LACAM.IN_RING] = 0
    saved["cheaper"][1] = one


def others(saved: Saved) -> None:
    """Change the first configuration, in the order of the robots."""
    saved["places"][0] = saved["places"][0][::-1]


def deep(least: int) -> Change:
    """Return what finds a constraint of several robots."""
    return lambda saved: np.flatnonzero(saved["constraints"][:, LACAM.DEPTH] >= least)[0]


def followed(name: str, column: int) -> Change:
    """Return what finds an element that another one follows."""
    return lambda saved: np.flatnonzero(saved[name][:, column] >= 0)[0]


def strange(name: str, owner: int) -> Change:
    """Return what finds an element that is not of the first node."""
    return lambda saved: np.flatnonzero(saved[name][:, owner] != saved[name][0, owner])[-1]


def ended(name: str, column: int) -> Change:
    """Return what finds a node with a list of elements."""
    return lambda saved: np.flatnonzero(saved["links"][:, column] >= 0)[0]


def far(saved: Saved) -> Any:
    """Return a location that no robot reaches in one step from where a constraint is."""
    problem, place = lacam()[0], saved["constraints"][deep(1)(saved), LACAM.PLACE]
    numbered = ROADS.Numbered(problem)
    free = np.flatnonzero(numbered.degrees)
    stride = problem.terrain.stride
    return max(
        free, key=lambda each: abs(each % stride - place % stride) + abs(each // stride - place // stride)
    )


def stepless(saved: Saved) -> Any:
    """Return a node without a step to node 3."""
    edges = saved["edges"]
    return np.setdiff1d(np.arange(len(saved["places"])), edges[edges[:, LACAM.TO] == 3, LACAM.FROM])[0]


C, E = "constraints", "edges"
LACAM_CASES: list[tuple[Change, str]] = [
    *lengths("counters", "places", "waited", "costs", "links", "constraints", "edges", "stack"),
    *bounds(
        places=size,
        waited=1 << 30,
        costs=LACAM.NEVER,
        cheaper=count("places"),
        stack=count("places"),
        plan=size,
    ),
    (counter(LACAM.TRIED, LACAM.NEVER + 1), "counters: one is out of range"),
    (put("edges", 5, LACAM.FROM, count("places")), "edges: there is no such node"),
    (put("constraints", 5, LACAM.PLACE, size), "constraints: there is no such location"),
    (lambda saved: saved.update(plan=saved["plan"][:-1]), "plan: it is not a plan"),
    (put("plan", 0, 0, lambda saved: saved["plan"][1, 0]), "plan: it is not a plan"),
    (counter(LACAM.TRIED, -2), "counters: one is out of range"),
    (empty, "counters: NODES is wrong"),
    (put("links", 1, LACAM.ENTRY, -2), "links: one is out of range"),
    (put("links", idle, LACAM.IN_RING, 1), "cheaper: the nodes are others"),
    (twice, "cheaper: one is there twice"),
    *(
        (counter(at, count("places")), "counters: no such node")
        for at in (LACAM.GOAL, LACAM.PENDING, LACAM.HEAD)
    ),
    (counter(LACAM.BEFORE, count("places")), "counters: "),
    (counter(LACAM.HEAD, -1), "counters: no such node"),
    (counter(LACAM.GOAL, 0), "counters: GOAL is not the goals"),
    (unstacked, "counters: PENDING without a stack"),
    (put("places", 3, 0, 0), "places: a robot can't be there"),
    (put("places", 3, 0, lambda saved: saved["places"][3, 1]), "places: a robot can't be there"),
    (others, "places: the starts are not those of this problem"),
    (put("costs", 0, ..., 1), "places: the starts are not those of this problem"),
    (
        put("places", 3, slice(None), lambda saved: saved["places"][4]),
        "places: a configuration is there twice",
    ),
    *((put(C, 5, LACAM.OWNER, value), f"{C}: there is no such node") for value in (-1, count("places"))),
    *((put(C, deep(1), LACAM.DEPTH, value), f"{C}: one has too many robots") for value in (-1, 5)),
    (put(C, deep(1), LACAM.ABOVE, -1), f"{C}: one extends a later one"),
    (put(C, deep(1), LACAM.ABOVE, deep(1)), f"{C}: one extends a later one"),
    (put(C, deep(1), LACAM.DEPTH, 2), f"{C}: one extends another node's"),
    *((put(C, 5, LACAM.PLACE, value), f"{C}: there is no such location") for value in (-1, 1000)),
    (put(C, deep(1), LACAM.PLACE, far), f"{C}: a robot can't move there"),
    *((put(E, 5, LACAM.TO, value), f"{E}: there is no such node") for value in (-1, count("places"))),
    (put(E, 5, LACAM.FROM, -1), f"{E}: there is no such node"),
    (put(E, -1, LACAM.TO, 0), f"{E}: one is not a step"),
    (put("links", 3, LACAM.PARENT, stepless), "links: a parent has no step to its node"),
    (put("links", 0, LACAM.PARENT, 0), "links: a parent has no step to its node"),
    (
        put("costs", 3, ..., lambda saved: saved["costs"][saved["links"][3, LACAM.PARENT]]),
        "costs: a node costs no more",
    ),
    (counter(LACAM.EDGE, count(E)), "counters: EDGE is not one of BEFORE"),
    (counter(LACAM.EDGE, strange(E, LACAM.FROM)), "counters: EDGE is not one of BEFORE"),
    (lambda saved: saved.update(ended=True, found=True, plan=saved["plan"][:0]), "found: there is no plan"),
    (lambda saved: saved.update({"first plan": 7}), "first plan: expected a text"),
    (put("plan", 0, slice(None), 0), "plan: it is not a plan"),
    (put("plan", -1, slice(None), 0), "plan: it is not a plan"),
    (put("plan", 1, slice(None), 0), "plan: it is not a plan"),
]
for name, following, ends in (
    (C, LACAM.NEXT, (LACAM.ENTRY, LACAM.LAST_ENTRY)),
    (E, LACAM.NEXT_EDGE, (LACAM.FIRST_EDGE, LACAM.LAST_EDGE)),
):
    owner = LACAM.OWNER if name == C else LACAM.FROM
    found = followed(name, following)
    LACAM_CASES += [
        (put(name, found, following, 0), f"{name}: one is followed by an earlier one"),
        (put(name, found, following, count(name)), f"{name}: one is followed by an earlier one"),
        (put(name, 0, following, strange(name, owner)), f"{name}: one is followed by another node's"),
        *((put("links", 0, end, count(name)), "links: there is no such element") for end in ends),
        *(
            (put("links", 0, end, strange(name, owner)), "links: an element belongs to another node")
            for end in ends
        ),
        (put("links", ended(name, ends[0]), ends[1], -1), "links: a list has no end"),
        (put("links", ended(name, ends[0]), ends[1], found), "links: "),
    ]


def test_lacam() -> None:
    """Each thing that can be wrong with what was explored."""
    problem, saved = lacam()
    for number, (change, why) in enumerate(LACAM_CASES):
        assert (number, rejects(EXPLORER.Lacam, problem, saved, change, improve=1000)[: len(why)]) == (
            number,
            why,
        )


@cache
def cbs() -> tuple[MultiAgentGrid, Saved]:
    """Return a search by CBS, saved when it has constraints of all kinds."""
    problem = crowd(Random(13), 3, 4, 12)
    run = CBS.Cbs(problem, SearchTree())
    run.open_whole()
    while not run.ended:
        run.advance(1)
        saved = run.saved()
        kinds = set(saved["limits"][saved["limits"][:, 2] > 0, 1])
        if (
            saved["solvable"]
            and kinds == {0, 1, 2, 3}
            and (saved["claims"][:, 3] >= 0).any()
            and len(saved["drawn"])
        ):
            return problem, copied(saved)
    raise AssertionError("it ended before")


def longest(saved: Saved) -> Any:
    """Return the length of the longest path."""
    return max(saved["lengths"])


def joined(saved: Saved) -> None:
    """Let a path have no locations, and the next one those of both."""
    saved["lengths"][:2] = 0, saved["lengths"][:2].sum()


def robots(saved: Saved) -> int:
    """Return the number of robots."""
    return len(saved["parts"]) // len(saved["nodes"])


def first(name: str, column: int, wanted: Callable[[Any], Any]) -> Change:
    """Return what finds the first row with such a number in a column."""
    return lambda saved: np.flatnonzero(wanted(saved[name][:, column]))[0]


def without_nodes(saved: Saved) -> None:
    """Leave no node to expand."""
    for name in ("nodes", "parts", "drawn"):
        saved[name] = saved[name][:0]


OUT = ("diagrams", 3), ("parts", 2), ("drawn", 3), ("claims", 5), ("limits", 5)
LIMITS: dict[str, list[Any]] = {
    "diagrams": [robots, count("owned"), longest],
    "parts": [count("owned"), count("lengths")],
    "drawn": [count("nodes"), robots, count("diagrams")],
    "claims": [lambda saved: max(saved["owned"]) + 1, robots, longest, size, size],
    "limits": [count("owned"), 4, longest, size, size],
}
"""What the numbers of each column are below."""
CBS_CASES: list[tuple[Change, str]] = [
    *lengths("tree", "parts"),
    (joined, "lengths: their sum is wrong"),
    *bounds(tree=1 << 62, paths=size),
    *(
        (put(name, 0, column, bound), f"{name}: one is out of range")
        for name, columns in LIMITS.items()
        for column, bound in enumerate(columns)
    ),
    *(
        (put(name, 0, column, 1000), f"{name}: one is out of range")
        for name, most in OUT
        for column in range(most)
    ),
    *(
        (put(name, 0, column, -2), f"{name}: one is out of range")
        for name, most in OUT
        for column in range(most)
    ),
    *((put("nodes", 0, column, -1), "nodes: one is out of range") for column in range(3)),
    (put("nodes", 0, 1, lambda saved: saved["tree"][1] + 1), "nodes: one is out of range"),
    (put("nodes", 1, 1, lambda saved: saved["nodes"][0, 1]), "nodes: a turn is there twice"),
    (put("nodes", 0, 0, 0), "nodes: a node costs more than its bound"),
    (put("parts", 0, 1, lambda saved: saved["parts"][1, 1]), "parts: a path is another robot's"),
    (put("diagrams", lambda saved: saved["diagrams"][:, 2].argmax(), 2, 1), "diagrams: one has no paths"),
    (
        put("drawn", 0, 1, lambda saved: 1 - min(1, saved["drawn"][0, 1])),
        "drawn: a diagram is of another path",
    ),
    *((put("owned", 0, ..., value), "owned: one is out of range") for value in (-1, count("owned"))),
    *((put("lengths", 0, ..., value), "lengths: their sum is wrong") for value in (0, 100)),
    (put("paths", 1, ..., 0), "paths: one is not a step"),
    (put("paths", 0, ..., lambda saved: saved["paths"][1]), "paths: one is not of a robot"),
    (put("paths", -1, ..., lambda saved: saved["paths"][-2]), "paths: one is not of a robot"),
    (put("claims", first("claims", 3, lambda here: here >= 0), 2, 0), "claims: a move ends at time 0"),
    (put("limits", first("limits", 1, lambda kind: kind == 1), 4, -1), "limits: a move without its end"),
    (put("limits", first("limits", 1, lambda kind: kind == 0), 4, 0), "limits: a move without its end"),
    (without_nodes, "nodes: there are none"),
    (lambda saved: saved.update(ended=True, found=True), "found: the tree says something else"),
]


def test_cbs() -> None:
    """Each thing that can be wrong with a constraint tree."""
    problem, saved = cbs()
    for number, (change, why) in enumerate(CBS_CASES):
        assert (number, rejects(CBS.Cbs, problem, saved, change)[: len(why)]) == (number, why)
