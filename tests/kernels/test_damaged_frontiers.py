"""Saved frontiers with one thing wrong are rejected before a kernel follows them; each check has a case."""

from typing import Any

import numpy as np
import pytest

from searchkit.compiled.kit import control
from searchkit.kernels.idastar import CUT, LARGEST_COUNT, LENGTH, THRESHOLD
from searchkit.kernels.queue.frontier import LAST_TURN
from tests.kernels.damaged import TAKEN, Change, Saved, also, counter, cut, held, of, put
from tests.kernels.interpreted import interpreted
from tests.kernels.test_damaged_records import MOVES, NODES, dead, messy, missing, searching, some, various

pytestmark = interpreted


def deep(saved: Saved) -> bool:
    """Whether a path is followed below a second one of the starts' successors."""
    return len(saved["path"]) > 2


def entry(name: str, at: int, part: str, value: Any) -> Change:
    """Return the change of an entry of the path or the stack of a depth-first search."""

    def change(saved: Saved) -> None:
        kind = searching(messy("functions", 0.25), "idastar")().path.dtype
        saved[name].view(kind).reshape(-1)[part][at] = value

    return change


CASES: dict[str, tuple[Any, list[tuple[Change, str]]]] = {
    "fifo": (
        lambda: held(searching(messy("functions", 0.25), "astar", ties="fifo"), various),
        [(put("entries", (0, 1), NODES), "entries: a state was not reached")],
    ),
    "ring": (
        lambda: held(searching(messy("rows", largest=1), "zero_one"), some),
        [(put("ring", 0, node), "ring: a state in it was not reached") for node in (missing, NODES)],
    ),
    "ladder": (
        lambda: held(searching(messy("rows"), "bucket", ties="high-g"), various),
        [
            (lambda saved: saved.pop("entries"), "entries: it is missing"),
            (of("turn", -1), "turn: expected an integer"),
            (of("turn", LAST_TURN + 1), "counters: there are too many turns"),
            (put("entries", (0, 2), missing), "entries: a state was not reached"),
        ],
    ),
    "buckets": (
        lambda: held(searching(messy("rows"), "bucket", ties="lifo"), various),
        [
            *(
                (put("priorities", 0, value), "priorities: expected numbers")
                for value in (-1, np.nan, control.EXACT)
            ),
            (cut("nodes waiting"), "nodes waiting: it has "),
            *(
                (put("nodes waiting", 0, node), "nodes waiting: a state was not")
                for node in (missing, dead, NODES, 1 << 63)
            ),
        ],
    ),
    "path": (
        lambda: held(searching(messy("functions", 0.25, branching=MOVES + 1), "idastar"), deep),
        [
            (lambda saved: saved.update(path=saved["path"][:, 1:]), "path: expected an array"),
            *((entry("stack", -1, "g", cost), "stack: a cost or a move") for cost in (-1, np.nan, np.inf)),
            *((entry("path", -1, "move", move), "path: a cost or a move") for move in (-1, MOVES + 1)),
            (cut("counters"), "counters: it has "),
            *((counter(LENGTH, number), "counters: expected numbers") for number in (-1, LARGEST_COUNT)),
            *((cut(name), "counters: sizes are wrong") for name in ("path", "stack")),
            *((entry("stack", at, "depth", 9), "stack: depths fall, or exceed") for at in (0, -1)),
            *((entry("path", 1, "depth", depth), "path: depths are not") for depth in (0, 2)),
            *((entry(name, -1, "state", 1), f"{name}: a state is not one of") for name in ("path", "stack")),
            *(
                (entry(name, -1, "move", MOVES), f"{name}: a state is not one of")
                for name in ("path", "stack")
            ),
            (entry("path", 0, "state", 1), "path: a state is not one of"),
            (cut("bounds"), "bounds: it has 1 elements"),
            *((put("bounds", CUT, value), "bounds: they are not the thresholds") for value in (-1, np.nan)),
            (also(put("bounds", slice(None), 0), of("threshold", 0)), TAKEN),
            (put("bounds", THRESHOLD, 1000), "bounds: they are not the thresholds"),
            *((of("threshold", value), "threshold: expected a number") for value in (-1, np.nan, "1", True)),
        ],
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_check(name: str) -> None:
    """What was saved is taken; and with one thing wrong it is refused for that reason."""
    search, cases = CASES[name]
    search().check(cases)
