"""Saved searches with one thing wrong are rejected before machine code follows their numbers; each check has a case."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from searchkit.plugin import InputFormatError
from searchkit.tree import SearchTree
from searchkit_corridor.compiled import kernels
from searchkit_corridor.compiled import saved as saving
from searchkit_corridor.compiled.kernels import DEFERRED, REACHED, START
from searchkit_corridor.compiled.search import CorridorSearch
from searchkit_dungeon import Grid, grid
from tests.kernels.damaged import bounds, lengths

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


def below(each: Saved) -> None:
    """Let the last cell be reached from below."""
    place, offsets = reached(each), begun().store.ground.offsets
    each["cells"][place], each["moves"][place] = SIZE - 1, offsets.argmin()


def later(each: Saved) -> None:
    """Let a cell enter the queue before one that enters it earlier."""
    entry = each["entering"][0]
    each["entering"] = np.array([entry + (1 << kernels.COST), entry])


def counter(at: Any, value: Any) -> Callable[[Saved], None]:
    """Return the change of a counter."""
    return lambda each: np.put(each["counters"], at, value)


def more(at: int) -> Callable[[Saved], None]:
    """Return the change of a counter by 1."""
    return lambda each: np.put(each["counters"], at, each["counters"][at] + 1)


SIZE = begun().store.cells.size
ARRAYS: list[tuple[Callable[[Saved], None], str]] = [
    *lengths("counters", "before", "marks", "phases", "costs", "moves", "flags"),
    (lambda each: each.update(turns=np.append(each["turns"], 0)), "turns: it has "),
    *bounds(
        counters=saving.MOST, before=saving.MOST, marks=saving.MARKS + 1, cells=SIZE, costs=kernels.NEVER,
        flags=saving.FLAGS + 1, waiting=SIZE, queue=SIZE, entering=kernels.NEVER << kernels.COST,
    ),
    (lambda each: each.update({"blocks opened": np.array([len(each["marks"])])}), "blocks opened: expected numbers"),
    (lambda each: each.update({"level end": len(each["queue"]) + 1}), "level end: expected an integer"),
]  # fmt: skip
"""What is wrong with arrays; the rest of the message says what was expected."""
CASES: list[tuple[Callable[[Saved], None], str]] = [
    (below, "moves: a parent is outside the map"),
    (
        lambda each: np.put(each["moves"], reached(each), len(begun().store.ground.offsets)),
        "moves: there is no such move",
    ),
    (later, "entering: the costs are wrong"),
    (counter(kernels.HEAD, SIZE), "counters: a cell is outside the map"),
    (lambda each: np.put(each["entering"], 0, SIZE), "entering: a cell is outside the map"),
    (
        lambda each: np.put(each["entering"], 0, each["entering"][0] & 0xFFFFFFFF),
        "entering: the costs are wrong",
    ),
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
    for number, (change, why) in enumerate([*CASES, *ARRAYS]):
        copy = {
            name: each.copy() if isinstance(each, np.ndarray | list) else each for name, each in found.items()
        }
        change(copy)
        with pytest.raises(InputFormatError) as error:
            begun().restore(copy)
        given = str(error.value).partition("continued: ")[2]
        assert (number, given[: len(why)] if number >= len(CASES) else given) == (number, why)


def test_a_search_that_has_ended() -> None:
    """It has found what its counters say."""
    run = begun()
    while not run.ended:
        run.advance(1000)
    found = dict(run.saved())
    with pytest.raises(InputFormatError, match="found: the counters say something else"):
        begun().restore({**found, "found": False})
    begun().restore(found)
