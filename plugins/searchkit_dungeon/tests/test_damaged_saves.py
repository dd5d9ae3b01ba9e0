"""Saved jump point searches with one thing wrong are rejected before a kernel follows them; each check has a case."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from searchkit.compiled.kit import control
from searchkit.tree import SearchTree
from searchkit_dungeon import grid
from searchkit_dungeon.tests.test_interpreted import DRIVING, FORMS
from tests.kernels.damaged import TAKEN, Change, Saved, also, counter, cut, held, of, put
from tests.kernels.interpreted import interpreted

pytestmark = interpreted
MAP = ["S....#...", "..#..#.#.", ".##....#.", "....#....", "S.#...#.G"]
WIDTH, STRIDE, CELLS, WALL, OPEN, GOAL = 9, 10, 60, 5, 8, 48
"""The width of the map, the distance of its rows, how many cells there are with those around, and three of them."""
START, COUNT, HEAD, REACHED = DRIVING.START, DRIVING.COUNT, DRIVING.HEAD, DRIVING.REACHED
RECORDS = ("cells", "costs", "lengths", "directions", "closed")


def ahead(code: Any) -> Any:
    """Return by how much a step changes the number of a cell."""
    return DRIVING.AHEAD_X[code] + STRIDE * DRIVING.AHEAD_Y[code]


def leaf(saved: Saved) -> Any:
    """Return a record at whose cell no run begins, and not the last one."""
    cells, runs = saved["cells"].astype(np.int64), saved["directions"] != START
    begins = cells[runs] - saved["lengths"][runs].astype(np.int64) * ahead(saved["directions"][runs])
    return np.flatnonzero(runs[:-1] & ~np.isin(cells[:-1], begins))[0]


def outside(code: int) -> Change:
    """Let a run in a direction begin just outside the map."""

    def change(saved: Saved) -> None:
        at = leaf(saved)
        y, x = divmod(int(saved["cells"][at]), STRIDE)
        steps = 0
        while 0 <= x < WIDTH and 0 <= y < len(MAP):
            x, y, steps = x - DRIVING.AHEAD_X[code], y - DRIVING.AHEAD_Y[code], steps + 1
        saved["directions"][at], saved["lengths"][at] = code, steps

    return change


def elsewhere(saved: Saved) -> None:
    """Let a run that costs much begin at a cell that was not reached."""
    at = leaf(saved)
    steps, code = next(
        (steps, code)
        for steps in range(1, 4)
        for code in range(4)
        if 0 <= (cell := int(saved["cells"][at]) - steps * ahead(code)) < STRIDE * len(MAP)
        and cell % STRIDE < WIDTH
        and cell not in saved["cells"]
    )
    saved["lengths"][at], saved["directions"][at], saved["costs"][at] = steps, code, 100


def free(saved: Saved) -> None:
    """Let a run cost nothing."""
    at = leaf(saved)
    begin = int(saved["cells"][at]) - int(saved["lengths"][at]) * ahead(saved["directions"][at])
    saved["costs"][at] = saved["costs"][saved["cells"] == begin][-1]


def twice(saved: Saved) -> None:
    """Add a record that is there."""
    at = leaf(saved)
    for name in RECORDS:
        saved[name] = np.append(saved[name], saved[name][at])
    saved["counters"][COUNT] += 1


def many(saved: Saved) -> None:
    """Repeat each entry of the frontier, so that there are more of them than records."""
    saved["f"], saved["nodes"] = np.tile(saved["f"], 20), np.tile(saved["nodes"], 20)
    saved["counters"][DRIVING.SIZE] *= 20


def one_more(at: int) -> Change:
    """Return the change of a counter by one."""
    return counter(at, lambda saved: saved["counters"][at] + 1)


def numbers(name: str) -> list[tuple[Change, str]]:
    """Return what is wrong with costs."""
    wrong = (-1, np.nan, control.EXACT)
    return [(put(name, 0, value), f"{name}: expected numbers from 0") for value in wrong]


CASES: list[tuple[Change, str]] = [
    (cut("counters"), "counters: it has 8 elements"),
    *(
        (counter(DRIVING.GENERATED, value), "counters: one is out of range")
        for value in (-1, DRIVING.MOST_COUNT)
    ),
    *((counter(COUNT, value), "cells: it has ") for value in (1, 1 << 40, DRIVING.MOST_COUNT - 1)),
    *((cut(name), f"{name}: it has ") for name in RECORDS),
    *numbers("costs"),
    (put("directions", -1, START + 1), "directions: expected numbers from 0 up to 9"),
    (put("closed", -1, 2), "closed: expected numbers from 0 up to 2"),
    *((put("cells", -1, cell), "cells: one can't be entered") for cell in (WALL, CELLS)),
    *((counter(HEAD, cell), "cells: one can't be entered") for cell in (WALL, CELLS)),
    (put("directions", 2, START), "cells: the starts are not those"),
    (put("directions", 1, 0), "cells: the starts are not those"),
    (put("cells", 0, OPEN), "cells: the starts are not those"),
    (put("costs", 0, 1), "cells: the starts are not those"),
    (one_more(REACHED), "counters: REACHED is wrong"),
    (put("lengths", leaf, 0), "lengths: a run begins outside"),
    *((outside(code), "lengths: a run begins outside") for code in range(4)),
    (elsewhere, "lengths: a run begins at a cell that was not reached"),
    (free, "lengths: a run begins at a cell that was not reached before its end"),
    (also(of("ended", True), of("found", True), counter(HEAD, GOAL)), "counters: the goal was not reached"),
    *numbers("f"),
    *((cut(name), "f: the number of entries is wrong") for name in ("f", "nodes")),
    (many, TAKEN),
    (one_more(DRIVING.SIZE), "f: the number of entries is wrong"),
    *numbers("least"),
    (lambda saved: saved.update(least=np.zeros(2)), "least: it has 2 elements"),
]
OWN: dict[str, list[tuple[Change, str]]] = {
    "jps": [
        *((counter(DRIVING.PUSHED, value), "push costs: it has ") for value in (1, 1 << 40)),
        *((cut(f"push {name}"), f"push {name}: it has ") for name in ("costs", "cells", "directions")),
        *numbers("push costs"),
        (put("push cells", -1, CELLS), "push cells: expected numbers from 0 up to 60"),
        (put("push directions", -1, START + 1), "push directions: expected numbers from 0 up to 9"),
        (put("push cells", -1, OPEN), "push cells: a cell was not reached"),
        (twice, "push cells: a cell was not reached"),
        (put("nodes", 0, lambda saved: len(saved["push cells"])), "nodes: there is no such run"),
    ],
    "jps+": [(put("nodes", 0, lambda saved: len(saved["cells"])), "nodes: there is no such record")],
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_each_check(form: str) -> None:
    """What was saved is taken; and with one thing wrong it is refused for that reason."""
    begun: Callable[[], Any] = lambda: FORMS[form](grid(MAP, moves=8), SearchTree())  # noqa: E731  # for `held`
    held(begun, lambda saved: saved["expanded"] > 3).check([*CASES, *OWN[form]])


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_goal_that_was_reached(form: str) -> None:
    """A search that has found its goal is taken, also if that is its start."""
    for problem in (grid(MAP, moves=8), grid(["G."], start=(0, 0), moves=8)):
        run, again = (FORMS[form](problem, SearchTree()) for _ in range(2))
        while not run.ended:
            run.advance(9)
        again.restore(run.saved())
        assert again.tree.goal == run.tree.goal == problem.goals[0]
