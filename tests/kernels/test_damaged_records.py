"""Saved records and counters with one thing wrong are rejected before a kernel follows them; each check has a case."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from searchkit import available_engines
from searchkit.compiled.kit import control
from searchkit.compiled.kit.fields import LARGEST, Fields
from searchkit.compiled.kit.records import START_MOVE
from searchkit.compiled.kit.store import DEAD, NOBODY, SEEN
from searchkit.compiled.view import CompiledProblem, Functions, Stencil
from searchkit.errors import InputFormatError
from searchkit.kernels.queue.frontier import LAST_TURN
from searchkit.testing.spaces.digraphs import Edge, digraph
from searchkit.tree import SearchTree
from searchkit_dungeon import grid
from tests.kernels import views
from tests.kernels.damaged import TAKEN, Change, Saved, also, counter, cut, held, of, put
from tests.kernels.interpreted import interpreted
from tests.kernels.test_interpreted import SMALL

pytestmark = interpreted
NODES, STARTS, LOOP, MOVES = 30, 2, 3, 4
"""The numbers of nodes and of starts of a graph, the move from each node to itself, and the number of moves."""
STRIDE, MAP = 10, ["S...#....", ".##.#.##.", "S#..#.#..", ".#.##.#.#", "...3....G"]


def messy(form: str, unit: float = 1, largest: int = 5, branching: int = MOVES) -> Any:
    """Return a digraph with two starts, costs up to `largest` units, dead ends, and a loop at each node."""
    random = Random(3)
    edges = [
        Edge(tail, tail if move == LOOP else random.randrange(NODES), random.randint(0, largest) * unit)
        for tail in range(NODES)
        for move in range(MOVES)
    ]
    edges = [evolve(edge, cost=0) if edge.tail == edge.head else edge for edge in edges]
    h: Any = {node: random.choice([0, 0, unit, float("inf")]) for node in range(NODES)}
    made = digraph(edges, [0, 7], [29], {**h, 0: 0, 7: 0, 29: 0})
    view = views.FORMS[form](made)
    if isinstance(view.graph, Functions):
        view = evolve(view, graph=evolve(view.graph, branching=branching))
    return views.view_of(made, view)


def various(saved: Saved) -> bool:
    """Whether there are dead ends, and states that were reached by two steps or more, and were not yet."""
    flags = saved["flags"] if "flags" in saved else saved["records"][:, 0] >> np.uint64(8) & np.uint64(15)
    return len(flags) > 14 and (flags & DEAD != 0).any() and len(flags) < NODES - 2


def leaps() -> Any:
    """Return a graph of 32 moves, more than a mark has room for."""
    random, size = Random(2), 60
    offsets = [*range(-16, 0), *range(1, 17)]
    moves = [
        [bit for bit, offset in enumerate(offsets) if 0 <= node + offset < size and random.random() < 0.3]
        for node in range(size)
    ]
    masks = np.array([sum(1 << bit for bit in bits) for bits in moves], np.uint32)
    made = digraph(
        [Edge(node, node + offsets[bit], 1) for node in range(size) for bit in moves[node]], [5], [59]
    )
    view = CompiledProblem(Stencil(masks, offsets, [1.0] * len(offsets)), int, int, goals=[59])
    return views.view_of(made, view)


def first_dead() -> Any:
    """Return a graph whose second state is a dead end."""
    made = digraph([Edge(0, 1, 1), Edge(0, 2, 1), Edge(2, 3, 1)], [0], [3], {1: float("inf")})
    return views.view_of(made, views.FORMS["functions"](made))


def some(saved: Saved) -> bool:
    """Whether some states wait, and others have been expanded."""
    return bool(saved["counters"][control.REACHED] > 10)


def searching(problem: Any, engine: str, **options: Any) -> Callable[[], Any]:
    """Return what makes a run of an engine."""
    spec = available_engines()[engine]
    assert spec.kernel is not None
    module, _, kind = spec.kernel.partition(":")
    return lambda: getattr(SMALL.module(module), kind)(problem, SearchTree(), **options)


def flagged(flag: int) -> Change:
    """Return what finds the last node that has a flag, in the arrays of a dense graph."""
    return lambda saved: np.flatnonzero((saved["flags"] & flag != 0) & (saved["moves"] != START_MOVE))[-1]


def others(saved: Saved) -> Any:
    """Return the nodes that were not reached and are not dead ends."""
    return np.setdiff1d(np.arange(NODES), saved["nodes"])


def missing(saved: Saved) -> Any:
    """Return a node that was not reached and is not a dead end."""
    return others(saved)[0]


def dead(saved: Saved) -> Any:
    """Return a node that is a dead end."""
    return saved["nodes"][flagged(DEAD)(saved)]


def below(tails: Callable[[Saved], Any]) -> Change:
    """Return the change by which a state is a successor of one of these nodes, which were not reached."""

    def change(saved: Saved) -> None:
        reached = saved["nodes"][(saved["flags"] & SEEN != 0) & (saved["moves"] != START_MOVE)]
        tail, move, head = next(
            (tail, move, head)
            for tail in np.atleast_1d(tails(saved)).tolist()
            for move, (_, head) in enumerate(messy("rows").successors(tail))
            if head in reached
        )
        place = np.flatnonzero(saved["nodes"] == head)[0]
        saved["parents"][place], saved["moves"][place], saved["costs"][place] = tail, move, 0

    return change


def arrival(at: Any, first: int, bits: int, value: Any) -> Change:
    """Return the change of some bits of an arrival."""

    def change(saved: Saved) -> None:
        place, number = (each(saved) if callable(each) else each for each in (at, value))
        word = int(saved["records"][place, 0]) & ~((1 << bits) - 1 << first)
        saved["records"][place, 0] = word | int(number) << first

    return change


last, any_start = flagged(SEEN), 0
LIVE = -1
"""The record of a state that was reached by a step."""


def lifeless(saved: Saved) -> Any:
    """Return the record of a dead end."""
    return np.flatnonzero(saved["records"][:, 0] >> np.uint64(8) & np.uint64(DEAD))[0]


def entered(cell: int) -> Change:
    """Let a cell in the first row be reached from above, or one of the last row, counted from the end, from below."""

    def change(saved: Saved) -> None:
        problem = grid(MAP)
        offsets, cells = problem.compiled().graph.offsets, len(problem.terrain.weights)
        place = last(saved)
        saved["nodes"][place] = cell % cells
        saved["moves"][place] = np.argmax(offsets) if cell > 0 else np.argmin(offsets)

    return change


def swapped(one: int, other: int) -> Change:
    """Exchange two records of an ordered search."""

    def change(saved: Saved) -> None:
        for name in ("nodes", "flags", "moves"):
            saved[name][[one, other]] = saved[name][[other, one]]

    return change


def unreached(saved: Saved) -> None:
    """Let the last record of an ordered search be that of a dead end."""
    saved["flags"][-1], saved["counters"][control.REACHED] = DEAD, len(saved["nodes"]) - 1


WRONG = "records: record "
CASES: dict[str, tuple[Any, list[tuple[Change, str]]]] = {
    "rows": (
        lambda: held(searching(messy("rows"), "astar"), various),
        [
            (of("warned", 0), "warned: expected true or false"),
            (of("warnings", [1]), "warnings: expected a list of texts"),
            *((of("steps", steps), "steps: expected an integer from 1 to 16") for steps in (0, 17, 4.0)),
            *((of("expanded", count), "expanded: expected an integer") for count in (-1, LARGEST + 1)),
            (of("found", True), "ended: the search has ended"),
            (of("nodes", np.array(1, np.uint32)), "nodes: expected an array of uint32"),
            (of("nodes", [1, 2]), "nodes: expected an array of uint32"),
            (lambda saved: saved.pop("nodes"), "nodes: it is missing"),
            (lambda saved: saved.update(nodes=saved["nodes"].astype(np.int32)), "nodes: expected an array"),
            (lambda saved: saved.update(nodes=saved["nodes"].reshape(1, -1)), "nodes: expected an array"),
            (put("nodes", -1, NODES), "nodes: expected numbers from 0 up to 30"),
            (put("nodes", 1, 0), "nodes: a node is there twice"),
            *((cut(name), f"{name}: it has ") for name in ("flags", "moves", "parents", "costs")),
            (put("flags", last, 16), "flags: expected numbers from 0 up to 16"),
            (put("flags", last, 0), "nodes: record "),
            (put("moves", last, START_MOVE), "moves: the starts are not those"),
            (put("flags", any_start, DEAD), "moves: the starts are not those"),
            (put("parents", last, NODES), "parents: expected numbers from 0 up to 30"),
            (below(others), "moves: a parent was not reached"),
            (below(dead), "nodes: record "),
            (put("moves", last, MOVES), "moves: there is no such move"),
            (
                put("moves", last, lambda saved: saved["moves"][last(saved)] ^ 1),
                "moves: a move does not lead",
            ),
            (
                also(
                    put("parents", last, lambda saved: saved["nodes"][last(saved)]), put("moves", last, LOOP)
                ),
                "nodes: record ",
            ),
            *((put("costs", last, cost), "nodes: record ") for cost in (-1, np.nan, control.EXACT, 0)),
            (put("costs", any_start, 1), "nodes: record "),
            (cut("counters"), "counters: it has 16 elements"),
            *((counter(control.PEAK, value), "counters: expected numbers") for value in (-1, LARGEST)),
            *(
                (counter(at, lambda saved, at=at: saved["counters"][at] + 1), "counters: they do not agree")
                for at in (control.NODES, control.REACHED)
            ),
            (counter(control.HEAD_NODE, NODES), "counters: a state was not reached"),
            (
                also(counter(control.AGAIN, 1), counter(control.HEAD_NODE, missing)),
                "counters: a state was not reached",
            ),
            (
                also(counter(control.AGAIN, 1), counter(control.HEAD_NODE, dead)),
                "counters: a state was not reached",
            ),
            (
                also(of("ended", True), of("found", True), counter(control.HEAD_NODE, missing)),
                "counters: a state was not",
            ),
            (also(of("ended", True), of("found", True)), "found: the state is not a goal"),
            *(
                (
                    also(counter(control.REOPENED, 1), counter(control.REOPENED_FROM, node)),
                    "counters: a state was not reached",
                )
                for node in (missing, NODES)
            ),
            *(
                (counter(at, MOVES), "counters: there is no such move")
                for at in (control.MOVE, control.REOPENED_BY)
            ),
            (counter(control.AGAIN, 1), TAKEN),
            (counter(control.AGAIN, 2), "counters: AGAIN is neither 0 nor 1"),
            (lambda saved: saved.update(least=np.zeros(2)), "least: it has 2 elements"),
            *((put("least", 0, value), "least: expected numbers") for value in (-1, np.nan, control.EXACT)),
            (of("real", 0), "real: expected true or false"),
            (of("real", True), "entries: expected an array"),
            (counter(control.PUSHED, LAST_TURN), TAKEN),
            (put("entries", (0, 0), 0xF0000000 << 32), TAKEN),
            (counter(control.PUSHED, LAST_TURN + 1), "counters: there are too many turns"),
            *(
                (put("entries", (0, 1), node), "entries: a state was not reached")
                for node in (missing, dead, NODES)
            ),
        ],
    ),
    "functions": (
        lambda: held(searching(messy("functions", 0.25), "astar"), various),
        [
            (lambda saved: saved.update(records=saved["records"][:, :1]), "records: expected an array"),
            (lambda saved: saved.update(records=saved["records"][:1]), "costs elsewhere: it has"),
            (cut("costs elsewhere"), "costs elsewhere: it has 14 elements"),
            (put("records", (0, 1), 1), "records: the starts are not those"),
            (
                lambda saved: saved.update(records=saved["records"][:1], **{"costs elsewhere": np.zeros(0)}),
                "records: the st",
            ),
            (arrival(1, 8, 4, DEAD), "records: the starts are not those"),
            (arrival(LIVE, 0, 8, 1), WRONG),
            (arrival(LIVE, 8, 4, 0), WRONG),
            *((put("costs elsewhere", -1, cost), WRONG) for cost in (-1, np.nan, control.EXACT, 0.125)),
            (arrival(0, 15, 17, 1), WRONG),
            (arrival(0, 32, 32, 1), WRONG),
            (arrival(LIVE, 32, 32, NOBODY), WRONG),
            (also(arrival(LIVE, 32, 32, NOBODY), arrival(LIVE, 15, 17, 0), cut("costs elsewhere")), WRONG),
            (arrival(LIVE, 32, 32, lambda saved: len(saved["records"])), WRONG),
            (arrival(LIVE, 32, 32, lifeless), WRONG),
            (also(arrival(LIVE, 32, 32, LIVE % 21), arrival(LIVE, 12, 3, LOOP)), WRONG),
            (arrival(lifeless, 32, 32, NODES), TAKEN),
            *(
                (
                    arrival(
                        at,
                        12,
                        3,
                        lambda saved, at=at: (
                            saved["records"][at, 0] >> np.uint64(12) & np.uint64(7) ^ np.uint64(1)
                        ),
                    ),
                    WRONG,
                )
                for at in (STARTS, LIVE)
            ),
            (arrival(LIVE, 12, 3, MOVES), WRONG),
            (put("records", (LIVE, 1), 1), WRONG),
            (
                counter(control.HEAD_NODE, lambda saved: len(saved["records"])),
                "counters: a state was not reached",
            ),
            (of("real", False), "real: the numbers are not of this problem"),
            (put("entries", (0, 2), NODES), "entries: a state was not reached"),
            *(
                (
                    put("entries", (0, 0), np.float64(value).view(np.uint64)),
                    "entries: a value is not a number",
                )
                for value in (-1, np.nan, control.EXACT + 2)
            ),
            (put("entries", (0, 0), np.float64(control.EXACT).view(np.uint64)), TAKEN),
            (lambda saved: saved.update(entries=saved["entries"][:0]), TAKEN),
        ],
    ),
    "a dead end first": (lambda: held(searching(first_dead(), "astar"), len), []),
    "leaps": (
        lambda: held(searching(leaps(), "dijkstra"), some),
        [
            (put("moves", last, 32), "moves: there is no such move"),
            (put("parents", last, 0), "moves: a parent is wrong"),
        ],
    ),
    "cells": (
        lambda: held(searching(grid(MAP), "astar"), some),
        [
            (put("moves", last, 4), "moves: there is no such move"),
            *((entered(cell), "moves: a parent is wrong") for cell in (1, -1, -STRIDE)),
            (
                put("moves", last, lambda saved: saved["moves"][last(saved)] ^ 1),
                "moves: a move does not lead",
            ),
            (cut("costs"), "costs: it has "),
            *((put("costs", last, cost), "nodes: record ") for cost in (-1, np.nan, control.EXACT, 0)),
        ],
    ),
    "layers": (
        lambda: held(searching(grid(MAP), "bfs"), some),
        [
            (swapped(0, -1), "nodes: they are not in the order"),
            (swapped(1, 2), "nodes: they are not in the order"),
            (swapped(2, -1), "nodes: they are not in the order"),
            *(
                (counter(at, lambda saved: len(saved["nodes"]) + 1), "counters: they do not agree")
                for at in (control.QUEUED, control.SIZE, control.LAYER)
            ),
            (counter(control.DEPTH, lambda saved: len(saved["nodes"])), "counters: they do not agree"),
            (unreached, "counters: they do not agree"),
        ],
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_check(name: str) -> None:
    """What was saved is taken; and with one thing wrong it is refused for that reason."""
    search, cases = CASES[name]
    search().check(cases)


def test_more_records_than_a_table_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused, and as many as it takes are not."""
    search = held(searching(messy("functions", 0.25), "astar"), various)
    monkeypatch.setattr(SMALL.module("searchkit.compiled.kit.saved"), "MOST_SLOTS", 28)
    with np.errstate(over="ignore"):
        search.restore()
    monkeypatch.setattr(SMALL.module("searchkit.compiled.kit.saved"), "MOST_SLOTS", 27)
    with np.errstate(over="ignore"), pytest.raises(InputFormatError, match="records: there are too many"):
        search.restore()


def test_bounds() -> None:
    """Numbers and lengths at their bounds are taken."""
    fields = Fields({"number": 5, "none": 0, "array": np.arange(3)})
    assert (fields.number("number", 5), fields.number("none", 5)) == (5, 0)
    assert fields.array("array", np.int64, below=3, longest=3).tolist() == [0, 1, 2]
    with pytest.raises(InputFormatError, match="number: expected a number from 0 to 4"):
        fields.number("number", 4)
    with pytest.raises(InputFormatError, match="array: it has 3 elements"):
        fields.array("array", np.int64, longest=2)
