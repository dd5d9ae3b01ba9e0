"""Saved searches of distances with one thing wrong are rejected before a kernel follows them; each check has a case."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from searchkit.compiled.kit import control
from searchkit.compiled.kit.store import NOBODY
from searchkit.search.distances import goalless
from searchkit.tree import SearchTree
from searchkit_dungeon import grid
from searchkit_graph import explicit_graph
from tests.kernels.damaged import Change, Saved, also, counter, cut, held, of, put
from tests.kernels.interpreted import interpreted
from tests.kernels.test_interpreted import SMALL

pytestmark = interpreted
FIELD, ROWS = (SMALL.module(f"searchkit.kernels.distances.{name}") for name in ("field", "rows"))
MAP = ["S...#", "..#..", ".S...", "....#"]
CELLS, WALL, FAR = 30, 4, 3
"""The number of cells, with those around; a wall, and a cell that no expansion so far has reached."""
NODES = 14


def streets() -> Any:
    """Return a graph with edges that cost 0, and of which many entries of a queue are outdated."""
    random = Random(1)
    edges = [
        (tail, random.randrange(NODES), random.choice([0, 1, 1, 3, 6]))
        for tail in range(NODES)
        for _ in "abc"
    ]
    return goalless(explicit_graph(edges, [0, 5]))


def after(expansions: int) -> Callable[[Saved], bool]:
    """Return what says whether so many states were expanded."""
    return lambda saved: saved["expanded"] == expansions


def one_more(at: int) -> Change:
    """Return the change of a counter by one."""
    return counter(at, lambda saved: saved["counters"][at] + 1)


def swapped(*names: str, at: int) -> Change:
    """Exchange two elements that lie side by side."""

    def change(saved: Saved) -> None:
        for name in names:
            saved[name][at : at + 2] = saved[name][at : at + 2][::-1].copy()

    return change


def missing(saved: Saved) -> None:
    """Leave out the state that was reached last."""
    for name in ("nodes", "distances"):
        saved[name] = saved[name][:-1]
    for at in (control.SIZE, control.NODES, control.REACHED, control.QUEUED):
        saved["counters"][at] -= 1


def one_more_waits(node: int, place: int) -> Change:
    """Let a node wait at the distance of the entry at a place."""

    def change(saved: Saved) -> None:
        saved["waiting"] = np.insert(saved["waiting"], place, node)
        saved["beyond"] = np.insert(saved["beyond"], place, saved["beyond"][place])
        saved["counters"][control.SIZE] += 1

    return change


FIELD_CASES: list[tuple[Change, str]] = [
    (put("nodes", -1, CELLS), "nodes: expected numbers from 0 up to 30"),
    (cut("distances"), "distances: it has "),
    *((put("distances", -1, value), "distances: expected numbers") for value in (-1, 9)),
    (put("nodes", 0, 1), "nodes: the starts are not those"),
    (put("distances", 1, 1), "nodes: the starts are not those"),
    *((put("nodes", -1, cell), "nodes: no action leads to a state") for cell in (WALL, CELLS - 1, 0)),
    (put("nodes", -1, lambda saved: saved["nodes"][-2]), "nodes: a state is there twice"),
    (one_more(control.QUEUED), "counters: they do not fit"),
    (counter(control.SIZE, 10), "counters: they do not fit"),
    (put("distances", -1, 4), "distances: a state has no parent"),
    (swapped("nodes", "distances", at=3), "nodes: they are not in the order"),
    (missing, "nodes: a state is missing"),
    (counter(control.SIZE, 3), "nodes: a state is missing"),
    (lambda saved: saved.update(least=np.zeros(2)), "least: it has 2 elements"),
    *((put("least", 0, value), "least: expected numbers") for value in (-1, np.nan, 1 << 31)),
    (put("least", 0, 3), "least: it is not that of the first state"),
]


def test_a_field() -> None:
    """Each thing that can be wrong with distances on a map."""
    problem = goalless(grid(MAP, goal=()))
    begun = lambda: FIELD.run_of(problem, SearchTree())  # noqa: E731  # for `held`
    held(begun, after(5)).check(FIELD_CASES)
    held(begun, after(2)).check([(put("distances", -1, 2), "distances: a distance is too large")])


ROWS_CASES: list[tuple[Change, str]] = [
    *((cut(name), f"{name}: it has ") for name in ("distances", "parents", "beyond")),
    (put("order", -1, NODES), "order: expected numbers from 0 up to 14"),
    (lambda saved: saved.update(order=np.arange(15, dtype=np.uint32) % NODES), "order: it has 15"),
    *((of("distance", value), "distance: expected an integer") for value in (-1, 1 << 31)),
    (put("order", -1, lambda saved: saved["order"][0]), "order: a state is there twice"),
    (put("parents", 0, 3), "parents: the starts are not those"),
    (put("parents", 1, NOBODY), "parents: the starts are not those"),
    (put("distances", 0, 1), "parents: the starts are not those"),
    (of("distance", 0), "order: the states are not in the order"),
    (swapped("order", at=5), "order: the states are not in the order"),
    (put("distances", 9, 4), "distances: a distance is too large"),
    (put("distances", 9, 2), "distances: a parent is not the first"),
    (put("parents", 9, NODES), "distances: there is no such parent"),
    (put("parents", 9, 0), "distances: a parent is not the first"),
    (also(put("distances", 8, 5), put("parents", 8, 13)), "distances: a parent is not the first"),
    (
        also(put("distances", 7, 0), put("parents", 7, 7), put("distances", 13, 1)),
        "distances: a state is its own parent",
    ),
    (put("waiting", 2, 1), "waiting: these states do not wait"),
    (put("waiting", 2, 6), "waiting: these states do not wait"),
    *((one_more_waits(node, 3), "waiting: these states do not wait") for node in (5, 6)),
    (put("waiting", 1, 4), "waiting: these states do not wait"),
    (put("waiting", -1, NODES), "waiting: expected numbers from 0 up to 14"),
    *((put("beyond", -1, value), "beyond: expected numbers from 0 up to 8") for value in (-1, 8)),
    (swapped("waiting", "beyond", at=1), "waiting: these states do not wait"),
    *((one_more(at), "counters: they do not fit") for at in (control.SIZE, control.QUEUED)),
    (lambda saved: saved.update(least=np.zeros(2)), "least: it has 2 elements"),
    *((put("least", 0, value), "least: expected numbers") for value in (-1, np.nan, 2)),
]


def test_rows() -> None:
    """Each thing that can be wrong with distances on a graph."""
    problem = streets()
    held(lambda: ROWS.run_of(problem, SearchTree()), after(8)).check(ROWS_CASES)
