"""Saved searches with one thing wrong are rejected before machine code follows their numbers; each check has a case."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit.plugin import InputFormatError
from searchkit.tree import SearchTree
from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled.kernels import DEFERRED, REACHED, START
from searchkit_corridor.compiled.search import CorridorSearch
from searchkit_dungeon import Grid, grid

Saved = dict[str, Any]


def cave() -> Grid:
    """Return a map on which cells are deferred."""
    rng, size = Random(0), 24
    rows = [[rng.choice("....#") for _ in range(size)] for _ in range(size)]
    rows[0][0], rows[-1][-1] = "S", "G"
    return grid(["".join(row) for row in rows])


def begun() -> CorridorSearch:
    """Return a search that has not expanded a cell."""
    return CorridorSearch(cave(), SearchTree(), radius=0)


def saved() -> Saved:
    """Return a search in its second phase, when cells are waiting, in the queue, and about to enter it."""
    run = begun()
    while not run.ended:
        run.advance(1)
        found = run.saved()
        if len(found["phase kinds"]) > 1 and min(
            map(len, (found["waiting"], found["queue"], found["entering"]))
        ):
            return dict(found)
    raise AssertionError("it ended before")


def reached(each: Saved) -> Any:
    """Return the place of a cell that was reached by a step, with two steps or more before it, and is not deferred."""
    wanted = (each["moves"] != START) & (each["flags"] & DEFERRED == 0) & (each["costs"] > 1)
    return np.flatnonzero(wanted & (each["flags"] & REACHED != 0))[-1]


def unreached(each: Saved) -> Any:
    """Return a cell in the first row that was not reached."""
    return np.setdiff1d(np.arange(24), each["cells"])[0]


def outside(each: Saved) -> None:
    """Let a cell in the first row be reached from above."""
    place = reached(each)
    each["cells"][place], each["moves"][place] = unreached(each), begun().store.ground.offsets.argmax()


def counter(at: Any, value: Any) -> Callable[[Saved], None]:
    """Return the change of a counter."""
    return lambda each: np.put(each["counters"], at, value)


def more(at: int) -> Callable[[Saved], None]:
    """Return the change of a counter by 1."""
    return lambda each: np.put(each["counters"], at, each["counters"][at] + 1)


CASES: list[tuple[Callable[[Saved], None], str]] = [
    (lambda each: each.update({"by depth": True}), "by depth: it is not of this problem"),
    (lambda each: each.update({"phase kinds": []}), "phase kinds: there is no such phase"),
    (lambda each: each["phase kinds"].append("odd"), "phase kinds: there is no such phase"),
    (lambda each: np.put(each["phases"], 1, -1), "phases: a counter is below 0"),
    (
        lambda each: np.put(each["phases"], 0, each["phases"][0, 0] + 1),
        "blocks opened: their number is wrong",
    ),
    (
        lambda each: np.put(each["moves"], reached(each), START),
        "moves: the starts are not those of this problem",
    ),
    (
        lambda each: np.put(each["costs"], each["moves"].argmax(), 1),
        "moves: the starts are not those of this problem",
    ),
    (lambda each: np.put(each["flags"], reached(each), 0), "flags: a cell was not reached"),
    (lambda each: np.put(each["moves"], reached(each), 8), "moves: there is no such move"),
    (
        lambda each: np.put(each["cells"], reached(each), each["cells"][reached(each) - 1]),
        "cells: one is there twice",
    ),
    (outside, "moves: a parent is outside the map"),
    (lambda each: np.put(each["costs"], reached(each), 0), "moves: a move does not lead to its cell"),
    (more(kernels.CELLS), "counters: CELLS is wrong"),
    (counter(kernels.HEAD, 1 << 40), "counters: a cell is outside the map"),
    (counter(kernels.GOAL_CELL, 1 << 40), "counters: a cell is outside the map"),
    (counter(kernels.LIMIT, kernels.NEVER + 1), "counters: a cell is outside the map"),
    (counter([kernels.LIMIT, kernels.GOAL_CELL], [99, 0]), "counters: the goal was not reached"),
    (more(kernels.WAITING), "waiting: their number is wrong"),
    (
        lambda each: np.put(each["waiting"], 0, each["cells"][reached(each)]),
        "waiting: a cell is not deferred",
    ),
    (counter(kernels.LEVEL, kernels.NEVER), "counters: the level is too high"),
    (lambda each: np.put(each["queue"], 0, unreached(each)), "queue: a cell was not reached"),
    (counter(kernels.LEVEL, 1), "queue: a cell costs more than the level"),
    (lambda each: np.put(each["entering"], 0, 1 << 20), "entering: a cell is outside the map"),
    (lambda each: np.put(each["entering"], 0, unreached(each)), "entering: the costs are wrong"),
    (lambda each: each.update(ended=True), "ended: the search has not ended"),
]


def test_each_check() -> None:
    """What is wrong is named."""
    found = saved()
    for number, (change, why) in enumerate(CASES):
        copy = {
            name: each.copy() if isinstance(each, np.ndarray | list) else each for name, each in found.items()
        }
        change(copy)
        with pytest.raises(InputFormatError) as error:
            begun().restore(copy)
        assert (number, str(error.value).partition("continued: ")[2]) == (number, why)


def test_a_search_that_has_ended() -> None:
    """It has found what its counters say."""
    run = begun()
    while not run.ended:
        run.advance(1000)
    found = dict(run.saved())
    with pytest.raises(InputFormatError, match="found: the counters say something else"):
        begun().restore({**found, "found": False})
    begun().restore(found)
